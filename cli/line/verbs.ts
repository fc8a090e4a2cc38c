import type { Item } from "./help.js";
import type { OptionSpec, Verb } from "./verb.js";

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

/** The options that every program has. */
export const programOptions: readonly Item[] = [
  ["-V, --version", "the version"],
  ["-h, --help", "help, also for a command"],
];

/** What the exit codes mean, for help. */
export const exitCodes: readonly Item[] = [
  ["0", "done"],
  ["1", "a sheet has errors, a run failed, or a check found something"],
  ["2", "wrong usage or configuration, or a file that cannot be opened"],
  ["3", "a run is suspended"],
  ["70", "a bug of Flowsheet"],
  ["130", "interrupted"],
];

const csv: OptionSpec = { flags: "--csv <path>", meaning: "the sheet's file" };

const validate: Verb = {
  name: "validate",
  operand: [
    "[sheets...]",
    'files, folders, patterns such as "flows/*.csv", or - for standard input; all of the project without any',
  ],
  brief: "find every problem of your sheets",
  summary:
    "Finds every problem of your sheets in one go, each at its cell and with its cure. Nothing is run. With --config or --section and no sheet, it checks the configuration instead.",
  options: [
    { ...csv, meaning: "a sheet's file; may be given again", repeatable: true },
    {
      flags: "--section <name>",
      meaning: "check one section of the configuration: authentication, logging, llm, server, …",
    },
    { flags: "--strict", meaning: "warnings fail, too" },
    { flags: "--fix", meaning: "mend what can be mended safely, in the files" },
    { flags: "--dry-run", meaning: "show what --fix would change, and change nothing" },
    {
      flags: "--types",
      meaning: "check also what your own agents take and give (slower: it asks TypeScript)",
    },
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
    ["flowsheet validate --types", "do the fields fit your own agents?"],
    ["flowsheet validate - --json < support.csv", "for other programs"],
    ["flowsheet validate --config flowsheet.yaml", "check the configuration"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/validate.js")).validate(context, operands, given),
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
    (await import("../commands/inspect.js")).inspect(context, operands, given),
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
    { flags: "--record <file>", meaning: "keep the calls of models and their answers in a file" },
    { flags: "--replay <file>", meaning: "take the answers of models from such a file; no model is asked" },
    { flags: "--json", meaning: "the whole result as JSON" },
  ],
  examples: [
    ["flowsheet run --csv hello.csv --input name=Ada", "run the only graph of a sheet"],
    [
      "flowsheet run flows.csv --graph Triage --state @ticket.json --json",
      "from another program, for another program",
    ],
    ["flowsheet run support.csv --record calls.json", "ask the models once …"],
    ["flowsheet run support.csv --replay calls.json", "… and never again"],
  ],
  run: async (context, operands, given) => (await import("../commands/run.js")).run(context, operands, given),
};

const beginWith: readonly OptionSpec[] = [
  {
    flags: "--input <name=value>",
    meaning: "a value to start with, read by its field's type; may be given again",
    repeatable: true,
  },
  { flags: "--state <json>", meaning: "values to start with: JSON, or @file" },
];

const debug: Verb = {
  name: "debug",
  operand: ["[sheet]", "a sheet's file; without one the graph is looked for in the project"],
  brief: "run a graph step by step",
  summary:
    "Runs a graph step by step, also into branches and the graphs it runs. It stops before each node and reads commands: next, continue, state, set field=json, answer, break node, where, quit, help. On standard input the commands may come from a file or another program.",
  options: [
    csv,
    { flags: "--graph <name>", meaning: "which graph, when there are several" },
    ...beginWith,
    { flags: "--break <node>", meaning: "where `continue` stops; may be given again", repeatable: true },
  ],
  examples: [
    ["flowsheet debug support.csv --input customer=Ada", "stop before each node"],
    ["flowsheet debug support.csv --break Approve", "type c to get there"],
    ["flowsheet debug support.csv < commands.txt", "commands from a file, as a transcript"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/debug.js")).debug(context, operands, given),
};

const bench: Verb = {
  name: "bench",
  operand: ["[sheet]", "a sheet's file; without one the graph is looked for in the project"],
  brief: "time a graph, interpreted and generated",
  summary:
    "Times a graph, interpreted and generated in turn, and each of its nodes, and says whether the difference is more than noise. The generated module is made for it and thrown away.",
  options: [
    csv,
    { flags: "--graph <name>", meaning: "which graph, when there are several" },
    ...beginWith,
    { flags: "--runs <n>", meaning: "how often each is run (1000, or what fits into 10 seconds)" },
    { flags: "--yes", meaning: "also when the graph asks models or writes files" },
    { flags: "--json", meaning: "the same as JSON, times in microseconds" },
  ],
  examples: [
    ["flowsheet bench support.csv --input customer=Ada", "how long does a run take, and where?"],
    ["flowsheet bench flows.csv --graph Triage --state @ticket.json --runs 5000", "more runs, less noise"],
    ["flowsheet bench hello.csv --input name=Ada --json", "for other programs"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/bench.js")).bench(context, operands, given),
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
    (await import("../commands/resume.js")).resume(context, operands, given),
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
    (await import("../commands/runs.js")).runs(context, operands, given),
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
    { flags: "--watch", meaning: "go on, and compile again whenever a sheet, a prompt or an agent changes" },
    {
      flags: "--types",
      meaning: "type-check the modules with your agents first; what is wrong is told at its cell",
    },
  ],
  examples: [
    ["flowsheet compile support.csv", "write generated/support.gen.ts"],
    ["flowsheet compile --check", "in CI: is the generated code up to date?"],
    ["flowsheet compile --watch", "while you edit the sheets"],
    ["flowsheet compile --types", "refuse what does not fit your agents"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/compile.js")).compile(context, operands, given),
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
    {
      flags: "--replay <file>",
      meaning: "models answer from a file of `flowsheet run --record`; a call that it does not hold fails",
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
    ["flowsheet test support.csv --replay calls.json", "with recorded answers in the place of mocks"],
    ["flowsheet test support.csv --update", "take what came out as what is expected"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/test.js")).test(context, operands, given),
};

const scaffold: Verb = {
  name: "scaffold",
  operand: null,
  brief: "write the agents that a sheet is missing",
  summary:
    "Writes typed agents with the inputs, outputs and prompts that the sheet gives them, each with a test beside it. What is written runs at once.",
  options: [
    { flags: "--agent <name>", meaning: "this agent: NextRow, or next_row" },
    { ...csv, meaning: "from this sheet; without --agent, all agents that it is missing" },
    { flags: "--out <folder>", meaning: "where the files go (the agents folder)" },
    { flags: "--force", meaning: "replace files that are there already" },
  ],
  examples: [
    ["flowsheet scaffold --csv support.csv", "all agents that the sheet is missing"],
    ["flowsheet scaffold --agent NextRow --csv support.csv", "one of them"],
    ["flowsheet scaffold --agent NextRow", "as the project's sheets use it, or for any row"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/scaffold.js")).scaffold(context, operands, given),
};

const init: Verb = {
  name: "init",
  operand: ["[dir]", "the project's folder; this one without it"],
  brief: "make a new project that works at once",
  summary:
    "Makes a project: a sheet, its test sheet, one agent, the configuration, package.json, tsconfig.json and .gitignore. In a project that is there it adds what is missing: also the dependency and scripts to package.json, whose other lines stay as they are. Nothing that is there is replaced or removed.",
  options: [
    {
      flags: "--template <name>",
      meaning: "hello (the smallest), support (a person decides) or server (for other programs)",
      choices: ["hello", "support", "server"],
    },
    {
      flags: "--force",
      meaning: "replace files of the same names, of each of which a copy is kept; others are left alone",
    },
  ],
  examples: [
    ["flowsheet init my-flows", "a first project"],
    ["flowsheet init", "workflows for the project in this folder"],
    ["flowsheet init my-flows --template support", "with a branch, a decision and a failure"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/init.js")).init(context, operands, given),
};

const serve: Verb = {
  name: "serve",
  operand: null,
  brief: "serve the workflows over HTTP",
  summary:
    "Serves the workflows of the project over HTTP, with the authentication of its configuration. Ctrl-C or SIGTERM stops it, SIGHUP opens the log file again. Start one that lasts as node_modules/.bin/flowsheet-server: npx does not hand signals on.",
  options: [
    { flags: "--host <host>", meaning: "the address to listen at (127.0.0.1)" },
    { flags: "--port <port>", meaning: "the port to listen at (8000); 0 for any that is free" },
  ],
  examples: [
    ["flowsheet serve", "at http://127.0.0.1:8000, for this machine alone"],
    ["flowsheet serve --host 0.0.0.0 --port 9000", "for other machines, too"],
  ],
  run: async (context, _operands, given) => (await import("../commands/serve.js")).serve(context, given),
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
  run: async (context, operands) => (await import("../commands/explain.js")).explain(context, operands),
};

const doctor: Verb = {
  name: "doctor",
  operand: null,
  brief: "look at the environment: what is there, what is missing",
  summary:
    "Looks at versions, optional packages, the configuration, folders, model providers, your own agents, sheets, generated modules and waiting runs, and says how to cure what is wrong. Keys are never shown. Your agents' files are loaded, no agent is run.",
  options: [{ flags: "--json", meaning: "the same as JSON" }],
  examples: [
    ["flowsheet doctor", "all that a run needs; exit code 1 when there is a problem"],
    ["flowsheet doctor --quiet", "only what is wrong"],
    ["flowsheet doctor --json", "for other programs"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/doctor.js")).doctor(context, operands, given),
};

const auth: Verb = {
  name: "auth",
  operand: ["[action]", "init, update, view or token"],
  brief: "make, renew and show the keys of the server",
  summary:
    "Makes, renews and shows the keys that the server asks for. init writes the section authentication with four keys; update gives all keys new values, or those that are named; view shows what is there; token makes a token for tests.",
  options: [
    { flags: "--force", meaning: "init: write a new section over the one that is there" },
    {
      flags: "--store <where>",
      meaning: "init, update: keep digests in the configuration (hash), or keys in .env (env)",
      choices: ["hash", "env"],
    },
    { flags: "--key <name>", meaning: "update: this key alone; may be given again", repeatable: true },
    {
      flags: "--overlap <time>",
      meaning: "update: the old keys stay valid for so long, such as 24h, 30m or 7d",
    },
    { flags: "--show-keys", meaning: "view: show the keys that can be known" },
    { flags: "--user <name>", meaning: "token: whom it stands for (test)" },
    { flags: "--permission <name>", meaning: "token: what it permits; may be given again", repeatable: true },
    { flags: "--role <name>", meaning: "token: the role of a user of the identity service" },
    { flags: "--minutes <n>", meaning: "token: how long it lasts (60)" },
    { flags: "--json", meaning: "the same as JSON" },
  ],
  examples: [
    ["flowsheet auth init", "four keys, each shown once"],
    ["flowsheet auth update", "new values for all keys"],
    ["flowsheet auth update --key executor --overlap 24h", "a new one; the old one ends in a day"],
    ["flowsheet auth view", "which keys there are, and what is wrong"],
  ],
  run: async (context, operands, given) =>
    (await import("../commands/auth.js")).auth(context, operands, given),
};

/** All commands, in the order in which help lists them. */
export const verbs: readonly Verb[] = [
  init,
  run,
  resume,
  runs,
  validate,
  test,
  compile,
  scaffold,
  inspect,
  debug,
  bench,
  serve,
  auth,
  explain,
  doctor,
];
