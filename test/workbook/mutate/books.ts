import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openArchive, Unpacker } from "../../../compiler/1-parse/workbook/zip.js";
import { type MadePart, partsOf, rowsOf } from "../made.js";

/** So long that what repeats it meets the limits. */
const LONG = "long ".repeat(200);

const xlsx = partsOf({
  sheets: [
    {
      name: "Triage",
      data: rowsOf([
        ["graph_name", "node_name", "prompt"],
        ["Hello", "Greet", 'say "hi",\nplease'],
        ["", "Bye", ""],
      ]),
      after: '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>',
    },
    {
      name: "Data",
      data:
        '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" s="1"><f>1+1</f><v>2</v></c></row>' +
        '<row r="3"><c r="A3" t="s"><v>2</v></c><c r="C3" t="b"><v>1</v></c><c r="D3"><f t="shared" si="0">a*2</f><v/></c></row>',
    },
    { name: "Gone", data: "", state: "hidden" },
  ],
  texts: `<si><t>one</t></si><si><r><t>t</t></r><r><t>wo_x000D_</t></r></si><si><t>${LONG}</t><rPh sb="0" eb="1"><t>a</t></rPh></si>`,
  styles: '<xf numFmtId="14"/><xf numFmtId="164"/>',
  formats: '<numFmt numFmtId="164" formatCode="[h]:mm;000"/>',
});

const text = (inner: string, more = ""): string =>
  `<table:table-cell office:value-type="string"${more}><text:p>${inner}</text:p></table:table-cell>`;
const content =
  '<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s"><office:automatic-styles>' +
  '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles>' +
  '<office:body><office:spreadsheet><table:table table:name="Triage" table:style-name="ta1">' +
  `<table:table-row>${text("graph_name")}${text("node_name")}${text("prompt")}</table:table-row>` +
  `<table:table-row table:number-rows-repeated="2">${text("Hello", ' table:number-rows-spanned="2"')}${text("Greet<text:s text:c='3'/>", ' table:number-columns-repeated="2"')}</table:table-row>` +
  '<table:table-row><table:covered-table-cell/><table:table-cell office:value-type="float" office:value="7" table:formula="of:=3+4"><text:p>007</text:p><office:annotation><text:p>note</text:p></office:annotation></table:table-cell>' +
  '<table:table-cell office:value-type="date" office:date-value="2026-11-22"/><table:table-cell office:value-type="time" office:time-value="PT12H00M00S"/></table:table-row>' +
  `<table:table-row>${text(LONG)}<table:table-cell table:number-columns-repeated="16380"/></table:table-row>` +
  '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>' +
  '<table:table table:name="Gone" table:style-name="ta2"><table:table-row><table:table-cell/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>';
const ods: readonly MadePart[] = [
  { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet", stored: true },
  { name: "content.xml", content },
  {
    name: "META-INF/manifest.xml",
    content:
      '<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="/"/></manifest:manifest>',
  },
];

const WRITTEN = ["exceljs.xlsx", "libreoffice.ods", "libreoffice.xlsx", "openpyxl.xlsx", "sheetjs.xlsx"];

/** The parts of the workbooks that are mutated: two that are made here, and those of other programs in a folder. */
export function bookParts(written: string): readonly (readonly MadePart[])[] {
  return [xlsx, ods, ...WRITTEN.map((name) => partsIn(readFileSync(join(written, name))))];
}

function partsIn(bytes: Uint8Array): readonly MadePart[] {
  const archive = openArchive(bytes);
  const unpacker = new Unpacker(archive);
  return [...archive.parts.values()].flatMap(({ name, method }) => {
    const opened = unpacker.open(name);
    if (opened === null) return [];
    const isText = /\.(?:xml|rels)$/.test(name);
    return [{ name, content: isText ? Buffer.from(opened).toString() : opened, stored: method === 0 }];
  });
}
