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
  /** Only `unknown-agent` has two severities: it is a warning when nothing is run. */
  readonly severity?: Severity;
}

const NOTHING: readonly Diagnostic[] = [];

/** Collects the problems of one sheet. */
export class Problems {
  readonly file: string;
  #found: Diagnostic[] = [];

  constructor(file: string) {
    this.file = file;
  }

  report<C extends Code>(code: C, params: Params<C>, where: Where): void {
    // The catalogue's type links codes to parameters. Indexing with a union loses this link.
    const rule = catalogue[code] as unknown as Rule<Params<C>>;
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
      help: rule.help(params),
      fix: where.fix ?? null,
    });
  }

  add(found: readonly Diagnostic[]): void {
    for (const one of found) this.#found.push(one);
  }

  /** What was found since this was last asked. */
  take(): readonly Diagnostic[] {
    if (this.#found.length === 0) return NOTHING;
    const found = this.#found;
    this.#found = [];
    return found;
  }

  sorted(): readonly Diagnostic[] {
    return [...this.#found].sort(byPlace);
  }
}
