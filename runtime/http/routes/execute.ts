import { z } from "zod";
import type { Json } from "../../../compiler/ir.js";
import { sampleOf } from "../../../compiler/types/sample.js";
import { readCarrier } from "../../otel/carrier.js";
import { GivenError } from "../../runs/given-error.js";
import { readRequest, type Wish } from "../../runs/request.js";
import type { Workflow } from "../../workflows/catalogue.js";
import type { OpenedGraph } from "../../workflows/open-graph.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { answersJson, type Content, type NamedWorkflow } from "../openapi/operation.js";
import type { Answer } from "../request/answer.js";
import { readJson } from "../request/body.js";
import { escaped, HttpProblem, inputInvalid } from "../request/problem.js";
import { KEY_HEADER, keyOf, replayed } from "../request/start-key.js";
import type { RequestContext, Route } from "../route.js";
import { starterOf } from "../run-access.js";
import type { Service } from "../service.js";
import { accept, answerKept } from "./kept-answer.js";
import {
  answerRun,
  fields,
  MAX_RUN_MS,
  RUN_ANSWERS,
  RUN_PROBLEMS,
  runResult,
  visitsInto,
  wantsEvents,
} from "./run-answer.js";
import { accepted } from "./run-schemas.js";
import { diagnosticsOf, findWorkflow } from "./workflows.js";

const count = z.int().min(1);

const waitingOrAccepted = z.union([runResult, accepted]);
const WAITS_OR_GOES_ON = "The run waits for an answer, or goes on without the request.";

const executeBody = z
  .strictObject({
    graph_name: z
      .string()
      .optional()
      .meta({ description: "The workflow: its graph's name, or `sheet::graph`." }),
    workflow: z.string().optional().meta({ description: "The same as `graph_name`." }),
    initial_state: fields.optional(),
    options: z
      .strictObject({
        timeout_ms: count.optional().meta({ description: "The service may allow less." }),
        max_steps: count.optional(),
        trace: z
          .boolean()
          .optional()
          .meta({ description: "Tell inputs, prompts and outputs of each visit, too." }),
        deadline_ms: count
          .optional()
          .meta({ description: "The run fails after this time, also while it waits or nobody works on it." }),
        detach: z
          .boolean()
          .optional()
          .meta({ description: "Answer 202 at once: the run goes on without the request." }),
      })
      .optional(),
  })
  .meta({ id: "ExecuteRequest" });

export const execute: Route = {
  method: "POST",
  path: "/execute",
  permission: "execute",
  operation: {
    operationId: "execute",
    summary: "Run a workflow",
    tag: "runs",
    headers: [KEY_HEADER],
    body: describeBody,
    answers: { ...RUN_ANSWERS, "202": answersJson(waitingOrAccepted, WAITS_OR_GOES_ON) },
    problems: [...RUN_PROBLEMS, "workflow_invalid", "key_reused", "store_unwritable"],
  },
  handle: async (context) => {
    const body = await readJson(context, executeBody);
    const { detach = false, trace = false } = body.options ?? {};
    const key = keyOf(context.request);
    // A detached run takes a place among those of its worker.
    if (!detach) await context.takeSlot();
    const { service } = context;
    const { runner } = service;
    const workflow = findWorkflow(context, nameIn(body));
    const isKept = runner.keepsAll || detach || key !== null || body.options?.deadline_ms !== undefined;
    const visits: object[] = [];
    const asked = readRequest({
      csvPath: workflow.source,
      graphName: workflow.graphName,
      initialState: body.initial_state ?? {},
      timeoutMs: timeoutOf(body),
      maxSteps: body.options?.max_steps,
      deadlineMs: body.options?.deadline_ms,
      trace,
      signal: isKept ? undefined : context.signal,
      on: trace && !wantsEvents(context) ? visitsInto(visits) : undefined,
    });
    const { userId, startedBy } = starterOf(context);
    const { traceparent, tracestate } = context.request.headers;
    const carrier = readCarrier(traceparent, tracestate) ?? undefined;
    const starter = { userId: userId ?? undefined, startedBy: startedBy ?? undefined, carrier };
    const wish = { ...asked, settings: { ...asked.settings, ...starter } };
    await checkWaiting(service);
    try {
      // A changed sheet is opened again.
      const opened = runner.graphs.known(wish) ?? (await runner.graphs.open(wish));
      if (isKept) return await executeKept(context, { opened, wish, key, body });
      return await answerRun(context, {
        run: () => runner.run(opened, wish),
        stream: () => runner.stream(opened, wish),
        trace: trace ? visits : undefined,
      });
    } catch (error) {
      throw startProblem(error, workflow);
    }
  },
};

type ExecuteBody = z.infer<typeof executeBody>;

