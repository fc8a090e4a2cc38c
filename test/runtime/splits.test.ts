import { describe, expect, it } from "vitest";
import type { MergeKind, RunEvent } from "../../runtime/graph/contract/contract.js";
import { type Act, pause, type Tiny, tiny } from "./tiny.js";

const boom: Act = () => {
  throw new Error("boom");
};

/** S splits to A, B and C, which meet at M. */
function fan(
  parts: { readonly [name: string]: Partial<Tiny> },
  merge: { readonly [field: string]: MergeKind } = {},
) {
  const node = (name: string, rest: Partial<Tiny>): Tiny => ({ agent: () => name, ...rest, ...parts[name] });
  return tiny(
    {
      S: node("S", { next: ["A", "B", "C"], merge }),
      A: node("A", { next: "M" }),
      B: node("B", { next: "M" }),
      C: node("C", { next: "M" }),
      M: node("M", { agent: (inputs) => Object.values(inputs), reads: ["A", "B", "C"] }),
    },
    { S: { next: [["A"], ["B"], ["C"]] } },
  );
}

describe("branches", () => {
  it("run at the same time", async () => {
    let running = 0;
    let most = 0;
    const slow: Act = async () => {
      running += 1;
      most = Math.max(most, running);
      await pause(20);
      running -= 1;
      return 1;
    };
    await fan({ A: { agent: slow }, B: { agent: slow }, C: { agent: slow } }).run({});
    expect(most).toBe(3);
  });

  it("the path is in list order, whatever the clock says", async () => {
    const after =
      (ms: number): Act =>
      () =>
        pause(ms).then(() => 1);
    const { path } = await fan({
      A: { agent: after(30) },
      B: { agent: after(1) },
      C: { agent: after(10) },
    }).run({});
    expect(path).toEqual(["S", "A", "B", "C", "M"]);
  });

  it("each sees the state as it was at the split, and its own writes", async () => {
    const look: Act = async ({ A, B, S }) => {
      await pause(1);
      return [S, A ?? null, B ?? null];
    };
    const reads = ["S", "A", "B"];
    const { state } = await fan({
      A: { agent: look, reads },
      B: { agent: look, reads },
      C: { agent: look, reads },
    }).run({});
    expect(state).toMatchObject({ A: ["S", null, null], B: ["S", null, null], C: ["S", null, null] });
  });

  it("END in a branch ends that branch only", async () => {
    const result = await fan({ B: { next: "END" } }).run({});
    expect(result).toMatchObject({
      status: "completed",
      path: ["S", "A", "B", "C", "M"],
      state: { M: ["A", "B", "C"] },
    });
  });

  it("a branch that throws stops the others, which see their signal abort", async () => {
    const reasons: unknown[] = [];
    const patient: Act = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    const late: Act = () => pause(10).then(() => boom({}, undefined as never));
    const began = performance.now();
    const result = await fan({ A: { agent: patient }, B: { agent: late }, C: { agent: patient } }).run({
      x: 1,
    });
    expect(result).toMatchObject({
      status: "failed",
      error: { node: "B", message: "boom" },
      state: { x: 1, S: "S" },
    });
    expect(result.path).toEqual(["S", "A", "B", "C"]);
    expect(reasons).toHaveLength(2);
    expect(performance.now() - began).toBeLessThan(45_000);
  });

  it("a branch that does not listen is waited for, so that nothing of the run goes on behind its back", async () => {
    let finished = false;
    const deaf: Act = () =>
      pause(100).then(() => {
        finished = true;
        return 1;
      });
    const result = await fan({ A: { agent: deaf }, B: { agent: boom }, C: { agent: async () => 1 } }).run({});
    expect(result.status).toBe("failed");
    expect(finished).toBe(true);
  });

  it("but not for longer than 5 seconds", async () => {
    const began = performance.now();
    const endless: Act = () => new Promise(() => {});
    const result = await fan({
      A: { agent: endless },
      B: { agent: () => pause(1).then(() => boom({}, undefined as never)) },
    }).run({});
    expect(result).toMatchObject({ status: "failed", error: { node: "B" } });
    expect(performance.now() - began).toBeGreaterThan(4_900);
    expect(performance.now() - began).toBeLessThan(50_000);
  });

  it("a stopped branch calls no further agent", async () => {
    const called: string[] = [];
    const graph = tiny(
      {
        S: { agent: () => 1, next: ["A", "B"] },
        A: { agent: () => pause(5).then(() => boom({}, undefined as never)) },
        B: { agent: () => pause(20), next: "B2" },
        B2: (_, { node }) => {
          called.push(node);
          return 1;
        },
      },
      { S: { next: [["A"], ["B", "B2"]] } },
    );
    const result = await graph.run({});
    await pause(30);
    expect(result.path).toEqual(["S", "A", "B"]);
    expect(called).toEqual([]);
  });

  it("the step limit holds for all branches together", async () => {
    const result = await fan({ A: { next: "A" }, B: { next: "B" } }).run({}, { maxSteps: 50 });
    expect(result).toMatchObject({ status: "failed", steps: 50, error: { code: "step_limit" } });
  });
});

