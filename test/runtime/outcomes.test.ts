import { Agent, fail } from "flowsheet/agents";
import { describe, expect, it } from "vitest";
import type { AgentContext } from "../../runtime/graph/contract/contract.js";
import { decline } from "../../runtime/graph/index.js";
import { type Act, chain, tiny } from "./tiny.js";

const boom: Act = () => {
  throw new Error("boom");
};

describe("where outcomes lead", () => {
  const onward = { Ok: () => "ok", Bad: () => "bad", Next: () => "next" };
  const acts: { readonly [outcome: string]: Act } = {
    success: () => 1,
    failure: () => fail("no"),
    thrown: boom,
  };
  it.each([
    ["success", { next: "Next" }, ["A", "Next"]],
    ["success", { next: "Next", success: "Ok" }, ["A", "Ok"]],
    ["success", { failure: "Bad" }, ["A"]],
    ["failure", { next: "Next" }, ["A", "Next"]],
    ["failure", { next: "Next", failure: "Bad" }, ["A", "Bad"]],
    ["failure", { success: "Ok" }, ["A"]],
    ["thrown", { next: "Next", failure: "Bad" }, ["A", "Bad"]],
    ["success", { next: "END", failure: "Bad" }, ["A"]],
  ])("%s along %o", async (outcome, route, path) => {
    const result = await tiny({ A: { agent: acts[outcome] ?? boom, ...route }, ...onward }).run({});
    expect(result).toMatchObject({ status: "completed", path });
  });

  it("an unhandled throw fails the run and never slips on to next_node", async () => {
    const result = await tiny({ A: { agent: boom, next: "Next" }, ...onward }).run({ x: 1 });
    expect(result).toMatchObject({
      status: "failed",
      path: ["A"],
      steps: 1,
      state: { x: 1 },
      error: { code: "agent_failed", message: "boom", graph: "Tiny", node: "A" },
      waiting: [],
    });
  });

  it("null stands for the end when a node is named END", async () => {
    const graph = tiny({ A: { agent: () => 1, next: "END" }, END: { agent: () => 2, next: null } });
    expect((await graph.run({})).path).toEqual(["A", "END"]);
  });
});

describe("the field error", () => {
  const seen: Act = ({ error }) => `saw ${String(error)}`;
  it.each<[string, Act, unknown]>([
    ["fail", () => fail("no money"), "no money"],
    ["a throw", boom, "boom"],
    ["a negative answer", () => decline(false), undefined],
  ])("after %s", async (_, agent, error) => {
    const graph = tiny({ A: { agent, failure: "B" }, B: { agent: seen, reads: ["error"] } });
    const { state } = await graph.run({});
    expect(state).toMatchObject({ B: `saw ${String(error)}` });
    expect(state["error"]).toBe(error);
  });

  it("stays until it is overwritten", async () => {
    const graph = tiny({ A: { agent: boom, failure: "B" }, B: { agent: () => 1, next: "C" }, C: () => 2 });
    expect((await graph.run({})).state).toEqual({ error: "boom", B: 1, C: 2 });
  });

  it("R15: a message is redacted and cut before anybody sees it, and holds no stack", async () => {
    const long: Act = () => {
      throw new Error(`key s3cret ${"x".repeat(5_000)}`);
    };
    const redact = (message: string): string => message.replaceAll("s3cret", "***");
    const unhandled = await chain(long).run({}, { redact });
    expect(unhandled.error?.message).toHaveLength(2_000);
    expect(unhandled.error?.message).toMatch(/^key \*\*\* x+…$/);
    const handled = await tiny({ A: { agent: long, failure: "B" }, B: () => 1 }).run({}, { redact });
    expect(handled.state["error"]).toMatch(/^key \*\*\*/);
  });
});

