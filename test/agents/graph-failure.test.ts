import { fail } from "flowsheet";
import { describe, expect, it } from "vitest";
import { createProject, type SheetRow } from "./sheet.js";

// What becomes of a node whose graph ends right after a failure that no edge in it takes.

const call = (graph: string, rest: Partial<SheetRow> = {}, settings: object = {}): SheetRow => ({
  node: "Call",
  agent: "graph",
  context: { graph, ...settings },
  ...rest,
});
const handle: SheetRow = { node: "Handle", agent: "echo", inputs: "error?|draft?", outputs: "handled" };
const told: SheetRow = { ...handle, prompt: "{error}: {draft}" };
/** Writes a draft, then fails when asked to. */
const check = (graph: string, rest: Partial<SheetRow> = {}): readonly SheetRow[] => [
  {
    graph,
    node: "Draft",
    next: "Judge",
    agent: "echo",
    inputs: "x",
    outputs: "draft",
    prompt: "draft of {x}",
  },
  { graph, node: "Judge", agent: "judge", inputs: "x", outputs: "verdict", ...rest },
];
const agents = {
  Judge: ({ x }: { readonly x: string }) => (x === "bad" ? fail(`${x} is refused`) : "good"),
  Boom: () => {
    throw new Error("the shop is closed");
  },
};

