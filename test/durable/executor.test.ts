import { expect } from "vitest";
import type { AnyGraph } from "../../runtime/graph/contract/contract.js";
import { CONTRACT } from "../../runtime/graph/contract/define.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { LET_GO } from "../../runtime/runs/let-go.js";
import { approval, none, onEachStore, open, placeOf, request } from "./executors.js";

const chain = (calls: string[]): AnyGraph =>
  defineGraph()({
    name: "Chain",
    entry: "A",
    nodes: {
      A: {
        agent: async () => {
          calls.push("A");
          return "a";
        },
        inputs: none,
        writes: "a",
      },
      B: {
        agent: async () => {
          calls.push("B");
          return "b";
        },
        inputs: none,
        writes: "b",
      },
    },
    routes: { A: { next: "B" }, B: {} },
    fingerprint: "chain",
  }) as unknown as AnyGraph;

onEachStore("a run is worked on where it is started, and told as ever", async () => {
  const calls: string[] = [];
  const events: string[] = [];
  const executor = await open([chain(calls)]);
  const followed = await executor.runHere(request(chain(calls)), {
    on: (event) => events.push(`${event.type} ${"node" in event ? event.node : ""}`),
  });
  expect(followed.kind === "result" && followed.result).toMatchObject({
    status: "completed",
    state: { a: "a", b: "b" },
    path: ["A", "B"],
    steps: 2,
  });
  expect(events).toEqual(["node_start A", "node_end A", "node_start B", "node_end B"]);
});

onEachStore("a worker goes on with what another process started", async () => {
  const calls: string[] = [];
  const place = placeOf();
  const executor = await open([chain(calls)], { place });
  const { run } = await executor.start(request(chain(calls)));
  expect(run.status).toBe("queued");
  const other = await open([chain(calls)], { place });
  const worker = other.work();
  await worker.drained();
  expect(await executor.get(run.runId)).toMatchObject({ status: "completed" });
  expect(calls).toEqual(["A", "B"]);
  expect((await executor.events(run.runId)).map(({ type }) => type)).toEqual([
    ...["run_start", "node_start", "node_end", "node_start", "node_end", "run_end"],
  ]);
});

onEachStore("the journal is read only of runs that were at work before, and of forks", async () => {
  const read: string[] = [];
  const executor = await open([approval], {
    wrap: (store) => ({
      ...store,
      journal: (runId, about) => {
        read.push(runId);
        return store.journal(runId, about);
      },
    }),
  });
  const worker = executor.work();
  const { run } = await executor.start(request(approval));
  await worker.drained();
  expect(read).toEqual([]);
  await executor.answer(run.runId, { Ask: "yes" });
  await worker.drained();
  expect(read).toEqual([run.runId]);
  const starter = { key: null, userId: null, startedBy: null };
  const fork = await executor.fork(run.runId, { from: "After" }, { starter });
  await worker.drained();
  expect(read).toEqual([run.runId, fork.run.runId]);
});

onEachStore("a wait is answered by another process, and its worker goes on", async () => {
  const place = placeOf();
  const executor = await open([approval], { place });
  const first = await executor.runHere(request(approval));
  if (first.kind !== "result") throw new Error("it was let go");
  expect(first.result).toMatchObject({ status: "suspended", waiting: [{ node: "Ask" }] });
  const { runId } = first.result;
  const other = await open([approval], { place });
  await other.answer(runId, { Ask: "yes" });
  const second = await executor.follow(runId, {});
  expect(second.kind === "result" && second.result).toMatchObject({
    status: "completed",
    state: { answer: "yes", after: "done" },
  });
  await expect(other.answer(runId, { Ask: "no" })).rejects.toMatchObject({ code: "already_ended" });
});

