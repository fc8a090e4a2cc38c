import type { ColumnName, Place, RecordSpan, TestColumn } from "../ir.js";
import { type Code, catalogue, type Params, type Rule } from "./catalogue.js";
import type { Diagnostic, Fix, Severity } from "./diagnostic.js";
import { byPlace } from "./listing.js";

/** The parts of a report beside the rule's parameters. */
export interface Where {
  readonly place: Place | null;
  readonly span?: RecordSpan | null;
  readonly graph?: string | null;
  readonly node?: string | null;
  readonly column?: ColumnName | TestColumn | null;
  readonly label?: string | null;
  readonly fix?: Fix | null;
  /** `unknown-agent` is a warning when nothing is run, `sheet-too-large` where only an editor stops. */
  readonly severity?: Severity;
}

const NOTHING: readonly Diagnostic[] = [];

/** So many problems of one kind are told of one cell: nobody reads more, and each takes its time. */
const MOST_OF_A_CELL = 50_000;
const AND_MORE = "there are more of this kind in this cell than are told";

/** So many problems of one kind are told. */
export interface Most {
  readonly ofACell: number;
  /** Of what is looked at together, such as a graph. */
  readonly ofAStep: number;
}

/** Whoever hears of problems. */
export type Reporter = Pick<Problems, "report">;

/** Collects the problems of one sheet. */
export class Problems {
  readonly file: string;
  #found: Diagnostic[] = [];
  /** How many problems of each kind the cell has that was last reported. */
  #cell = { record: -1, column: -1, told: new Map<Code, number>() };

  /** How many of each kind were found since they were last taken. */
  #step = new Map<Code, number>();
  readonly #most: Most;

  constructor(file: string, { ofACell = MOST_OF_A_CELL, ofAStep = Infinity }: Partial<Most> = {}) {
    this.file = file;
    this.#most = { ofACell, ofAStep };
  }

  report<C extends Code>(code: C, params: Params<C>, where: Where): void {
    // The catalogue's type links codes to parameters. Indexing with a union loses this link.
    const rule = catalogue[code] as unknown as Rule<Params<C>>;
    const told = this.#count(code, where.span ?? null);
    const { ofACell, ofAStep } = this.#most;
    const found = (this.#step.get(code) ?? 0) + 1;
    if (told > ofACell || found > ofAStep) return;
    this.#step.set(code, found);
    const help = rule.help(params);
    this.#found.push({
      code,
      severity: where.severity ?? rule.severity,
      message: rule.message(params),
      file: this.file,
      place: where.place,
      span: where.span ?? null,
      graph: where.graph || null,
      // A row without a name.
      node: where.node || null,
      column: where.column ?? null,
      label: where.label ?? null,
      help: told < ofACell ? help : help === null ? AND_MORE : `${help}; ${AND_MORE}`,
      fix: where.fix ?? null,
    });
  }

  /** True when no more problems of a kind are told: whoever asks need not make them. */
  isFull(code: Code, { record, column }: Pick<RecordSpan, "record" | "column">): boolean {
    if ((this.#step.get(code) ?? 0) >= this.#most.ofAStep) return true;
    const { record: last, column: lastColumn, told } = this.#cell;
    return record === last && column === lastColumn && (told.get(code) ?? 0) >= this.#most.ofACell;
  }

  #count(code: Code, span: RecordSpan | null): number {
    if (span === null) return 0;
    const { record, column } = span;
    if (record !== this.#cell.record || column !== this.#cell.column)
      this.#cell = { record, column, told: new Map() };
    const { told } = this.#cell;
    const count = (told.get(code) ?? 0) + 1;
    told.set(code, count);
    return count;
  }

  add(found: readonly Diagnostic[]): void {
    for (const one of found) {
      this.#found.push(one);
      this.#step.set(one.code, (this.#step.get(one.code) ?? 0) + 1);
    }
  }

  /** What was found since this was last asked. */
  take(): readonly Diagnostic[] {
    if (this.#found.length === 0) return NOTHING;
    this.#step = new Map();
    const found = this.#found;
    this.#found = [];
    return found;
  }

  sorted(): readonly Diagnostic[] {
    return [...this.#found].sort(byPlace);
  }
}
