import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openJournal } from "../../runtime/durable/legs/journal.js";
import { flowsheet } from "../cli/run.js";
import { onEachStore, until } from "./executors.js";
import { projectOf, runsOf } from "./projects.js";
import { beginWork } from "./work.js";

const SHEET = `graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context
Quick,Say,,echo,,said,Hello,
Ask,Ask,Say,human,,verdict,Right?,"{""timeout_ms"": 3600000, ""default_action"": ""reject""}"
Ask,Say,,echo,verdict,said,{verdict},
`;
const HOUR = 3_600_000;
const NOON = Date.parse("2027-03-01T12:00:00Z");

afterEach(() => {
  vi.useRealTimers();
});

async function project() {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  const cwd = await projectOf({ "flowsheet.yaml": "", "workflows/sheet.csv": SHEET });
  const begin = async (graph: string, ...more: string[]): Promise<string> =>
    (await flowsheet(["run", "--graph", graph, "--detach", "--quiet", ...more], { cwd })).stdout.slice(0, 32);
  const ask = await begin("Ask");
  await flowsheet(["work", "--drain"], { cwd });
  const store = await runsOf(cwd);
  const statusOf = async (runId: string) => (await store.run(runId))?.status;
  const looked = async (): Promise<void> => void (await flowsheet(["work", "--drain"], { cwd }));
  return { cwd, begin, ask, store, statusOf, looked };
}

onEachStore("a clock that jumps ahead ends waits and deadlines early, and nothing twice", async () => {
  const { cwd, begin, ask, store, statusOf } = await project();
  const worker = beginWork(cwd);
  const late = await begin("Ask", "--deadline", "2h");
  await until(async () => (await statusOf(late)) === "waiting");
  vi.setSystemTime(NOON + 3 * HOUR);
  await until(async () => (await statusOf(ask)) === "completed" && (await statusOf(late)) === "failed");
  vi.setSystemTime(NOON);
  // What has ended stays so, and what is begun now is done now.
  const quick = await begin("Quick");
  await until(async () => (await statusOf(quick)) === "completed");
  expect(await worker.stop()).toMatchObject({ code: 0 });
  expect((await store.run(ask))?.result).toMatchObject({ state: { verdict: "reject", said: "reject" } });
  expect((await store.run(late))?.errorCode).toBe("run_timeout");
  expect((await store.events(ask)).filter(({ type }) => type === "run_end")).toHaveLength(1);
});

onEachStore("a clock that is set back makes what is due late, and loses nothing", async () => {
  const { begin, ask, statusOf, looked } = await project();
  const quick = await begin("Quick");
  vi.setSystemTime(NOON - 24 * HOUR);
  const before = await begin("Quick");
  await looked();
  expect([await statusOf(before), await statusOf(quick), await statusOf(ask)]).toEqual([
    "completed",
    "queued",
    "waiting",
  ]);
  vi.setSystemTime(NOON);
  await looked();
  expect([await statusOf(quick), await statusOf(ask)]).toEqual(["completed", "waiting"]);
  vi.setSystemTime(NOON + HOUR);
  await looked();
  expect(await statusOf(ask)).toBe("completed");
});

test("a pause that was begun before the clock was set back is no longer for it", async () => {
  const step = { id: "Try|1", result: null, ended: NOON, pure: false };
  const journal = openJournal({
    ...{ steps: [step], ends: new Map(), now: () => NOON - 24 * HOUR },
    record: async () => {},
    openWait: async () => ({ kind: "over" }),
  });
  onTestFinished(() => journal.close());
  await journal.ops.sleep("Try|1", 10);
});
