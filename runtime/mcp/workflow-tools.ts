import type { ServerContext } from "@modelcontextprotocol/server";
import type { GraphIR } from "../../compiler/ir.js";
import type { JsonSchema } from "../../compiler/types/json-schema.js";
import { effectOf } from "../agents/effects.js";
import type { Answers, Json } from "../graph/contract/contract.js";
import { inputSchema, stateSchema } from "../http/openapi/field-schema.js";
import { HttpProblem } from "../http/request/problem.js";
import { createGivenCheck } from "../runs/given.js";
import { describeOutcome, describeResult } from "../runs/result.js";
import { graphsOf, type Workflow } from "../workflows/catalogue.js";
import { type McpCaller, offeredTo } from "./caller.js";
import { answersIn, inputRequests, ownQuestions } from "./questions.js";
import { beginRun, goOn, lookAt, type Told, type Watcher } from "./runs.js";
import { dataResult, type Tool, type ToolCall, type ToolResult } from "./tool.js";
import { toolNames } from "./tool-names.js";

/** A tool of each workflow that the caller is offered. */
export function workflowTools(caller: McpCaller): readonly Tool[] {
  const all = caller.service.catalogue.list();
  const graphOf = graphsOf(all);
  const offered = new Set(offeredTo(caller).map(({ name }) => name));
  // Names are made of all workflows, so that they are the same for every caller.
  const named = [...toolNames(all)].filter(([, workflow]) => offered.has(workflow.name));
  return named.map(([name, workflow]) => ({
    name,
    title: workflow.name,
    description: descriptionOf(workflow.ir),
    inputSchema: inputSchema(workflow.ir),
    outputSchema: resultSchema(workflow.ir),
    isReading: !changes(workflow.ir, graphOf),
    permission: "execute",
    call: (call) => callWorkflow(workflow, name, call),
  }));
}

function descriptionOf({ name, nodes }: GraphIR): string {
  const [entry] = nodes;
  if (entry !== undefined && entry.description !== "") return entry.description;
  const names = nodes.slice(0, 20).map((node) => node.name);
  const more = nodes.length > names.length ? ", …" : "";
  return `Runs the workflow ${name}: ${names.join(", ")}${more}.`;
}

type GraphOf = ReturnType<typeof graphsOf>;

/** Whether a run may change what is outside of it. Nobody knows what agents of the project do. */
function changes(ir: GraphIR, graphOf: GraphOf, seen: ReadonlySet<GraphIR> = new Set()): boolean {
  if (seen.has(ir)) return false;
  const all = new Set([...seen, ir]);
  return ir.nodes.some(({ agent, settings }) => {
    if (!agent.builtin) return true;
    const effect = effectOf(agent.type, settings);
    if (effect !== null && !effect.reads) return true;
    if (agent.type !== "graph") return false;
    const inner = graphOf(String(settings["graph"]), ir);
    return inner === null || changes(inner, graphOf, all);
  });
}

const nullable = (type: string): JsonSchema => ({ type: [type, "null"] });

/** A run that waits or fails has not set all fields of its state, so none is required. */
function resultSchema(ir: GraphIR): JsonSchema {
  const { required: _, ...state } = stateSchema(ir);
  return {
    type: "object",
    properties: {
      run_id: { type: "string" },
      graph_name: { type: "string" },
      status: {
        type: "string",
        description: "completed, failed, suspended, cancelled; queued or running where it goes on by itself",
      },
      success: { type: "boolean" },
      state,
      path: { type: "array", items: { type: "string" }, description: "the visited nodes" },
      steps: { type: "integer" },
      duration_ms: { type: "number" },
      error: { ...nullable("object"), description: "why it failed" },
      waiting: {
        type: "array",
        description: "the questions that it waits for: answer them with flowsheet_resume",
        items: {
          type: "object",
          properties: {
            node: { type: "string" },
            field: nullable("string"),
            prompt: { type: "string" },
            options: { ...nullable("array"), items: { type: "string" } },
          },
          required: ["node", "prompt"],
        },
      },
    },
    required: ["run_id", "status"],
  };
}

