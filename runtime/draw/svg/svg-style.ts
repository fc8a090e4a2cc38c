import type { AgentIR } from "../../../compiler/ir.js";

/** Kinds of agents that a drawing tells apart by colour, on light pages and on dark ones. */
const FAMILIES = {
  people: { agents: "input human", colors: ["#8250df", "#b083f0"] },
  model: { agents: "llm openai anthropic google", colors: ["#0a66c2", "#58a6ff"] },
  choice: { agents: "branching switch orchestrator", colors: ["#bf8700", "#d9a521"] },
  data: {
    agents: "json_reader json_writer csv_reader csv_writer file_reader file_writer http mail notify sql mcp",
    colors: ["#14807a", "#3fbdb4"],
  },
  custom: { agents: "", colors: ["#c2560c", "#f0883e"] },
  plain: { agents: "", colors: ["#8c959f", "#7d8590"] },
} as const;

const families = new Map<string, string>(
  Object.entries(FAMILIES).flatMap(([family, { agents }]) => agents.split(" ").map((type) => [type, family])),
);

export const familyOf = ({ type, builtin }: AgentIR): string =>
  builtin ? (families.get(type) ?? "plain") : "custom";

/** Each colour for light pages and for dark ones. */
const COLORS = {
  ground: ["#ffffff", "#0f1318"],
  box: ["#f7f8fa", "#1a2028"],
  line: ["#cfd6de", "#36404b"],
  text: ["#1c2127", "#e8edf2"],
  quiet: ["#57606a", "#9da7b3"],
  way: ["#7a8490", "#78838f"],
  success: ["#1a7f37", "#4cc263"],
  failure: ["#c9252d", "#ff7b72"],
  limit: ["#8a6100", "#dba632"],
} as const;

const rule = (selector: string, body: string): string =>
  `${selector
    .split(",")
    .map((each) => `.flowsheet-graph ${each}`)
    .join(",")}{${body}}`;

function colorRules(theme: 0 | 1): string {
  const color = (name: keyof typeof COLORS): string => COLORS[name][theme];
  const kinds = [["next", color("way")], ...LOUD.map((kind) => [kind, color(kind)] as const)] as const;
  return [
    rule(".ground,.label rect", `fill:${color("ground")}`),
    rule(".node rect", `fill:${color("box")};stroke:${color("line")}`),
    rule(".entry rect", `stroke:${color("text")}`),
    rule("text", `fill:${color("text")}`),
    rule(".agent,.description,.next text", `fill:${color("quiet")}`),
    rule(".start circle,.bar rect", `fill:${color("text")}`),
    rule(".end rect", `fill:${color("ground")};stroke:${color("text")}`),
    ...kinds.flatMap(([kind, value]) => [
      rule(`.${kind} path`, `stroke:${value}`),
      rule(`.${kind} .head`, `fill:${value}`),
      ...(kind === "next" ? [] : [rule(`.${kind} text`, `fill:${value}`)]),
    ]),
    ...Object.entries(FAMILIES).map(([family, { colors }]) =>
      rule(`.${family} .strip`, `fill:${colors[theme]}`),
    ),
  ].join("");
}

/** Ways with a colour of their own, which their labels have, too. */
const LOUD = ["success", "failure", "limit"] as const;

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
export const STYLE: string = `${SHAPE_RULES}${colorRules(0)}@media (prefers-color-scheme:dark){${colorRules(1)}}`;
