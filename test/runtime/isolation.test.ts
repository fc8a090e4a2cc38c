import { describe, expect, it } from "vitest";
import { type Act, chain, pause, tiny } from "./tiny.js";

describe("R11: runs do not mix", () => {
  it("1,000 runs at the same time, each with values of its own", async () => {
    const wander: Act = async ({ canary, seen }, { visit, key }) => {
      await pause(Math.random() * 5);
      return {
        canary,
        seen: [...((seen as unknown[] | undefined) ?? []), `${String(canary)}/${visit}`],
        key,
      };
    };
    const graph = tiny(
      {
        S: { agent: async ({ canary }) => canary, reads: ["canary"], next: ["A", "B"] },
        A: {
          agent: wander,
          reads: ["canary", "seen"],
          writes: ["seen"],
          next: "A",
          maxVisits: 3,
          limit: "M",
        },
        B: { agent: wander, reads: ["canary"], writes: [{ field: "other", key: "canary" }], next: "M" },
        M: {
          agent: (inputs) => inputs,
          reads: ["canary", "seen", "other", "S"],
          writes: [{ field: "all", type: { kind: "object" } }],
        },
      },
      { S: { next: [["A"], ["B"]] } },
    );
    const results = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => graph.run({ canary: `c${i}` })),
    );
    results.forEach(({ state, path, status }, i) => {
      const canary = `c${i}`;
      expect(status).toBe("completed");
      expect(path).toEqual(["S", "A", "A", "A", "B", "M"]);
      expect(state["all"]).toEqual({
        canary,
        S: canary,
        other: canary,
        seen: [1, 2, 3].map((visit) => `${canary}/${visit}`),
      });
    });
    expect(new Set(results.map(({ runId }) => runId)).size).toBe(1_000);
  });

  it("a late agent of a stopped run writes nothing into another", async () => {
    const slow: Act = ({ x }) => pause(20).then(() => x);
    const graph = tiny({
      A: { agent: slow, reads: ["x"], next: "B" },
      B: { agent: ({ A }) => A, reads: ["A"] },
    });
    const stopped = graph.run({ x: "stopped" }, { timeoutMs: 5 });
    const other = graph.run({ x: "other" });
    const { state } = await stopped;
    expect((await other).state).toEqual({ x: "other", A: "other", B: "other" });
    await pause(30);
    expect(state).toEqual({ x: "stopped" });
  });
});

describe("R12: what a run must not touch", () => {
  it("built-in prototypes are as before, whatever fields are called", async () => {
    const before = [Object.prototype, Array.prototype, Function.prototype].map(
      (prototype) => Reflect.ownKeys(prototype).length,
    );
    const names = [
      "toString",
      "valueOf",
      "hasOwnProperty",
      "__defineGetter__",
      "isPrototypeOf",
      "then",
      "length",
    ];
    const graph = tiny({
      A: { agent: () => Object.fromEntries(names.map((name) => [name, name])), writes: names, next: "B" },
      B: { agent: (inputs) => inputs, reads: names, writes: ["all"] },
    });
    const { state } = await graph.run({});
    expect(Object.keys(state).sort()).toEqual([...names, "all"].sort());
    expect(
      [Object.prototype, Array.prototype, Function.prototype].map(
        (prototype) => Reflect.ownKeys(prototype).length,
      ),
    ).toEqual(before);
  });

  it("a field that a run has not set reads as unset, even when objects have such a method", async () => {
    const graph = chain((inputs) => Object.keys(inputs).length);
    expect((await graph.run({})).state).toEqual({ N0: 0 });
    const reading = tiny({ A: { agent: (inputs) => String(inputs["toString"]), reads: ["toString"] } });
    expect((await reading.run({})).state).toEqual({ A: "undefined" });
  });

  it("a result's state is a plain object", async () => {
    const results = await Promise.all([
      chain(() => 1).run({}),
      chain(...Array.from({ length: 200 }, () => () => 1)).run({}),
    ]);
    for (const { state } of results) expect(Object.getPrototypeOf(state)).toBe(Object.prototype);
  });
});

describe("R24: memory", () => {
  it.runIf(typeof globalThis.gc === "function")("stays flat over many runs", async () => {
    const graph = chain(
      async () => ({ a: [1] }),
      () => 2,
      () => "three",
    );
    const used = async (): Promise<number> => {
      for (let i = 0; i < 50_000; i++) await graph.run({ x: i });
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    await used();
    const first = await used();
    expect(await used()).toBeLessThan(first * 1.05);
  });
});