describe("merges", () => {
  const write = (value: unknown): Partial<Tiny> => ({ agent: async () => value, writes: ["x"] });
  const merged = async (kind: MergeKind, given: object, values: readonly unknown[]): Promise<unknown> => {
    const [a, b, c] = values.map(write);
    const result = await fan({ A: a ?? {}, B: b ?? {}, C: c ?? {} }, { x: kind }).run({ ...given });
    return result.error === null ? result.state["x"] : result.error;
  };
  it.each<[MergeKind, object, readonly unknown[], unknown]>([
    ["append", {}, [1, 2, 3], [1, 2, 3]],
    ["append", { x: [0] }, [[1], 2, { a: 3 }], [0, [1], 2, { a: 3 }]],
    ["append", { x: "held" }, [1, undefined, 3], ["held", 1, 3]],
    ["append", { x: null }, [undefined, undefined, 3], [3]],
    ["append", { x: [0] }, [undefined, undefined, undefined], [0]],
    ["last", { x: 0 }, [1, 2, undefined], 2],
    ["sum", { x: 100 }, [1, 2, 3.5], 6.5],
    ["sum", {}, ["1", undefined, 2], 3],
    ["sum", { x: 100 }, [undefined, undefined, undefined], 100],
  ])("%s after %j of %j", async (kind, given, values, wanted) => {
    expect(await merged(kind, given, values)).toEqual(wanted);
  });

  it("what is no number cannot be summed: the split fails", async () => {
    expect(await merged("sum", {}, [1, "many", 3])).toMatchObject({
      code: "bad_value",
      node: "S",
      message: 'the branches wrote "many" to "x", which is no number to sum',
    });
    expect(await merged("sum", {}, [1e308, 1e308, 1e308])).toMatchObject({
      message: 'the sum of what the branches wrote to "x" is too large',
    });
  });

  it("an appended list is frozen like every value", async () => {
    const graph = fan(
      { A: write(1), B: write(2), C: write(3), M: { agent: ({ x }) => Object.isFrozen(x), reads: ["x"] } },
      { x: "append" },
    );
    expect((await graph.run({})).state["M"]).toBe(true);
  });
});

describe("size", () => {
  it("a split of 20,000 branches", async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `B${i}`);
    const nodes: { [name: string]: Tiny } = { S: { agent: () => 1, next: names } };
    for (const name of names) nodes[name] = { agent: () => 1, next: "M" };
    nodes["M"] = { agent: () => "met" };
    const graph = tiny(nodes, { S: { next: names.map((name) => [name]) } });
    const result = await graph.run({}, { maxSteps: 30_000 });
    expect(result).toMatchObject({ status: "completed", steps: 20_002, state: { M: "met", B19999: 1 } });
  });

  it("5,000 splits inside each other need no deep stack", async () => {
    const depth = 5_000;
    const nodes: { [name: string]: Tiny } = {};
    const splits: { [name: string]: { next: string[][] } } = {};
    for (let i = 0; i < depth; i++) {
      nodes[`S${i}`] = { agent: () => 1, next: [`A${i}`, `S${i + 1}`], writes: [] };
      nodes[`A${i}`] = { agent: () => 1, writes: [] };
    }
    nodes[`S${depth}`] = { agent: () => 1, writes: [] };
    const names = Object.keys(nodes);
    for (let i = 0; i < depth; i += 1)
      splits[`S${i}`] = {
        next: [[`A${i}`], i % 500 === 0 ? names.slice(2 * i + 2) : names.slice(2 * i + 2, 2 * i + 4)],
      };
    const result = await tiny(nodes, splits).run({}, { maxSteps: 30_000 });
    expect(result.status).toBe("completed");
    expect(result.steps).toBeGreaterThan(depth);
  });

  it("a chain of 100,000 nodes", async () => {
    const nodes: { [name: string]: Tiny } = {};
    for (let i = 0; i < 100_000; i++)
      nodes[`N${i}`] = { agent: () => 1, writes: ["x"], ...(i < 99_999 ? { next: `N${i + 1}` } : {}) };
    expect(await tiny(nodes).run({}, { maxSteps: 100_000 })).toMatchObject({
      status: "completed",
      steps: 100_000,
    });
  });
});

