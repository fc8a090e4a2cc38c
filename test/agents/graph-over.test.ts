import { setTimeout as pause } from "node:timers/promises";
import type { AgentContext } from "flowsheet";
import { describe, expect, it } from "vitest";
import { createProject, type Project, type SheetRow } from "./sheet.js";

const each = (settings: object, rest: Partial<SheetRow> = {}): SheetRow => ({
  node: "Each",
  agent: "graph",
  context: { graph: "One", over: "items", as: "item", ...settings },
  inputs: "items",
  outputs: "result=results",
  ...rest,
});
const work: SheetRow = { graph: "One", node: "Work", agent: "work", inputs: "item", outputs: "result" };

type Work = (inputs: { readonly item: never }, context: AgentContext) => unknown;

const project = (settings: object, agent: Work, rest: Partial<SheetRow> = {}): Project =>
  createProject(
    [
      each(settings, rest),
      { node: "Handle", agent: "echo", inputs: "error", outputs: "handled", prompt: "{error}" },
      work,
    ].filter(({ node }) => node !== "Handle" || rest.failure !== undefined),
    { agents: { Work: agent as never } },
  );

describe("a graph over items", () => {
  it("keeps the order of the items, whichever is done first, and so many run at a time", async () => {
    let running = 0;
    let most = 0;
    const slow: Work = async ({ item }) => {
      running += 1;
      most = Math.max(most, running);
      await pause(20 - 4 * item);
      running -= 1;
      return item * 10;
    };
    const { state, steps, path } = await project({ concurrency: 3 }, slow).run({ items: [0, 1, 2, 3, 4] });
    expect(state["results"]).toEqual([0, 10, 20, 30, 40]);
    expect([most, steps, path]).toEqual([3, 1, ["Each"]]);
    most = 0;
    await project({}, slow).run({ items: [3, 4] });
    expect(most).toBe(1);
  });

  it("gives the other inputs to every item, and the list to none", async () => {
    const seen: object[] = [];
    const { run } = createProject(
      [each({}, { inputs: "items=order.lines|unit" }), { ...work, inputs: "item|unit|items?" }],
      { agents: { Work: (inputs: object) => seen.push(inputs) } },
    );
    await run({ order: { lines: ["a", "b"] }, unit: "kg" });
    expect(seen).toEqual([
      { item: "a", unit: "kg", items: undefined },
      { item: "b", unit: "kg", items: undefined },
    ]);
  });

  it("no items, no runs: lists are empty; a field that no run wrote is null", async () => {
    const { run } = project({ on_error: "collect" }, () => undefined);
    expect((await run({ items: [] })).state).toEqual({ items: [], results: [], errors: [] });
    expect((await run({ items: [1] })).state).toEqual({ items: [1], results: [null], errors: [] });
  });

  it("what is no list is an error that says so", async () => {
    const { run } = createProject(
      [
        each({}, { inputs: "items=data.items", failure: "Handle" }),
        { node: "Handle", agent: "echo", inputs: "error", outputs: "handled", prompt: "{error}" },
        work,
      ],
      { agents: { Work: () => 1 } },
    );
    expect((await run({ data: { items: "a,b" } })).state["handled"]).toBe(
      '"items" must be a list to run over, not "a,b"',
    );
    expect((await run({ data: {} })).state["handled"]).toBe('"items" must be a list to run over, not unset');
  });

  const picky: Work = ({ item }) => {
    if (typeof item !== "number") throw new Error(`${item} is no number`);
    return item + 1;
  };

  it("fail: the first error stops the others, and is the node's", async () => {
    const began: number[] = [];
    const aborted: number[] = [];
    const agent: Work = async ({ item }, { signal }) => {
      began.push(item);
      if (item === 1) {
        await pause(5);
        throw new Error("no");
      }
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(aborted.push(item))));
    };
    const { run } = project({ concurrency: 3 }, agent, { failure: "Handle" });
    const result = await run({ items: [0, 1, 2, 3] });
    expect(result).toMatchObject({ path: ["Each", "Handle"], state: { handled: "no (item 1)" } });
    expect(result.state["results"]).toBeUndefined();
    expect([began, aborted]).toEqual([
      [0, 1, 2],
      [0, 2],
    ]);
  });

  it("collect: what failed is listed with its item, and the lists keep step", async () => {
    const { run } = project({ on_error: "collect", concurrency: 2 }, picky);
    expect((await run({ items: [1, "x", 2, "y"] })).state).toEqual({
      items: [1, "x", 2, "y"],
      results: [2, null, 3, null],
      errors: [
        { index: 1, item: "x", error: "x is no number" },
        { index: 3, item: "y", error: "y is no number" },
      ],
    });
  });

  it("collect: errors go to the field that an output names", async () => {
    const { run } = project({ on_error: "collect" }, picky, { outputs: "errors=queue" });
    expect((await run({ items: ["x"] })).state).toEqual({
      items: ["x"],
      queue: [{ index: 0, item: "x", error: "x is no number" }],
    });
  });

  it("R01: each item has its own count of steps", async () => {
    const rows: readonly SheetRow[] = [
      each({ on_error: "collect" }, { outputs: "" }),
      {
        graph: "One",
        node: "Is",
        agent: "branching",
        inputs: "item",
        context: { when: { item: "<5" } },
        success: "END",
        failure: "Is",
      },
    ];
    const { run } = createProject(rows);
    const result = await run({ items: [1, 9, 2] }, "Main", { maxSteps: 100 });
    expect(result).toMatchObject({
      status: "completed",
      steps: 1,
      state: { errors: [{ index: 1, item: 9, error: "the run did not end within 100 node visits" }] },
    });
    const [first, ...rest] = rows;
    const failing = createProject([
      { ...(first as SheetRow), context: { graph: "One", over: "items", as: "item" } },
      ...rest,
    ]);
    expect(await failing.run({ items: [9] }, "Main", { maxSteps: 100 })).toMatchObject({
      status: "failed",
      error: {
        code: "step_limit",
        message: "the run did not end within 100 node visits (item 0)",
        node: "Each",
      },
    });
  });

  it("R02: timers get their turn while items run that never wait", async () => {
    const { run } = project({}, ({ item }) => item);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await run({ items: Array.from({ length: 60_000 }, (_, i) => i) });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it("R18: a time-out of the node stops the items", async () => {
    let calls = 0;
    const { run } = project(
      { timeout_ms: 40, on_error: "collect" },
      async () => {
        calls += 1;
        await pause(15);
      },
      { failure: "Handle" },
    );
    const { state } = await run({ items: Array.from({ length: 100 }, (_, i) => i) });
    expect(state["handled"]).toBe("the agent did not finish within 40 ms");
    expect(state["errors"]).toBeUndefined();
    await pause(40);
    expect(calls).toBeLessThan(20);
  });
});
