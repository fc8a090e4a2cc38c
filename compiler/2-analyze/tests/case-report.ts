import type { CaseCell, EntryCell, PartedColumn, TestCase, TestSheet } from "../../1-parse/test-sheet.js";
import { editRecordParts } from "../../1-parse/text/edit-cell.js";
import { located } from "../../1-parse/text/places.js";
import { trimRange } from "../../1-parse/text/white-space.js";
import type { Code, Params } from "../../diagnostics/catalogue.js";
import type { Problems, Where } from "../../diagnostics/collect.js";
import type { Fix, Severity } from "../../diagnostics/diagnostic.js";
import { isSpelling, type Near, suggest } from "../../diagnostics/suggest.js";
import type { GraphIR, Json, JsonSpot, RecordSpan } from "../../ir.js";
import { convert } from "../../types/convert.js";
import { type FieldType, isOpen } from "../../types/field-type.js";
import { nodesByName } from "../by-name.js";
import { once } from "../flow/once.js";
import { syntaxFault } from "./pattern-syntax.js";

/** A stretch of a cell of a test sheet. */
export type Stretch = Pick<CaseCell, "name" | "record" | "column" | "start" | "end">;

/** A name that a cell mentions. */
export interface CaseName extends Stretch {
  readonly text: string;
  /** It stands in JSON, in quotes. */
  readonly isJson: boolean;
  /** The other keys of the object whose key it is. */
  readonly beside?: () => ReadonlySet<string>;
  /** Where the name itself stands, when that is not the cell that is reported: in the header. */
  readonly nameAt?: RecordSpan;
}

/** An entry of the object in a cell; its place is that of its key. */
export interface CaseEntry {
  readonly key: string;
  readonly spot: JsonSpot;
  readonly at: CaseName;
}

export class CaseReporter {
  graph: GraphIR | null = null;
  errors = 0;
  readonly #sheet: TestSheet;
  readonly #problems: Problems;
  readonly patternFault: (source: string) => string | null;

  constructor(
    sheet: TestSheet,
    tested: { readonly problems: Problems; readonly patternFault?: CaseReporter["patternFault"] },
  ) {
    this.#sheet = sheet;
    this.#problems = tested.problems;
    this.patternFault = tested.patternFault ?? syntaxFault;
  }

  put<C extends Code>(
    code: C,
    params: Params<C>,
    { severity = "error", ...where }: Pick<Where, "place" | "span" | "column" | "severity" | "fix">,
  ): void {
    if (severity === "error") this.errors++;
    this.#problems.report(code, params, { ...where, severity, graph: this.graph?.name ?? null });
  }