onEachStore(
  "a run that is let go of is finished by the next, without repeating what was recorded",
  async () => {
    const calls: string[] = [];
    let letGo = (): void => {};
    const stop = new AbortController();
    const graph = defineGraph()({
      name: "Slow",
      entry: "A",
      nodes: {
        A: { agent: async () => calls.push("A"), inputs: none, writes: "a" },
        B: {
          agent: (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
            calls.push("B");
            if (calls.length > 2) return "b";
            letGo();
            return new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => reject(new Error("aborted")));
            });
          },
          inputs: none,
          writes: "b",
        },
      },
      routes: { A: { next: "B" }, B: {} },
      fingerprint: "slow",
    }) as unknown as AnyGraph;
    letGo = () => stop.abort(LET_GO);
    const executor = await open([graph]);
    const first = await executor.runHere(request(graph), { signal: stop.signal });
    if (first.kind !== "let_go") throw new Error("it was not let go");
    expect(await executor.get(first.runId)).toMatchObject({ status: "queued" });
    const second = await executor.follow(first.runId, {});
    expect(second.kind === "result" && second.result).toMatchObject({
      status: "completed",
      state: { b: "b" },
    });
    expect(calls).toEqual(["A", "B", "B"]);
  },
);

onEachStore(
  "a run at work that is cancelled elsewhere stops within a second, and its signal aborts",
  async () => {
    let aborted = false;
    const graph = defineGraph()({
      name: "Long",
      entry: "A",
      nodes: {
        A: {
          agent: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => {
                aborted = true;
                reject(new Error("aborted"));
              });
            }),
          inputs: none,
          writes: "a",
        },
      },
      routes: { A: {} },
      fingerprint: "long",
    }) as unknown as AnyGraph;
    const place = placeOf();
    const executor = await open([graph], { place });
    const { run } = await executor.start(request(graph));
    executor.work();
    const other = await open([graph], { place });
    while ((await other.get(run.runId))?.status !== "running") await new Promise((go) => setTimeout(go, 10));
    await other.cancel(run.runId);
    const followed = await other.follow(run.runId, {});
    expect(followed.kind === "result" && followed.result).toMatchObject({ status: "cancelled" });
    while (!aborted) await new Promise((go) => setTimeout(go, 10));
    await expect(other.cancel(run.runId)).rejects.toMatchObject({ code: "run_not_open" });
  },
);

onEachStore("a key begins one run; with other input it is refused", async () => {
  const executor = await open([approval]);
  const made = await Promise.all(
    Array.from({ length: 50 }, () => executor.start({ ...request(approval, { a: 1, b: 2 }), key: "k" })),
  );
  expect(new Set(made.map(({ run }) => run.runId)).size).toBe(1);
  expect(made.filter(({ created }) => created)).toHaveLength(1);
  await executor.start({ ...request(approval, { b: 2, a: 1 }), key: "k" });
  await expect(executor.start({ ...request(approval, { a: 2 }), key: "k" })).rejects.toMatchObject({
    code: "key_reused",
  });
});

onEachStore("a graph that is not here leaves the run queued, and says what is missing", async () => {
  const executor = await open([]);
  const { run } = await executor.start(request(approval));
  executor.work();
  while ((await executor.get(run.runId))?.held == null) await new Promise((go) => setTimeout(go, 10));
  expect(await executor.get(run.runId)).toMatchObject({ status: "queued", held: "graph Approval" });
});

onEachStore("a failed run that is retried calls again what threw, and nothing else", async () => {
  const calls: string[] = [];
  const graph = defineGraph()({
    name: "Fails",
    entry: "A",
    nodes: {
      A: { agent: async () => calls.push("A"), inputs: none, writes: "a" },
      B: {
        agent: async () => {
          if (calls.push("B") === 2) throw new Error("not now");
          return "b";
        },
        inputs: none,
        writes: "b",
      },
    },
    routes: { A: { next: "B" }, B: {} },
    fingerprint: "fails",
  }) as unknown as AnyGraph;
  const executor = await open([graph]);
  const first = await executor.runHere(request(graph));
  if (first.kind !== "result") throw new Error("it was let go");
  expect(first.result).toMatchObject({ status: "failed", error: { node: "B" } });
  await executor.retry(first.result.runId);
  const second = await executor.follow(first.result.runId, {});
  expect(second.kind === "result" && second.result).toMatchObject({ status: "completed" });
  expect(calls).toEqual(["A", "B", "B"]);
});