describe("a graph that ends right after a failure that nothing in it handles", () => {
  it("ends its node with a signalled failure: the error is its own, and what it has set is written", async () => {
    const { run } = createProject(
      [call("Check", { inputs: "x", outputs: "draft|verdict", failure: "Handle" }), told, ...check("Check")],
      { agents },
    );
    expect(await run({ x: "bad" })).toMatchObject({ status: "completed", path: ["Call", "Handle"] });
    expect((await run({ x: "bad" })).state).toEqual({
      x: "bad",
      draft: "draft of bad",
      error: "bad is refused",
      handled: "bad is refused: draft of bad",
    });
    expect(await run({ x: "fine" })).toMatchObject({ path: ["Call"], state: { verdict: "good" } });
  });

  it("so does one that ends after a failure node, which a next_node takes as well", async () => {
    const { run } = createProject([
      call("Stop", { inputs: "x", outputs: "said", next: "Handle", success: "END" }),
      { ...handle, prompt: "{error}" },
      { graph: "Stop", node: "No", agent: "failure", inputs: "x", outputs: "said", prompt: "no {x}" },
    ]);
    expect(await run({ x: 1 })).toMatchObject({
      path: ["Call", "Handle"],
      state: { said: "no 1", error: "no 1", handled: "no 1" },
    });
  });

  it("a single output of type object takes what was set", async () => {
    const { run } = createProject(
      [call("Check", { inputs: "x", outputs: "all:object", failure: "Handle" }), told, ...check("Check")],
      { agents },
    );
    expect((await run({ x: "bad" })).state["all"]).toEqual({
      x: "bad",
      draft: "draft of bad",
      error: "bad is refused",
    });
  });

  it("is run once: a signalled failure is never repeated", async () => {
    let judged = 0;
    const counted = () => {
      judged += 1;
      return fail("no");
    };
    const { run } = createProject(
      [call("Check", { inputs: "x", failure: "Handle" }, { retry: 3 }), told, ...check("Check")],
      { agents: { Judge: counted } },
    );
    expect(await run({ x: 1 })).toMatchObject({ path: ["Call", "Handle"] });
    expect(judged).toBe(1);
  });

  it("is completed for whoever runs it by itself", async () => {
    const { run } = createProject([...check("Check")], { agents });
    const result = await run({ x: "bad" }, "Check");
    expect(result).toMatchObject({ status: "completed", error: null, state: { error: "bad is refused" } });
    expect(Object.keys(result).sort()).toEqual(Object.keys(await run({ x: "fine" }, "Check")).sort());
  });

  it.each<[string, Partial<SheetRow>]>([
    ["END in next_node", { next: "END" }],
    ["END in next_on_failure", { failure: "END" }],
    ["a node", { failure: "Sorry" }],
  ])("does not when an edge takes the failure: %s", async (_, edge) => {
    const sorry: SheetRow = {
      graph: "Check",
      node: "Sorry",
      agent: "echo",
      outputs: "verdict",
      prompt: "sorry",
    };
    const { run } = createProject(
      [
        call("Check", { inputs: "x", outputs: "verdict", failure: "Handle" }),
        told,
        ...check("Check", edge),
        ...(edge.failure === "Sorry" ? [sorry] : []),
      ],
      { agents },
    );
    expect(await run({ x: "bad" })).toMatchObject({ status: "completed", path: ["Call"] });
  });

  it("does not when branching or a person says no: they decide, they do not fail", async () => {
    const { run } = createProject([
      call("Decide", { inputs: "x", outputs: "y", failure: "Handle" }),
      told,
      { graph: "Decide", node: "Is", agent: "branching", inputs: "x", outputs: "y", success: "Ask" },
      { graph: "Decide", node: "Ask", agent: "human", outputs: "y", prompt: "Well?", success: "END" },
    ]);
    expect(await run({ x: "no" })).toMatchObject({ path: ["Call"], state: { y: false } });
    expect(await run({ x: "yes", y: "no" })).toMatchObject({ path: ["Call"] });
  });

  it("hands the failure up through graphs that do not handle it, to the first that does", async () => {
    const { run } = createProject(
      [
        call("Middle", { inputs: "x", outputs: "draft", failure: "Handle" }),
        told,
        { ...call("Check", { inputs: "x", outputs: "draft" }), graph: "Middle" },
        ...check("Check"),
        { ...call("Middle", { inputs: "x" }), graph: "Top" },
      ],
      { agents },
    );
    expect(await run({ x: "bad" })).toMatchObject({
      path: ["Call", "Handle"],
      state: { handled: "bad is refused: draft of bad" },
    });
    expect(await run({ x: "bad" }, "Top")).toMatchObject({
      status: "completed",
      path: ["Call"],
      state: { error: "bad is refused" },
    });
  });

  it("one branch of a split that ends so is enough, also when others go on", async () => {
    const { run } = createProject(
      [
        call("Split", { inputs: "x", outputs: "joined", failure: "Handle" }),
        { ...handle, prompt: "{error}" },
        { graph: "Split", node: "Both", next: "Judge|Note", agent: "echo", inputs: "x", prompt: "go" },
        { graph: "Split", node: "Judge", agent: "judge", success: "Join", inputs: "x", outputs: "verdict" },
        { graph: "Split", node: "Note", next: "Join", agent: "echo", outputs: "note", prompt: "noted" },
        { graph: "Split", node: "Join", agent: "echo", inputs: "note", outputs: "joined", prompt: "{note}" },
      ],
      { agents },
    );
    expect(await run({ x: "bad" })).toMatchObject({
      path: ["Call", "Handle"],
      state: { joined: "noted", handled: "bad is refused" },
    });
    expect(await run({ x: "fine" })).toMatchObject({ path: ["Call"], state: { joined: "noted" } });
  });

  it("also when the others had to wait for an answer first", async () => {
    const { run, flowsheet } = createProject(
      [
        call("Split", { inputs: "x", outputs: "said", failure: "Handle" }),
        { ...handle, prompt: "{error}" },
        { graph: "Split", node: "Both", next: "Judge|Ask", agent: "echo", inputs: "x", prompt: "go" },
        { graph: "Split", node: "Judge", agent: "judge", success: "END", inputs: "x", outputs: "verdict" },
        { graph: "Split", node: "Ask", agent: "input", outputs: "said", prompt: "Well?" },
      ],
      { agents, files: { "flowsheet.yaml": "{}\n" } },
    );
    const first = await run({ x: "bad" });
    expect(first).toMatchObject({ status: "suspended", waiting: [{ node: "Call/Ask" }] });
    const second = await flowsheet.resume(first.runId, { "Call/Ask": "hello" });
    expect(second).toMatchObject({
      status: "completed",
      path: ["Call", "Handle"],
      state: { said: "hello", handled: "bad is refused" },
    });
  });

  it("a graph that runs itself hands it up to its first call", async () => {
    const down = ({ n }: { readonly n: number }): unknown => (n === 0 ? fail("the bottom") : n - 1);
    const { run } = createProject(
      [
        call("Down", { inputs: "n", failure: "Handle" }),
        { ...handle, prompt: "{error}" },
        { graph: "Down", node: "Less", agent: "down", success: "Again", inputs: "n:number", outputs: "m" },
        { graph: "Down", node: "Again", agent: "graph", inputs: "n=m", context: { graph: "Down" } },
      ],
      { agents: { Down: down } },
    );
    expect(await run({ n: 3 })).toMatchObject({ path: ["Call", "Handle"], state: { handled: "the bottom" } });
  });
});

describe("a graph that fails so for an item", () => {
  const each = (settings: object, failure = "Handle"): readonly SheetRow[] => [
    call(
      "Check",
      { inputs: "xs", outputs: "verdict=verdicts", failure },
      { over: "xs", as: "x", ...settings },
    ),
    { ...handle, prompt: "{error}" },
    ...check("Check"),
  ];

  it("throws, as if the item had thrown", async () => {
    const { run } = createProject(each({}), { agents });
    expect(await run({ xs: ["fine", "bad"] })).toMatchObject({
      path: ["Call", "Handle"],
      state: { handled: "bad is refused (item 1)" },
    });
    const plain = createProject(each({}, "").slice(0, 1).concat(check("Check")), { agents });
    expect(await plain.run({ xs: ["bad"] })).toMatchObject({
      status: "failed",
      error: { code: "agent_failed", node: "Call", message: "bad is refused (item 0)" },
    });
  });

  it("is an entry in errors where they are collected", async () => {
    const { run } = createProject(each({ on_error: "collect" }), { agents });
    expect(await run({ xs: ["bad", "fine"] })).toMatchObject({
      path: ["Call"],
      state: { verdicts: [null, "good"], errors: [{ index: 0, item: "bad", error: "bad is refused" }] },
    });
  });
});
