// Writes docs/commands.md from the commands themselves; with --check it only compares.
import { loadSources, writeReference } from "./reference.js";

const { exitCodes, globalOptions, programOptions, verbs } = await loadSources(
  `export { exitCodes, globalOptions, programOptions, verbs } from "./cli/line/verbs.ts";`,
  // What a command does is not needed to describe it.
  ["./commands/*"],
);

const INTRO = `# Commands

<!-- Written by scripts/docs-commands.js from cli/line/verbs.ts: change that, and run it again. -->

\`flowsheet <command> --help\` shows the same. Data goes to stdout; progress, notes and errors go to stderr. \`-\` reads standard input where a
sheet is expected. \`flowsheet-server\` is \`flowsheet serve\`: a server that lasts is started as
\`node_modules/.bin/flowsheet-server\`, since npx does not hand signals on ([serving.md](serving.md#stopping-and-updating)).`;

/** Text as a cell of a table takes it. */
const cell = (text) => text.replaceAll("|", "\\|");
const code = (text) => `\`${cell(text)}\``;

function table([term, meaning], items) {
  const rows = items.map(([left, right]) => `| ${code(left)} | ${cell(right)} |`);
  return [`| ${term} | ${meaning} |`, "|---|---|", ...rows].join("\n");
}

const callOf = ({ name, operand }) => (operand === null ? name : `${name} ${operand[0]}`);

function section(verb) {
  const { name, operand, summary, options, examples } = verb;
  const rows = [...(operand === null ? [] : [operand]), ...options];
  return [
    `## ${name}`,
    `${code(`flowsheet ${callOf(verb)} [options]`)}`,
    summary,
    ...(rows.length === 0 ? [] : [table(["argument or option", "meaning"], rows)]),
    table(["example", "does"], examples),
  ].join("\n\n");
}

const page = [
  INTRO,
  table(
    ["command", "does"],
    verbs.map((verb) => [callOf(verb), verb.brief]),
  ),
  ...verbs.map(section),
  "## Options of every command",
  table(["option", "meaning"], [...globalOptions, ...programOptions]),
  "## Exit codes",
  table(["code", "meaning"], exitCodes),
].join("\n\n");

writeReference("docs/commands.md", `${page}\n`, "scripts/docs-commands.js");
