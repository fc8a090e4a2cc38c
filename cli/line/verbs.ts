import type { Item, OptionSpec, Verb } from "./verb.js";

/** The options that every command takes, before or after its name. */
export const globalOptions: readonly OptionSpec[] = [
  ["--config <path>", "the configuration file (flowsheet.yaml, looked for upwards)"],
  ["--cwd <folder>", "work as if started in this folder"],
  ["--encoding <name>", "how sheets are encoded when they are not UTF-8: windows-1252, …"],
  ["--color", "colours, also where there is no terminal"],
  ["--no-color", "no colours; so does NO_COLOR in the environment"],
  ["--quiet", "nothing beside the data"],
  ["--verbose", "more of what goes on"],
];

export const programOptions: readonly Item[] = [
  ["-V, --version", "the version"],
  ["-h, --help", "help, also for a command"],
];

export const exitCodes: readonly Item[] = [
  ["0", "done"],
  ["1", "a sheet has errors, a run failed, or a check found something"],
  ["2", "wrong usage or configuration, or a file that cannot be opened"],
  ["3", "a run is suspended"],
  ["70", "a bug of Flowsheet"],
  ["130", "interrupted"],
];

const csv: OptionSpec = ["--csv <path>", "the sheet's file"];

const input: OptionSpec = [
  "--input <name=value>",
  "a value to start with, read by its field's type; may be given again",
  "repeatable",
];

const beginWith: readonly OptionSpec[] = [input, ["--state <json>", "values to start with: JSON, or @file"]];

/** What people do, and the commands for it, as help lists them. */
export const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Write", ["init", "scaffold", "compile", "inspect", "annotate", "convert", "pull", "docs"]],
  ["Check", ["validate", "diff", "test", "explain", "doctor", "lsp"]],
  ["Run", ["run", "resume", "work", "runs", "debug", "bench"]],
  ["Serve", ["studio", "serve", "client", "auth"]],
];

