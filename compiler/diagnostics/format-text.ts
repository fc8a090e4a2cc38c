import type { Place } from "../ir.js";
import type { AnyDiagnostic, Fix } from "./diagnostic.js";
import { type Strip, stripOf } from "./frame.js";
import { indexLines, type LineIndex } from "./lines.js";
import { aroundText, countOf, inOrder, LIST_LIMIT, type Sources, totalsText } from "./listing.js";
import { createPaint, type Paint } from "./paint.js";
import { clip, visible } from "./visible.js";
import { createRowLines, fileItself, type RowLines } from "./worksheet.js";

export interface TextOptions {
  /** Terminal colours; off by default. */
  readonly color?: boolean;
  /** The width of a source line with its line number; 100 by default. */
  readonly width?: number;
}

/** The longest help that is shown below the mark when there is no label. */
const SHORT_HELP = 60;
const MESSAGE_LIMIT = 500;
const MIN_STRIP = 40;

interface Page {
  readonly sources: Sources;
  readonly linesOf: (file: string) => LineIndex;
  readonly rowLines: RowLines;
  /** The width of the line numbers. */
  readonly gutter: number;
  /** The width of a source line. */
  readonly strip: number;
  readonly paint: Paint;
}

/** Diagnostics for people: each with its marked source line, then the totals. Cost: one scan of each shown file. */
export function formatText(
  diagnostics: readonly AnyDiagnostic[],
  sources: Sources,
  options: TextOptions = {},
): string {
  const sorted = inOrder(diagnostics, sources);
  const shown = sorted.slice(0, LIST_LIMIT);
  const page = pageFor(shown, sources, options);
  const blocks = shown.map((diagnostic) => `${formatOne(diagnostic, page).join("\n")}\n`);
  return [...blocks, summary(sorted, sources, page.paint)].join("\n");
}

function pageFor(shown: readonly AnyDiagnostic[], sources: Sources, options: TextOptions): Page {
  const numbers = shown.flatMap(({ place }) => (place === null ? [] : [place.line, place.endLine]));
  const gutter = Math.max(4, 1 + String(numbers.reduce((a, b) => Math.max(a, b), 0)).length);
  return {
    sources,
    linesOf: indexLines(sources),
    rowLines: createRowLines(),
    gutter,
    strip: Math.max(MIN_STRIP, (options.width ?? 100) - gutter - 3),
    paint: createPaint(options.color ?? false),
  };
}

function formatOne(diagnostic: AnyDiagnostic, page: Page): readonly string[] {
  const { severity, code, message, place, help, fix } = diagnostic;
  const { paint } = page;
  const frame = place === null ? null : framed(diagnostic, place, page);
  const label = frame === null ? diagnostic.label : underMark(diagnostic);
  return [
    `${paint(severity, `${severity} ${code}`)}${paint("strong", `: ${plain(message)}`)}`,
    `${paint("quiet", "  -->")} ${whereText(diagnostic)}`,
    ...(frame ?? []),
    ...(frame === null && label !== null && label !== help ? [note("note", label, paint)] : []),
    ...(help !== null && (frame === null || help !== label) ? [note("help", help, paint)] : []),
    ...(fix === null ? [] : [note("fix", fixText(fix), paint)]),
  ];
}

const plain = (text: string): string => clip(visible(clip(text, MESSAGE_LIMIT)), MESSAGE_LIMIT);
const note = (kind: string, text: string, paint: Paint): string =>
  `  ${paint("help", `= ${kind}:`)} ${plain(text)}`;
const fixText = ({ title, safe }: Fix): string =>
  safe ? `${title} (--fix)` : `${title} (--fix=unsafe: it may not be what is meant)`;

/** `support.csv:5:38   cell F5 · graph triage · node Classify`, or `support.xlsx  Triage!F5 · …`. */
function whereText(diagnostic: AnyDiagnostic): string {
  const { file, place } = diagnostic;
  const around = aroundText(diagnostic);
  if (place?.worksheet !== undefined) return `${plain(fileItself(file))}  ${plain(around)}`;
  const at = place === null ? "" : `:${place.line}:${place.column}`;
  return `${plain(file)}${at}${around === "" ? "" : `   ${plain(around)}`}`;
}

