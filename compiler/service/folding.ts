import { indexOf } from "../1-parse/text/page.js";
import { type Cell, cellText, scanRecord } from "../1-parse/text/scan.js";
import { isComment } from "../1-parse/text/skipped-rows.js";
import { trimText } from "../1-parse/text/white-space.js";
import type { Range } from "../ir.js";
import type { View } from "./document.js";
import { columnOf, layoutOf } from "./layout.js";

/** A stretch of several lines that an editor can fold. */
export interface Fold extends Range {
  readonly kind: "graph" | "comment" | "cell";
}

/** The rows of each graph that stand together, comments that do, and cells of several lines, in the order of the text. */
export function folding(view: View): readonly Fold[] {
  const layout = layoutOf(view);
  if (layout === null) return [];
  const { page, headerRecord } = layout;
  const { records } = indexOf(page);
  const column = view.kind === "sheet" ? columnOf(layout, "graph_name") : -1;
  const folds: Fold[] = [];
  const runs = { graph: new Runs("graph", folds), comment: new Runs("comment", folds) };
  records.forEach((begin, record) => {
    const { cells, end } = scanRecord(page.text, begin, page.delimiter);
    if (cells.some(({ quoted }) => quoted)) addCells(page.text, cells, folds);
    const from = cells[0]?.from ?? begin;
    if (isComment(page.text.slice(from, from + 2))) {
      runs.comment.add("", { start: begin, end });
      return;
    }
    runs.comment.end();
    const cell = cells[column];
    if (record <= headerRecord || cells.every(({ from, to }) => from === to)) return;
    const name = cell === undefined ? "" : trimText(cellText(page.text, cell));
    // Below a cell that a spreadsheet has merged, the name stands above.
    if (column >= 0) runs.graph.add(name === "" ? runs.graph.name : name, { start: begin, end });
  });
  runs.comment.end();
  runs.graph.end();
  return folds.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Gathers stretches that follow each other under one name; two or more are a fold. */
class Runs {
  readonly #kind: Fold["kind"];
  readonly #folds: Fold[];
  #run: (Range & { readonly name: string; readonly count: number }) | null = null;

  constructor(kind: Fold["kind"], folds: Fold[]) {
    this.#kind = kind;
    this.#folds = folds;
  }

  get name(): string {
    return this.#run?.name ?? "";
  }

  add(name: string, { start, end }: Range): void {
    if (this.#run?.name === name) this.#run = { ...this.#run, end, count: this.#run.count + 1 };
    else {
      this.end();
      this.#run = { name, start, end, count: 1 };
    }
  }

  end(): void {
    if (this.#run !== null && this.#run.count > 1) {
      const { start, end } = this.#run;
      this.#folds.push({ kind: this.#kind, start, end });
    }
    this.#run = null;
  }
}

function addCells(text: string, cells: readonly Cell[], folds: Fold[]): void {
  for (const { start, end } of cells)
    if (holdsLineEnd(text, start, end)) folds.push({ kind: "cell", start, end });
}

/** Whether a line ends inside of a cell. */
function holdsLineEnd(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 10 || sign === 13) return true;
  }
  return false;
}