  at<C extends Code>(
    at: Stretch,
    code: C,
    params: Params<C>,
    { severity = "error", fix = null }: { readonly severity?: Severity; readonly fix?: Fix | null } = {},
  ): void {
    if (!this.#problems.isFull(code, at))
      this.put(code, params, { ...located(this.#sheet, at), column: at.name, severity, fix });
    else if (severity === "error") this.errors++;
  }

  /** Reports something that a case cannot say, and the cure. */
  bad(at: Stretch, why: string, cure: string, fix: Fix | null = null): void {
    this.at(at, "bad-case", { why, cure }, { fix });
  }

  unknownNode(at: CaseName, graph: GraphIR, near: Near): void {
    const { suggestion, fix } = this.meant(at, "unknown-node", () => near(at.text));
    const row = nodesByName(graph).get(suggestion ?? "")?.row ?? null;
    const params = { where: at.name, name: at.text, graph: graph.name, suggestion, row };
    this.at(at, "unknown-node", params, { fix });
  }

  /** The name that an unknown one may stand for among those near it, and the cure: both for a report of this code. */
  meant(
    at: CaseName,
    code: Code,
    near: () => readonly string[],
  ): { readonly suggestion: string | null; readonly fix: Fix | null } {
    if (this.#problems.isFull(code, at)) return { suggestion: null, fix: null };
    const names = near();
    const beside = at.beside?.();
    const free = names.filter((name) => beside?.has(name) !== true);
    const suggestion = suggest(at.text, free);
    // In a path without quotes the sign would part two names.
    const parts = at.name === "expect_path" && !at.isJson && suggestion?.includes(">") === true;
    if (suggestion === null || parts) return { suggestion, fix: null };
    const text = at.isJson ? JSON.stringify(suggestion) : suggestion;
    const where = at.nameAt ?? at;
    const edits = editRecordParts(this.#sheet, where, [{ start: where.start, end: where.end, text }]);
    const safe = isSpelling(at.text, suggestion, names);
    return { suggestion, fix: { title: `write ${JSON.stringify(suggestion)}`, safe, edits } };
  }

  /** The entries of a cell that must hold an object, and of columns of its entries; none after a report. */
  entries(
    { cells, entries: parts }: CaseCells,
    column: PartedColumn,
    { of, typeOf }: Entered,
  ): readonly CaseEntry[] {
    const cell = cells.get(column);
    if (cell?.json != null && cell.json.entries === undefined)
      this.bad(cell, `${cell.name} must be a JSON object of ${of}`, 'write {"name": value}');
    const entries = cell?.json?.entries ?? [];
    const beside = new Set(entries.map(({ key }) => key));
    const whole = entries.map(({ key, spot, start, end }) => ({
      key,
      spot,
      at: { ...(cell as CaseCell), start, end, text: key, isJson: true, beside: () => beside },
    }));
    return [...whole, ...this.#columnEntries(parts, column, { beside, typeOf })];
  }

  #columnEntries(
    parts: readonly EntryCell[],
    column: PartedColumn,
    { beside, typeOf }: Pick<Entered, "typeOf"> & { readonly beside: ReadonlySet<string> },
  ): readonly CaseEntry[] {
    const own = parts.filter(({ name }) => name === column);
    const keys = once(() => new Set([...beside, ...own.map(({ key }) => key)]));
    return own.flatMap((cell): CaseEntry[] => {
      const { key, keyAt: nameAt, record, column: number, start, end, text } = cell;
      if (beside.has(key)) {
        this.bad(cell, `${column}.${key} stands in ${column}, too`, "write it in one of the two columns");
        return [];
      }
      const spot = cell.json ?? { value: typedAs(text, typeOf?.(key)), start, end };
      const at = { name: column, record, column: number, start, end, text: key, isJson: false };
      return [{ key, spot, at: { ...at, beside: keys, nameAt } }];
    });
  }
}

type CaseCells = Pick<TestCase, "cells" | "entries">;

interface Entered {
  /** What the entries are, in words. */
  readonly of: string;
  /** What text that is no JSON is read as; undefined where the sheet does not say. */
  readonly typeOf?: ((key: string) => FieldType | undefined) | undefined;
}

/** The text of a cell as people type it: of the type that is asked for, else a number, yes or no, or text. */
function typedAs(text: string, type: FieldType | undefined): Json {
  if (type !== undefined && !isOpen(type)) {
    const converted = convert(text, type);
    return "value" in converted ? converted.value : text;
  }
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : text;
}

interface CaseItem {
  readonly text: string;
  readonly at: CaseName;
}

/** The items of a list in a cell, each with its place; empty ones are none. */
export function itemsOf(cell: CaseCell, between: RegExp): readonly CaseItem[] {
  const { text, start: from } = cell;
  const cuts = [...text.matchAll(between)].map(({ index }) => index);
  return [...cuts, text.length].flatMap((to, i) => {
    const { start, end } = trimRange(text, i === 0 ? 0 : (cuts[i - 1] as number) + 1, to);
    const item = text.slice(start, end);
    const at = { ...cell, start: from + start, end: from + end, text: item, isJson: false };
    return start === end ? [] : [{ at, text: item }];
  });
}
