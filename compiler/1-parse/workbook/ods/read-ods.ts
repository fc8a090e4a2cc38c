import { LIMITS } from "../../text/outline.js";
import { cellName } from "../../text/places.js";
import type { CellRange } from "../cell-names.js";
import { odsFormula } from "../formula-text.js";
import { BOOK_LIMITS } from "../limits.js";
import { clockText, isoText, secondsOf } from "../number-text.js";
import { Budget, Excess, PageCells, tooManyRows } from "../page-cells.js";
import { bad, tooLarge } from "../refusal.js";
import type { CellFormula, Worksheet } from "../worksheet.js";
import { type Element, readXml } from "../xml.js";
import type { Unpacker } from "../zip.js";

/** The part that holds all worksheets. */
export const ODS_CONTENT = "content.xml";

/** Reads the worksheets of an OpenDocument file. */
export function readOds(unpacker: Unpacker): readonly Worksheet[] {
  const bytes = unpacker.open(ODS_CONTENT);
  if (bytes === null) throw bad(`its part ${JSON.stringify(ODS_CONTENT)} is missing`);
  if (isEncrypted(unpacker)) throw bad("it is encrypted: save it without a password");
  const reader = new BookReader();
  readXml(ODS_CONTENT, bytes, reader);
  return reader.worksheets;
}

function isEncrypted(unpacker: Unpacker): boolean {
  const manifest = unpacker.open("META-INF/manifest.xml");
  return manifest !== null && new TextDecoder().decode(manifest).includes("encryption-data");
}

interface OpenTable {
  readonly name: string;
  readonly hidden: boolean;
  readonly cells: PageCells;
  readonly formulas: Map<string, CellFormula>;
  readonly valueless: string[];
  readonly merges: CellRange[];
  excess: Worksheet["excess"];
  row: number;
}

interface OpenCell {
  readonly type: string | null;
  readonly attribute: Element["attribute"];
  readonly repeated: number;
  readonly isCovered: boolean;
  readonly paragraphs: string[];
}

const count = (text: string | null): number => {
  const number = Number(text ?? 1);
  return Number.isInteger(number) && number > 0 ? number : 1;
};

class BookReader {
  readonly worksheets: Worksheet[] = [];
  readonly #budget = new Budget();
  readonly #hiddenStyles = new Set<string>();
  #style = "";
  #table: OpenTable | null = null;
  /** Tables within cells belong to no page. */
  #tables = 0;
  #rowRepeated = 1;
  #row: { readonly column: number; readonly text: string }[] = [];
  #column = 0;
  #cell: OpenCell | null = null;
  /** Notes and the like stand inside of cells, and are no part of their text. */
  #aside = 0;
  #pieces: string[] | null = null;
  /** A few signs stand for many blanks. */
  #blanksLeft = 0;