onEachStore("of two retries at once the slower one forgets nothing of what the other one did", async () => {
  const calls: string[] = [];
  const failsOnce = (name: string) => async () => {
    calls.push(name);
    if (calls.filter((one) => one === name).length === 1) throw new Error(`${name} is down`);
    return name;
  };
  const graph = defineGraph()({
    name: "Twice",
    entry: "A",
    nodes: {
      A: { agent: failsOnce("A"), inputs: none, writes: "a" },
      B: { agent: failsOnce("B"), inputs: none, writes: "b" },
    },
    routes: { A: { next: "B" }, B: {} },
    fingerprint: "twice",
  }) as unknown as AnyGraph;
  const place = placeOf();
  const faster = await open([graph], { place });
  const slower = await open([graph], {
    place,
    wrap: (store) => ({
      ...store,
      retry: async (runId, again) => {
        await faster.retry(runId);
        await faster.follow(runId, {});
        return store.retry(runId, again);
      },
    }),
  });
  const first = await faster.runHere(request(graph));
  if (first.kind !== "result") throw new Error("it was let go");
  await expect(slower.retry(first.result.runId)).rejects.toMatchObject({ code: "run_not_ended" });
  await faster.retry(first.result.runId);
  await faster.follow(first.result.runId, {});
  expect(calls).toEqual(["A", "A", "B", "B"]);
});

onEachStore("given values of a wrong type end the run, and are not tried for ever", async () => {
  const graph = defineGraph()({
    name: "Typed",
    entry: "A",
    nodes: { A: { agent: async () => "a", inputs: none, writes: "a" } },
    routes: { A: {} },
    inputs: { n: { required: true, types: [{ kind: "number" }] } },
    fingerprint: "typed",
  }) as unknown as AnyGraph;
  const executor = await open([graph]);
  const followed = await executor.runHere(request(graph, { n: "no number" }));
  expect(followed.kind === "result" && followed.result).toMatchObject({
    status: "failed",
    error: { code: "bad_value", message: expect.stringContaining('"n"') },
  });
});

onEachStore("a run whose workers die without a new record is stuck, until it is retried", async () => {
  const place = placeOf();
  const executor = await open([approval], { place, settings: { recoveries: 1 } });
  const { run } = await executor.start(request(approval));
  const dead = { owner: "0123456789abcdef-999999-1.dead", now: Date.now(), contract: CONTRACT, limit: 1 };
  const sweep = { isGone: () => true, now: Date.now(), recoveries: 1 };
  for (const expected of ["queued", "stuck"]) {
    expect(await executor.store.claim({ ...dead, now: Date.now() + 60_000 })).toHaveLength(1);
    await executor.store.sweep({ ...sweep, now: Date.now() });
    expect((await executor.store.run(run.runId))?.status).toBe(expected);
  }
  await expect(executor.follow(run.runId, {})).rejects.toMatchObject({ code: "run_stuck" });
  await executor.retry(run.runId);
  const followed = await executor.follow(run.runId, {});
  expect(followed.kind === "result" && followed.result.status).toBe("suspended");
});

onEachStore(
  "an executor that was closed refuses calls as its store does, and may be closed again",
  async () => {
    const executor = await open([approval]);
    await executor.close();
    const refused = { name: "StoreError", code: "store_unusable", message: /has been closed$/ };
    const calls = [
      executor.start(request(approval)),
      executor.get("0".repeat(32)),
      executor.list({}),
      executor.cancel("0".repeat(32)),
      executor.runHere(request(approval)),
    ];
    for (const call of calls)
      await expect(call).rejects.toMatchObject({
        ...refused,
        message: expect.stringMatching(refused.message),
      });
    expect(() => executor.work()).toThrow("the executor has been closed");
    await executor.close();
  },
);
