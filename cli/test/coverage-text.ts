import { columnsOf } from "../../compiler/diagnostics/layout.js";
import type { Paint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { type Coverage, type Measure, percentOf } from "../../runtime/testing/coverage.js";
import type { UntestedSheet } from "./untested.js";

const MEASURES = ["nodes", "edges", "outcomes"] as const;

export interface CoverageParts {
  readonly coverage: readonly Coverage[];
  readonly untested: readonly UntestedSheet[];
}

/** Coverage as a table, and under it what no case came to. */
export function coverageText({ coverage, untested }: CoverageParts, paint: Paint): string {
  const rows = [...coverage, ...untested.flatMap((one) => one.coverage)].map((one) => [
    visible(one.graph),
    ...MEASURES.map((name) => shareText(one[name])),
  ]);
  const all = [["coverage", ...MEASURES], ...rows];
  const widths = all[0]?.map((_cell, i) => Math.max(...all.map((row) => columnsOf(row[i] ?? "")))) ?? [];
  const lines = all.map((row) =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - columnsOf(cell)))
      .join("   ")
      .trimEnd(),
  );
  const [head = "", ...body] = lines;
  return [
    paint("strong", head),
    ...body,
    ...coverage.flatMap((one) => missedLines(one, paint)),
    ...untestedLines(untested, paint),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Rounded down: 100 % is all of it. */
const wholePercent = (measure: Measure): number => Math.floor(percentOf(measure));

const shareText = (measure: Measure): string =>
  `${wholePercent(measure)} % (${measure.taken} of ${measure.total})`;

function missedLines(one: Coverage, paint: Paint): readonly string[] {
  const missed = MEASURES.flatMap((name) =>
    one[name].missed.map((what) => `  ${name.slice(0, -1)} ${visible(what)}`),
  );
  return missed.length === 0
    ? []
    : ["", paint("warning", `never taken in ${visible(one.graph)}:`), ...missed];
}

/** Nothing of such a sheet is taken: its name says as much as a list of all its nodes. */
const untestedLines = (untested: readonly UntestedSheet[], paint: Paint): readonly string[] =>
  untested.length === 0
    ? []
    : [
        "",
        paint("warning", "without a test sheet:"),
        ...untested.map(({ file, hasErrors }) => `  ${visible(file)}${hasErrors ? "  (has errors)" : ""}`),
      ];
