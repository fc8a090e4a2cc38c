import type { AgentIR } from "../../../compiler/ir.js";

/** Kinds of agents that a drawing tells apart by colour. */
export type Family = "people" | "model" | "choice" | "data" | "custom" | "plain";

const FAMILIES: { readonly [type: string]: Family } = {
  input: "people",
  human: "people",
  llm: "model",
  openai: "model",
  anthropic: "model",
  google: "model",
  branching: "choice",
  switch: "choice",
  orchestrator: "choice",
  json_reader: "data",
  json_writer: "data",
  csv_reader: "data",
  csv_writer: "data",
  file_reader: "data",
  file_writer: "data",
};

export const familyOf = ({ type, builtin }: AgentIR): Family =>
  builtin ? (FAMILIES[type] ?? "plain") : "custom";

interface Colors {
  readonly ground: string;
  readonly box: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly way: string;
  readonly success: string;
  readonly failure: string;
  readonly limit: string;
  readonly families: { readonly [F in Family]: string };
}

const LIGHT: Colors = {
  ground: "#ffffff",
  box: "#f7f8fa",
  line: "#cfd6de",
  text: "#1c2127",
  quiet: "#57606a",
  way: "#7a8490",
  success: "#1a7f37",
  failure: "#c9252d",
  limit: "#8a6100",
  families: {
    people: "#8250df",
    model: "#0a66c2",
    choice: "#bf8700",
    data: "#14807a",
    custom: "#c2560c",
    plain: "#8c959f",
  },
};

const DARK: Colors = {
  ground: "#0f1318",
  box: "#1a2028",
  line: "#36404b",
  text: "#e8edf2",
  quiet: "#9da7b3",
  way: "#78838f",
  success: "#4cc263",
  failure: "#ff7b72",
  limit: "#dba632",
  families: {
    people: "#b083f0",
    model: "#58a6ff",
    choice: "#d9a521",
    data: "#3fbdb4",
    custom: "#f0883e",
    plain: "#7d8590",
  },
};

const rule = (selector: string, body: string): string =>
  `${selector
    .split(",")
    .map((each) => `.flowsheet-graph ${each}`)
    .join(",")}{${body}}`;

function colorRules(colors: Colors): string {
  const kinds = [
    ["next", colors.way],
    ["success", colors.success],
    ["failure", colors.failure],
    ["limit", colors.limit],
  ] as const;
  return [
    rule(".ground,.label rect", `fill:${colors.ground}`),
    rule(".node rect", `fill:${colors.box};stroke:${colors.line}`),
    rule(".entry rect", `stroke:${colors.text}`),
    rule("text", `fill:${colors.text}`),
    rule(".agent,.description,.note,.next text", `fill:${colors.quiet}`),
    rule(".start circle,.bar rect", `fill:${colors.text}`),
    rule(".end rect", `fill:${colors.ground};stroke:${colors.text}`),
    ...kinds.flatMap(([kind, color]) => [
      rule(`.${kind} path`, `stroke:${color}`),
      rule(`.${kind} .head`, `fill:${color}`),
      ...(kind === "next" ? [] : [rule(`.${kind} text`, `fill:${color}`)]),
    ]),
    ...Object.entries(colors.families).map(([family, color]) => rule(`.${family} .strip`, `fill:${color}`)),
  ].join("");
}

const SHAPE_RULES = [
  rule(
    "text",
    'font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif',
  ),
  rule(".name,.end text", "font-weight:700"),
  rule(".way path", "fill:none;stroke-width:1.5;stroke-linejoin:round"),
  rule(".way .head", "stroke-width:1"),
  rule(".back path", "stroke-dasharray:6 4"),
  rule(".silent path", "stroke-dasharray:1.5 4;stroke-linecap:round"),
  rule(".way .head", "stroke-dasharray:none"),
  rule(".node rect", "stroke-width:1"),
  rule(".entry rect", "stroke-width:1.8"),
  rule(".end rect", "stroke-width:1.8"),
  rule(".dead", "opacity:.55"),
].join("");

/** The style sheet of every drawing; its rules reach nothing outside the drawing. */
export const STYLE: string = `${SHAPE_RULES}${colorRules(LIGHT)}@media (prefers-color-scheme:dark){${colorRules(DARK)}}`;
