import { relative, resolve } from "node:path";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Project } from "../../runtime/config/folders.js";
import { inputInvalid } from "../../runtime/http/request/problem.js";
import { workflowsFor } from "../../runtime/http/workflow-access.js";
import type { McpCaller } from "../../runtime/mcp/caller.js";
import { ownTool } from "../../runtime/mcp/own-tools.js";
import { argsSchema, dataResult, faultResult, type Tool } from "../../runtime/mcp/tool.js";
import { test } from "../commands/test.js";
import { UsageError } from "../failure.js";
import { fixSheet } from "../fix/fix-sheet.js";
import type { Given } from "../line/verb.js";
import { type Context, createContext, type Output } from "../process/context.js";
import { reportOf, understandText } from "./sheet-text.js";

/** What whoever writes sheets needs beside the rest. Nothing writes a file: the client has an editor of its own. */
export const authoringTools = (context: Context, project: Project): readonly Tool[] => [
  ownTool({
    name: "flowsheet_fix",
    title: "Fix a sheet",
    description:
      "Applies every safe fix to the text of a sheet, and gives the mended text with the problems that are left. Nothing is written: put the text into the file.",
    inputSchema: argsSchema({ csv: { type: "string", description: "the text of the sheet" } }, "csv"),
    call: async ({ args }) => {
      const bytes = Buffer.from(String(args["csv"]));
      const fixed = fixSheet({ bytes, encoding: null, understand: understandText(context, project) });
      if ("refused" in fixed) return faultResult("input_invalid", fixed.refused);
      const titles = fixed.applied.map(({ fix }) => fix?.title ?? "");
      return dataResult({ csv: fixed.after, fixed: titles, ...reportOf(fixed.understanding) });
    },
  }),
  ownTool({
    name: "flowsheet_test",
    title: "Run the test sheets of a sheet",
    description:
      "Runs the test sheets that belong to a sheet of the project, with the stand-ins that they name, and tells which cases failed and why.",
    inputSchema: argsSchema(
      { sheet: { type: "string", description: "the sheet, such as support.csv" } },
      "sheet",
    ),
    isReading: false,
    permission: "execute",
    call: async ({ args, caller }) =>
      dataResult(await runTests(sheetNamed(caller, String(args["sheet"])), context)),
  }),
];

/** The file of a sheet of the project; no other file is opened. */
function sheetNamed(caller: McpCaller, name: string): string {
  const sheets = [...new Set(workflowsFor(caller).flatMap(({ sheet }) => sheet ?? []))];
  const found = sheets.find((sheet) => sheet === name || sheet === `${name}.csv`);
  if (found !== undefined) return resolve(caller.service.project.workflows, found);
  const near = suggest(name, sheets);
  const known = sheets.length === 0 ? "there are none" : `known are ${sheets.slice(0, 8).join(", ")}`;
  const help = near === null ? `; ${known}` : `; did you mean ${near}?`;
  throw inputInvalid([{ pointer: "/sheet", message: `the project has no sheet of this name${help}` }]);
}

/** As `flowsheet test --format json` tells it. */
async function runTests(path: string, context: Context): Promise<object> {
  const [stdout, stderr] = [createCollector(), createCollector()];
  const { cwd, config } = context;
  // A context of its own: nothing of it may go to the client's standard output.
  const named = { cwd, color: false, ...(config === null ? {} : { config }) };
  const inner = createContext({ ...context, stdout, stderr }, named);
  try {
    await test(inner, [relative(cwd, path)], asJson);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const help = error.help === null ? "" : ` (${error.help})`;
    throw inputInvalid([{ pointer: "/sheet", message: `${error.message}${help}` }]);
  }
  return JSON.parse(stdout.text()) as object;
}

const asJson: Given = {
  flag: () => false,
  text: (name) => (name === "format" ? "json" : null),
  list: () => [],
  flags: [],
};

function createCollector(): Output & { readonly text: () => string } {
  let all = "";
  return {
    write: (text) => {
      all += text;
    },
    isTerminal: () => false,
    columns: () => null,
    text: () => all,
  };
}
