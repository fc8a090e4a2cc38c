import { worksheetCell } from "../../diagnostics/worksheet.js";
import { cellName } from "../text/places.js";
import { type CellRange, cellNamed, rangeNamed } from "./cell-names.js";
import { xlsxFormula } from "./formula-text.js";
import { BOOK_LIMITS } from "./limits.js";
import { isoText, type NumberKind, numberText } from "./number-text.js";
import { type Budget, Excess, PageCells } from "./page-cells.js";
import { bad, badCell, tooLarge } from "./refusal.js";
import { unescaped } from "./shared-texts.js";
import type { CellFormula, Worksheet } from "./worksheet.js";
import { type Element, readXml } from "./xml.js";

/** What the cells of all worksheets share. */
export interface CellWorld {
  readonly texts: readonly string[];
  readonly kinds: readonly NumberKind[];
  readonly is1904: boolean;
  readonly budget: Budget;
}

type CellsOfSheet = Pick<Worksheet, "page" | "formulas" | "valueless" | "merges" | "excess">;

const NAMES_CELLS: CellFormula = { filledFrom: "cells" };
const NOTHING: CellFormula = { filledFrom: "nothing" };

interface OpenCell {
  readonly name: string;
  readonly row: number;
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string | null;
  inline: string | null;
  formula: string | null;
  /** The number of a formula that several cells share. */
  shared: string | null;
}

/** Reads the cells of a worksheet, until it is larger than a sheet may be. */
export function readCells(
  { name, part }: Pick<Worksheet, "name" | "part">,
  bytes: Uint8Array,
  world: CellWorld,
): CellsOfSheet {
  const reader = new SheetReader(name, world);
  let excess: Worksheet["excess"] = null;
  try {
    readXml(part, bytes, reader);
  } catch (error) {
    if (!(error instanceof Excess)) throw error;
    excess = { what: error.what, limit: error.limit };
  }
  const { cells, formulas, valueless, merges } = reader;
  return { page: cells.page(), formulas, valueless, merges, excess };
}

class SheetReader {
  readonly cells: PageCells;
  readonly formulas = new Map<string, CellFormula>();
  readonly valueless: string[] = [];
  readonly merges: CellRange[] = [];
  readonly #worksheet: string;
  readonly #world: CellWorld;
  readonly #sharedFormulas = new Map<string, CellFormula>();
  #row = -1;
  #column = -1;
  #cell: OpenCell | null = null;
  /** Where text goes. */
  #into: "value" | "inline" | "formula" | null = null;
  #pieces: string[] = [];
  #hints = 0;

  constructor(worksheet: string, world: CellWorld) {
    this.#worksheet = worksheet;
    this.#world = world;
    this.cells = new PageCells(world.budget);
  }

