import { type Code, catalogue } from "./catalogue.js";
import { type Explanation, plainProse } from "./explanations/explanation.js";
import { fixingOf } from "./explanations/fixable.js";
import { chapters, explanations } from "./explanations/index.js";
import { createPaint, type Paint } from "./paint.js";
import { suggest } from "./suggest.js";
import { clip, visible } from "./visible.js";
import { wrap } from "./wrap.js";

export interface ExplanationOptions {
  /** Terminal colours; off by default. */
  readonly color?: boolean;
  /** The width of the text; 80 by default. Rows of sheets are never broken. */
  readonly width?: number;
}

export interface ExplanationText {
  readonly known: boolean;
  readonly text: string;
}

/** The rule, an example and the cure of a code. For an unknown code, the most similar one. */
export function formatExplanation(code: string, options: ExplanationOptions = {}): ExplanationText {
  const wanted = code
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  if (isCode(wanted)) return { known: true, text: explained(wanted, options) };
  const near = suggest(wanted, Object.keys(catalogue));
  const hint = near === null ? "flowsheet explain lists all codes" : `did you mean ${near}?`;
  return { known: false, text: `there is no diagnostic "${visible(clip(code, 80))}": ${hint}\n` };
}

/** All codes by chapter, each with its rule in one sentence. */
export function formatCodes(options: ExplanationOptions = {}): string {
  const paint = createPaint(options.color ?? false);
  const longest = Math.max(...Object.keys(catalogue).map((code) => code.length));
  const blocks = chapters.map(({ title, codes }) =>
    [paint("strong", title), ...codes.map((code) => codeLine(code, longest, paint))].join("\n"),
  );
  return `${blocks.join("\n\n")}\n`;
}

function codeLine(code: Code, width: number, paint: Paint): string {
  const { severity } = catalogue[code];
  return `  ${paint(severity, severity.padEnd(7))}  ${code.padEnd(width)}  ${plainProse(explanations[code].summary)}`;
}

const isCode = (text: string): text is Code => Object.hasOwn(catalogue, text);

function explained(code: Code, { color = false, width = 80 }: ExplanationOptions): string {
  const { summary, rule, example, tests, note, cure, cured, curedTests }: Explanation = explanations[code];
  const { severity } = catalogue[code];
  const fixing = fixingOf(code);
  const paint = createPaint(color);
  const prose = (text: string): string => wrap(plainProse(text), width).join("\n");
  const blocks = [
    `${paint(severity, `${severity} ${code}`)}${paint("strong", `: ${plainProse(summary)}`)}`,
    ...rule.map(prose),
    paint("strong", "Example"),
    indented(example),
    ...(tests === undefined ? [] : [paint("strong", "Its test sheet"), indented(tests)]),
    ...(note === undefined ? [] : [prose(note)]),
    paint("strong", "Cure"),
    prose(cure),
    ...(cured === null || cured === example ? [] : [indented(cured)]),
    ...(curedTests === undefined ? [] : [indented(curedTests)]),
    ...(fixing === null ? [] : [prose(fixing)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

const indented = (sheet: string): string =>
  sheet
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
