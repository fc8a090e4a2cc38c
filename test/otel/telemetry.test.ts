import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createGraph } from "../../runtime/graph/graph.js";
import { AgentError, type Checkpoint, wait } from "../../runtime/graph/index.js";
import { pure } from "../../runtime/graph/link/marks.js";
import { Flowsheet } from "../../runtime/index.js";
import { telemetry } from "../../runtime/otel/index.js";
import { createFolder } from "../cli/folder.js";
import { named, register, taken, treeOf, unregister } from "./spans.js";

beforeAll(register);
afterAll(unregister);
beforeEach(() => void taken());

const HEADER =
  "graph_name,node_name,next_node,agent_type,context,input_fields,output_field,prompt,next_on_failure\n";
/** Runs that are kept have a span for their start, too. */
const IN_MEMORY = "runs: {keep: waiting}\n";
const SECRET = "fsk_canary-0123456789-0123456789-0123456789";

function project(sheet: string, config = "", env: { readonly [name: string]: string } = {}): Flowsheet {
  const cwd = createFolder({ "flowsheet.yaml": config, "workflows/sheet.csv": HEADER + sheet });
  return new Flowsheet({ cwd, env });
}

test("a run has a span, with one for each node that may call out and an event for each that computes", async () => {
  const flowsheet = project(
    "Outer,Hello,Sum,echo,,name,greeting,Hello {name},\nOuter,Sum,Inside,formula,,n:number,m:number,n + 1,\n" +
      'Outer,Inside,,graph,"{""graph"": ""Inner""}",greeting,said=said,,\nInner,Say,,mock,,greeting,said,Say {greeting},\n',
    IN_MEMORY,
  );
  const agents = { mock: async () => "said" };
  const own = new Flowsheet({ cwd: flowsheet.project.root, env: {}, agents });
  const request = { graphName: "Outer", initialState: { name: "Ada", n: 1 } };
  const { status, runId } = await own.runWorkflow(request);
  expect(status).toBe("completed");
  const spans = taken();
  expect(treeOf(spans)).toEqual([
    "invoke_workflow Outer",
    "  (Hello)",
    "  (Sum)",
    "  flowsheet.node Inside",
    "    invoke_workflow Inner",
    "      flowsheet.node Say",
  ]);
  expect(named(spans, "invoke_workflow Outer").attributes).toEqual({
    "flowsheet.graph": "Outer",
    "flowsheet.run_id": runId,
    "flowsheet.status": "completed",
  });
  expect(named(spans, "flowsheet.node Inside").attributes).toEqual({
    ...{ "flowsheet.graph": "Outer", "flowsheet.node": "Inside", "flowsheet.agent": "graph" },
    ...{ "flowsheet.visit": 1, "flowsheet.attempt": 1, "flowsheet.outcome": "success" },
    ...{ "flowsheet.sheet": "workflows/sheet.csv", "flowsheet.row": 4 },
  });
});

test("what is thrown, tried again, refused and stopped is told", async () => {
  let calls = 0;
  const graph = createGraph({
    name: "Troubled",
    entry: "Flaky",
    fingerprint: "1",
    nodes: {
      Flaky: {
        agent: async () => {
          calls += 1;
          if (calls === 1) throw new AgentError("agent_failed", `no: ${SECRET}`);
          return 1;
        },
        inputs: () => ({}),
        retry: { attempts: 2, delayMs: 0 },
        writes: "n",
      },
      Wrong: {
        agent: async () => "text",
        inputs: () => ({}),
        writes: { field: "m", key: "m", type: { kind: "number" } },
      },
    },
    routes: { Flaky: { success: "Wrong" }, Wrong: {} },
  });
  const redact = (text: string): string => text.replaceAll(SECRET, "***");
  const observer = telemetry({ content: true });
  const result = await graph.run({}, { observer, redact });
  expect(result).toMatchObject({ status: "failed" });
  const spans = taken();
  const outcomes = spans.map(({ name, attributes, status }) => [
    name,
    attributes["flowsheet.attempt"] ?? null,
    attributes["flowsheet.outcome"] ?? attributes["flowsheet.status"],
    status.message ?? null,
  ]);
  expect(outcomes).toEqual([
    ["flowsheet.node Flaky", 1, "thrown", "no: ***"],
    ["flowsheet.node Flaky", 2, "success", null],
    ["flowsheet.node Wrong", 1, "thrown", expect.stringContaining("number")],
    ["invoke_workflow Troubled", null, "failed", expect.stringContaining("number")],
  ]);
  expect(JSON.stringify(spans.map(({ attributes, status }) => [attributes, status]))).not.toContain(SECRET);
  await graph.run({}, { observer: telemetry(), redact });
  expect(taken().flatMap(({ status }) => status.message ?? [])).toEqual([]);
});

