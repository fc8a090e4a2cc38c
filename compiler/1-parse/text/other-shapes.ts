import type { Problems } from "../../diagnostics/collect.js";
import type { Edit, Fix } from "../../diagnostics/diagnostic.js";
import type { Page, Range } from "../../ir.js";
import { type Format, findFormat, type Vocabulary } from "../header/find-header.js";
import { quoteCell } from "./edit-cell.js";
import type { Outline } from "./outline.js";
import { indexOf } from "./page.js";
import { cellName, stretch } from "./places.js";
import { cellText } from "./scan.js";

/** Text that holds a table in another form than CSV, and the stretch of its header. */
interface OtherShape extends Range {
  readonly what: "quoted-lines" | "markdown" | "html" | "xml-table";
  readonly record: number;
  /** Null when there is no sure way to write the table as CSV. */
  readonly fix: Fix | null;
}

/** Reports a table in another form than CSV; true when the text is one. */
export function reportOtherShape(
  page: Page,
  { format, outline }: { readonly format: Format<string>; readonly outline: Outline },
  problems: Problems,
): boolean {
  if (format.header !== null) return false;
  const found = markup(page) ?? quotedLines(page, format, outline) ?? markdownTable(page, format.vocabulary);
  if (found === null) return false;
  const { what, start, end, record, fix } = found;
  const place = stretch(page, { start, end, cell: cellName(0, record) });
  problems.report("not-csv", { what }, { place, fix });
  return true;
}

/** Tags with which web pages begin, and what stands before them. */
const PAGE =
  /^\s{0,100}(?:<!--[^>]{0,1000}-->\s{0,100})?<(?:!doctype\s+html|html|head|body|meta|style|table|div)\b[^>\n]{0,100}>?/i;
const XML = /^\s{0,100}<\?xml\b[^>\n]{0,100}>/i;

/** Programs call tables in HTML and in XML `.xls`; what a link gives that nobody may read is a page, too. */
function markup({ text, start }: Page): OtherShape | null {
  const head = text.slice(start, start + 4000).replace(/^\ufeff/, "");
  const xml = XML.exec(head);
  const [found] = PAGE.exec(xml === null ? head : head.slice(xml[0].length)) ?? xml ?? [];
  if (found === undefined) return null;
  const what = xml !== null && found === xml[0] ? "xml-table" : "html";
  return { what, start, end: start + head.split("\n", 1)[0]!.length, record: 0, fix: null };
}

/** Every line stands in quotes as a whole, so that each row is one cell: some programs export it so. */
function quotedLines(
  page: Page,
  { first, vocabulary }: Format<string>,
  { records }: Outline,
): OtherShape | null {
  const [only, ...more] = first?.cells ?? [];
  if (first === null || only === undefined || more.length > 0) return null;
  const header = indexOf(page).recordAt(first.record)?.cells[0];
  if (header?.quoted !== true || findFormat(only, vocabulary).header === null) return null;
  const edits: Edit[] = [];
  for (let record = 0; record < records.length; record++) {
    const cells = indexOf(page).recordAt(record)?.cells ?? [];
    const [cell] = cells;
    if (cells.length !== 1 || cell === undefined || !cell.quoted || cell.fault !== null) continue;
    edits.push({ start: cell.start, end: cell.end, text: cellText(page.text, cell) });
  }
  const fix: Fix = { title: "take the quotes off each line", safe: true, edits };
  return {
    what: "quoted-lines",
    start: header.start,
    end: header.end,
    record: first.record,
    fix,
  };
}

/** The line below the header of a table in Markdown. */
const RULE = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?$/;
/** The header is looked for in the first lines only. */
const LOOKED_AT = 20;

function markdownTable(page: Page, vocabulary: Vocabulary<string>): OtherShape | null {
  const head = page.text.slice(page.start, page.start + 20_000).split(/\r\n|\n|\r/, LOOKED_AT);
  const rule = head.findIndex((line, i) => i > 0 && line.length < 5000 && RULE.test(line.trim()));
  const header = head[rule - 1];
  if (header === undefined) return null;
  const columns = new Set(cellsOf(header).map((cell) => vocabulary.named(cell)));
  if (!vocabulary.required.every((column) => columns.has(column))) return null;
  const start = page.text.indexOf(header, page.start);
  const fix = markdownFix(page);
  return { what: "markdown", start, end: start + header.length, record: rule - 1, fix };
}

/** The table as CSV; null where its rows have not as many cells as its header, or other text stands beside it. */
function markdownFix(page: Page): Fix | null {
  const lines = page.text
    .slice(page.start)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "");
  const rows = lines.filter((line) => !RULE.test(line.trim())).map(cellsOf);
  if (lines.length !== rows.length + 1 || rows.some((row) => row.length !== rows[0]?.length)) return null;
  const text = `${rows.map((row) => row.map(written).join(",")).join("\n")}\n`;
  const edits = [{ start: page.start, end: page.text.length, text }];
  return { title: "write the table as CSV", safe: true, edits };
}

/** The cells of a line of a table: `|` parts them, `\|` is the sign itself, `<br>` a line's end. */
function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) =>
    cell
      .trim()
      .replaceAll("\\|", "|")
      .replace(/<br\s{0,5}\/?>/gi, "\n"),
  );
}

const written = (cell: string): string => (/[",\r\n]/.test(cell) ? quoteCell(cell) : cell);
