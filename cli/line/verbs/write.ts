import { csv } from "../options.js";
import type { Verb } from "../verb.js";

/** Commands that write sheets, and what is made of them. */
export const writeVerbs: readonly Verb[] = [
  {
    name: "init",
    operand: ["[dir]", "the project's folder; this one without it"],
    brief: "make a new project that works at once",
    summary:
      "Makes a project: a sheet, its test sheet, one agent, the configuration, package.json, tsconfig.json and .gitignore. In a project that is there it adds what is missing: also the dependency and scripts to package.json, whose other lines stay as they are. Nothing that is there is replaced or removed.",
    options: [
      [
        "--template <name>",
        "hello (the smallest), support (a person decides), server (for other programs) or purchase-desk (no code)",
        ["hello", "support", "server", "purchase-desk"],
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
    run: async (...call) => (await import("../../commands/init.js")).init(...call),
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
    run: async (...call) => (await import("../../commands/scaffold.js")).scaffold(...call),
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
    run: async (...call) => (await import("../../commands/compile.js")).compile(...call),
  },
  {
    name: "types",
    operand: null,
    brief: "keep the types of what other servers offer",
    summary:
      "Asks the servers of `mcp.servers` for their tools and keeps what these declare in .flowsheet/mcp.json, so that nodes of the agent `mcp` are typed. Keep the file in the repository.",
    options: [
      ["--mcp", "of the tools of mcp.servers"],
      ["--check", "write nothing; fail when the file is out of date"],
    ],
    examples: [
      ["flowsheet types --mcp", "write .flowsheet/mcp.json"],
      ["flowsheet types --mcp --check", "do the servers still declare the same?"],
    ],
    run: async (...call) => (await import("../../commands/keep-types.js")).keepTypes(...call),
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
    run: async (...call) => (await import("../../commands/inspect.js")).inspect(...call),
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
    run: async (...call) => (await import("../../commands/annotate.js")).annotate(...call),
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
    run: async (...call) => (await import("../../commands/convert.js")).convert(...call),
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
    run: async (...call) => (await import("../../commands/pull.js")).pull(...call),
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
    run: async (...call) => (await import("../../commands/docs.js")).docs(...call),
  },
];
