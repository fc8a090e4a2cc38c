import { cellName } from "../text/places.js";
import { editOds } from "./ods/edit-ods.js";
import { ODS_CONTENT } from "./ods/read-ods.js";
import { bad } from "./refusal.js";
import { decodeXml, encodeXml, walkSheet } from "./sheet-walk.js";
import { writeParts } from "./write-zip.js";
import { openArchive, Unpacker } from "./zip.js";

export interface CellEdit {
  readonly part: string;
  /** Its name, for an .ods file: there one part holds all worksheets. */
  readonly worksheet?: string;
  /** Both count from 0. */
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** Of Excel, and of LibreOffice with that of macros. */
const isSignature = (part: string): boolean =>
  part.startsWith("_xmlsignatures/") || /^meta-inf\/(?:document|macro)signatures\.xml$/.test(part);
const SIGNED = "it is signed, and a change would break the signature: save a copy without it first";

/** Writes text into cells of worksheets. Every other part of the file stays as it is, byte for byte. */
export function writeCells(bytes: Uint8Array, edits: readonly CellEdit[]): Uint8Array {
  const archive = openArchive(bytes);
  if ([...archive.parts.keys()].some(isSignature)) throw bad(SIGNED);
  const unpacker = new Unpacker(archive);
  const changed = new Map<string, Uint8Array>();
  for (const part of new Set(edits.map((edit) => edit.part))) {
    const content = unpacker.open(part);
    if (content === null) throw new Error(`the workbook has no part ${JSON.stringify(part)}`);
    changed.set(
      part,
      editPart(
        part,
        content,
        edits.filter((edit) => edit.part === part),
      ),
    );
  }
  return writeParts(archive, changed);
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function editPart(part: string, bytes: Uint8Array, edits: readonly CellEdit[]): Uint8Array {
  const { text, encoding, mark } = decodeXml(bytes);
  if (part === ODS_CONTENT) return encodeXml(editOds(part, text, edits), encoding, mark);
  const rows = new Map<number, CellEdit[]>();
  for (const edit of edits) rows.set(edit.row, [...(rows.get(edit.row) ?? []), edit]);
  const replacements = replacementsIn(part, text, rows);
  let result = "";
  let at = 0;
  for (const { start, end, text: put } of replacements.sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + put;
    at = end;
  }
  return encodeXml(result + text.slice(at), encoding, mark);
}

function replacementsIn(
  part: string,
  text: string,
  rows: ReadonlyMap<number, readonly CellEdit[]>,
): Replacement[] {
  const made: Replacement[] = [];
  const { data, rows: found, prefix } = walkSheet(part, text, new Set(rows.keys()));
  for (const [row, edits] of [...rows].sort(([a], [b]) => a - b)) {
    const sorted = [...edits].sort((a, b) => a.column - b.column);
    const there = found.find((one) => one.row === row);
    if (there === undefined) {
      const next = found.find((one) => one.row > row);
      const cells = sorted.map((edit) => cellXml(edit, prefix, "")).join("");
      const whole = `<${prefix}row r="${row + 1}">${cells}</${prefix}row>`;
      made.push(within(data, next?.start ?? data.inner, whole));
      continue;
    }
    const inserted: Replacement[] = [];
    for (const edit of sorted) {
      const cell = there.cells.find(({ column }) => column === edit.column);
      if (cell !== undefined) {
        made.push({ start: cell.start, end: cell.end, text: cellXml(edit, prefix, cell.style) });
        continue;
      }
      const next = there.cells.find(({ column }) => column > edit.column);
      inserted.push(within(there, next?.start ?? there.inner, cellXml(edit, prefix, "")));
    }
    made.push(...inserted);
  }
  return joined(made);
}

/** Puts text at a place inside an element; an element without content is opened for it. */
function within(
  element: {
    readonly open: string | null;
    readonly start: number;
    readonly end: number;
    readonly name: string;
  },
  at: number,
  text: string,
): Replacement {
  if (element.open === null) return { start: at, end: at, text };
  return { start: element.start, end: element.end, text: `${element.open}${text}</${element.name}>` };
}

/** Several insertions at one place become one. */
function joined(all: readonly Replacement[]): Replacement[] {
  const made: Replacement[] = [];
  for (const one of all) {
    const same = made.findIndex(({ start, end }) => start === one.start && end === one.end);
    const before = made[same];
    if (before === undefined) made.push(one);
    else if (one.start === one.end) made[same] = { ...before, text: before.text + one.text };
    else {
      // Both open the same empty element.
      const close = before.text.lastIndexOf("</");
      const inner = one.text.slice(one.text.indexOf(">") + 1, one.text.lastIndexOf("</"));
      made[same] = { ...before, text: before.text.slice(0, close) + inner + before.text.slice(close) };
    }
  }
  return made;
}

function cellXml({ row, column, text }: CellEdit, prefix: string, style: string): string {
  const p = prefix;
  const open = `<${p}c r="${cellName(column, row)}"${style === "" ? "" : ` s="${style}"`}`;
  if (text === "") return `${open}/>`;
  return `${open} t="inlineStr"><${p}is><${p}t xml:space="preserve">${xmlText(text)}</${p}t></${p}is></${p}c>`;
}

/** Text as the XML of a workbook has it. */
export const xmlText = (text: string): string =>
  escapedText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What XML cannot hold, or would change, is written as `_x000D_`. */
export const escapedText = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(
      /[\x00-\x08\x0b-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    );
