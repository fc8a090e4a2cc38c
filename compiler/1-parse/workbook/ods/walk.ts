import { SaxesParser } from "saxes";
import { bad } from "../refusal.js";

/** An element of `content.xml` that may stand for several in a row. */
export interface Repeated {
  readonly name: string;
  /** Which one it is: the first row or column that it stands for. */
  readonly at: number;
  readonly times: number;
  /** Its start tag, as one that has content. */
  readonly open: string;
  readonly start: number;
  /** Where its content begins and ends. */
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

export interface OdsRow extends Repeated {
  readonly cells: readonly Repeated[];
}

const count = (text: string | undefined): number => {
  const number = Number(text ?? 1);
  return Number.isInteger(number) && number > 0 ? number : 1;
};

interface Opened {
  readonly start: number;
  readonly from: number;
  readonly times: number;
}

/** Finds where the rows of a worksheet stand in the text of `content.xml`, and their cells. */
export function walkOds(part: string, text: string, worksheet: string): readonly OdsRow[] {
  const parser = new SaxesParser({ xmlns: false as const, position: true });
  const rows: OdsRow[] = [];
  /** Tables within cells are no worksheets. */
  let tables = 0;
  let isWanted = false;
  let row = 0;
  let column = 0;
  let cells: Repeated[] = [];
  const opened: Opened[] = [];
  const attributeOf = (attributes: Readonly<Record<string, string>>, local: string): string | undefined =>
    Object.entries(attributes).find(([name]) => name.endsWith(`:${local}`))?.[1];
  const closed = (name: string, at: number): Repeated => {
    const { start, from, times } = opened.pop() ?? { start: 0, from: 0, times: 1 };
    const end = parser.position;
    const isEmpty = from === end;
    const open = isEmpty ? `${text.slice(start, end - 2).trimEnd()}>` : text.slice(start, from);
    return { name, at, times, open, start, from, to: isEmpty ? end : text.lastIndexOf("<", end - 1), end };
  };
  parser.on("error", () => {
    throw bad(`its part ${JSON.stringify(part)} is no XML`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const local = name.slice(name.indexOf(":") + 1);
    if (local === "table" && ++tables === 1) {
      isWanted = attributeOf(attributes, "name") === worksheet;
      row = 0;
    }
    if (!isWanted || tables !== 1 || !isPlace(local)) return;
    if (local === "table-row") {
      cells = [];
      column = 0;
    }
    const of = local === "table-row" ? "rows" : "columns";
    const start = text.lastIndexOf("<", parser.position - 1);
    opened.push({
      start,
      from: parser.position,
      times: count(attributeOf(attributes, `number-${of}-repeated`)),
    });
  });
  parser.on("closetag", ({ name }) => {
    const local = name.slice(name.indexOf(":") + 1);
    if (local === "table") tables--;
    if (!isWanted || tables !== 1 || !isPlace(local)) return;
    const found = closed(name, local === "table-row" ? row : column);
    if (local !== "table-row") {
      cells.push(found);
      column += found.times;
      return;
    }
    rows.push({ ...found, cells });
    row += found.times;
  });
  parser.write(text).close();
  return rows;
}

const isPlace = (local: string): boolean => /^(?:table-row|(?:covered-)?table-cell)$/.test(local);