  readonly open = (element: Element): void => {
    const { name } = element;
    if (name === "row") this.#openRow(element);
    else if (name === "c") this.#cell = this.#openCell(element);
    else if (name === "rPh") this.#hints++;
    else if (name === "mergeCell") this.#addMerge(element.attribute("ref") ?? "");
    else if (this.#cell !== null) this.#openInside(name, element);
  };

  readonly close = (name: string): void => {
    if (name === "rPh") this.#hints--;
    const cell = this.#cell;
    if (cell === null) return;
    if (this.#into !== null && (name === "v" || name === "t" || name === "f")) {
      const text = this.#pieces.join("");
      cell[this.#into] = this.#into === "inline" ? (cell.inline ?? "") + text : text;
      this.#into = null;
    }
    if (name !== "c") return;
    this.#cell = null;
    this.#finish(cell);
  };

  readonly text = (text: string): void => {
    if (this.#into !== null) this.#pieces.push(text);
  };

  #openRow({ attribute }: Element): void {
    const given = attribute("r");
    const row = given === null ? this.#row + 1 : Number(given) - 1;
    if (!Number.isInteger(row) || row < 0 || row > 9_999_999)
      throw this.#badSheet(`has a row ${JSON.stringify(given)}`);
    if (row <= this.#row) throw this.#badSheet(`has row ${row + 1} twice, or its rows go backwards`);
    this.#row = row;
    this.#column = -1;
  }

  #openCell({ attribute }: Element): OpenCell {
    const given = attribute("r");
    const at = given === null ? { row: this.#row, column: this.#column + 1 } : cellNamed(given);
    if (at.row !== this.#row || this.#row < 0)
      throw this.#badSheet(`has a cell ${given ?? ""} outside of its row`);
    if (at.column <= this.#column)
      throw this.#badSheet(`has cell ${given ?? ""} twice, or its cells go backwards`);
    this.#column = at.column;
    return {
      name: cellName(at.column, at.row),
      ...at,
      type: attribute("t") ?? "n",
      style: Number(attribute("s") ?? 0),
      value: null,
      inline: null,
      formula: null,
      shared: null,
    };
  }

  #openInside(name: string, { attribute }: Element): void {
    const cell = this.#cell as OpenCell;
    this.#pieces = [];
    if (name === "v") this.#into = "value";
    else if (name === "t") this.#into = this.#hints === 0 ? "inline" : null;
    else if (name === "f") {
      this.#into = "formula";
      cell.formula = "";
      cell.shared = attribute("t") === "shared" ? attribute("si") : null;
    }
  }

  #addMerge(range: string): void {
    if (this.merges.length === BOOK_LIMITS.merges)
      throw tooLarge("it has more than 10,000 merged cells", "10,000 merged cells a worksheet");
    this.merges.push(rangeNamed(range));
  }

  #finish(cell: OpenCell): void {
    if (cell.formula !== null) this.#noteFormula(cell);
    const text = this.#textOf(cell);
    if (text !== null) this.cells.set(cell.row, cell.column, text);
    else if (cell.formula !== null) this.valueless.push(cell.name);
  }

  #noteFormula({ name, formula, shared }: OpenCell): void {
    const own = xlsxFormula(formula ?? "");
    if (shared !== null && own !== "") this.#sharedFormulas.set(shared, namesCell(own) ? NAMES_CELLS : own);
    this.formulas.set(
      name,
      own !== "" || shared === null ? own : (this.#sharedFormulas.get(shared) ?? NOTHING),
    );
  }

  /** Null for a formula without a value. */
  #textOf(cell: OpenCell): string | null {
    const { type, value, inline, formula } = cell;
    if (type === "inlineStr") return unescaped(inline ?? "");
    if (type === "str") return value === null && formula !== null ? null : unescaped(value ?? "");
    if (value === null || value.trim() === "") return formula === null ? "" : null;
    if (type === "s") return this.#sharedAt(cell, value);
    if (type === "b") return value.trim() === "1" || value.trim() === "true" ? "true" : "false";
    if (type === "e") return value.trim();
    return type === "d" ? (isoText(value) ?? value) : this.#number(cell, value);
  }

  #sharedAt(cell: OpenCell, value: string): string {
    const text = /^\s*\d+\s*$/.test(value) ? this.#world.texts[Number(value)] : undefined;
    if (text === undefined) throw this.#bad(cell, "means a text that is not there");
    return text;
  }

  #number(cell: OpenCell, value: string): string {
    // JavaScript would also take 0x10.
    const number = /[xob]/i.test(value) ? Number.NaN : Number(value);
    if (!Number.isFinite(number)) throw this.#bad(cell, "should hold a number and holds none");
    return numberText(number, this.#world.kinds[cell.style] ?? { kind: "number" }, this.#world.is1904);
  }

  #badSheet(what: string): Error {
    return bad(`its worksheet ${JSON.stringify(this.#worksheet)} ${what}`);
  }

  #bad({ name, row, column }: OpenCell, what: string): Error {
    const worksheet = this.#worksheet;
    return badCell(`its cell ${worksheetCell(worksheet, name)} ${what}`, { worksheet, row, column });
  }
}

/** True when a formula names a cell; text in quotes does not count. */
const namesCell = (formula: string): boolean =>
  /(?<![\p{L}\p{N}_.$])\$?[A-Za-z]{1,3}\$?\d+(?![\p{L}\p{N}_.(])/u.test(formula.replace(/"[^"]*"/g, ""));
