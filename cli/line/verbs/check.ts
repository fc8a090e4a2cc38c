import type { Verb } from "../verb.js";

/** Commands that say what is right and what is not. */
export const checkVerbs: readonly Verb[] = [
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
    run: async (...call) => (await import("../../commands/validate.js")).validate(...call),
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
    run: async (...call) => (await import("../../commands/diff.js")).diff(...call),
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
    run: async (...call) => (await import("../../commands/test.js")).test(...call),
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
    run: async (context, operands) => (await import("../../commands/explain.js")).explain(context, operands),
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
    run: async (...call) => (await import("../../commands/doctor.js")).doctor(...call),
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
    run: async (...call) => (await import("../../commands/lsp.js")).lsp(...call),
  },
];