describe("what a node writes", () => {
  const written = async (agent: Act, writes: Parameters<typeof tiny>[0][string]): Promise<object> => {
    const { state, error } = await tiny({ A: { agent, ...(writes as object) } }).run({});
    return error === null ? state : { code: error.code, message: error.message };
  };
  it.each<[string, Act, object, object]>([
    ["a value as it is", () => 5, { writes: ["a"] }, { a: 5 }],
    ["the entry of a mapping that has it", () => ({ a: 5, b: 6 }), { writes: ["a"] }, { a: 5 }],
    ["a mapping that lacks it, whole", () => ({ b: 6 }), { writes: ["a"] }, { a: { b: 6 } }],
    ["a mapping that only inherits it, whole", () => ({}), { writes: ["toString"] }, { toString: {} }],
    [
      "the whole mapping when annotated",
      () => ({ a: 5 }),
      { writes: [{ field: "a", type: { kind: "object" } }] },
      { a: { a: 5 } },
    ],
    ["the entry under another key", () => ({ k: 5 }), { writes: [{ field: "a", key: "k" }] }, { a: 5 }],
    ["several", () => ({ a: 1, k: 2 }), { writes: ["a", { field: "b", key: "k" }] }, { a: 1, b: 2 }],
    ["several, one undefined", () => ({ a: 1, b: undefined }), { writes: ["a", "b"] }, { a: 1 }],
    ["nothing for undefined", () => undefined, { writes: ["a"] }, {}],
    ["null as a value", () => null, { writes: ["a"] }, { a: null }],
    ["nothing without outputs", () => 5, { writes: [] }, {}],
  ])("%s", async (_, agent, writes, state) => {
    expect(await written(agent, writes as never)).toEqual(state);
  });

  it.each<[string, Act]>([
    ["a mapping that lacks one of several", () => ({ a: 1 })],
    ["a text for several", () => "a"],
    ["a list for several", () => ["a", "b"]],
  ])("%s is a bad value, and nothing is written", async (_, agent) => {
    expect(await written(agent, { writes: ["a", "b"] } as never)).toMatchObject({ code: "bad_value" });
  });

  it("a failure may write fields, all of them or some", async () => {
    const graph = tiny({ A: { agent: () => fail("no", { a: 1, c: 3 }), writes: ["a", "b"] } });
    expect((await graph.run({})).state).toEqual({ a: 1, error: "no" });
  });

  it("a throw writes nothing, also when only its second value is bad", async () => {
    const graph = tiny({
      A: { agent: () => ({ a: 1, b: () => 2 }), writes: ["a", "b"], failure: "B" },
      B: () => 3,
    });
    expect((await graph.run({})).state).toEqual({ error: expect.stringContaining("function"), B: 3 });
  });

  it("R09: an undeclared field is left out", async () => {
    expect(await written(() => ({ a: 1, admin: true }), { writes: ["a"] } as never)).toEqual({ a: 1 });
  });
});

describe("agents", () => {
  it("a class has one instance a graph, made at its first visit", async () => {
    let made = 0;
    class Counting extends Agent<object, number> {
      constructor() {
        super();
        made += 1;
      }
      override process(): number {
        return made;
      }
    }
    const graph = tiny({ A: { agent: Counting as never, next: "B" }, B: { agent: Counting as never } });
    expect(made).toBe(0);
    await graph.run({});
    await graph.run({});
    expect(made).toBe(1);
  });

  it("a class whose constructor throws fails its node", async () => {
    class Broken extends Agent<object, number> {
      constructor() {
        super();
        throw new Error("no key");
      }
      override process(): number {
        return 1;
      }
    }
    expect((await tiny({ A: { agent: Broken as never } }).run({})).error).toMatchObject({
      node: "A",
      message: "no key",
    });
  });

  it("gets a context that tells of its visit", async () => {
    let context: AgentContext | undefined;
    const agent: Act = (_, given) => {
      context ??= given;
      return 1;
    };
    const graph = tiny({
      A: { agent, reads: ["x"], settings: { depth: 2 }, prompt: ({ x }) => `x is ${x}`, writes: ["a"] },
    });
    const { runId } = await graph.run({ x: 7 }, { services: { speech: "model" } });
    expect(context).toMatchObject({
      runId,
      graph: "Tiny",
      node: "A",
      visit: 1,
      attempt: 1,
      prompt: "x is 7",
    });
    expect(context).toMatchObject({
      settings: { depth: 2 },
      key: `${runId}/A/1`,
      services: { speech: "model" },
    });
    expect(context?.outputs).toEqual([{ field: "a", key: "a", type: undefined }]);
    expect(context?.signal.aborted).toBe(false);
    expect([context?.given("x"), context?.given("y")]).toEqual([7, undefined]);
  });

  it("stand-ins take the place of agents by node", async () => {
    const graph = chain(boom, ({ x }) => x ?? "two");
    const result = await graph.run({}, { nodes: { N0: () => "stood in" } });
    expect(result.state).toEqual({ N0: "stood in", N1: "two" });
  });
});
