import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, vi } from "vitest";
import type { DurableStore } from "../../runtime/durable/store.js";
import type { AnyGraph, Json } from "../../runtime/graph/contract/contract.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { describeRun } from "../../runtime/runs/describe-run.js";
import { BIN } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { KEYS, startService } from "../http/service.js";
import { none, onEachStore, open, request, until } from "./executors.js";
import { projectOf, runsOf, serviceOf } from "./projects.js";
import { beginWork } from "./work.js";

const HEADER =
  "graph_name,node_name,next_node,next_on_success,next_on_failure,agent_type,input_fields,output_field,prompt,context\n";
/** An hour to answer; then it is rejected, or the node throws. */
const asking = (
  ms: number,
): string => `${HEADER}Ask,Ask,,Yes,No,human,,verdict|by|at,Right?,"{""timeout_ms"": ${ms}, ""default_action"": ""reject""}"
Ask,Yes,,,,echo,,said,yes,
Ask,No,,,,echo,by?|at?,said,no{by}{at},
Word,Ask,,,Late,input,,word,A word?,"{""timeout_ms"": ${ms}}"
Word,Late,,,,echo,error,said,{error},
Plain,Ask,,,,input,,word,A word?,"{""timeout_ms"": ${ms}}"
Loop,Each,,,,graph,verdict,said,,"{""graph"": ""Ask"", ""over"": ""verdict""}"
Once,Call,,,,graph,,said,,"{""graph"": ""Word""}"
Both,Begin,Ask|Slow,,,echo,,,go,
Both,Ask,End,,,human,,verdict,Right?,"{""timeout_ms"": ${ms}, ""default_action"": ""reject""}"
Both,Slow,End,,,slow,,,,
Both,End,,,,echo,verdict,said,{verdict},
`;
const HOUR = 3_600_000;
/** It never answers the first time. */
const SLOW = `import { existsSync, writeFileSync } from "node:fs";
import { defineAgent } from "flowsheet";
export const slow = defineAgent(async () => {
  if (existsSync(process.env.BEGAN)) return "done";
  writeFileSync(process.env.BEGAN, "");
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
`;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

function project(ms = HOUR): Promise<string> {
  return projectOf({ "flowsheet.yaml": "", "workflows/ask.csv": asking(ms), "agents/slow.js": SLOW });
}

/** The results of all runs by their graphs, when they have ended. */
async function ended(store: DurableStore, many: number): Promise<{ readonly [graph: string]: unknown }> {
  await until(async () => (await store.list({ status: ["completed", "failed"] })).runs.length === many);
  const { runs } = await store.list({});
  const results = runs.map(async ({ graph, runId }) => [graph, (await store.run(runId))?.result] as const);
  return Object.fromEntries(await Promise.all(results));
}

onEachStore("a worker ends what nobody answered, also inside of loops and graphs", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const cwd = await project();
  const graphs = [["Ask"], ["Word"], ["Plain"], ["Loop", "--input", "verdict=[1,2,3]"], ["Once"]];
  for (const args of graphs)
    expect((await flowsheet(["run", "--graph", ...args, "--quiet"], { cwd })).code).toBe(3);
  const store = await runsOf(cwd);
  const worker = beginWork(cwd);
  vi.setSystemTime(Date.now() + HOUR - 1);
  expect(await flowsheet(["work", "--drain"], { cwd })).toMatchObject({ code: 0 });
  expect((await store.list({ status: ["waiting"] })).total).toBe(5);
  vi.setSystemTime(Date.now() + 1);
  const results = await ended(store, 5);
  expect(await worker.stop()).toMatchObject({ code: 0 });
  // Nobody answered, so `by` and `at` are unset.
  expect(results["Ask"]).toMatchObject({ status: "completed", path: ["Ask", "No"] });
  expect((results["Ask"] as { readonly state: object }).state).toEqual({ verdict: "reject", said: "no" });
  const late = `no answer within ${HOUR} ms`;
  expect(results["Word"]).toMatchObject({ status: "completed", state: { error: late, said: late } });
  expect(results["Plain"]).toMatchObject({ status: "failed", error: { code: "node_timeout", node: "Ask" } });
  const [asked] = (await store.list({ graphs: ["Ask"] })).runs;
  expect((await flowsheet(["runs", "show", asked?.runId ?? ""], { cwd })).stdout).toMatch(
    /1 Ask .* 1 h +failed +verdict = "reject" +no answer in time\n/,
  );
  const plain = (await store.list({ graphs: ["Plain"] })).runs[0]?.runId ?? "";
  expect((await flowsheet(["runs", "show", plain], { cwd })).stdout).toMatch(
    new RegExp(`1 Ask .* 1 h +threw +${late}\n`),
  );
  expect(results["Loop"]).toMatchObject({ status: "completed", state: { said: ["no", "no", "no"] } });
  expect(results["Once"]).toMatchObject({ status: "completed", state: { said: late } });
});