test("a tracer that throws is no error of the run", async () => {
  unregister();
  onTestFinished(() => {
    unregister();
    register();
  });
  const broken = (): never => {
    throw new Error("exporter broke");
  };
  const spanOf = (...thrown: readonly string[]) =>
    new Proxy({}, { get: (_, name) => (thrown.includes(String(name)) ? broken : () => ({})) });
  const sheet = "Kept,Ask,Say,call,,,a,,\nKept,Say,,echo,,a,b,Hello {a},\n";
  for (const startSpan of [broken, () => spanOf("end", "setAttributes", "addEvent", "spanContext")]) {
    trace.disable();
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: broken }) as never });
    const cwd = createFolder({ "flowsheet.yaml": "telemetry: true\n", "workflows/a.csv": HEADER + sheet });
    const flowsheet = new Flowsheet({ cwd, env: {}, agents: { call: async () => "called" } });
    expect(await flowsheet.runWorkflow({})).toMatchObject({
      status: "completed",
      state: { b: "Hello called" },
    });
  }
});

test("a manager of contexts that throws is no error of the run, and each agent is called once", async () => {
  unregister();
  onTestFinished(() => {
    unregister();
    register();
  });
  const broken = (): never => {
    throw new Error("the manager broke");
  };
  const sound = { active: () => ROOT_CONTEXT, with: broken, bind: broken, enable: broken, disable: () => {} };
  type Call = () => unknown;
  const managers = [
    { ...sound },
    { ...sound, active: broken },
    { ...sound, with: (_at: unknown, call: Call) => [call(), broken()] },
    { ...sound, with: (_at: unknown, call: Call) => [call(), call()] },
    { ...sound, with: (_at: unknown, call: Call) => setImmediate(call) },
    { ...sound, with: () => "nothing" },
  ];
  for (const manager of managers) {
    unregister();
    trace.setGlobalTracerProvider(new NodeTracerProvider());
    context.setGlobalContextManager(manager as never);
    let asked = 0;
    const call = async () => `called ${++asked}`;
    const refuse = () => {
      throw new AgentError("agent_failed", "no licence");
    };
    const sheet =
      "Kept,Ask,Say,call,,,a,,\nKept,Say,Refuse,echo,,a,b,Hello {a},\nKept,Refuse,,refuse,,,c,,\n";
    const cwd = createFolder({ "flowsheet.yaml": "telemetry: true\n", "workflows/a.csv": HEADER + sheet });
    const flowsheet = new Flowsheet({ cwd, env: {}, agents: { call, refuse } });
    const { state, error } = await flowsheet.runWorkflow({});
    await new Promise(setImmediate);
    expect([state["b"], error?.message, asked]).toEqual([
      "Hello called 1",
      expect.stringContaining("no licence"),
      1,
    ]);
  }
});

test("a provider that gives no tracer is no error of the run", async () => {
  unregister();
  onTestFinished(() => {
    unregister();
    register();
  });
  const getTracer = (): never => {
    throw new Error("the provider broke");
  };
  trace.setGlobalTracerProvider({ getTracer });
  const flowsheet = project("Kept,Say,,echo,,,b,Hello,\n", "telemetry: true\n");
  expect(await flowsheet.runWorkflow({})).toMatchObject({ status: "completed", state: { b: "Hello" } });
});

test("an agent that goes on after its run was stopped ends with it, and a thenable is asked once", async () => {
  let asked = 0;
  const lazy = {
    // biome-ignore lint/suspicious/noThenProperty: some libraries do their work when they are asked.
    then: (give: (value: string) => void): void => {
      asked += 1;
      give("done");
    },
  };
  const graph = createGraph({
    name: "Long",
    entry: "Lazy",
    fingerprint: "1",
    nodes: {
      Lazy: { agent: () => lazy, inputs: () => ({}), writes: "a" },
      Ever: { agent: () => new Promise(() => {}), inputs: () => ({}), writes: "b" },
    },
    routes: { Lazy: { success: "Ever" }, Ever: {} },
  });
  const { status } = await graph.run({}, { observer: telemetry(), timeoutMs: 50 });
  expect([status, asked]).toEqual(["failed", 1]);
  const spans = taken();
  expect(treeOf(spans)).toEqual(["invoke_workflow Long", "  flowsheet.node Ever", "  flowsheet.node Lazy"]);
  expect(named(spans, "flowsheet.node Ever").attributes["flowsheet.outcome"]).toBe("stopped");
});

test("values are no attributes unless they are asked for, and then without secrets", async () => {
  const agent = pure((inputs: object) => inputs);
  const graph = createGraph({
    name: "Quiet",
    entry: "Pass",
    fingerprint: "1",
    nodes: {
      Pass: {
        agent,
        inputs: (state: { a: string }) => ({ a: state.a }),
        writes: "b",
        prompt: () => "Say it",
      },
    },
    routes: { Pass: {} },
  });
  const redact = (text: string): string => text.replaceAll(SECRET, "***");
  const run = async (content: boolean) => {
    await graph.run({ a: `canary ${SECRET}` }, { observer: telemetry({ content }), redact });
    return JSON.stringify(taken().map(({ attributes, events }) => [attributes, events]));
  };
  expect(await run(false)).not.toMatch(/canary|Say it/);
  const told = await run(true);
  expect(told).toContain("canary ***");
  expect(told).toContain("Say it");
  expect(told).not.toContain(SECRET);
});

