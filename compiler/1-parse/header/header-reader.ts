import type { Reporter } from "../../diagnostics/collect.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import type { ColumnName, Page, Range, TestColumn } from "../../ir.js";
import { editRecordParts } from "../text/edit-cell.js";
import { type Located, located } from "../text/places.js";
import { spreadsheetError } from "../text/spreadsheet-errors.js";
import { trimRange, trimText } from "../text/white-space.js";
import type { HeaderCandidate, Vocabulary } from "./find-header.js";

type Meaning<C> = { readonly kind: "column"; readonly name: C } | { readonly kind: "private" | "unknown" };

/** Reads the cells of a header as every kind of sheet has them, and reports what is wrong with them. */
export class HeaderReader<C extends ColumnName | TestColumn> {
  readonly page: Page;
  readonly header: HeaderCandidate;
  readonly vocabulary: Vocabulary<C>;
  readonly problems: Reporter;
  readonly columns = new Map<C, number>();

  constructor(page: Page, header: HeaderCandidate, vocabulary: Vocabulary<C>, problems: Reporter) {
    this.page = page;
    this.header = header;
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  text(column: number): string {
    return trimText(this.header.cells[column] ?? "");
  }

  range(column: number): Range {
    return trimRange(this.header.cells[column] ?? "");
  }

  at(column: number): Located {
    return located(this.page, { record: this.header.record, column, ...this.range(column) });
  }

  /** Null for text that names no column. */
  read(column: number): Meaning<C> | null {
    const header = this.text(column);
    const value = spreadsheetError(header);
    if (value !== null) {
      this.problems.report("spreadsheet-error", { value }, this.at(column));
      return { kind: "unknown" };
    }
    if (header === "" || header.startsWith("#")) return { kind: "private" };
    const name = this.vocabulary.named(header);
    return name === null ? null : this.add(name, column);
  }

  add(name: C, column: number): Meaning<C> {
    const first = this.columns.get(name);
    if (first === undefined) this.columns.set(name, column);
    else this.reportDuplicate(name, name, { column, first });
    return { kind: "column", name };
  }

  renaming(column: number, name: string, safe: boolean): Fix {
    const range = this.range(column);
    const span = { record: this.header.record, column, ...range };
    const edits = editRecordParts(this.page, span, [{ ...range, text: name }]);
    return { title: `write ${JSON.stringify(name)}`, safe, edits };
  }

  reportDuplicate(name: ColumnName | TestColumn, means: string, at: { column: number; first: number }): void {
    const params = { text: this.text(at.column), column: means, first: this.text(at.first) };
    this.problems.report("duplicate-column", params, { ...this.at(at.column), column: name });
  }

  /** `beside` is the column of the sheet that its cells belong into. */
  reportUnknown(
    column: number,
    suggestion: string | null,
    { fix = null, beside = null }: { readonly fix?: Fix | null; readonly beside?: C | null } = {},
  ): void {
    const params = { text: this.text(column), suggestion, beside };
    this.problems.report("unknown-column", params, { ...this.at(column), fix });
  }

  /** `headerRow` is the row that names the columns, when it is not the first one. */
  reportMissing(columns: readonly C[], headerRow: number | null, fix: Fix | null = null): void {
    const params = { columns, headerRow, required: this.vocabulary.wanted };
    const [name = null] = columns.length === 1 ? columns : [];
    this.problems.report("missing-column", params, { ...this.at(0), column: name, fix });
  }
}
