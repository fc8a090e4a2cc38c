import { cellName } from "../../compiler/1-parse/text/places.js";
import type { Severity } from "../../compiler/diagnostics/diagnostic.js";
import type { Remark } from "./remarks.js";
import { appended, attributeText, elementNamed, elementsFrom, prefixOf, without } from "./xml-text.js";

/** The elements behind the cells of a worksheet, in the order that the format asks for. */
const ORDER = (
  "sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews " +
  "mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter " +
  "rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF picture " +
  "oleObjects controls webPublishItems tableParts extLst"
).split(" ");

/** Always true: it tells a rule of ours from those of the author. */
const OUR_RULE = '"flowsheet"="flowsheet"';
/** The worksheet that holds the values of drop-downs: an inline list may have 255 characters only. */
export const LISTS = "_flowsheet";

const afterCells = (xml: string) => {
  const data = elementNamed(xml, "sheetData");
  return data === null ? [] : elementsFrom(xml, data.start);
};

/** Puts an element of a worksheet where the format wants it. */
export function insertedInSheet(xml: string, local: string, element: string): string {
  const rank = ORDER.indexOf(local);
  const before = afterCells(xml).filter(
    (one) => ORDER.indexOf(one.local) <= rank && ORDER.includes(one.local),
  );
  const at = before.at(-1)?.end ?? 0;
  return at === 0 ? xml : xml.slice(0, at) + element + xml.slice(at);
}

/** Colours as rules, so that the colours of the author are there again without them. */
export function withColours(
  xml: string,
  remarks: readonly Remark[],
  formats: { readonly [S in Severity]: number },
): string {
  const p = prefixOf(xml, "worksheet");
  let made = xml;
  let priority = [...xml.matchAll(/\spriority="(\d+)"/g)].reduce(
    (most, [, one]) => Math.max(most, Number(one)),
    0,
  );
  for (const severity of ["error", "warning"] as const) {
    const cells = remarks
      .filter((one) => one.severity === severity)
      .map(({ row, column }) => cellName(column, row));
    if (cells.length === 0) continue;
    const rule = `<${p}cfRule type="expression" dxfId="${formats[severity]}" priority="${++priority}"><${p}formula>${OUR_RULE}</${p}formula></${p}cfRule>`;
    made = insertedInSheet(
      made,
      "conditionalFormatting",
      `<${p}conditionalFormatting sqref="${cells.join(" ")}">${rule}</${p}conditionalFormatting>`,
    );
  }
  return made;
}

export interface ListChoice {
  readonly range: string;
  readonly formula: string;
}

/** The ranges for which the author has a choice of values. */
export const rangesWithChoice = (xml: string): readonly string[] =>
  [...xml.matchAll(/<(?:[\w.-]+:)?dataValidation\s[^>]*>/g)].map(
    ([tag]) => attributeText(tag, "sqref") ?? "",
  );

/** Several values may stand in one cell, as in A|B: so nothing is refused. */
export function withChoices(xml: string, choices: readonly ListChoice[]): string {
  if (choices.length === 0) return xml;
  const p = prefixOf(xml, "worksheet");
  const own = choices
    .map(
      ({ range, formula }) =>
        `<${p}dataValidation type="list" errorStyle="warning" allowBlank="1" sqref="${range}"><${p}formula1>${formula}</${p}formula1></${p}dataValidation>`,
    )
    .join("");
  const known = afterCells(xml).find(({ local }) => local === "dataValidations");
  if (known !== undefined) return counted(appended(xml, known, own), known.start, choices.length);
  return insertedInSheet(
    xml,
    "dataValidations",
    `<${p}dataValidations count="${choices.length}">${own}</${p}dataValidations>`,
  );
}

/** The count of an element, made larger or smaller. */
export function counted(xml: string, start: number, by: number): string {
  const end = xml.indexOf(">", start) + 1;
  const tag = xml
    .slice(start, end)
    .replace(
      /(\scount=["'])(\d+)/,
      (_, before: string, count: string) => before + String(Number(count) + by),
    );
  return xml.slice(0, start) + tag + xml.slice(end);
}

/** Takes our rules and choices out of a worksheet. */
export function clearedSheet(xml: string): string {
  let made = xml;
  for (const element of [...afterCells(xml)].reverse()) {
    const content = made.slice(element.start, element.end);
    if (element.local === "conditionalFormatting" && content.includes(OUR_RULE))
      made = without(made, element);
    if (element.local !== "dataValidations" || element.from === element.end) continue;
    const all = elementsFrom(made, element.from);
    const ours = all.filter(({ start, end }) => made.slice(start, end).includes(`${LISTS}!`));
    if (ours.length === 0) continue;
    if (ours.length === all.length) made = without(made, element);
    else {
      for (const one of [...ours].reverse()) made = without(made, one);
      made = counted(made, element.start, -ours.length);
    }
  }
  return made;
}
