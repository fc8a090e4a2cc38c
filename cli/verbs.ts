import type { Context } from "./context.js";
import type { Item } from "./help.js";

/** Options as they were given, by name. */
export interface Given {
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string | null;
  readonly list: (name: string) => readonly string[];
}

/** One option of a command. */
export interface OptionSpec {
  /** As help shows it: `--csv <path>`. */
  readonly flags: string;
  readonly meaning: string;
  /** It may be given more than once. */
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
}

/** The options that every command takes, before or after its name. */
export const globalOptions: readonly OptionSpec[] = [
  { flags: "--config <path>", meaning: "the configuration file (flowsheet.yaml, looked for upwards)" },
  { flags: "--cwd <folder>", meaning: "work as if started in this folder" },
  { flags: "--encoding <name>", meaning: "how sheets are encoded when they are not UTF-8: windows-1252, …" },
  { flags: "--color", meaning: "colours, also where there is no terminal" },
  { flags: "--no-color", meaning: "no colours; so does NO_COLOR in the environment" },
  { flags: "--quiet", meaning: "nothing beside the data" },
  { flags: "--verbose", meaning: "more of what goes on" },
];

/** One command of the command line: how it is called, and what it does. */
export interface Verb {
  readonly name: string;
  /** What stands after the name: `[sheets...]`. */
  readonly operand: Item | null;
  /** In the list of commands. */
  readonly brief: string;
  /** In the command's own help. */
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Item[];
  /** Does it; answers the exit code. Commands are loaded when they are called. */
  readonly run: (context: Context, operands: readonly string[], given: Given) => Promise<number>;
}

const csv: OptionSpec = { flags: "--csv <path>", meaning: "the sheet's file" };

const validate: Verb = {
  name: "validate",
  operand: [
    "[sheets...]",
    'files, folders, patterns such as "flows/*.csv", or - for standard input; all of the project without any',
  ],
  brief: "find every problem of your sheets",
  summary:
    "Finds every problem of your sheets in one go, each at its cell and with its cure. Nothing is run.",
  options: [
    { ...csv, meaning: "a sheet's file; may be given again", repeatable: true },
    { flags: "--strict", meaning: "warnings fail, too" },
    { flags: "--fix", meaning: "mend what can be mended safely, in the files" },
    { flags: "--dry-run", meaning: "show what --fix would change, and change nothing" },
    {
      flags: "--format <format>",
      meaning: "text, json, sarif (code scanning) or github (annotations)",
      choices: ["text", "json", "sarif", "github"],
    },
    { flags: "--json", meaning: "the same as --format json" },
  ],
  examples: [
    ["flowsheet validate support.csv", "check one sheet"],
    ["flowsheet validate --strict", "check all of the project; warnings fail"],
    ["flowsheet validate support.csv --dry-run", "see what --fix would do"],
    ["flowsheet validate - --json < support.csv", "for other programs"],
  ],
  run: async (context, operands, given) =>
    (await import("./commands/validate.js")).validate(context, operands, given),
};

const inspect: Verb = {
  name: "inspect",
  operand: ["[sheet]", "a sheet's file, or - for standard input; the sheets of the project without one"],
  brief: "show a graph: its nodes, edges and fields",
  summary: "Shows a graph of a sheet: its nodes and edges, and where each field is written and read.",
  options: [
    csv,
    { flags: "--graph <name>", meaning: "which graph, when there are several" },
    {
      flags: "--node <name>",
      meaning: "one node: what it reads and from where, what it writes and for whom",
    },
    {
      flags: "--format <format>",
      meaning: "tree, mermaid, dot, svg or json",
      choices: ["tree", "mermaid", "dot", "svg", "json"],
    },
    { flags: "--json", meaning: "the same as --format json" },
    { flags: "--out <file>", meaning: "write it to a file" },
  ],
  examples: [
    ["flowsheet inspect support.csv", "the graph as a tree"],
    ["flowsheet inspect support.csv --node Ask", "one node and its prompt"],
    ["flowsheet inspect support.csv --format svg --out a.svg", "a picture"],
  ],
  run: async (context, operands, given) =>
    (await import("./commands/inspect.js")).inspect(context, operands, given),
};

const run: Verb = {
  name: "run",
  operand: [
    "[sheet]",
    "a sheet's file, or - for standard input; without one the graph is looked for in the project",
  ],
  brief: "run a graph",
  summary: "Runs a graph of a sheet: progress on stderr, the final state on stdout.",
  options: [
    csv,
    { flags: "--graph <name>", meaning: "which graph, when there are several" },
    {
      flags: "--input <name=value>",
      meaning: "a value to start with, read by its field's type; may be given again",
      repeatable: true,
    },
    { flags: "--state <json>", meaning: "values to start with: JSON, @file, or - for standard input" },
    { flags: "--trace", meaning: "each visit with its inputs, prompt and output" },
    { flags: "--timeout <ms>", meaning: "stop the run after so many milliseconds" },
    { flags: "--max-steps <n>", meaning: "stop the run after so many node visits (10000)" },
    {
      flags: "--generated",
      meaning: "run the generated module instead of the sheet; both must mean the same",
    },
    { flags: "--json", meaning: "the whole result as JSON" },
  ],
  examples: [
    ["flowsheet run --csv hello.csv --input name=Ada", "run the only graph of a sheet"],
    [
      "flowsheet run flows.csv --graph Triage --state @ticket.json --json",
      "from another program, for another program",
    ],
  ],
  run: async (context, operands, given) => (await import("./commands/run.js")).run(context, operands, given),
};