onEachStore(
  "a wait ends at its time by another worker, when the process that began it was killed",
  async () => {
    const cwd = await project(3_000);
    vi.stubEnv("BEGAN", join(cwd, "began.txt"));
    const child = spawn(process.execPath, [BIN, "run", "--graph", "Both", "--quiet"], {
      cwd,
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await until(async () => (await flowsheet(["runs", "list", "--json"], { cwd })).stdout.includes('"Ask"'));
    const store = await runsOf(cwd);
    const [run] = (await store.list({})).runs;
    const [before] = await store.waits(run?.runId ?? "");
    expect(run?.status).toBe("running");
    child.kill("SIGKILL");
    const worker = beginWork(cwd);
    expect((await ended(store, 1))["Both"]).toMatchObject({
      status: "completed",
      state: { verdict: "reject", said: "reject" },
    });
    await worker.stop();
    const [after] = await store.waits(run?.runId ?? "");
    expect(after).toMatchObject({ until: before?.until, ending: { kind: "over" }, answeredBy: null });
    expect(after?.endedAt ?? 0).toBeGreaterThanOrEqual(before?.until ?? Number.POSITIVE_INFINITY);
  },
);

onEachStore("a server ends what nobody answered", async () => {
  const service = await startService({
    files: { "workflows/ask.csv": asking(200), "agents/slow.js": SLOW },
    ...(await serviceOf()),
  });
  onTestFinished(() => service.stop());
  const headers = { "X-API-Key": KEYS.admin, "Content-Type": "application/json" };
  const body = JSON.stringify({ graph_name: "Ask" });
  const begun = await fetch(`${service.url}/execute`, { method: "POST", headers, body });
  const { run_id: runId, status } = (await begun.json()) as {
    readonly run_id: string;
    readonly status: string;
  };
  expect(status).toBe("suspended");
  let run: { readonly status?: string; readonly state?: object } = {};
  await until(async () => {
    run = (await (await fetch(`${service.url}/runs/${runId}`, { headers })).json()) as typeof run;
    return run.status === "completed";
  });
  expect(run.state).toEqual({ verdict: "reject", said: "no" });
});

/** A module may be given times that no cell may have. */
const HUGE = Number.MAX_SAFE_INTEGER;
const forever = defineGraph()({
  name: "Forever",
  entry: "Ask",
  nodes: {
    Ask: {
      agent: (_inputs: unknown, context: { readonly answer?: Json; wait(spec: object): unknown }) =>
        context.answer ??
        context.wait({
          ...{ prompt: "well?", remindMs: HUGE, assignees: ["ada"] },
          escalate: { afterMs: HUGE, assignees: ["bob"] },
        }),
      inputs: none,
      writes: "answer",
      timeoutMs: HUGE,
    },
  },
  routes: { Ask: {} },
  fingerprint: "forever",
}) as unknown as AnyGraph;

onEachStore("times that no date can hold never come, and break nothing", async () => {
  const executor = await open([forever]);
  const followed = await executor.runHere(request(forever));
  const runId = followed.kind === "result" ? followed.result.runId : "";
  const inMemory = await forever.run({});
  if (inMemory.status !== "suspended") throw new Error("it does not wait");
  const { checkpoint, waiting } = inMemory;
  await executor.keepAsleep(request(forever), { checkpoint, waiting, result: null, worked: 0 });
  await executor.work().drained();
  for (const id of [runId, checkpoint.runId]) {
    expect(await executor.get(id)).toMatchObject({ status: "waiting", due: 8.64e15 });
    const [wait] = await executor.waits(id);
    expect(wait).toMatchObject({ until: 8.64e15, remindAt: 8.64e15, escalateAt: 8.64e15 });
  }
  const { runs } = await executor.list({});
  expect(runs.map((run) => describeRun(run, []).due_at)).toEqual([null, null]);
});