  readonly open = (element: Element): void => {
    const { name, attribute } = element;
    if (name === "style") this.#style = attribute("name") ?? "";
    else if (name === "table-properties" && attribute("display") === "false")
      this.#hiddenStyles.add(this.#style);
    else if (name === "table") this.#openTable(element);
    else if (this.#table === null || this.#tables > 1) return;
    else if (name === "table-row") this.#openRow(element);
    else if (name === "table-cell" || name === "covered-table-cell") this.#openCell(element);
    else if (this.#cell !== null) this.#openInside(element);
  };

  readonly close = (name: string): void => {
    if (name === "table") this.#closeTable();
    else if (this.#table === null || this.#tables > 1) return;
    else if (name === "annotation" || name === "shapes") this.#aside--;
    else if (name === "p" && this.#aside === 0 && this.#cell !== null && this.#pieces !== null) {
      this.#cell.paragraphs.push(this.#pieces.join(""));
      this.#pieces = null;
    } else if (name === "table-cell" || name === "covered-table-cell") this.#closeCell();
    else if (name === "table-row") this.#closeRow(this.#table);
  };

  readonly text = (text: string): void => {
    if (this.#aside === 0) this.#pieces?.push(text);
  };

  #openTable({ attribute }: Element): void {
    if (++this.#tables > 1) return;
    if (this.worksheets.length === BOOK_LIMITS.worksheets)
      throw tooLarge("it has more than 100 worksheets", "100 worksheets");
    this.#table = {
      name: attribute("name") ?? "",
      hidden: this.#hiddenStyles.has(attribute("style-name") ?? ""),
      cells: new PageCells(this.#budget),
      formulas: new Map(),
      valueless: [],
      merges: [],
      excess: null,
      row: 0,
    };
  }

  #closeTable(): void {
    if (--this.#tables > 0 || this.#table === null) return;
    const { name, hidden, cells, formulas, valueless, merges, excess } = this.#table;
    this.worksheets.push({
      name,
      part: ODS_CONTENT,
      hidden,
      page: cells.page(),
      formulas,
      valueless,
      merges,
      excess,
    });
    this.#table = null;
  }

  #openRow({ attribute }: Element): void {
    this.#rowRepeated = count(attribute("number-rows-repeated"));
    this.#row = [];
    this.#column = 0;
  }

  #openCell({ name, attribute }: Element): void {
    const repeated = count(attribute("number-columns-repeated"));
    const type = attribute("value-type");
    this.#blanksLeft = LIMITS.cellLength;
    this.#cell = { type, attribute, repeated, isCovered: name.startsWith("covered"), paragraphs: [] };
  }

  #openInside({ name, attribute }: Element): void {
    if (name === "annotation" || name === "shapes") this.#aside++;
    else if (this.#aside > 0) return;
    else if (name === "p") this.#pieces = [];
    else if (name === "s") this.#pieces?.push(this.#blanks(count(attribute("c"))));
    else if (name === "tab") this.#pieces?.push("\t");
    else if (name === "line-break") this.#pieces?.push("\n");
  }

  #blanks(wanted: number): string {
    this.#blanksLeft -= wanted;
    if (this.#blanksLeft < 0)
      throw tooLarge("a cell holds more than 1 MB of blanks", "1 MB (1,048,576 characters) a cell");
    return " ".repeat(wanted);
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = null;
    const table = this.#table;
    if (cell === null || table === null) return;
    const column = this.#column;
    this.#column += cell.repeated;
    if (table.hidden || table.excess !== null) return;
    const name = cellName(column, table.row);
    const formula = cell.attribute("formula");
    if (formula !== null) table.formulas.set(name, odsFormula(formula));
    if (formula !== null && cell.type === null && cell.paragraphs.length === 0) table.valueless.push(name);
    if (!cell.isCovered) this.#noteMerge(table, column, cell);
    const text = cell.isCovered ? "" : textOf(cell);
    if (text === "") return;
    // One more than a sheet may have is enough to refuse it.
    for (let at = 0; at < Math.min(cell.repeated, 201); at++) this.#row.push({ column: column + at, text });
  }

  #noteMerge({ row, merges }: OpenTable, column: number, { attribute }: OpenCell): void {
    const rows = count(attribute("number-rows-spanned"));
    const columns = count(attribute("number-columns-spanned"));
    if (rows === 1 && columns === 1) return;
    if (merges.length === BOOK_LIMITS.merges)
      throw tooLarge("it has more than 10,000 merged cells", "10,000 merged cells a worksheet");
    merges.push({ top: row, left: column, bottom: row + rows - 1, right: column + columns - 1 });
  }

  #closeRow(table: OpenTable): void {
    try {
      const last = this.#row.length === 0 ? table.row : table.row + this.#rowRepeated;
      // Not one of them is kept for a worksheet that is refused.
      if (last - table.row > LIMITS.rows + 1) throw tooManyRows();
      for (let row = table.row; row < last; row++)
        for (const { column, text } of this.#row) table.cells.set(row, column, text);
    } catch (error) {
      if (!(error instanceof Excess)) throw error;
      table.excess = { what: error.what, limit: error.limit };
    }
    table.row += this.#rowRepeated;
    this.#row = [];
  }
}

/** What a cell says, in the words that the same cell of an Excel workbook has. */
function textOf({ type, attribute, paragraphs }: OpenCell): string {
  const shown = paragraphs.join("\n");
  if (type === "boolean") return attribute("boolean-value") === "true" ? "true" : "false";
  if (type === "date") return isoText(attribute("date-value") ?? "") ?? shown;
  if (type === "time") return timeText(attribute("time-value") ?? "") ?? shown;
  if (type === "float" || type === "percentage" || type === "currency") {
    const value = Number(attribute("value") ?? Number.NaN);
    if (!Number.isFinite(value)) return shown;
    // LibreOffice writes TRUE() so.
    if ((shown === "TRUE" && value === 1) || (shown === "FALSE" && value === 0)) return shown.toLowerCase();
    // The format is not read: zeros in front are seen in what is shown.
    return /^0\d+$/.test(shown) && Number(shown) === value ? shown : String(value === 0 ? 0 : value);
  }
  return shown;
}

/** `PT12H30M00S`; a duration of a day or more is a number of days, as in Excel. */
function timeText(text: string): string | null {
  const found = /^PT(\d{1,6})H(\d{1,2})M(\d{1,2}(?:[.,]\d+)?)S$/.exec(text);
  if (found === null) return null;
  const [hours, minutes, seconds] = found.slice(1).map((part) => Number(part.replace(",", ".")));
  const all = secondsOf((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0));
  return all < 86_400 ? clockText(all) : String(all / 86_400);
}
