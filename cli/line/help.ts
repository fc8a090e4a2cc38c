import { columnsOf } from "../../compiler/diagnostics/layout.js";
import { createPaint, type Paint } from "../../compiler/diagnostics/paint.js";
import { wrap } from "../../compiler/diagnostics/wrap.js";
import { EXIT } from "../failure.js";
import type { Context } from "../process/context.js";
import { version } from "../version.js";
import type { Item, OptionSpec, Verb } from "./verb.js";
import { exitCodes, globalOptions, groups, programOptions, verbs } from "./verbs.js";

export function showVersion({ stdout }: Context): number {
  stdout.write(`${version}\n`);
  return EXIT.done;
}

/** Help that nobody asked for goes to stderr. */
export function showHelp(
  { stdout, stderr, color }: Context,
  verb: Verb | undefined,
  isAsked: boolean,
): number {
  const page = verb === undefined ? programPage() : verbPage(verb);
  (isAsked ? stdout : stderr).write(formatHelp(page, createPaint(color(stdout)), stdout.columns() ?? 80));
  return isAsked ? EXIT.done : EXIT.usage;
}

const programPage = (): HelpPage => ({
  usage: "flowsheet <command> [options]",
  summary: "Write workflows in a spreadsheet, get typed TypeScript.",
  sections: [
    ...groups.map(([title, group]) => ({
      title,
      items: group.map((verb): Item => [usageOf(verb), verb.brief]),
    })),
    { title: "Options of every command", items: [...globalOptions.map(itemOf), ...programOptions] },
  ],
  examples: SHOWN.flatMap((name) => verbOf(name).examples.slice(0, 1)),
  footer: `Exit codes: ${exitCodes.map(([code, meaning]) => `${code} ${meaning}`).join("; ")}.`,
});

/** The commands whose first example stands on the first page. */
const SHOWN = ["init", "validate", "run", "compile", "serve"];

const verbOf = (wanted: string): Verb => verbs.find(({ name }) => name === wanted)!;

const verbPage = (verb: Verb): HelpPage => ({
  usage: `flowsheet ${usageOf(verb)} [options]`,
  summary: verb.summary,
  sections: [
    { title: "Arguments", items: verb.operand === null ? [] : [verb.operand] },
    { title: "Options", items: verb.options.map(itemOf) },
  ],
  examples: verb.examples,
  footer: "flowsheet --help lists the options of every command.",
});

const usageOf = ({ name, operand }: Verb): string => (operand === null ? name : `${name} ${operand[0]}`);
const itemOf = ([flags, meaning]: OptionSpec): Item => [flags, meaning];

interface HelpPage {
  readonly usage: string;
  readonly summary: string;
  readonly sections: readonly { readonly title: string; readonly items: readonly Item[] }[];
  readonly examples: readonly Item[];
  readonly footer: string;
}

const MAX_WIDTH = 100;
const MIN_MEANING = 24;
const GAP = "  ";

function formatHelp(page: HelpPage, paint: Paint, width: number): string {
  const room = Math.min(width, MAX_WIDTH);
  const list = (title: string, items: readonly Item[], column: number): readonly string[] =>
    items.length === 0
      ? []
      : [paint("strong", title), ...items.flatMap((item) => itemLines(item, column, room, paint))];
  const column = widest(page.sections.flatMap(({ items }) => items));
  const blocks = [
    [`${paint("strong", "Usage:")} ${page.usage}`],
    wrap(page.summary, room),
    ...page.sections.map(({ title, items }) => list(title, items, column)),
    list("Examples", page.examples, widest(page.examples)),
    wrap(page.footer, room),
  ].filter((lines) => lines.length > 0);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const widest = (items: readonly Item[]): number => Math.max(0, ...items.map(([term]) => columnsOf(term)));

function itemLines([term, meaning]: Item, column: number, room: number, paint: Paint): readonly string[] {
  const indent = GAP.length + column + GAP.length;
  // Meanings are printed below the terms when there is no room beside them.
  const below = room - indent < MIN_MEANING;
  const margin = below ? 3 * GAP.length : indent;
  const [first = "", ...rest] = wrap(meaning, Math.max(MIN_MEANING, room - margin));
  const head = `${GAP}${paint("help", term)}`;
  const tail = rest.map((line) => " ".repeat(margin) + line);
  if (below) return [head, " ".repeat(margin) + first, ...tail];
  return [`${head}${" ".repeat(column - columnsOf(term))}${GAP}${first}`, ...tail];
}
