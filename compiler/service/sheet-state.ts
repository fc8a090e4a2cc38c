import { type LentReading, lendRows, type Rereading, rereadSheet } from "../1-parse/reread.js";
import { readSheet } from "../1-parse/sheet.js";
import type { RecordEdit } from "../1-parse/text/page.js";
import { keepLittle } from "../2-analyze/keep.js";
import { SheetAnalysis } from "../2-analyze/sheet-analysis.js";
import { Problems } from "../diagnostics/collect.js";
import type { Diagnostic, Edit } from "../diagnostics/diagnostic.js";
import { byPlace } from "../diagnostics/listing.js";
import type { GraphIR, Place, Sheet } from "../ir.js";
import type { World } from "../world.js";
import { EDITOR_LIMITS, firstOfEach, IN_EDITOR, SHEET_ROWS, type TooLarge, tooManyGraphs } from "./limits.js";

/** A sheet that is open: as it is read, and what its analysis knows of it. */
export class SheetState {
  readonly #analysis: SheetAnalysis;
  #reading: LentReading;
  /** The graphs whose rows have changed since they were understood. */
  readonly #touched = new Set<string>();
  /** What reading has found, before analysis. */
  #read: readonly Diagnostic[];

  #counted: { readonly of: Counted; readonly large: TooLarge | null } | null = null;

  private constructor(reading: LentReading, world: World, read: readonly Diagnostic[]) {
    this.#reading = reading;
    this.#analysis = new SheetAnalysis(
      reading.sheet,
      world,
      keepLittle,
      new Problems(reading.sheet.file, IN_EDITOR),
    );
    this.#read = read;
  }

  /** Reads a whole text; without a state where it is no sheet. */
  static read(
    source: { readonly file: string; readonly text: string },
    world: World,
    takesAll = false,
  ): { readonly state: SheetState | null; readonly diagnostics: readonly Diagnostic[] } {
    const problems = newProblems(source.file);
    const reading = readSheet(takesAll ? source : { ...source, rowLimit: SHEET_ROWS }, problems);
    if (reading === null) return { state: null, diagnostics: problems.sorted() };
    return { state: new SheetState(lendRows(reading), world, problems.take()), diagnostics: [] };
  }

  get sheet(): Sheet {
    return this.#reading.sheet;
  }

  /** Why it is not understood while somebody types; null for a usual number of graphs and steps. */
  tooLarge(): TooLarge | null {
    const { graphs, splits } = this.#reading.rows;
    const last = this.#counted;
    if (last?.of.graphs === graphs && last.of.splits === splits) return last.large;
    const large = tooManyGraphs(graphs, splits);
    this.#counted = { of: { graphs, splits }, large };
    return large;
  }

  /** Takes an edit in, which has made `text`; false when the whole text must be read. */
  edit(text: string, edit: Edit): boolean {
    const problems = newProblems(this.sheet.file);
    const reread = rereadSheet(this.#reading, { text, edit }, problems);
    if (reread === null) return false;
    this.#reading = reread.reading;
    const moved = mover(reread.edit);
    this.#read = [...this.#read.filter(isKept(reread)).map(moved), ...problems.take()];
    this.#analysis.move(moved);
    for (const name of reread.graphs) this.#touched.add(name);
    return true;
  }

  understand(): { readonly graphs: readonly GraphIR[]; readonly diagnostics: readonly Diagnostic[] } {
    const graphs = this.#analysis.analyze(this.sheet, { of: this.#reading.rows, touched: this.#touched });
    this.#touched.clear();
    const diagnostics = [...this.#read, ...this.#analysis.diagnostics()].sort(byPlace);
    return { graphs, diagnostics: firstOfEach(diagnostics) };
  }
}

type Counted = Pick<LentReading["rows"], "graphs" | "splits">;

/** Records are read again one by one. So what reading finds is cut cell by cell, and what analysis finds graph by graph. */
const newProblems = (file: string): Problems => new Problems(file, { ofACell: EDITOR_LIMITS.problems });

const isKept =
  ({ records }: Rereading) =>
  ({ span }: Diagnostic): boolean =>
    span === null || !records.has(span.record);

/** What stands behind the record that was edited moves; problems of the record itself are found again. */
function mover({ record, next, by, lines }: RecordEdit): (problem: Diagnostic) => Diagnostic {
  if (by === 0 && lines === 0) return (problem) => problem;
  return (problem) => {
    const { place, span, fix } = problem;
    const isBehind = span !== null && span.record > record;
    const isMoved = fix?.edits.some(({ start }) => start >= next) === true;
    if (!isBehind && !isMoved) return problem;
    return {
      ...problem,
      place: isBehind && place !== null ? movedPlace(place, lines) : place,
      fix: fix === null ? null : { ...fix, edits: fix.edits.map((edit) => movedEdit(edit, next, by)) },
    };
  };
}

const movedPlace = (place: Place, lines: number): Place => ({
  ...place,
  line: place.line + lines,
  endLine: place.endLine + lines,
});

const movedEdit = (edit: Edit, next: number, by: number): Edit =>
  edit.start < next ? edit : { ...edit, start: edit.start + by, end: edit.end + by };
