import { beginWith, csv, input } from "../options.js";
import type { Verb } from "../verb.js";

/** Commands about runs. */
export const runVerbs: readonly Verb[] = [
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
    run: async (...call) => (await import("../../commands/run.js")).run(...call),
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
    run: async (...call) => (await import("../../commands/resume.js")).resume(...call),
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
      [
        "--now <time>",
        "with --drain: first begin what schedules say for this minute, such as 2026-11-23T22:00:00Z",
      ],
    ],
    examples: [
      ["flowsheet work", "until Ctrl-C"],
      ["flowsheet work --drain", "what is due now, then end"],
    ],
    run: async (...call) => (await import("../../runs/work.js")).work(...call),
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
    run: async (...call) => (await import("../../commands/runs.js")).runs(...call),
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
    run: async (...call) => (await import("../../commands/debug.js")).debug(...call),
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
    run: async (...call) => (await import("../../commands/bench.js")).bench(...call),
  },
];