test("a run that was suspended goes on in a span with a link, also with the checkpoint alone", async () => {
  const graph = createGraph({
    name: "Asks",
    entry: "Ask",
    fingerprint: "1",
    nodes: {
      Ask: {
        agent: (_: object, { answer }: { answer?: unknown }) => answer ?? wait({}),
        inputs: () => ({}),
        writes: "b",
      },
    },
    routes: { Ask: {} },
  });
  const first = await graph.run({}, { observer: telemetry() });
  if (first.status !== "suspended") throw new Error(first.status);
  const before = named(taken(), "invoke_workflow Asks");
  const checkpoint = JSON.parse(JSON.stringify(first.checkpoint)) as Checkpoint;
  await graph.resume(checkpoint, { Ask: "yes" }, { observer: telemetry() });
  const after = named(taken(), "invoke_workflow Asks");
  expect(before.attributes["flowsheet.status"]).toBe("suspended");
  expect(after.links.map((link) => link.context.spanId)).toEqual([before.spanContext().spanId]);
  expect(after.parentSpanContext).toBeUndefined();
  // Nobody else's text becomes a link.
  const broken = { ...checkpoint, carrier: { traceparent: "00-zz", tracestate: "a\r\nb" } };
  await graph.resume(broken, { Ask: "yes" }, { observer: telemetry() });
  expect(named(taken(), "invoke_workflow Asks").links).toEqual([]);
});

test("parts of a run that is kept refer to its start", async () => {
  const sheet = "Kept,Ask,Say,input,,,name,Who?,\nKept,Say,,echo,,name,said,Hello {name},\n";
  const flowsheet = project(sheet, "runs: {keep: all}\n");
  const { runId, waiting } = await flowsheet.runWorkflow({ graphName: "Kept" });
  const first = taken();
  expect(treeOf(first)).toEqual(["start Kept", "  invoke_workflow Kept", "    flowsheet.node Ask"]);
  await flowsheet.resume(runId, { [waiting[0]!.node]: "Ada" });
  const later = named(taken(), "invoke_workflow Kept");
  expect(later.links.map((link) => link.context.spanId)).toEqual([
    named(first, "start Kept").spanContext().spanId,
  ]);
});

test("hosts that the configuration lists are told the trace, others are not", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers["traceparent"] as string | undefined);
    response.end('"ok"');
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const sheet = `Call,Get,,http,"{""url"": ""http://127.0.0.1:${port}/""}",,said,,\n`;
  const listed = await project(sheet, `network: {allow: ["127.0.0.1:${port}"]}\n`).runWorkflow({});
  const node = named(taken(), "flowsheet.node Get").spanContext();
  await project(sheet, "network: {private: true}\n").runWorkflow({});
  expect(listed.status).toBe("completed");
  expect(seen).toEqual([`00-${node.traceId}-${node.spanId}-01`, undefined]);
});

test("calls of models have a span with their tokens", async () => {
  const sheet = "Chat,Ask,,llm,,,said,Say hello,\n";
  const config = `llm: {default_provider: mock}\n${IN_MEMORY}`;
  const run = async (env: { readonly [name: string]: string }) => {
    await project(sheet, config, env).runWorkflow({});
    const spans = taken();
    expect(treeOf(spans)).toEqual([
      "invoke_workflow Chat",
      "  flowsheet.node Ask",
      expect.stringMatching(/^ {4}chat /),
    ]);
    return Object.keys(spans.find(({ name }) => name.startsWith("chat "))!.attributes);
  };
  const own = ["flowsheet.model", "flowsheet.provider", "flowsheet.tokens.input", "flowsheet.tokens.output"];
  expect((await run({})).sort()).toEqual(own);
  const more = await run({ OTEL_SEMCONV_STABILITY_OPT_IN: "http,gen_ai_latest_experimental" });
  expect(more).toEqual(
    expect.arrayContaining([...own, "gen_ai.operation.name", "gen_ai.usage.input_tokens"]),
  );
});

test("telemetry may be turned off, and what is on needs its package", async () => {
  const sheet = "Off,Say,,echo,,,said,hello,\n";
  await project(sheet, `telemetry: false\n${IN_MEMORY}`).runWorkflow({});
  expect(taken()).toEqual([]);
  await project(sheet, `telemetry: true\n${IN_MEMORY}`).runWorkflow({});
  expect(treeOf(taken())).toEqual(["invoke_workflow Off", "  (Say)"]);
  unregister();
  onTestFinished(register);
  // Without anybody who listens the runs go on as ever.
  expect((await project(sheet, `telemetry: {content: true}\n${IN_MEMORY}`).runWorkflow({})).status).toBe(
    "completed",
  );
});