describe("events", () => {
  const after =
    (ms: number): Act =>
    () =>
      pause(ms).then(() => ms);
  const line = (event: RunEvent): string =>
    event.type === "run_end"
      ? event.type
      : `${event.type} ${event.node}/${event.visit} [${event.branch.join(".")}]`;

  it("a hook gets them as they happen", async () => {
    const seen: string[] = [];
    const graph = fan({ A: { agent: after(30) }, B: { agent: after(1) }, C: { agent: after(15) } });
    await graph.run({}, { on: (event) => seen.push(line(event)) });
    expect(seen).toEqual([
      "node_start S/1 []",
      "node_end S/1 []",
      "node_start A/1 [0]",
      "node_start B/1 [1]",
      "node_start C/1 [2]",
      "node_end B/1 [1]",
      "node_end C/1 [2]",
      "node_end A/1 [0]",
      "node_start M/1 []",
      "node_end M/1 []",
      "run_end",
    ]);
  });

  it("a stream gives them in the order of the path, each as soon as that is known", async () => {
    const seen: string[] = [];
    const isSeen = async (event: string): Promise<void> => {
      while (!seen.includes(event)) await pause(1);
    };
    // A and C end only after what must be told before: told later, the run would not end.
    const graph = fan({
      A: { agent: () => isSeen("node_start A/1 [0]").then(() => pause(30)) },
      B: { agent: after(1) },
      C: { agent: () => isSeen("node_end B/1 [1]") },
    });
    const stream = graph.stream({});
    for await (const event of stream) seen.push(line(event));
    expect(seen).toEqual([
      "node_start S/1 []",
      "node_end S/1 []",
      "node_start A/1 [0]",
      "node_end A/1 [0]",
      "node_start B/1 [1]",
      "node_end B/1 [1]",
      "node_start C/1 [2]",
      "node_end C/1 [2]",
      "node_start M/1 []",
      "node_end M/1 []",
      "run_end",
    ]);
    expect((await stream.result).status).toBe("completed");
  });

  it("the order of a stream is that of the path, also in splits of splits", async () => {
    const inner = { agent: after(1), next: ["X", "Y"] };
    const graph = tiny(
      {
        S: { agent: () => 1, next: ["A", "B"] },
        A: inner,
        B: inner,
        X: after(9),
        Y: after(2),
      },
      // Both branches share the inner targets here, so the second waits until the first has settled.
      { S: { next: [["A"], ["B"]] }, A: { next: [["X"], ["Y"]] }, B: { next: [["X"], ["Y"]] } },
    );
    const starts: string[] = [];
    const stream = graph.stream({});
    for await (const event of stream) if (event.type === "node_start") starts.push(event.node);
    expect(starts).toEqual((await stream.result).path);
  });

  it("tells attempts, outcome, time, and in a trace the values", async () => {
    const events: RunEvent[] = [];
    const agent: Act = async (_, { attempt }) => {
      await pause(3);
      if (attempt === 1) throw new Error("once");
      return "done";
    };
    const prompt = ({ x }: { readonly [name: string]: unknown }): string => `with ${x}`;
    const graph = tiny({ A: { agent, reads: ["x"], prompt, retry: { attempts: 2 } } });
    await graph.run({ x: 1 }, { on: (event) => events.push(event), trace: true });
    expect(events).toMatchObject([
      { type: "node_start", node: "A", visit: 1, step: 1, branch: [] },
      { type: "node_retry", node: "A", attempt: 1, error: "once", delayMs: 0 },
      {
        type: "node_end",
        outcome: "success",
        attempts: 2,
        error: null,
        inputs: { x: 1 },
        prompt: "with 1",
        writes: { A: "done" },
      },
      { type: "run_end", result: { status: "completed" } },
    ]);
    expect((events[2] as { ms: number }).ms).toBeGreaterThanOrEqual(5);
  });

  it("a failed node ends before its run does", async () => {
    const events: string[] = [];
    const on = (event: RunEvent): void => {
      events.push(event.type === "node_end" ? `${event.type} ${event.outcome} ${event.error}` : event.type);
    };
    await tiny({ A: boom }).run({}, { on });
    expect(events).toEqual(["node_start", "node_end thrown boom", "run_end"]);
  });

  it("a listener that throws changes nothing", async () => {
    const errors: unknown[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
    const result = await tiny({ A: () => 1 }).run(
      {},
      { log, on: () => boom({}, undefined as never) as never },
    );
    expect(result.status).toBe("completed");
    expect(errors).toHaveLength(3);
  });

  it("a reader that leaves does not disturb the run", async () => {
    const stream = fan({ A: { agent: after(5) } }).stream({});
    for await (const _ of stream) break;
    expect((await stream.result).status).toBe("completed");
  });

  it("a run that cannot begin fails its stream too", async () => {
    const stream = tiny({ A: () => 1 }).stream({ x: () => 1 });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow("a function");
    await expect(stream.result).rejects.toThrow("a function");
  });
});
