import { describe, expect, it } from "vitest";
import { createProject, type SheetRow } from "./sheet.js";

const child: readonly SheetRow[] = [
  { graph: "Child", node: "Before", next: "Ask", agent: "count", outputs: "before" },
  {
    graph: "Child",
    node: "Ask",
    next: "After",
    agent: "input",
    inputs: "who",
    outputs: "said",
    prompt: "What says {who}?",
  },
  {
    graph: "Child",
    node: "After",
    agent: "echo",
    inputs: "who|said",
    outputs: "told",
    prompt: "{who}: {said}",
  },
];

function counting(): { readonly agents: { Count: () => number }; readonly calls: () => number } {
  let calls = 0;
  return { agents: { Count: () => (calls += 1) }, calls: () => calls };
}

describe("a graph that waits", () => {
  it("suspends its parent, and goes on without repeating what is done", async () => {
    const { agents, calls } = counting();
    const rows = [
      {
        node: "Call",
        next: "End",
        agent: "graph",
        context: { graph: "Child" },
        inputs: "who",
        outputs: "told",
      },
      { node: "End", agent: "echo", inputs: "told", outputs: "end", prompt: "[{told}]" },
      ...child,
    ];
    const { run, flowsheet } = createProject(rows, { agents });
    const first = await run({ who: "Ada" });
    expect(first).toMatchObject({
      status: "suspended",
      path: ["Call"],
      waiting: [{ node: "Call/Ask", field: "said", prompt: "What says Ada?" }],
    });
    await expect(flowsheet.resume(first.runId, { Ask: "x" })).rejects.toThrow('"Ask" waits for no answer');
    const last = await flowsheet.resume(first.runId, { "Call/Ask": "hello" });
    expect(last).toMatchObject({
      status: "completed",
      path: ["Call", "End"],
      state: { end: "[Ada: hello]" },
    });
    expect(last.steps).toBe(5);
    expect(calls()).toBe(1);
  });

  it("two deep, and beside a branch that goes on", async () => {
    const { agents, calls } = counting();
    const rows: readonly SheetRow[] = [
      { node: "Split", next: "Deep|Side", agent: "echo", inputs: "who" },
      {
        node: "Deep",
        next: "Join",
        agent: "graph",
        context: { graph: "Middle" },
        inputs: "who",
        outputs: "told",
      },
      { node: "Side", next: "Join", agent: "echo", outputs: "side", prompt: "done" },
      { node: "Join", agent: "summary", inputs: "told|side", outputs: "all" },
      {
        graph: "Middle",
        node: "Inner",
        agent: "graph",
        context: { graph: "Child" },
        inputs: "who",
        outputs: "told",
      },
      ...child,
    ];
    const { run, flowsheet } = createProject(rows, { agents });
    const first = await run({ who: "Ada" });
    expect(first.waiting.map(({ node }) => node)).toEqual(["Deep/Inner/Ask"]);
    const last = await flowsheet.resume(first.runId, { "Deep/Inner/Ask": "hi" });
    expect(last).toMatchObject({ status: "completed", state: { all: "Ada: hi\ndone" } });
    expect(calls()).toBe(1);
  });

  it("R21: goes on with the graphs that it began with, whatever their sheet says now", async () => {
    const call = {
      node: "Call",
      agent: "graph",
      context: { graph: "Child" },
      inputs: "who",
      outputs: "told",
    };
    const { agents } = counting();
    const { run, flowsheet, folder } = createProject([call, ...child], { agents });
    const { runId } = await run({ who: "Ada" });
    const { readFileSync, writeFileSync } = await import("node:fs");
    const file = `${folder}/sheet.csv`;
    writeFileSync(file, readFileSync(file, "utf8").replace("{who}: {said}", "{who} said {said}"));
    const last = await flowsheet.resume(runId, { "Call/Ask": "hi" });
    expect(last).toMatchObject({ status: "completed", state: { told: "Ada: hi" } });
    expect(await run({ who: "Ada" })).toMatchObject({ status: "suspended" });
  });

  it("a wait inside that is over goes on by its default", async () => {
    const rows: readonly SheetRow[] = [
      { node: "Call", agent: "graph", context: { graph: "Child" }, outputs: "verdict|error" },
      {
        graph: "Child",
        node: "Approve",
        agent: "human",
        context: { timeout_ms: 30, default_action: "reject" },
        outputs: "verdict",
      },
    ];
    const { run, flowsheet } = createProject(rows);
    const first = await run();
    expect(first.waiting).toMatchObject([{ node: "Call/Approve", options: ["approve", "reject"] }]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await flowsheet.resume(first.runId)).toMatchObject({
      status: "completed",
      state: { verdict: "reject" },
    });
  });

  it("an input that is given to it needs no answer", async () => {
    const { agents } = counting();
    const rows = [
      { node: "Call", agent: "graph", context: { graph: "Child" }, inputs: "who|said", outputs: "told" },
      ...child,
    ];
    const { run } = createProject(rows, { agents });
    expect((await run({ who: "Ada", said: "yes" })).state["told"]).toBe("Ada: yes");
  });
});

describe("a loop over items that waits", () => {
  it("suspends when all others have settled, and goes on with those alone", async () => {
    const { agents, calls } = counting();
    const rows: readonly SheetRow[] = [
      {
        node: "Each",
        agent: "graph",
        context: { graph: "Child", over: "people", as: "who", on_error: "collect" },
        inputs: "people|said=words.said",
        outputs: "told",
      },
      ...child,
    ];
    const { run, flowsheet } = createProject(rows, { agents });
    const first = await run({ people: ["Ada", "Bob", "Eve"], words: {} });
    expect(first.waiting.map(({ node }) => node)).toEqual(["Each[0]/Ask", "Each[1]/Ask", "Each[2]/Ask"]);
    const second = await flowsheet.resume(first.runId, { "Each[1]/Ask": "b" });
    expect(second).toMatchObject({ status: "suspended", path: ["Each"] });
    expect(second.waiting.map(({ node }) => node)).toEqual(["Each[0]/Ask", "Each[2]/Ask"]);
    const last = await flowsheet.resume(first.runId, { "Each[0]/Ask": "a", "Each[2]/Ask": "e" });
    expect(last.state).toMatchObject({ told: ["Ada: a", "Bob: b", "Eve: e"], errors: [] });
    expect(calls()).toBe(3);
  });
});
