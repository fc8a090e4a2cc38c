import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
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
  it("stays flat over many runs", () => {
    const folder = mkdtempSync(join(tmpdir(), "flowsheet-memory-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const graph = join(folder, "graph.mjs");
    const entryPoints = [fileURLToPath(new URL("../../runtime/graph/index.ts", import.meta.url))];
    buildSync({
      entryPoints,
      outfile: graph,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "error",
    });
    const program = join(folder, "program.mjs");
    writeFileSync(program, MEMORY);
    // In a process of its own, whose garbage can be collected when the test wants.
    const used = execFileSync(process.execPath, ["--expose-gc", program], { encoding: "utf8" });
    const [first = 0, last = Number.POSITIVE_INFINITY] = JSON.parse(used) as number[];
    expect(last).toBeLessThan(first * 1.05);
  });
});

const MEMORY = `
import { defineGraph } from "./graph.mjs";
const inputs = ({ x }) => ({ x });
const nodes = {
  S: { agent: async ({ x }) => ({ list: [x] }), inputs, writes: ["s"] },
  A: { agent: () => "a", inputs, writes: ["a"], timeoutMs: 1000 },
  B: { agent: (_, { signal }) => (signal.aborted ? "x" : "b"), inputs, writes: ["b"] },
  M: { agent: async () => { throw new Error("boom"); }, inputs, writes: ["m"] },
  H: { agent: async () => "h", inputs, writes: ["h"], timeoutMs: 1000 },
};
const routes = { S: { next: ["A", "B"] }, A: { next: "M" }, B: { next: "M" }, M: { failure: "H" }, H: {} };
const splits = { S: { next: [["A"], ["B"]] } };
const graph = defineGraph()({ name: "G", entry: "S", nodes, routes, splits, fingerprint: "" });
const { signal } = new AbortController();
const used = async () => {
  for (let i = 0; i < 15000; i++) {
    const { status } = await graph.run({ x: i }, { signal, timeoutMs: 60000 });
    if (status !== "completed") throw new Error(status);
  }
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};
await used();
const first = await used();
await used();
console.log(JSON.stringify([first, await used()]));
`;
