// Files that are small, and would be very large when they are read. The bench reads them, too.
import { type MadePart, partsOf, rowsOf, zipOf } from "./made.js";

const MB = 1024 * 1024;
const SHEET = "xl/worksheets/sheet1.xml";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

const plain = partsOf({
  sheets: [
    {
      name: "S",
      data: rowsOf([
        ["graph_name", "node_name"],
        ["Hello", "Greet"],
      ]),
    },
  ],
  texts: "<si><t>a</t></si>",
});
const withSheet = (content: string | Uint8Array, more: readonly MadePart[] = []): Uint8Array =>
  zipOf([...plain.map((part) => (part.name === SHEET ? { ...part, content } : part)), ...more]);
const sheetOf = (inner: string): string =>
  `<worksheet xmlns="${MAIN}"><sheetData>${inner}</sheetData></worksheet>`;
/** As much of a piece as a part may have. */
const filled = (piece: string, megabytes = 49): string => piece.repeat((megabytes * MB) / piece.length);

const OPENED = /sheet\d|shared/;
const threeSheets = partsOf({ sheets: ["A", "B", "C"].map((name) => ({ name, data: "" })), texts: "" });
/** Packed less tightly than what is refused for that alone. */
const numbers = Array.from({ length: (26 * MB) / 52 }, (_, i) =>
  `<!--${(i * 7919) % 99_991}-->`.padEnd(52),
).join("");
const withRows = ({ content }: MadePart): string =>
  String(content).replace(/\/>$|<\/\w+>$/, (end) => `${numbers}${end}`);

const rows = (cells: string): string => sheetOf(filled(`<row>${cells}</row>`));
const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join("");

function odsOf(rows: string): Uint8Array {
  const content = `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table table:name="S">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`;
  return zipOf([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet", stored: true },
    { name: "content.xml", content },
  ]);
}

export const bombs = {
  "a part of 400 MB": () => withSheet(new Uint8Array(400 * MB)),
  "parts of 104 MB together": () =>
    zipOf(threeSheets.map((part) => (OPENED.test(part.name) ? { ...part, content: withRows(part) } : part))),
  "a part that lies of its size": () =>
    zipOf(
      plain.map((part) =>
        part.name === SHEET ? { ...part, content: new Uint8Array(400 * MB), size: 1000 } : part,
      ),
    ),
  "entities of entities": () =>
    withSheet(
      `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]>${sheetOf('<row r="1"><c r="A1" t="str"><v>&l9;</v></c></row>')}`,
    ),
  "a cell at the end of the worksheet": () =>
    withSheet(sheetOf('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')),
  "rows without cells": () => withSheet(rows("")),
  "cells without value": () => withSheet(rows("<c/>".repeat(200))),
  "rows of one cell": () => withSheet(rows("<c><v>1</v></c>")),
  "a row of many cells": () => withSheet(sheetOf(`<row>${filled("<c/>")}</row>`)),
  "a long text": () => withSheet(sheetOf(`<row><c t="str"><v>${filled("x")}</v></c></row>`)),
  "an attribute that is long": () => withSheet(sheetOf(`<row r="${filled("1")}"/>`)),
  "elements within elements": () => withSheet(filled("<a>")),
  "elements within elements of 4 MB": () => withSheet(filled("<a>", 3.9)),
  "shared texts that nobody shares": () =>
    zipOf(
      plain.map((part) =>
        part.name.includes("shared") ? { ...part, content: `<sst>${filled("<si/>")}</sst>` } : part,
      ),
    ),
  "formats of cells": () =>
    zipOf(
      plain.map((part) =>
        part.name.includes("styles")
          ? { ...part, content: `<s><cellXfs>${filled("<xf/>")}</cellXfs></s>` }
          : part,
      ),
    ),
  "a shared text in many cells": () =>
    zipOf(
      plain.map((part) =>
        part.name === SHEET
          ? { ...part, content: rows('<c t="s"><v>0</v></c>') }
          : part.name.includes("shared")
            ? { ...part, content: `<sst><si><t>${filled("x", 0.9)}</t></si></sst>` }
            : part,
      ),
    ),
  "rows of an .ods repeated": () =>
    odsOf(
      `<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>`,
    ),
  "texts of an .ods repeated": () =>
    odsOf(
      `<table:table-row table:number-rows-repeated="99999"><table:table-cell table:number-columns-repeated="200" office:value-type="string"><text:p>${"x".repeat(100_000)}</text:p></table:table-cell></table:table-row>`,
    ),
  "blanks of an .ods": () =>
    odsOf(
      `<table:table-row><table:table-cell office:value-type="string"><text:p>${filled('<text:s text:c="100000"/>', 3.9)}</text:p></table:table-cell></table:table-row>`,
    ),
} satisfies { readonly [name: string]: () => Uint8Array };
