import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { startRetention } from "../../runtime/durable/retention.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import type { AnyGraph, Json } from "../../runtime/graph/contract/contract.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { approval, none, onEachStore, open, placeOf, request, until } from "./executors.js";
import { temporaryFolder } from "./places.js";

const SECRET = "s3cret-of-the-project";

const failing = defineGraph()({
  name: "Failing",
  entry: "Fail",
  nodes: {
    Fail: {
      agent: async () => {
        throw new Error(`no ${SECRET}`);
      },
      inputs: none,
      writes: "out",
    },
  },
  routes: { Fail: {} },
  fingerprint: "failing",
}) as unknown as AnyGraph;

onEachStore("a worker forgets runs that ended long ago, and none that waits", async () => {
  const executor = await open([failing, approval], { settings: { retentionMs: 1 } });
  const followed = await Promise.all([failing, approval].map((graph) => executor.runHere(request(graph))));
  const [ended = "", waiting = ""] = followed.map((one) => (one.kind === "result" ? one.result.runId : ""));
  await pause(5);
  expect(await executor.get(ended)).toMatchObject({ status: "failed" });
  executor.work();
  await until(async () => (await executor.get(ended)) === null);
  expect(await executor.get(waiting)).toMatchObject({ status: "waiting" });
});

onEachStore("runs younger than the retention stay, and all of them without one", async () => {
  const place = placeOf();
  const executor = await open([failing], { place, settings: { retentionMs: 3_600_000 } });
  await executor.runHere(request(failing));
  await executor.work().drained();
  await (await open([failing], { place })).work().drained();
  expect((await executor.list({})).runs).toHaveLength(1);
});

test("forgets in batches until nothing is left, gives the room back once, and looks again", async () => {
  const [batches, compacted]: [number[], number[]] = [[], []];
  let left = 1_200;
  const store: Pick<DurableStore, "prune" | "compact"> = {
    prune: async ({ limit }) => {
      const last = Math.min(limit, left);
      left -= last;
      batches.push(last);
      return last;
    },
    compact: async () => void compacted.push(left),
  };
  const stop = startRetention({ store, retentionMs: 1, log: console, everyMs: 5 });
  await until(() => compacted.length === 1);
  expect(batches.slice(0, 3)).toEqual([500, 500, 200]);
  left = 1;
  await until(() => compacted.length === 2);
  await stop();
  left = 1;
  await pause(20);
  expect(left).toBe(1);
});

onEachStore("a store that refuses is told of, and stops no worker", async () => {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const executor = await open([failing], {
    settings: { retentionMs: 1 },
    log,
    wrap: (store) => ({ ...store, prune: () => Promise.reject(new Error("the disk is full")) }),
  });
  executor.work();
  const { run } = await executor.start(request(failing));
  await until(async () => (await executor.get(run.runId))?.status === "failed");
  expect(warnings).toEqual(["old runs stay until the next hour: the disk is full"]);
});

const holds = (file: string, text: string): boolean =>
  [file, `${file}-wal`].some((path) => readFileSync(path).includes(text));

const asking = (prompt: string): AnyGraph =>
  defineGraph()({
    name: "Asking",
    entry: "Ask",
    nodes: {
      Ask: {
        agent: (_inputs: unknown, context: { readonly answer?: Json; wait(spec: object): unknown }) =>
          context.answer ?? context.wait({ prompt }),
        inputs: none,
        writes: "answer",
      },
    },
    routes: { Ask: {} },
    fingerprint: "asking",
  }) as unknown as AnyGraph;

test("erase: ended leaves no value in the file, of runs that fail, end after an answer, or are cancelled", async () => {
  const file = join(temporaryFolder(), "runs.db");
  const graphs = [failing, asking(`is ${SECRET} right?`)];
  const executor = await open(graphs, { place: `libsql:${file}`, settings: { erase: true } });
  const runs: string[] = [];
  for (const graph of [graphs[0]!, graphs[1]!, graphs[1]!]) {
    const followed = await executor.runHere(request(graph, { secret: SECRET }));
    runs.push(followed.kind === "result" ? followed.result.runId : "");
  }
  const [failed = "", answered = "", cancelled = ""] = runs;
  expect(holds(file, SECRET)).toBe(true);
  await executor.answer(answered, { Ask: SECRET });
  await executor.follow(answered, {});
  await executor.cancel(cancelled);
  for (const [runId, status] of [
    [failed, "failed"],
    [answered, "completed"],
    [cancelled, "cancelled"],
  ] as const) {
    expect(await executor.get(runId)).toMatchObject({ status, given: {}, result: null });
    const kept = JSON.stringify(await executor.store.copy(runId));
    expect(kept).not.toContain(SECRET);
  }
  expect((await executor.steps(failed)).map(({ node, outcome }) => [node, outcome])).toEqual([
    ["Fail", "thrown"],
  ]);
  await expect(executor.retry(failed)).rejects.toMatchObject({ code: "run_erased" });
});

onEachStore("a run that is erased when it is cancelled is not retried in between", async () => {
  const executor = await open([asking("sure?")], { settings: { erase: true } });
  const followed = await executor.runHere(request(asking("sure?"), { secret: SECRET }));
  const runId = followed.kind === "result" ? followed.result.runId : "";
  const [cancelled, retried] = await Promise.allSettled([executor.cancel(runId), executor.retry(runId)]);
  expect([cancelled.status, retried]).toMatchObject([
    "fulfilled",
    { status: "rejected", reason: { code: "run_erased" } },
  ]);
  expect(await executor.get(runId)).toMatchObject({ status: "cancelled", isErased: true });
});

onEachStore("record: results keeps no inputs and prompts", async () => {
  const seenOf = async (record: "full" | "results"): Promise<unknown> => {
    const executor = await open([failing], { settings: { record } });
    const followed = await executor.runHere(request(failing));
    return (await executor.steps(followed.kind === "result" ? followed.result.runId : ""))[0]?.seen;
  };
  expect(await seenOf("full")).toEqual({ inputs: {}, prompt: null });
  expect(await seenOf("results")).toBeNull();
});

onEachStore(
  "what is shown of a run has no secrets: what visits saw, errors, events and the words of the search",
  async () => {
    const redact = (text: string): string => text.replaceAll(SECRET, "[redacted]");
    const graphs = [failing, asking(`is ${SECRET} right?`)];
    const executor = await open(graphs, { redact });
    for (const graph of graphs) {
      const far = "x".repeat(190) + SECRET;
      const followed = await executor.runHere(request(graph, { far }));
      const copy = await executor.store.copy(followed.kind === "result" ? followed.result.runId : "");
      const shown = [copy?.run.words, copy?.events, copy?.steps.map(({ seen, error }) => [seen, error])];
      expect(JSON.stringify(shown)).not.toContain(SECRET.slice(0, 9));
      expect(JSON.stringify(copy?.events)).toContain("[redacted]");
    }
  },
);