/** All commands, in the order of the reference. */
export const verbs: readonly Verb[] = [
  {
    name: "init",
    operand: ["[dir]", "the project's folder; this one without it"],
    brief: "make a new project that works at once",
    summary:
      "Makes a project: a sheet, its test sheet, one agent, the configuration, package.json, tsconfig.json and .gitignore. In a project that is there it adds what is missing: also the dependency and scripts to package.json, whose other lines stay as they are. Nothing that is there is replaced or removed.",
    options: [
      [
        "--template <name>",
        "hello (the smallest), support (a person decides) or server (for other programs)",
        ["hello", "support", "server"],
      ],
      ["--format <name>", "csv, or xlsx: a workbook with a worksheet for its cases", ["csv", "xlsx"]],
      ["--force", "replace files of the same names, of each of which a copy is kept; others are left alone"],
    ],
    examples: [
      ["flowsheet init my-flows", "a first project"],
      ["flowsheet init", "workflows for the project in this folder"],
      ["flowsheet init my-flows --template support", "with a branch, a decision and a failure"],
      ["flowsheet init my-flows --format xlsx", "to be written in a spreadsheet program"],
    ],
    run: async (...call) => (await import("../commands/init.js")).init(...call),
  },
  {
    name: "run",
    operand: [
      "[sheet]",
      "a sheet's file, or - for standard input; without one the graph is looked for in the project",
    ],
    brief: "run a graph",
    summary: "Runs a graph of a sheet: progress on stderr, the final state on stdout.",
    options: [
      csv,
      ["--graph <name>", "which graph, when there are several"],
      input,
      ["--state <json>", "values to start with: JSON, @file, or - for standard input"],
      ["--trace", "each visit with its inputs, prompt and output"],
      ["--timeout <ms>", "stop the run after so many milliseconds"],
      ["--max-steps <n>", "stop the run after so many node visits (10000)"],
      ["--generated", "run the generated module instead of the sheet; both must mean the same"],
      ["--record <file>", "keep the calls of models and their answers in a file"],
      ["--replay <file>", "take the answers of models from such a file; no model is asked"],
      ["--detach", "only store the run; flowsheet work goes on with it"],
      ["--key <text>", "the same key once more gives the run that it has begun"],
      ["--deadline <time>", "fail the run when it has not ended in 2h, or at an ISO time"],
      ["--at <time>", "with --detach: begin in 2h, or at an ISO time"],
      ["--no-keep", "run in memory: nothing is kept, unless the run waits"],
      ["--json", "the whole result as JSON"],
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
    run: async (...call) => (await import("../commands/run.js")).run(...call),
  },
  {
    name: "resume",
    operand: ["<run_id>", "the run, as `flowsheet runs` lists it"],
    brief: "go on with a suspended run",
    summary:
      "Goes on with a suspended run; no finished node is run again. On a terminal it asks for the answers that are not given.",
    options: [
      [
        "--answer <node=value>",
        "what a node waits for, read by the type of its field; may be given again",
        "repeatable",
      ],
      ["--detach", "only store the answer; flowsheet work goes on with the run"],
      [
        "--csv <path>",
        "the sheet's file, for a run in a file of an earlier version whose sheet has been moved",
      ],
      ["--trace", "each visit with its inputs, prompt and output"],
      ["--json", "the whole result as JSON"],
    ],
    examples: [
      ["flowsheet resume 3f2ac9d04b1e --answer Approve=yes", "answer, and go on"],
      ["flowsheet resume 3f2ac9d04b1e", "be asked, on a terminal"],
    ],
    run: async (...call) => (await import("../commands/resume.js")).resume(...call),
  },
  {
    name: "work",
    operand: null,
    brief: "work on stored runs, begin scheduled ones",
    summary:
      "Works on the runs of the project that are due, whoever started them, until it is told to stop. Then it takes no more of them, and gives the nodes at work 30 seconds. It also begins what schedules say, ends waits whose time is over, and reminds people of open questions.",
    options: [
      ["--concurrency <n>", "so many runs at a time (runs.concurrency, or 10)"],
      ["--graph <name>", "only runs of this graph; may be given again", "repeatable"],
      ["--drain", "end when nothing is due; schedules begin nothing"],
    ],
    examples: [
      ["flowsheet work", "until Ctrl-C"],
      ["flowsheet work --drain", "what is due now, then end"],
    ],
    run: async (...call) => (await import("../runs/work.js")).work(...call),
  },
  {
    name: "runs",
    operand: [
      "[action] [id...]",
      "list (without one), show, cancel, retry, fork, move, prune, export, import or setup; 4 characters of an id are enough",
    ],
    brief: "list, show and change the runs that are kept",
    summary:
      "Shows and changes the runs that the project keeps. list shows those that are open, newest first: queued for a worker, running, waiting for an answer, or stuck, which only retry goes on with; held says what is missing; show tells one run visit by visit; cancel ends runs; retry goes on with one that failed, was cancelled or is stuck; fork begins a new run with what another had recorded before a visit; move lets open runs go on with their sheet as it now is, where they fit; prune forgets runs that ended long ago; export writes runs with all that is kept of them as lines of JSON, values included; import takes such a file, or - for standard input; setup makes the tables on a database server.",
    options: [
      [
        "--status <status>",
        "list, prune, export: queued, running, waiting, stuck, completed, failed, cancelled or all; may be given again",
        "repeatable",
      ],
      ["--graph <name>", "list, move --all: only runs of this graph; may be given again", "repeatable"],
      ["--assigned <who>", "list: runs that ask me, or another user or role:name"],
      ["--mine", "list: only runs that I have begun"],
      ["--all", "move: every open run that fits"],
      ["--since <time>", "list: begun since 2d, 12h or an ISO time"],
      ["--key <text>", "list: the run of this key; fork: the same key once more begins nothing"],
      ["--version <version>", "list: only runs of this version of a graph, or of one that begins so"],
      ["--limit <n>", "list: so many, up to 200 (50)"],
      ["--cursor <text>", "list: go on where the list before ended"],
      ["--node <name>", "show: the visits of this node, with inputs, prompt and output"],
      ["--follow", "show: go on until the run ends"],
      ["--from <node>", "retry, fork: from the last visit of this node, or from Node#2"],
      [
        "--set <field=json>",
        "fork: write this on the state in front of that visit; may be given again",
        "repeatable",
      ],
      ["--current", "fork: on the graph as it now is, when what was recorded before fits it"],
      ["--out <file>", "export: into this file, for its owner alone"],
      ["--salvage", "export: what can be read of a damaged file"],
      ["--print", "setup: print the SQL that makes a role and its schemas; nothing is done"],
      ["--older <time>", "prune: ended so long ago (runs.retention, or 30d)"],
      ["--dry-run", "move, prune: change nothing, only say which or how many"],
      ["--json", "the same as JSON"],
    ],
    examples: [
      ["flowsheet runs", "what is open, and what it waits for"],
      ["flowsheet runs list --status all --since 2d", "all of the last two days"],
      ["flowsheet runs list --status failed,stuck --since 12h", "what went wrong in the last night"],
      ["flowsheet runs show 3f2a", "what happened, visit by visit"],
      ["flowsheet runs show 3f2a --node Charge", "what that node was given, and what it said"],
      ["flowsheet runs retry 3f2a", "once more, from the throw that made it fail"],
      [
        "flowsheet runs fork 3f2a --from Charge --set total=99",
        "a new run: the same up to Charge, then with another total",
      ],
      ["flowsheet runs cancel 3f2a 91c4", "two runs at once"],
      ["flowsheet runs move --all --graph Orders", "after an edit: let what fits go on with the new sheet"],
      ["flowsheet runs prune --older 30d", "forget what ended long ago"],
      ["flowsheet runs export --out runs.jsonl", "a copy of all runs, for runs import"],
      ["flowsheet runs setup --print", "what an administrator of the database runs once"],
      ["flowsheet runs export --salvage --out runs.jsonl", "what is left, when the file is damaged"],
    ],
    run: async (...call) => (await import("../commands/runs.js")).runs(...call),
  },
  {
    name: "validate",
    operand: [
      "[sheets...]",
      'files, folders, patterns such as "flows/*.csv", or - for standard input; all of the project without any',
    ],
    brief: "find every problem of your sheets",
    summary:
      "Finds every problem of your sheets in one go, each at its cell and with its cure. Nothing is run. With --config or --section and no sheet, it checks the configuration instead.",
    options: [
      ["--csv <path>", "a sheet's file; may be given again", "repeatable"],
      ["--section <name>", "check one section of the configuration: authentication, logging, llm, server, …"],
      ["--strict", "warnings fail, too"],
      [
        "--fix[=<how>]",
        "mend in the files what can be mended safely; --fix=unsafe also what may not be meant so",
        ["safe", "unsafe"],
      ],
      [
        "--select <codes>",
        "mend only these diagnostics, as in unknown-node,bad-type; may be given again",
        "repeatable",
      ],
      ["--dry-run", "show what --fix would change, and change nothing"],
      ["--types", "check also what your own agents take and give (slower: it asks TypeScript)"],
      ["--check-runs", "say which open runs the edits leave behind; fail when one does not fit"],
      [
        "--format <format>",
        "text, json, sarif (code scanning) or github (annotations)",
        ["text", "json", "sarif", "github"],
      ],
      ["--json", "the same as --format json"],
    ],
    examples: [
      ["flowsheet validate support.csv", "check one sheet"],
      ["flowsheet validate --strict", "check all of the project; warnings fail"],
      ["flowsheet validate support.csv --dry-run", "see what --fix would do"],
      [
        "flowsheet validate support.csv --fix=unsafe --select unknown-node",
        "take every name that a message suggests",
      ],
      ["flowsheet validate --types", "do the fields fit your own agents?"],
      ["flowsheet validate - --json < support.csv", "for other programs"],
      ["flowsheet validate --config flowsheet.yaml", "check the configuration"],
    ],
    run: async (...call) => (await import("../commands/validate.js")).validate(...call),
  },
  {
    name: "diff",
    operand: [
      "[sheets...]",
      'files, folders or patterns such as "flows/*.csv"; all of the project without any',
    ],
    brief: "what has changed since the last runs began",
    summary:
      "Says of each graph what has changed since its last run began: nodes that came, went or have another name, their edges, prompts and settings. Nothing is run.",
    options: [
      ["--csv <path>", "a sheet's file; may be given again", "repeatable"],
      ["--check-runs", "say which open runs the edits leave behind; fail when one does not fit"],
      ["--json", "the same as JSON"],
    ],
    examples: [
      ["flowsheet diff support.csv", "what an edit changes, for a review"],
      ["flowsheet diff --check-runs", "and which open runs it leaves behind"],
    ],
    run: async (...call) => (await import("../commands/diff.js")).diff(...call),
  },
  {
    name: "test",
    operand: [
      "[files...]",
      "test sheets, sheets that have one, folders or patterns; all test sheets of the project without any",
    ],
    brief: "run your test sheets",
    summary:
      "Runs test sheets: support.test.csv beside support.csv holds one case a row. Models and writers are never called.",
    options: [
      ["--filter <text>", "only the cases whose graph or name holds this text"],
      ["--coverage", "what of each graph no case came to: nodes, edges, outcomes"],
      ["--threshold <percent>", "with --coverage: fail when a graph has less of any of the three"],
      [
        "--replay <file>",
        "models answer from a file of `flowsheet run --record`; a call that it does not hold fails",
      ],
      ["--update", "write what the runs gave as the expectation of cases that fail"],
      ["--yes", "with --update: write without asking"],
      ["--format <format>", "text, json or junit", ["text", "json", "junit"]],
      ["--json", "the same as --format json"],
    ],
    examples: [
      ["flowsheet test", "all of the project"],
      ["flowsheet test support.csv --filter refund", "some cases of one sheet"],
      ["flowsheet test --coverage --threshold 90", "in CI: is enough of each graph tested?"],
      ["flowsheet test support.csv --replay calls.json", "with recorded answers in the place of mocks"],
      ["flowsheet test support.csv --update", "take what came out as what is expected"],
    ],
    run: async (...call) => (await import("../commands/test.js")).test(...call),
  },
  {
    name: "compile",
    operand: [
      "[sheets...]",
      'files, folders or patterns such as "flows/*.csv"; all of the project without any',
    ],
    brief: "write a typed TypeScript module for each graph",
    summary: "Writes a typed TypeScript module for each graph, and an index of them.",
    options: [
      ["--csv <path>", "a sheet's file; may be given again", "repeatable"],
      ["--out <folder>", "where the modules go (generated); - for standard output, with another target"],
      [
        "--target <what>",
        "typescript; schema: the JSON schema of inputs and state; openapi: the document of the server",
        ["typescript", "schema", "openapi"],
      ],
      ["--check", "write nothing; fail and show the difference when something is out of date"],
      ["--clean", "remove modules that are made from no sheet any more"],
      ["--watch", "go on, and compile again whenever a sheet, a prompt or an agent changes"],
      ["--types", "type-check the modules with your agents first; what is wrong is told at its cell"],
      ["--check-runs", "say which open runs the edits leave behind; fail when one does not fit"],
    ],
    examples: [
      ["flowsheet compile support.csv", "write generated/support.gen.ts"],
      ["flowsheet compile --check", "in CI: is the generated code up to date?"],
      ["flowsheet compile --watch", "while you edit the sheets"],
      ["flowsheet compile --types", "refuse what does not fit your agents"],
      ["flowsheet compile support.csv --target schema", "what a caller may send, as JSON schema"],
    ],
    run: async (...call) => (await import("../commands/compile.js")).compile(...call),
  },
  {
    name: "scaffold",
    operand: null,
    brief: "write the agents that a sheet is missing",
    summary:
      "Writes typed agents with the inputs, outputs and prompts that the sheet gives them, each with a test beside it. What is written runs at once.",
    options: [
      ["--agent <name>", "this agent: NextRow, or next_row"],
      ["--csv <path>", "from this sheet; without --agent, all agents that it is missing"],
      ["--out <folder>", "where the files go (the agents folder)"],
      ["--force", "replace files that are there already"],
    ],
    examples: [
      ["flowsheet scaffold --csv support.csv", "all agents that the sheet is missing"],
      ["flowsheet scaffold --agent NextRow --csv support.csv", "one of them"],
      ["flowsheet scaffold --agent NextRow", "as the project's sheets use it, or for any row"],
    ],
    run: async (...call) => (await import("../commands/scaffold.js")).scaffold(...call),
  },
  {
    name: "annotate",
    operand: ["[files...]", "workbooks (.xlsx, .xlsm), or sheets of text, which become workbooks"],
    brief: "write what is found into a workbook",
    summary:
      "Writes a copy of a workbook in which each problem is a note at its cell, with a colour, and in which agents, nodes and graphs can be chosen from lists.",
    options: [
      ["--out <folder>", "where the copies go (beside each file)"],
      ["--in-place", "write into the workbook itself"],
      ["--clear", "only take out the notes, colours and lists that annotate has written"],
    ],
    examples: [
      ["flowsheet annotate support.xlsx", "write support.checked.xlsx"],
      ["flowsheet annotate support.csv", "a workbook of a sheet of text"],
      ["flowsheet annotate support.xlsx --in-place --clear", "take it all out again"],
    ],
    run: async (...call) => (await import("../commands/annotate.js")).annotate(...call),
  },
  {
    name: "convert",
    operand: [
      "[files...]",
      "the file that is there and the one to make: a sheet of text and a workbook, or the other way round",
    ],
    brief: "make a workbook of CSV, or CSV of a workbook",
    summary:
      "Makes a workbook (.xlsx) of a sheet of text, or CSV of a worksheet of a workbook (.xlsx, .xlsm, .ods). Of formulas, the values are written.",
    options: [
      ["--sheet <name>", "which worksheet, when several hold graphs"],
      ["--force", "replace a file that is there already"],
    ],
    examples: [
      ["flowsheet convert support.csv support.xlsx", "to go on in a spreadsheet program"],
      ["flowsheet convert support.xlsx support.csv", "for a review, or an editor"],
      ["flowsheet convert flows.xlsx triage.csv --sheet Triage", "one of several worksheets"],
    ],
    run: async (...call) => (await import("../commands/convert.js")).convert(...call),
  },
  {
    name: "pull",
    operand: [
      "[files...]",
      "the link of a shared sheet, and the file that it becomes: support.csv or support.xlsx",
    ],
    brief: "fetch a shared sheet into a file",
    summary:
      "Fetches a sheet of Google Sheets or SharePoint by its link, checks it, and writes it into a file. A sheet with errors is not written. Runs never read links.",
    options: [["--check", "write nothing; exit 1 when the file is not what the link gives"]],
    examples: [
      ["flowsheet pull https://docs.google.com/spreadsheets/d/…/edit#gid=0 support.csv", "one worksheet"],
      [
        "flowsheet pull https://docs.google.com/spreadsheets/d/… support.xlsx --check",
        "in CI: all worksheets",
      ],
    ],
    run: async (...call) => (await import("../commands/pull.js")).pull(...call),
  },
  {
    name: "inspect",
    operand: ["[sheet]", "a sheet's file, or - for standard input; the sheets of the project without one"],
    brief: "show a graph: its nodes, edges and fields",
    summary: "Shows a graph of a sheet: its nodes and edges, and where each field is written and read.",
    options: [
      csv,
      ["--graph <name>", "which graph, when there are several"],
      ["--node <name>", "one node: what it reads and from where, what it writes and for whom"],
      ["--format <format>", "tree, mermaid, dot, svg or json", ["tree", "mermaid", "dot", "svg", "json"]],
      ["--json", "the same as --format json"],
      ["--out <file>", "write it to a file"],
    ],
    examples: [
      ["flowsheet inspect support.csv", "the graph as a tree"],
      ["flowsheet inspect support.csv --node Ask", "one node and its prompt"],
      ["flowsheet inspect support.csv --format svg --out a.svg", "a picture"],
    ],
    run: async (...call) => (await import("../commands/inspect.js")).inspect(...call),
  },
  {
    name: "docs",
    operand: ["[sheets...]", "files, folders or patterns; all of the project without any"],
    brief: "write pages about the graphs, for reviewers",
    summary:
      "Writes a page for each graph: its picture, fields, steps, prompts and the examples of its test sheets, and a first page that finds them. The pages load nothing from elsewhere and need no server.",
    options: [
      ["--csv <path>", "a sheet's file; may be given again", "repeatable"],
      ["--out <folder>", "where the pages go (workflow-docs)"],
      ["--check", "write nothing; fail when a page is out of date"],
      ["--clean", "remove pages that are made from no graph any more"],
    ],
    examples: [
      ["flowsheet docs", "write workflow-docs/index.html"],
      ["flowsheet docs --out site --clean", "all anew, for a site"],
    ],
    run: async (...call) => (await import("../commands/docs.js")).docs(...call),
  },
  {
    name: "debug",
    operand: ["[sheet]", "a sheet's file; without one the graph is looked for in the project"],
    brief: "run a graph step by step",
    summary:
      "Runs a graph step by step, also into branches and the graphs it runs. It stops before each node and reads commands: next, continue, state, set field=json, answer, break node, where, quit, help. On standard input the commands may come from a file or another program.",
    options: [
      csv,
      ["--graph <name>", "which graph, when there are several"],
      ...beginWith,
      ["--break <node>", "where `continue` stops; may be given again", "repeatable"],
    ],
    examples: [
      ["flowsheet debug support.csv --input customer=Ada", "stop before each node"],
      ["flowsheet debug support.csv --break Approve", "type c to get there"],
      ["flowsheet debug support.csv < commands.txt", "commands from a file, as a transcript"],
    ],
    run: async (...call) => (await import("../commands/debug.js")).debug(...call),
  },
  {
    name: "bench",
    operand: ["[sheet]", "a sheet's file; without one the graph is looked for in the project"],
    brief: "time a graph, interpreted and generated",
    summary:
      "Times a graph, interpreted and generated in turn, and each of its nodes, and says whether the difference is more than noise. The generated module is made for it and thrown away.",
    options: [
      csv,
      ["--graph <name>", "which graph, when there are several"],
      ...beginWith,
      ["--runs <n>", "how often each is run (1000, or what fits into 10 seconds)"],
      ["--yes", "also when the graph asks models, writes files or calls other services"],
      ["--json", "the same as JSON, times in microseconds"],
    ],
    examples: [
      ["flowsheet bench support.csv --input customer=Ada", "how long does a run take, and where?"],
      ["flowsheet bench flows.csv --graph Triage --state @ticket.json --runs 5000", "more runs, less noise"],
      ["flowsheet bench hello.csv --input name=Ada --json", "for other programs"],
    ],
    run: async (...call) => (await import("../commands/bench.js")).bench(...call),
  },
  {
    name: "studio",
    operand: ["[sheet]", "a sheet's file, to begin with; the sheets of the project without one"],
    brief: "see and run the sheets in a browser",
    summary:
      "Shows the sheets of the project in a browser on this machine, each beside the picture of its graph and what is wrong with it, and runs them. It prints its address, which holds a token: whoever has it may do what you may. It listens at 127.0.0.1 only. Ctrl-C or SIGTERM stops it.",
    options: [
      ["--port <port>", "the port to listen at (0: any that is free)"],
      ["--open", "open it in the browser"],
    ],
    examples: [
      ["flowsheet studio", "all sheets of the project"],
      ["flowsheet studio support.csv --open", "one sheet, in the browser at once"],
    ],
    run: async (...call) => (await import("../commands/studio.js")).studio(...call),
  },
  {
    name: "serve",
    operand: null,
    brief: "serve the workflows over HTTP",
    summary:
      "Serves the workflows of the project over HTTP, with the authentication of its configuration. Ctrl-C or SIGTERM stops it, SIGHUP opens the log file again. Start one that lasts as node_modules/.bin/flowsheet-server: npx does not hand signals on.",
    options: [
      ["--host <host>", "the address to listen at (127.0.0.1)"],
      ["--port <port>", "the port to listen at (8000); 0 for any that is free"],
      ["--no-work", "leave the runs that are kept to other processes"],
    ],
    examples: [
      ["flowsheet serve", "at http://127.0.0.1:8000, for this machine alone"],
      ["flowsheet serve --host 0.0.0.0 --port 9000", "for other machines, too"],
    ],
    run: async (context, _operands, given) => (await import("../commands/serve.js")).serve(context, given),
  },
  {
    name: "client",
    operand: null,
    brief: "write a typed HTTP client for the workflows",
    summary:
      "Writes a TypeScript module with a typed client for the workflows of the project, or of a running server. It needs nothing but `fetch`: inputs, final states and answers have the types of the sheet.",
    options: [
      ["--out <file>", "where it goes; standard output without it"],
      ["--server <url>", "of this running server; its key is taken from FLOWSHEET_KEY"],
      ["--check", "write nothing; fail when the file is out of date"],
    ],
    examples: [
      ["flowsheet client --out src/flows.ts", "for a program that calls the server"],
      ["flowsheet client --server http://127.0.0.1:8000 --out flows.ts", "without the sheets"],
      ["flowsheet client --out src/flows.ts --check", "in CI: is the client up to date?"],
    ],
    run: async (...call) => (await import("../commands/client.js")).client(...call),
  },
  {
    name: "auth",
    operand: ["[action]", "init, update, view or token"],
    brief: "make, renew and show the keys of the server",
    summary:
      "Makes, renews and shows the keys that the server asks for. init writes the section authentication with four keys; update gives all keys new values, or those that are named; view shows what is there; token makes a token for tests.",
    options: [
      ["--force", "init: write a new section over the one that is there"],
      [
        "--store <where>",
        "init, update: keep digests in the configuration (hash), or keys in .env (env)",
        ["hash", "env"],
      ],
      ["--key <name>", "update: this key alone; may be given again", "repeatable"],
      ["--overlap <time>", "update: the old keys stay valid for so long, such as 24h, 30m or 7d"],
      ["--show-keys", "view: show the keys that can be known"],
      ["--user <name>", "token: whom it stands for (test)"],
      ["--permission <name>", "token: what it permits; may be given again", "repeatable"],
      ["--role <name>", "token: the role of a user of the identity service"],
      ["--minutes <n>", "token: how long it lasts (60)"],
      ["--json", "the same as JSON"],
    ],
    examples: [
      ["flowsheet auth init", "four keys, each shown once"],
      ["flowsheet auth update", "new values for all keys"],
      ["flowsheet auth update --key executor --overlap 24h", "a new one; the old one ends in a day"],
      ["flowsheet auth view", "which keys there are, and what is wrong"],
    ],
    run: async (...call) => (await import("../commands/auth.js")).auth(...call),
  },
  {
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
  },
  {
    name: "doctor",
    operand: null,
    brief: "look at the environment: what is there, what is missing",
    summary:
      "Looks at versions, optional packages, the configuration, folders, model providers, your own agents, sheets, generated modules and waiting runs, and says how to cure what is wrong. Keys are never shown. Your agents' files are loaded, no agent is run.",
    options: [["--json", "the same as JSON"]],
    examples: [
      ["flowsheet doctor", "all that a run needs; exit code 1 when there is a problem"],
      ["flowsheet doctor --quiet", "only what is wrong"],
      ["flowsheet doctor --json", "for other programs"],
    ],
    run: async (...call) => (await import("../commands/doctor.js")).doctor(...call),
  },
  {
    name: "lsp",
    operand: null,
    brief: "help an editor with sheets: the language server",
    summary:
      "Tells an editor the problems of sheets, test sheets and flowsheet.yaml as they are typed, completes and renames, shows what a name is, and mends what can be mended. Editors start it and talk to it over standard input and output; no agent is loaded and nothing is run.",
    options: [
      ["--stdio", "talk over standard input and output; there is no other way"],
      ["--clientProcessId <pid>", "the editor's process; the server ends with it"],
    ],
    examples: [["flowsheet lsp --stdio", "as an editor starts it"]],
    run: async (...call) => (await import("../commands/lsp.js")).lsp(...call),
  },
];
