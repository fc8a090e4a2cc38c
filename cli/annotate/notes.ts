import { cellName } from "../../compiler/1-parse/text/places.js";
import { xmlText } from "../../compiler/1-parse/workbook/write-cells.js";
import { type BookParts, relationshipAttribute } from "./book-parts.js";
import { drawingWith, drawingWithout, emptyDrawing } from "./note-shapes.js";
import { insertedInSheet } from "./sheet-xml.js";
import {
  appended,
  attributeText,
  elementNamed,
  elementsFrom,
  type FoundElement,
  prefixOf,
  unescapedXml,
  without,
} from "./xml-text.js";

/** The line of a note below which all is ours, and the author of our own notes. */
const MARK = "flowsheet";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const SHEETML = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export interface Note {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

const commentsIn = (text: string): readonly FoundElement[] => {
  const list = elementNamed(text, "commentList");
  return list === null || list.from === list.end
    ? []
    : elementsFrom(text, list.from).filter(({ local }) => local === "comment");
};

const refOf = (text: string, { start, from }: FoundElement): string =>
  attributeText(text.slice(start, from), "ref") ?? "";

/** The words of a note, its runs joined. */
const wordsOf = (xml: string): string =>
  [...xml.matchAll(/<(?:[\w.-]+:)?t(?:\s[^>]*)?>([^<]*)</g)]
    .map(([, words = ""]) => unescapedXml(words))
    .join("");

/** Where our own part of an author's note begins: the run that is added behind it. */
const OUR_RUN = new RegExp(
  `<(?:[\\w.-]+:)?r><(?:[\\w.-]+:)?t xml:space="preserve">\\n${MARK}\\n[^<]*</(?:[\\w.-]+:)?t></(?:[\\w.-]+:)?r>`,
);

/** Takes our notes out of a worksheet, and our words out of those of the author. */
export function clearNotes(book: BookParts, sheet: string): void {
  const part = book.related(sheet, "comments");
  let text = part === null ? null : book.text(part.target);
  if (part === null || text === null) return;
  const gone: string[] = [];
  for (const comment of [...commentsIn(text)].reverse()) {
    const xml = text.slice(comment.start, comment.end);
    const [first] = wordsOf(xml).split("\n");
    if (first === MARK) {
      gone.push(refOf(text, comment));
      text = without(text, comment);
    } else if (OUR_RUN.test(xml))
      text = text.slice(0, comment.start) + xml.replace(OUR_RUN, "") + text.slice(comment.end);
  }
  clearShapes(book, sheet, gone);
  if (commentsIn(text).length > 0 || gone.length === 0) {
    book.set(part.target, withoutAuthor(text));
    return;
  }
  book.unrelate(sheet, part.id);
  book.remove(part.target);
}

/** Our author is the last one, when no note names him any more. */
const withoutAuthor = (text: string): string =>
  text.replace(
    new RegExp(`<(?:[\\w.-]+:)?author>${MARK}</(?:[\\w.-]+:)?author>(?=</(?:[\\w.-]+:)?authors>)`),
    (author, at: number) => {
      const before = text.slice(0, at).match(/<(?:[\w.-]+:)?author[>/]/g)?.length ?? 0;
      return new RegExp(`authorId="${before}"`).test(text) ? author : "";
    },
  );

function clearShapes(book: BookParts, sheet: string, gone: readonly string[]): void {
  const drawing = book.related(sheet, "vmlDrawing");
  const text = drawing === null ? null : book.text(drawing.target);
  if (drawing === null || text === null || gone.length === 0) return;
  const left = drawingWithout(text, new Set(gone));
  if (left !== null) {
    book.set(drawing.target, left);
    return;
  }
  const xml = book.text(sheet) ?? "";
  const legacy = elementNamed(xml, "legacyDrawing");
  if (legacy !== null) book.set(sheet, without(xml, legacy));
  book.unrelate(sheet, drawing.id);
  book.remove(drawing.target);
  book.forgetVml();
}

/** Writes notes: below the words of the author where there is one already. */
export function addNotes(book: BookParts, sheet: string, notes: readonly Note[]): void {
  const joined = joinedNotes(notes);
  if (joined.size === 0) return;
  const part = book.related(sheet, "comments")?.target ?? newComments(book, sheet);
  let text = book.text(part) ?? "";
  const known = new Set<string>();
  for (const comment of [...commentsIn(text)].reverse()) {
    const ref = refOf(text, comment);
    const note = joined.get(ref);
    if (note === undefined) continue;
    known.add(ref);
    text =
      text.slice(0, comment.start) +
      withOurs(text.slice(comment.start, comment.end), note.text) +
      text.slice(comment.end);
  }
  const fresh = [...joined].filter(([ref]) => !known.has(ref));
  if (fresh.length > 0) text = withNew(text, fresh);
  book.set(part, text);
  addShapes(
    book,
    sheet,
    fresh.map(([ref, note]) => ({ ...note, ref })),
  );
}

function joinedNotes(notes: readonly Note[]): ReadonlyMap<string, Note> {
  const joined = new Map<string, Note>();
  for (const note of notes) {
    const ref = cellName(note.column, note.row);
    const before = joined.get(ref);
    joined.set(ref, before === undefined ? note : { ...note, text: `${before.text}\n${note.text}` });
  }
  return joined;
}

function newComments(book: BookParts, sheet: string): string {
  const part = book.freeName("xl/comments", ".xml");
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="${MAIN}"><authors></authors><commentList></commentList></comments>`;
  book.add(part, xml, `${SHEETML}.comments+xml`);
  book.relate(sheet, "comments", part);
  return part;
}

/** A plain text becomes a run first: runs follow it in no program's files. */
function withOurs(comment: string, words: string): string {
  const p = prefixOf(comment, "comment");
  const own = `<${p}r><${p}t xml:space="preserve">\n${MARK}\n${xmlText(words)}</${p}t></${p}r>`;
  const text = elementNamed(comment, "text");
  if (text === null) return comment;
  const inner = comment.slice(text.from, text.end);
  const plain = /^\s*<(?:[\w.-]+:)?t[\s>]/.test(inner) ? elementsFrom(comment, text.from)[0] : undefined;
  if (plain === undefined) return appended(comment, text, own);
  const run = `<${p}r>${comment.slice(plain.start, plain.end)}</${p}r>`;
  return comment.slice(0, plain.start) + run + own + comment.slice(plain.end);
}

function withNew(text: string, notes: readonly (readonly [string, Note])[]): string {
  const p = prefixOf(text, "comments");
  const authors = elementNamed(text, "authors");
  if (authors === null) return text;
  const names = authors.from === authors.end ? [] : elementsFrom(text, authors.from);
  const at = names.findIndex(({ from, end, name }) => text.slice(from, end - name.length - 3) === MARK);
  const named = at >= 0 ? text : appended(text, authors, `<${p}author>${MARK}</${p}author>`);
  const author = at >= 0 ? at : names.length;
  const own = notes.map(
    ([ref, note]) =>
      `<${p}comment ref="${ref}" authorId="${author}"><${p}text><${p}r><${p}t xml:space="preserve">${MARK}\n${xmlText(note.text)}</${p}t></${p}r></${p}text></${p}comment>`,
  );
  const list = elementNamed(named, "commentList");
  return list === null ? named : appended(named, list, own.join(""));
}

function addShapes(
  book: BookParts,
  sheet: string,
  notes: readonly (Note & { readonly ref: string })[],
): void {
  if (notes.length === 0) return;
  const known = book.related(sheet, "vmlDrawing")?.target;
  if (known !== undefined) {
    book.set(known, drawingWith(book.text(known) ?? "", notes));
    return;
  }
  const part = book.freeName("xl/drawings/vmlDrawingNotes", ".vml");
  book.declareVml();
  book.set(part, drawingWith(emptyDrawing, notes));
  const id = book.relate(sheet, "vmlDrawing", part);
  const xml = book.text(sheet) ?? "";
  const p = prefixOf(xml, "worksheet");
  book.set(
    sheet,
    insertedInSheet(xml, "legacyDrawing", `<${p}legacyDrawing ${relationshipAttribute(xml, id)}/>`),
  );
}
