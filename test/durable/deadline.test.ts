import { expect, onTestFinished, test, vi } from "vitest";
import { readMoment } from "../../runtime/config/moment.js";
import type { AnyGraph } from "../../runtime/graph/contract/contract.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { Flowsheet } from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { approval, onEachStore, open, placeOf, request, until } from "./executors.js";

const quick = (calls: string[]): AnyGraph =>
  defineGraph()({
    name: "Quick",
    entry: "A",
    nodes: { A: { agent: async () => void calls.push("A"), inputs: () => ({}), writes: "a" } },
    routes: { A: {} },
    fingerprint: "quick",
  }) as unknown as AnyGraph;

const MISSED = { success: false, error: { code: "run_timeout" } };

onEachStore("a deadline that was over when the run was first claimed: no node is called", async () => {
  const calls: string[] = [];
  const executor = await open([quick(calls)]);
  const followed = await executor.runHere({ ...request(quick(calls)), deadline: Date.now() - 1 });
  expect(followed.kind === "result" && followed.result).toMatchObject(MISSED);
  expect(calls).toEqual([]);
});

onEachStore("a run that waits fails at its deadline, by a worker, and takes no answer then", async () => {
  const executor = await open([approval]);
  const { run } = await executor.start({ ...request(approval), deadline: Date.now() + 2_000 });
  executor.work();
  await until(async () => (await executor.get(run.runId))?.status === "failed");
  expect(await executor.get(run.runId)).toMatchObject({ errorCode: "run_timeout" });
  await expect(executor.answer(run.runId, { Ask: "yes" })).rejects.toMatchObject({ code: "already_ended" });
  expect((await executor.events(run.runId)).map(({ type }) => type)).toContain("run_wait");
});

onEachStore("a run that is to begin after its deadline fails at the deadline", async () => {
  const calls: string[] = [];
  const executor = await open([quick(calls)]);
  const now = Date.now();
  const { run } = await executor.start({ ...request(quick(calls)), at: now + 3_600_000, deadline: now + 50 });
  executor.work();
  await until(async () => (await executor.get(run.runId))?.status === "failed");
  expect(calls).toEqual([]);
});

onEachStore("a run whose graph is not there fails at its deadline", async () => {
  const executor = await open([]);
  const { run } = await executor.start({ ...request(approval, { who: "Ada" }), deadline: Date.now() - 1 });
  executor.work();
  await until(async () => (await executor.get(run.runId))?.status === "failed");
  expect(await executor.get(run.runId)).toMatchObject({
    errorCode: "run_timeout",
    result: { ...MISSED, state: { who: "Ada" } },
  });
});

onEachStore("a retry forgets a deadline that is over", async () => {
  const calls: string[] = [];
  const executor = await open([quick(calls)]);
  const followed = await executor.runHere({ ...request(quick(calls)), deadline: Date.now() - 1 });
  if (followed.kind !== "result") throw new Error(followed.kind);
  const { runId } = followed.result;
  await executor.retry(runId);
  expect(await executor.follow(runId, {})).toMatchObject({ result: { status: "completed" } });
  expect(calls).toEqual(["A"]);
});

onEachStore("a deadline counts while nobody has the store open", async () => {
  const place = placeOf();
  const first = await open([approval], { place });
  const { run } = await first.start({ ...request(approval), deadline: Date.now() + 200 });
  await first.follow(run.runId, {});
  await first.close();
  await until(() => Date.now() > (run.deadline ?? 0));
  const second = await open([approval], { place });
  await second.work().drained();
  expect(await second.get(run.runId)).toMatchObject({ status: "failed", errorCode: "run_timeout" });
});

const SHEET = `graph_name,node_name,agent_type,output_field,prompt
Ask,Ask,input,word,Well?
`;

test("the request's deadline, else that of the configuration, is kept with the run", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "runs: { deadline: 1h }\n", "workflows/ask.csv": SHEET });
  const flowsheet = new Flowsheet({ cwd });
  const ask = { csvPath: "workflows/ask.csv" };
  const short = await flowsheet.runWorkflow({ ...ask, deadlineMs: 1 });
  expect(short).toMatchObject({ status: "failed", ...MISSED });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const waits = await flowsheet.runWorkflow(ask);
  expect(waits.status).toBe("suspended");
  vi.setSystemTime(Date.now() + 3_600_001);
  await expect(flowsheet.resume(waits.runId, { Ask: "late" })).rejects.toThrow("is over");
  await expect(flowsheet.resume(waits.runId, {})).resolves.toMatchObject(MISSED);
});

test("a resume takes no deadline", async () => {
  const flowsheet = new Flowsheet({ cwd: createFolder({}) });
  const settings = { deadlineMs: 5 } as object;
  await expect(flowsheet.resume("0".repeat(32), {}, settings)).rejects.toThrow(
    'a resume has no "deadlineMs"',
  );
});

test.each([
  ["2h", "ahead", 7_201_000],
  ["2d", "ago", 1_000 - 172_800_000],
  ["1970-01-02", "ahead", 86_400_000],
  ["1970-01-01T02:00+01:00", "ago", 3_600_000],
  ["2027-02-30", "ahead", null],
  ["tomorrow", "ahead", null],
  ["5", "ahead", null],
] as const)("the time %s, %s", (text, direction, ms) => {
  expect(readMoment(text, 1_000, direction)).toBe(ms);
});