/** Requests wait for so long at most. A detached run may take as long as it likes. */
function timeoutOf({ options = {} }: ExecuteBody): number | undefined {
  const { timeout_ms, detach = false } = options;
  return detach ? timeout_ms : Math.min(timeout_ms ?? MAX_RUN_MS, MAX_RUN_MS);
}

interface KeptExecution {
  readonly opened: OpenedGraph;
  readonly wish: Wish;
  readonly key: string | null;
  readonly body: ExecuteBody;
}

async function executeKept(
  context: RequestContext,
  { opened, wish, key, body }: KeptExecution,
): Promise<Answer> {
  const { service } = context;
  const { runner, works, project } = service;
  const { detach = false, trace = false } = body.options ?? {};
  const words = { key, ...starterOf(context) };
  if (detach) {
    const { created, run } = await runner.start(opened, wish, words);
    return accept(context, run, replayed(created));
  }
  const begun = works ? await runner.begin(opened, wish, words) : await runner.start(opened, wish, words);
  return answerKept(context, {
    ...begun,
    after: 0,
    // The run of a key belongs to all who send it.
    endsWithClient: begun.created && project.keeping.onDisconnect === "cancel",
    trace,
    headers: replayed(begun.created),
  });
}

function nameIn({ graph_name, workflow }: ExecuteBody): string {
  if (graph_name !== undefined && workflow !== undefined && graph_name !== workflow)
    throw inputInvalid([{ pointer: "/workflow", message: "graph_name and workflow name two things" }]);
  const name = graph_name ?? workflow;
  if (name === undefined) throw inputInvalid([{ pointer: "/graph_name", message: "graph_name is missing" }]);
  return name;
}

/** Runs that wait are stored. When too many are, no new run begins. */
export async function checkWaiting({ runner, settings }: Service): Promise<void> {
  if (runner.waiting.lastCount() < settings.execution.max_waiting) return;
  const waiting = await runner.waiting.count().catch(() => 0);
  if (waiting >= settings.execution.max_waiting)
    throw new HttpProblem("overloaded", {
      detail: `${waiting} runs wait for answers, which is as many as may (execution.max_waiting)`,
      headers: { "Retry-After": "60" },
    });
}

/** What keeps a workflow from beginning, for the caller; `member` of the body has its values. */
export function startProblem(error: unknown, workflow: Workflow, member = "initial_state"): unknown {
  if (error instanceof GivenError) return givenProblem(error, member);
  if (!(error instanceof WorkflowError)) return error;
  if (workflow.sheet === null)
    return new HttpProblem("workflow_invalid", {
      detail: "its generated module cannot be loaded: the log tells why",
      more: { diagnostics: [] },
    });
  if (error.code === "graph_unknown") return new HttpProblem("workflow_not_found");
  return new HttpProblem("workflow_invalid", {
    detail: `${workflow.sheet} has errors: run flowsheet validate ${workflow.sheet}`,
    more: { diagnostics: diagnosticsOf(workflow) },
  });
}

/** An empty `member` is the body itself. */
function givenProblem({ problems }: GivenError, member: string): HttpProblem {
  const above = member === "" ? "" : `/${member}`;
  const [first, ...others] = problems.map(({ field, message, help }) => ({
    pointer: `${above}/${escaped(field)}`,
    message: help === null ? message : `${message} (${help})`,
  }));
  return inputInvalid([first ?? { pointer: above, message: "it does not fit" }, ...others]);
}

/** The accepted bodies, with the inputs of each workflow and an example that works. */
function describeBody(named: readonly NamedWorkflow[]): Content {
  const inputs = named.map(({ workflow, id }) => ({
    title: workflow.name,
    type: "object" as const,
    properties: {
      graph_name: { const: workflow.name },
      initial_state: { $ref: `#/components/schemas/Input.${id}` },
    },
    required: ["graph_name"],
  }));
  const other = { title: "Named by `workflow`", type: "object" as const, required: ["workflow"] };
  const schema =
    named.length === 0
      ? executeBody
      : z.intersection(executeBody, z.any().meta({ override: { anyOf: [...inputs, other] } }));
  return { "application/json": { schema, example: exampleOf(named) } };
}

/** A body that works as it is. For strangers it names no real workflow. */
function exampleOf(named: readonly NamedWorkflow[]): Json {
  const workflow = named.map((one) => one.workflow).find(({ valid }) => valid);
  if (workflow === undefined) return { graph_name: "MyWorkflow", initial_state: { name: "Ada" } };
  const required = workflow.ir.fields.filter(({ input }) => input === "required");
  const inputs = required.map(({ name, checks, type }) => [name, sampleOf(checks[0] ?? type)] as const);
  return { graph_name: workflow.name, initial_state: Object.fromEntries(inputs) };
}
