import { cellName } from "../../compiler/1-parse/text/places.js";
import { readWorkbook } from "../../compiler/1-parse/workbook/read-workbook.js";
import { xmlText } from "../../compiler/1-parse/workbook/write-cells.js";
import type { Severity } from "../../compiler/diagnostics/diagnostic.js";
import { BookParts, relationshipAttribute } from "./book-parts.js";
import { addNotes, clearNotes } from "./notes.js";
import type { Remark } from "./remarks.js";
import {
  clearedSheet,
  counted,
  LISTS,
  type ListChoice,
  rangesWithChoice,
  withChoices,
  withColours,
} from "./sheet-xml.js";
import { appended, attributeText, elementNamed, elementsFrom, prefixOf, without } from "./xml-text.js";

/** A choice of values for the cells of a column. */
export interface DropDown {
  readonly column: number;
  readonly values: readonly string[];
}

/** What is written into one worksheet. */
export interface Annotation {
  readonly worksheet: string;
  readonly remarks: readonly Remark[];
  /** Help in the cells of the header. */
  readonly headers: readonly Omit<Remark, "severity">[];
  readonly dropDowns: readonly DropDown[];
  /** The rows that drop-downs are for: both count from 0. */
  readonly firstRow: number;
  readonly lastRow: number;
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const WORKSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml";
const FILLS: { readonly [S in Severity]: string } = { error: "FFF4C7C3", warning: "FFFCE8B2" };

/** A workbook without all that is ours, and with new annotations, if there are any. All else stays byte for byte. */
export function annotatedBook(bytes: Uint8Array, annotations: readonly Annotation[]): Uint8Array {
  const read = readWorkbook(bytes);
  if (read.kind === "bad") return bytes;
  const book = new BookParts(bytes);
  for (const { part, hidden } of read.worksheets) {
    const xml = hidden ? null : book.text(part);
    if (xml === null) continue;
    book.set(part, clearedSheet(xml));
    clearNotes(book, part);
  }
  clearFormats(book);
  clearLists(book);
  const lists: (readonly string[])[] = [];
  const formats = annotations.some(({ remarks }) => remarks.length > 0) ? addFormats(book) : null;
  for (const annotation of annotations) {
    const part = read.worksheets.find(({ name }) => name === annotation.worksheet)?.part;
    const xml = part === undefined ? null : book.text(part);
    if (part === undefined || xml === null) continue;
    const coloured = formats === null ? xml : withColours(xml, annotation.remarks, formats);
    book.set(part, withChoices(coloured, choicesOf(xml, annotation, lists)));
    addNotes(book, part, [...annotation.headers, ...annotation.remarks]);
  }
  if (lists.length > 0) addLists(book, lists);
  return book.bytes();
}

function choicesOf(
  xml: string,
  { dropDowns, firstRow, lastRow }: Annotation,
  lists: (readonly string[])[],
): readonly ListChoice[] {
  const own = rangesWithChoice(xml);
  return dropDowns.flatMap(({ column, values }): readonly ListChoice[] => {
    const letters = cellName(column, 0).slice(0, -1);
    // A choice of the author's for the column stays the only one.
    if (values.length === 0 || own.some((one) => new RegExp(`(?:^|[ $:])\\$?${letters}\\$?\\d`).test(one)))
      return [];
    const at = lists.push(values) - 1;
    const list = cellName(at, 0).slice(0, -1);
    const range = `${cellName(column, firstRow)}:${cellName(column, lastRow)}`;
    return [{ range, formula: `${LISTS}!$${list}$1:$${list}$${values.length}` }];
  });
}

const stylesOf = (book: BookParts): string | null => book.related(book.main, "styles")?.target ?? null;

const formatXml = (p: string, severity: Severity): string =>
  `<${p}dxf><${p}fill><${p}patternFill patternType="solid"><${p}fgColor rgb="${FILLS[severity]}"/><${p}bgColor rgb="${FILLS[severity]}"/></${p}patternFill></${p}fill></${p}dxf>`;

/** Without a count, which may be left out: so clearing knows that the author has no such element. */
const aloneXml = (p: string, own: string): string => `<${p}dxfs>${own}</${p}dxfs>`;

/** Our formats stand behind those of the author, whose numbers stay. */
function addFormats(book: BookParts): { readonly [S in Severity]: number } | null {
  const part = stylesOf(book);
  const xml = part === null ? null : book.text(part);
  if (part === null || xml === null) return null;
  const p = prefixOf(xml, "styleSheet");
  const own = formatXml(p, "error") + formatXml(p, "warning");
  const known = elementNamed(xml, "dxfs");
  if (known !== null) {
    const count = known.from === known.end ? 0 : elementsFrom(xml, known.from).length;
    book.set(part, counted(appended(xml, known, own), known.start, 2));
    return { error: count, warning: count + 1 };
  }
  const behind = /<(?:[\w.-]+:)?(?:tableStyles|colors|extLst)[\s>]|<\/(?:[\w.-]+:)?styleSheet>/.exec(xml);
  const at = behind?.index ?? xml.length;
  book.set(part, `${xml.slice(0, at)}${aloneXml(p, own)}${xml.slice(at)}`);
  return { error: 0, warning: 1 };
}

function clearFormats(book: BookParts): void {
  const part = stylesOf(book);
  const xml = part === null ? null : book.text(part);
  if (part === null || xml === null) return;
  const p = prefixOf(xml, "styleSheet");
  const own = formatXml(p, "error") + formatXml(p, "warning");
  const known = elementNamed(xml, "dxfs");
  if (known === null || !xml.slice(known.start, known.end).endsWith(`${own}</${known.name}>`)) return;
  if (xml.slice(known.start, known.end) === aloneXml(p, own)) {
    book.set(part, without(xml, known));
    return;
  }
  const end = known.end - known.name.length - 3;
  const left = counted(without(xml, { start: end - own.length, end }), known.start, -2);
  book.set(part, left.replace(`<${known.name} count="0"></${known.name}>`, `<${known.name} count="0"/>`));
}

/** The worksheet of lists, which no program shows. */
function addLists(book: BookParts, lists: readonly (readonly string[])[]): void {
  const height = Math.max(...lists.map((list) => list.length));
  const rows = Array.from({ length: height }, (_, row) => {
    const cells = lists.flatMap((list, column) => {
      const text = list[row];
      return text === undefined
        ? []
        : [
            `<c r="${cellName(column, row)}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`,
          ];
    });
    return `<row r="${row + 1}">${cells.join("")}</row>`;
  });
  const part = book.freeName("xl/worksheets/flowsheetLists", ".xml");
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}"><sheetData>${rows.join("")}</sheetData></worksheet>`;
  book.add(part, xml, WORKSHEET);
  const id = book.relate(book.main, "worksheet", part);
  const text = book.text(book.main) ?? "";
  const p = prefixOf(text, "workbook");
  const numbers = [...text.matchAll(/\ssheetId="(\d+)"/g)].map(([, number]) => Number(number));
  const sheets = elementNamed(text, "sheets");
  if (sheets === null) return;
  const own = `<${p}sheet name="${LISTS}" sheetId="${Math.max(0, ...numbers) + 1}" state="veryHidden" ${relationshipAttribute(text, id)}/>`;
  book.set(book.main, appended(text, sheets, own));
}

function clearLists(book: BookParts): void {
  const text = book.text(book.main) ?? "";
  const [tag] = new RegExp(`<(?:[\\w.-]+:)?sheet\\s[^>]*name="${LISTS}"[^>]*>`).exec(text) ?? [];
  if (tag === undefined) return;
  const id = attributeText(tag, "(?:[\\w.-]+:)?id") ?? "";
  const target = book.relationships(book.main).find((one) => one.id === id)?.target;
  book.set(book.main, text.replace(tag, ""));
  book.unrelate(book.main, id);
  if (target !== undefined) book.remove(target);
}