/** The text after the carets: the label, or a short help. */
function underMark({ label, help }: AnyDiagnostic): string | null {
  if (label !== null) return label;
  return help !== null && help.length <= SHORT_HELP ? help : null;
}

/** The marked source lines: those where the place begins and ends. */
function framed(diagnostic: AnyDiagnostic, place: Place, page: Page): readonly string[] | null {
  const text = page.sources.get(diagnostic.file);
  if (text === undefined) return null;
  if (place.worksheet !== undefined) return framedRow(diagnostic, text, page);
  const { lineAt } = page.linesOf(diagnostic.file);
  const line = lineAt(place.line);
  if (line === null) return null;
  const begin = Math.min(line.start + place.column - 1, line.end);
  const endLine = place.endLine > place.line ? lineAt(place.endLine) : null;
  const sameLineEnd = place.endLine > place.line ? line.end : line.start + place.endColumn - 1;
  const strip = stripOf(text, line, { start: begin, end: Math.min(sameLineEnd, line.end) }, page.strip);
  const label = underMark(diagnostic);
  const head = markedLine(place.line, strip, { ...page, style: diagnostic.severity, label });
  if (endLine === null || place.endColumn <= 1) return head;
  const end = Math.min(endLine.start + place.endColumn - 1, endLine.end);
  const tail = stripOf(text, endLine, { start: Math.max(endLine.start, end - 1), end }, page.strip);
  const gap = place.endLine > place.line + 1 ? [page.paint("quiet", `${"...".padStart(page.gutter)} |`)] : [];
  return [
    ...head,
    ...gap,
    ...markedLine(place.endLine, tail, { ...page, style: diagnostic.severity, label: "to here" }),
  ];
}

/** The row of a worksheet, with its marked cell. */
function framedRow(diagnostic: AnyDiagnostic, text: string, page: Page): readonly string[] | null {
  const { file, span, severity } = diagnostic;
  if (span === null) return null;
  const line = page.rowLines(file, text, span);
  const strip = stripOf(line.text, { start: 0, end: line.text.length }, line, page.strip);
  return markedLine(span.record + 1, strip, { ...page, style: severity, label: underMark(diagnostic) });
}

interface Marking {
  readonly gutter: number;
  readonly paint: Paint;
  readonly style: AnyDiagnostic["severity"];
  readonly label: string | null;
}

/** A line of a file with its number and its mark. */
export function markedLine(
  number: number,
  strip: Strip,
  { gutter, paint, style, label }: Marking,
): readonly string[] {
  const pointer = `${"^".repeat(strip.carets)}${label === null ? "" : ` ${plain(label)}`}`;
  return [
    `${paint("quiet", `${String(number).padStart(gutter)} |`)} ${strip.text}`.trimEnd(),
    `${paint("quiet", `${" ".repeat(gutter)} |`)} ${" ".repeat(strip.indent)}${paint(style, pointer)}`,
  ];
}

function summary(sorted: readonly AnyDiagnostic[], sources: Sources, paint: Paint): string {
  const totals = countOf(sorted);
  const named = sorted.length === 0 ? [...sources.keys()] : sorted.map(({ file }) => file);
  const files = new Set(named.map(fileItself));
  const text = totalsText(totals) ?? "no problems";
  const style = totals.errors > 0 ? "error" : totals.warnings > 0 ? "warning" : "strong";
  const cut = sorted.length > LIST_LIMIT ? `; the first ${LIST_LIMIT} are shown` : "";
  return `${paint(style, text)}${inFiles(files)}${cut}\n`;
}

function inFiles(files: ReadonlySet<string>): string {
  const [first] = files;
  if (first === undefined) return "";
  return files.size === 1 ? ` in ${plain(first)}` : ` in ${files.size} files`;
}
