import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Permission } from "../auth/permissions.js";
import { describeGraph } from "../draw/describe.js";
import { drawMermaid } from "../draw/mermaid.js";
import { HttpProblem, inputInvalid } from "../http/request/problem.js";
import { pageOfRuns } from "../http/routes/list-runs.js";
import { describedRun } from "../http/routes/show-run.js";
import { findWorkflow } from "../http/routes/workflows.js";
import { describeAgents } from "./agents.js";
import { checkArguments, textOf } from "./arguments.js";
import { argsSchema, dataResult, type Tool, type ToolCall, type ToolResult, textResult } from "./tool.js";
import { callResume } from "./workflow-tools.js";

const text = (description: string) => ({ type: "string", description });

interface Own extends Omit<Tool, "isReading" | "permission"> {
  readonly isReading?: false;
  readonly permission?: Permission;
}

/** Arguments are checked before the tool sees them. */
const own = ({ call, ...tool }: Own): Tool => ({
  isReading: true,
  permission: "read",
  ...tool,
  call: async (made) => {
    checkArguments(made.args, tool.inputSchema);
    return call(made);
  },
});

export { own as ownTool };

/** The tools beside the workflows. */
export const OWN_TOOLS: readonly Tool[] = [
  own({
    name: "flowsheet_validate",
    title: "Validate a sheet",
    description:
      "Finds every problem of a sheet of workflows, given as the text of a CSV file: code, message, line, cell, and the fix where there is one. Nothing is run. Call it after each change of a sheet.",
    inputSchema: argsSchema({ csv: text("the text of the sheet") }, "csv"),
    call: async ({ args, caller, context }) =>
      dataResult(await caller.validate(textOf(args, "csv") ?? "", context.mcpReq.signal)),
  }),
  own({
    name: "flowsheet_explain",
    title: "Explain a diagnostic",
    description:
      "Explains a code of a diagnostic: the rule, an example, and the cure. Without a code it lists all codes.",
    inputSchema: argsSchema({ code: text("such as unknown-node") }),
    call: async ({ args }) => explain(textOf(args, "code")),
  }),
  own({
    name: "flowsheet_inspect",
    title: "Inspect a workflow",
    description:
      "Shows a graph as a Mermaid diagram, or as JSON: nodes, edges, fields. Of the text of a sheet, or without `csv` of a workflow that is here.",
    inputSchema: argsSchema({
      csv: text("the text of a sheet"),
      graph: text("the name of the graph"),
      format: { type: "string", enum: ["mermaid", "json"] },
    }),
    call: inspect,
  }),
  own({
    name: "flowsheet_agents",
    title: "Agents and their settings",
    description:
      "Lists what `agent_type` may hold: the built-in agents and those of the project. With `type`, the settings of one.",
    inputSchema: argsSchema({ type: text("one agent, such as http") }),
    call: async ({ args, caller }) => dataResult(await describeAgents(caller, textOf(args, "type"))),
  }),
  own({
    name: "flowsheet_runs",
    title: "Runs",
    description:
      "Lists runs, newest first: those that wait, unless `status` says otherwise. With `run_id`, one run, its questions and its visits.",
    inputSchema: argsSchema({
      run_id: text("one run"),
      status: text("waiting, running, completed, failed, cancelled, queued, stuck or all"),
      graph: text("of this graph"),
      limit: { type: "integer", description: "at most so many" },
      cursor: text("next_cursor of the page before"),
    }),
    call: showRuns,
  }),
  own({
    name: "flowsheet_resume",
    title: "Answer a run that waits",
    description:
      "Gives a run the answers that it waits for, by node, and goes on with it. `waiting` of a suspended run names the nodes and what they ask.",
    inputSchema: argsSchema(
      { run_id: text("the run"), answers: { type: "object", description: 'such as {"Approve": "yes"}' } },
      "run_id",
    ),
    isReading: false,
    permission: "answer",
    call: (call) => callResume("flowsheet_resume", call),
  }),
];

async function explain(code: string | null): Promise<ToolResult> {
  const { formatCodes, formatExplanation } = await import("../../compiler/diagnostics/format-explanation.js");
  if (code === null) return textResult(formatCodes());
  const { known, text } = formatExplanation(code);
  if (!known) throw inputInvalid([{ pointer: "/code", message: text.trim() }]);
  return textResult(text);
}

async function inspect({ args, caller, context }: ToolCall): Promise<ToolResult> {
  const [csv, graph] = [textOf(args, "csv"), textOf(args, "graph")];
  const format = args["format"] === "json" ? "json" : "mermaid";
  if (csv !== null) return textResult(await caller.inspect({ csv, graph, format }, context.mcpReq.signal));
  if (graph === null)
    throw inputInvalid([{ pointer: "/graph", message: "name a graph, or give a sheet as csv" }]);
  const { ir } = findWorkflow(caller, graph);
  return textResult(format === "json" ? JSON.stringify(describeGraph(ir)) : drawMermaid(ir));
}

async function showRuns({ args, caller }: ToolCall): Promise<ToolResult> {
  const runId = textOf(args, "run_id");
  const query = new URLSearchParams();
  if (runId !== null) {
    query.set("include", "steps");
    return dataResult(await describedRun({ ...caller, params: new Map([["run_id", runId]]), query }));
  }
  const asked = { status: "status", graph: "graph_name", limit: "limit", cursor: "cursor" };
  for (const [name, parameter] of Object.entries(asked))
    if (args[name] !== undefined) query.set(parameter, String(args[name]));
  return dataResult(await pageOfRuns({ ...caller, query }));
}

export const unknownTool = (name: string): HttpProblem =>
  new HttpProblem("workflow_not_found", { detail: `there is no tool ${quoted(name)}` });
