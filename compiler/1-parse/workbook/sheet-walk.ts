import { SaxesParser } from "saxes";
import { cellNamed } from "./cell-names.js";
import { bad } from "./refusal.js";

/** An element of a worksheet's text; `open` is its start tag when it has no content and no end tag. */
interface Walked {
  readonly name: string;
  readonly open: string | null;
  readonly start: number;
  /** Where its end tag begins. */
  readonly inner: number;
  readonly end: number;
}

export interface WalkedRow extends Walked {
  readonly row: number;
  readonly cells: readonly WalkedCell[];
}

interface WalkedCell extends Walked {
  readonly column: number;
  /** The number of its style; empty without one. */
  readonly style: string;
}

export interface WalkedSheet {
  readonly data: Walked;
  readonly rows: readonly WalkedRow[];
  /** The prefix of the elements, such as `x:`. */
  readonly prefix: string;
}

/** Finds where rows stand in the text of a worksheet, and the cells of those that are wanted. */
export function walkSheet(part: string, text: string, wanted: ReadonlySet<number>): WalkedSheet {
  const parser = new SaxesParser({ xmlns: false as const, position: true });
  const rows: WalkedRow[] = [];
  let data: Walked | null = null;
  let prefix = "";
  let cells: WalkedCell[] = [];
  let row = -1;
  let column = -1;
  const starts: number[] = [];
  const walked = (name: string): Walked => {
    const start = starts.pop() ?? 0;
    const end = parser.position;
    const isEmpty = text[end - 2] === "/" && text.lastIndexOf("<", end - 1) === start;
    const open = isEmpty ? `${text.slice(start, end - 2).trimEnd()}>` : null;
    return { name, open, start, inner: isEmpty ? end : text.lastIndexOf("<", end - 1), end };
  };
  const styles: string[] = [];
  parser.on("error", () => {
    throw bad(`its part ${JSON.stringify(part)} is no XML`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    starts.push(text.lastIndexOf("<", parser.position - 1));
    const local = name.slice(name.indexOf(":") + 1);
    const { r } = attributes;
    if (local === "sheetData") prefix = name.slice(0, name.length - local.length);
    if (local === "row") {
      row = r === undefined ? row + 1 : Number(r) - 1;
      column = -1;
      cells = [];
    }
    if (local === "c") {
      column = r === undefined ? column + 1 : cellNamed(r).column;
      styles.push(attributes["s"] ?? "");
    }
  });
  parser.on("closetag", ({ name }) => {
    const found = walked(name);
    const local = name.slice(name.indexOf(":") + 1);
    if (local === "sheetData") data = found;
    if (local === "row") rows.push({ ...found, row, cells });
    if (local !== "c") return;
    const style = styles.pop() ?? "";
    if (wanted.has(row)) cells.push({ ...found, column, style: /^\d+$/.test(style) ? style : "" });
  });
  parser.write(text).close();
  if (data === null) throw bad(`its part ${JSON.stringify(part)} holds no cells`);
  return { data, rows, prefix };
}

interface XmlText {
  readonly text: string;
  readonly encoding: "utf8" | "utf16le" | "utf16be";
  readonly mark: boolean;
}

/** The text of a part, without a byte order mark. */
export function decodeXml(bytes: Uint8Array): XmlText {
  const [first, second] = bytes;
  const encoding =
    (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
      ? "utf16le"
      : (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
        ? "utf16be"
        : "utf8";
  const label = { utf8: "utf-8", utf16le: "utf-16le", utf16be: "utf-16be" }[encoding];
  const text = new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
  const mark = text.startsWith("\ufeff");
  return { text: mark ? text.slice(1) : text, encoding, mark };
}

export function encodeXml(text: string, encoding: XmlText["encoding"], mark: boolean): Uint8Array {
  const whole = mark ? `\ufeff${text}` : text;
  if (encoding === "utf8") return Buffer.from(whole, "utf8");
  const wide = Buffer.from(whole, "utf16le");
  return encoding === "utf16be" ? wide.swap16() : wide;
}