async function callWorkflow(workflow: Workflow, tool: string, call: ToolCall): Promise<ToolResult> {
  const { caller, args } = call;
  const result = await told(call, { workflow, tool }, (watcher) => beginRun(caller, workflow, args, watcher));
  const notes = unknownFields(workflow.ir, args);
  if (notes.length === 0 || !("content" in result) || !Array.isArray(result.content)) return result;
  return { ...result, content: [...result.content, { type: "text", text: notes.join("\n") }] } as ToolResult;
}

/** Fields that no node reads stay in the state. Whoever has misspelt one would not hear of it. */
function unknownFields(ir: GraphIR, args: ToolCall["args"]): readonly string[] {
  const { unknown } = createGivenCheck(ir)(args as { readonly [field: string]: Json });
  return unknown.map(({ message, help }) => `note: ${message}${help === null ? "" : `; ${help}`}`);
}

/** `flowsheet_resume`: goes on with a run, by its id. */
export async function callResume(tool: string, call: ToolCall): Promise<ToolResult> {
  const { caller, args } = call;
  const { run_id: runId, answers = {} } = args as { readonly run_id: string; readonly answers?: Answers };
  return told(call, { workflow: null, tool }, (watcher) => goOn(caller, runId, answers, watcher));
}

interface Asking {
  readonly workflow: Workflow | null;
  readonly tool: string;
}

/** Begins a run, or takes the answers that the client comes back with, and tells how it goes on. */
async function told(
  call: ToolCall,
  asking: Asking,
  begin: (watcher: Watcher) => Promise<Told>,
): Promise<ToolResult> {
  const { caller, context } = call;
  const state = context.mcpReq.requestState<{ readonly run_id: string; readonly tool: string }>();
  const watcher = watcherOf(caller, context);
  if (state === undefined) return answered(call, asking, await begin(watcher), null);
  if (state.tool !== asking.tool) throw new HttpProblem("run_not_found");
  const answers = answersIn(context);
  if (Object.keys(answers).length === 0) return plain(await lookAt(caller, state.run_id));
  try {
    return await answered(call, asking, await goOn(caller, state.run_id, answers, watcher), null);
  } catch (error) {
    // The user is asked again, with what was wrong.
    if (!(error instanceof HttpProblem) || error.code !== "input_invalid") throw error;
    return answered(call, asking, await lookAt(caller, state.run_id), error.message);
  }
}

/** A run that waits asks the client's user, where that is possible. */
async function answered(
  call: ToolCall,
  { workflow, tool }: Asking,
  how: Told,
  problem: string | null,
): Promise<ToolResult> {
  const { caller, canAsk, context, sealing } = call;
  if (how.kind !== "result" || how.result.status !== "suspended" || !canAsk) return plain(how);
  const questions = ownQuestions(caller, how);
  if (questions.length === 0) return plain(how);
  return {
    resultType: "input_required",
    inputRequests: inputRequests(caller, workflow, questions, problem),
    requestState: await sealing.mint({ run_id: how.result.runId, tool }, context),
  };
}

function plain(how: Told): ToolResult {
  if (how.kind === "accepted") return dataResult({ run_id: how.runId, status: how.status });
  const { result, view } = how;
  const data = view === "whole" ? describeResult(result) : describeOutcome(result);
  const isError = result.status === "failed" || result.status === "cancelled";
  return { ...dataResult(data), ...(isError ? { isError } : {}) };
}

/** Clients that ask for it are told of each node that begins. */
function watcherOf({ signal: gone }: McpCaller, { mcpReq }: ServerContext): Watcher {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return {
    signal: AbortSignal.any([gone, mcpReq.signal]),
    on: (event) => {
      if (progressToken === undefined || event.type !== "node_start") return;
      progress += 1;
      const params = { progressToken, progress, message: event.node };
      // A client that has gone needs no progress.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}
