import { placeOf } from "../../compiler/1-parse/text/places.js";
import { markedLine } from "../../compiler/diagnostics/format-text.js";
import { stripOf } from "../../compiler/diagnostics/frame.js";
import { columnsOf, layOut } from "../../compiler/diagnostics/layout.js";
import { createLineIndex } from "../../compiler/diagnostics/lines.js";
import { createPaint, type Paint } from "../../compiler/diagnostics/paint.js";
import { clip, visible } from "../../compiler/diagnostics/visible.js";
import { cellOfPlace, createRowLines, fileItself } from "../../compiler/diagnostics/worksheet.js";
import type { Place } from "../../compiler/ir.js";
import type { Compared, Mismatch } from "./check-case.js";
import type { OpenedTests } from "./open-tests.js";
import type { CaseResult } from "./run-tests.js";

export interface FailureOptions {
  readonly color?: boolean;
  readonly width?: number;
}

/** A failed case: expected and actual values, each with its cell of the test sheet. */
export function formatFailure(result: CaseResult, tests: OpenedTests, options: FailureOptions = {}): string {
  const { color = false, width = 100 } = options;
  const page = { tests, paint: createPaint(color), width };
  const { one, mismatches } = result;
  const head = `${page.paint("error", "FAIL")} ${page.paint("strong", visible(`${one.graph.name}: ${one.name}`))}`;
  return `${[head, ...mismatches.flatMap((mismatch) => ["", ...describe(result, mismatch, page)])].join("\n")}\n`;
}

interface Page {
  readonly tests: OpenedTests;
  readonly paint: Paint;
  readonly width: number;
}

const GUTTER = 4;
const MESSAGE = 500;

function describe(result: CaseResult, mismatch: Mismatch, page: Page): readonly string[] {
  const { paint } = page;
  const place = placeOfMismatch(result, mismatch, page.tests);
  const at =
    place.worksheet === undefined
      ? `${visible(place.file)}:${place.line}:${place.column}   cell ${place.cell}`
      : visible(`${fileItself(place.file)}  ${cellOfPlace(place)}`);
  return [
    `  ${paint("error", mismatch.column)}${paint("strong", `: ${visible(clip(mismatch.message, MESSAGE))}`)}`,
    `  ${paint("quiet", "-->")} ${at}`,
    ...framed(place, page),
    ...table(mismatch.compared, page),
    ...(mismatch.help === null ? [] : [`  ${paint("help", "= help:")} ${visible(mismatch.help)}`]),
  ];
}

/** The place of the expectation: the first different value of the state, else its cell, else the case's name. */
export function placeOfMismatch(
  { one, place }: CaseResult,
  { column, fields: [field] }: Mismatch,
  { tests }: OpenedTests,
): Place {
  const cell = one.cells.get(column);
  if (tests.sheet === null) return place;
  const entry = column === "expect_state" ? one.state?.entries?.find(({ key }) => key === field) : undefined;
  if (entry?.cell !== undefined) return placeOf(tests.sheet, entry.cell);
  if (cell === undefined) return place;
  const { start, end } = entry?.spot ?? cell;
  return placeOf(tests.sheet, { ...cell, start, end });
}

function framed(place: Place, { tests: { text }, paint, width }: Page): readonly string[] {
  if (place.worksheet !== undefined) return framedCell(place, text, paint, width);
  const line = createLineIndex(text).lineAt(place.line);
  if (line === null) return [];
  const start = Math.min(line.start + place.column - 1, line.end);
  const end = place.endLine > place.line ? line.end : Math.min(line.start + place.endColumn - 1, line.end);
  const strip = stripOf(text, line, { start, end }, Math.max(40, width - GUTTER - 3));
  return markedLine(place.line, strip, { gutter: GUTTER, paint, style: "error", label: null });
}

/** The row of a worksheet, with its whole cell marked. */
function framedCell(place: Place, text: string, paint: Paint, width: number): readonly string[] {
  const span = { record: place.line - 1, column: place.column - 1, start: 0, end: text.length };
  const row = createRowLines()(place.file, text, span);
  const whole = { start: 0, end: row.text.length };
  const strip = stripOf(row.text, whole, row, Math.max(40, width - GUTTER - 3));
  return markedLine(place.line, strip, { gutter: GUTTER, paint, style: "error", label: null });
}

/** Expected and actual values side by side. Different lines are marked. */
function table(compared: readonly Compared[], { paint, width }: Page): readonly string[] {
  if (compared.length === 0) return [];
  const names = compared.map(({ what }) => visible(clip(what, 30)));
  const first = Math.max(...names.map(columnsOf));
  const room = Math.max(16, Math.floor((width - first - 11) / 2));
  const cells = compared.map(({ expected, actual }) => pairOf(expected, actual, room));
  const left = Math.max(8, ...cells.map(([expected]) => columnsOf(expected)));
  const line = (mark: string, what: string, expected: string, actual: string): string =>
    `     ${mark} ${pad(what, first)}  ${pad(expected, left)}  ${actual}`.trimEnd();
  return [
    paint("quiet", line(" ", "", "expected", "actual")),
    ...cells.map(([expected, actual], i) => {
      const { expected: wanted, actual: got } = compared[i] as Compared;
      const differs = wanted !== got;
      const text = line(differs ? ">" : " ", names[i] ?? "", expected, actual);
      return differs ? paint("strong", text) : text;
    }),
  ];
}

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - columnsOf(text)));

const NOTHING = "(nothing)";
/** The number of characters before the first difference of two long texts. */
const LEAD = 12;

/** Two values cut to the width of their columns, around their first difference. */
function pairOf(expected: string | null, actual: string | null, room: number): readonly [string, string] {
  const [one, other] = [visible(expected ?? NOTHING), visible(actual ?? NOTHING)];
  if (columnsOf(one) <= room && columnsOf(other) <= room) return [one, other];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const from = same + LEAD < room ? 0 : same - LEAD;
  return [stretchOf(one, from, room), stretchOf(other, from, room)];
}

function stretchOf(text: string, from: number, room: number): string {
  const rest = from > 0 ? `…${text.slice(from).replace(/^[\udc00-\udfff]/, "")}` : text;
  if (columnsOf(rest) <= room) return rest;
  const kept = layOut(rest).filter(({ column, width }) => column + width < room);
  return `${rest.slice(0, kept.at(-1)?.end ?? 0)}…`;
}
