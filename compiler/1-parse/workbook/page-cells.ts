import { quoteCell } from "../text/edit-cell.js";
import { LIMITS } from "../text/outline.js";
import { cellName } from "../text/places.js";
import { BOOK_LIMITS } from "./limits.js";
import { tooLarge } from "./refusal.js";

/** A cell as a page has it. */
export const pageCell = (text: string): string =>
  /[",\r\n]/.test(text) || text.startsWith("\ufeff") ? quoteCell(text) : text;

/** A worksheet that is larger than a sheet may be; the others of its workbook may still be read. */
export class Excess extends Error {
  readonly what: string;
  readonly limit: string;

  constructor(what: string, limit: string) {
    super(what);
    this.what = what;
    this.limit = limit;
  }
}

export const tooManyRows = (where = ""): Excess =>
  new Excess(`it has more than 100,000 rows${where}`, "100,000 rows below the header");

/** What the worksheets of one workbook may still hold together. */
export class Budget {
  #text: number = BOOK_LIMITS.pageText;
  #cells: number = BOOK_LIMITS.cells;

  spend(text: number, cells: number): void {
    this.#text -= text;
    this.#cells -= cells;
    if (this.#text < 0)
      throw tooLarge("its cells hold more than 50 MB of text", "50 MB of text in all cells");
    if (this.#cells < 0) throw tooLarge("it has more than 4,000,000 cells", "4,000,000 cells with a value");
  }
}

/** Collects the cells of a worksheet, and writes them as the text of a CSV file. */
export class PageCells {
  readonly #budget: Budget;
  /** By row; a row without a value is not there. */
  readonly #rows = new Map<number, string[]>();
  #first = -1;
  #last = -1;
  #width = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Rows come in ascending order. An empty text is no value. */
  set(row: number, column: number, text: string): void {
    if (text === "") return;
    if (column >= LIMITS.columns)
      throw new Excess(
        `it has more than 200 columns: there is a value in ${cellName(column, row)}`,
        "200 columns",
      );
    if (this.#first < 0) this.#first = row;
    if (row - this.#first > LIMITS.rows) throw tooManyRows(`: there is a value in ${cellName(column, row)}`);
    if (text.length > LIMITS.cellLength)
      throw new Excess(
        `its cell ${cellName(column, row)} holds more than 1 MB`,
        "1 MB (1,048,576 characters) a cell",
      );
    this.#budget.spend(text.length + 1, 1);
    let cells = this.#rows.get(row);
    if (cells === undefined) {
      cells = [];
      this.#rows.set(row, cells);
    }
    while (cells.length < column) cells.push("");
    cells[column] = text;
    this.#last = Math.max(this.#last, row);
    this.#width = Math.max(this.#width, column + 1);
  }

  /** Every row with a value has as many cells as the widest one. */
  page(): string {
    // What pads rows is text, too.
    this.#budget.spend(this.#rows.size * this.#width, 0);
    const lines: string[] = [];
    for (let row = 0; row <= this.#last; row++) lines.push(this.#line(this.#rows.get(row)));
    return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  }

  #line(cells: readonly string[] | undefined): string {
    if (cells === undefined) return "";
    return cells.map(pageCell).join(",") + ",".repeat(this.#width - cells.length);
  }
}
