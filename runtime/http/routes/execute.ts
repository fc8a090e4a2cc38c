import type { NodeEnd } from "../../graph/contract/contract.js";
import type { WorkflowEvent, WorkflowStream } from "../../runs/event.js";
import { GivenError } from "../../runs/given-error.js";
import { readRequest, type Wish } from "../../runs/request.js";
import { describeResult, type WorkflowResult } from "../../runs/result.js";
import type { Workflow } from "../../workflows/catalogue.js";
import type { OpenedGraph } from "../../workflows/open-graph.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { findWorkflow } from "../find-workflow.js";
import { checkBody, executeBody, keysOf } from "../openapi/schemas.js";
import { type Answer, json } from "../request/answer.js";
import { mediaType, parseJsonBody, receive } from "../request/body.js";
import type { Call } from "../request/call.js";
import { describeEvent, streamEvents, wantsEvents } from "../request/event-stream.js";
import { HttpProblem, inputInvalid } from "../request/problem.js";
import type { Route } from "../route.js";
import { diagnosticsOf } from "./workflows.js";

const JSON_ONLY = ["application/json"];
const KEYS = keysOf(executeBody);

export const execute: Route = {
  method: "POST",
  path: "/execute",
  permission: "execute",
  handle: async (call) => {
    mediaType(call.request, JSON_ONLY);
    const body = checkBody(executeBody, KEYS, parseJsonBody(await receive(call)));
    await call.takePlace();
    const workflow = findWorkflow(call.service, nameIn(body));
    const visits: object[] = [];
    const trace = body.options?.trace === true;
    const wish = readRequest({
      csvPath: workflow.source,
      graphName: workflow.graphName,
      initialState: body.initial_state ?? {},
      timeoutMs: Math.min(body.options?.timeout_ms ?? call.service.limits.runMs, call.service.limits.runMs),
      maxSteps: body.options?.max_steps,
      trace,
      signal: call.signal,
      on: trace && !wantsEvents(call) ? (event) => keepVisit(visits, event) : undefined,
    });
    return perform(call, { workflow, wish, trace: trace ? visits : null });
  },
};

type ExecuteBody = { readonly graph_name?: string | undefined; readonly workflow?: string | undefined };

function nameIn({ graph_name, workflow }: ExecuteBody): string {
  if (graph_name !== undefined && workflow !== undefined && graph_name !== workflow)
    throw inputInvalid([{ pointer: "/workflow", message: "graph_name and workflow name two things" }]);
  const name = graph_name ?? workflow;
  if (name === undefined) throw inputInvalid([{ pointer: "/graph_name", message: "graph_name is missing" }]);
  return name;
}

interface Performance {
  readonly workflow: Workflow;
  readonly wish: Wish;
  readonly trace: readonly object[] | null;
}

async function perform(call: Call, { workflow, wish, trace }: Performance): Promise<Answer> {
  const { runner, metrics } = call.service;
  checkRoom(call, runner.waiting());
  const opened = await open(call, workflow, wish);
  try {
    if (wantsEvents(call)) return eventsOf(call, runner.stream(opened, wish));
    const result = await runner.run(opened, wish);
    metrics.ran(result);
    return answerOf(result, trace);
  } catch (error) {
    throw error instanceof GivenError ? givenProblem(error) : error;
  }
}

/** Whoever starts a run may leave it waiting: when too many wait, none is begun. */
function checkRoom({ service }: Call, waiting: number): void {
  if (waiting >= service.limits.waiting)
    throw new HttpProblem("overloaded", {
      detail: `${waiting} runs wait for answers, which is as many as may (execution.max_waiting)`,
      headers: { "Retry-After": "60" },
    });
}

/** Opens a workflow's graph as its sheet is now. */
async function open({ service }: Call, workflow: Workflow, wish: Wish): Promise<OpenedGraph> {
  try {
    return service.runner.known(wish) ?? (await service.runner.open(wish));
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    if (workflow.sheet === null)
      throw new HttpProblem("workflow_invalid", {
        detail: "its generated module cannot be loaded: the log tells why",
        more: { diagnostics: [] },
      });
    if (error.code === "graph_unknown") throw new HttpProblem("workflow_not_found");
    throw new HttpProblem("workflow_invalid", {
      detail: `${workflow.sheet} has errors: run flowsheet validate ${workflow.sheet}`,
      more: { diagnostics: diagnosticsOf(workflow) },
    });
  }
}

function givenProblem({ problems }: GivenError): HttpProblem {
  const [first, ...others] = problems.map(({ field, message, help }) => ({
    pointer: `/initial_state/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    message: help === null ? message : `${message} (${help})`,
  }));
  return inputInvalid([first ?? { pointer: "/initial_state", message: "it does not fit" }, ...others]);
}

function keepVisit(visits: object[], event: WorkflowEvent): void {
  if (event.type === "node_end") visits.push(describeEvent(event satisfies NodeEnd));
}

/** The events of a run, which is counted when it ends. */
export function eventsOf({ service }: Call, events: WorkflowStream): Answer {
  events.result.then(service.metrics.ran, () => {});
  return streamEvents(events);
}

/** The result of a run; one that waits was accepted, and is not done. */
export function answerOf(result: WorkflowResult, trace: readonly object[] | null = null): Answer {
  const body = { ...describeResult(result), ...(trace === null ? {} : { trace }) };
  return json(body, result.status === "suspended" ? 202 : 200);
}