const resume: Verb = {
  name: "resume",
  operand: ["<run_id>", "the run, as `flowsheet runs` lists it"],
  brief: "go on with a suspended run",
  summary:
    "Goes on with a suspended run; no finished node is run again. On a terminal it asks for the answers that are not given.",
  options: [
    {
      flags: "--answer <node=value>",
      meaning: "what a node waits for, read by the type of its field; may be given again",
      repeatable: true,
    },
    { ...csv, meaning: "the sheet's file, when it has been moved" },
    { flags: "--trace", meaning: "each visit with its inputs, prompt and output" },
    { flags: "--json", meaning: "the whole result as JSON" },
  ],
  examples: [
    ["flowsheet resume 3f2ac9d04b1e --answer Approve=yes", "answer, and go on"],
    ["flowsheet resume 3f2ac9d04b1e", "be asked, on a terminal"],
  ],
  run: async (context, operands, given) =>
    (await import("./commands/resume.js")).resume(context, operands, given),
};

const runs: Verb = {
  name: "runs",
  operand: null,
  brief: "list the suspended runs",
  summary: "Lists the suspended runs of the project, and what they wait for.",
  options: [{ flags: "--json", meaning: "the same as JSON" }],
  examples: [
    ["flowsheet runs", "what waits, and for what"],
    ["flowsheet runs --json", "for other programs"],
  ],
  run: async (context, operands, given) =>
    (await import("./commands/runs.js")).runs(context, operands, given),
};

const compile: Verb = {
  name: "compile",
  operand: [
    "[sheets...]",
    'files, folders or patterns such as "flows/*.csv"; all of the project without any',
  ],
  brief: "write a typed TypeScript module for each graph",
  summary: "Writes a typed TypeScript module for each graph, and an index of them.",
  options: [
    { ...csv, meaning: "a sheet's file; may be given again", repeatable: true },
    { flags: "--out <folder>", meaning: "where the modules go (generated)" },
    {
      flags: "--check",
      meaning: "write nothing; fail and show the difference when something is out of date",
    },
    { flags: "--clean", meaning: "remove modules that are made from no sheet any more" },
  ],
  examples: [
    ["flowsheet compile support.csv", "write generated/support.gen.ts"],
    ["flowsheet compile --check", "in CI: is the generated code up to date?"],
  ],
  run: async (context, operands, given) =>
    (await import("./commands/compile.js")).compile(context, operands, given),
};

const test: Verb = {
  name: "test",
  operand: [
    "[files...]",
    "test sheets, sheets that have one, folders or patterns; all test sheets of the project without any",
  ],
  brief: "run your test sheets",
  summary:
    "Runs test sheets: support.test.csv beside support.csv holds one case a row. Models and writers are never called.",
  options: [
    { flags: "--filter <text>", meaning: "only the cases whose graph or name holds this text" },
    { flags: "--coverage", meaning: "what of each graph no case came to: nodes, edges, outcomes" },
    {
      flags: "--threshold <percent>",
      meaning: "with --coverage: fail when a graph has less of any of the three",
    },
    { flags: "--update", meaning: "write what the runs gave as the expectation of cases that fail" },
    { flags: "--yes", meaning: "with --update: write without asking" },
    { flags: "--format <format>", meaning: "text, json or junit", choices: ["text", "json", "junit"] },
    { flags: "--json", meaning: "the same as --format json" },
  ],
  examples: [
    ["flowsheet test", "all of the project"],
    ["flowsheet test support.csv --filter refund", "some cases of one sheet"],
    ["flowsheet test --coverage --threshold 90", "in CI: is enough of each graph tested?"],
    ["flowsheet test support.csv --update", "take what came out as what is expected"],
  ],
  run: async (context, operands, given) =>
    (await import("./commands/test.js")).test(context, operands, given),
};

const explain: Verb = {
  name: "explain",
  operand: ["[code]", "a diagnostic's code; without one, all codes are listed"],
  brief: "explain a diagnostic: the rule, an example, the cure",
  summary: "Explains a diagnostic: the rule behind it, a sheet that shows it, and the cure.",
  options: [],
  examples: [
    ["flowsheet explain unknown-node", "one diagnostic"],
    ["flowsheet explain", "all there are"],
  ],
  run: async (context, operands) => (await import("./commands/explain.js")).explain(context, operands),
};

/** All commands, in the order in which help lists them. */
export const verbs: readonly Verb[] = [run, resume, runs, validate, test, compile, inspect, explain];
