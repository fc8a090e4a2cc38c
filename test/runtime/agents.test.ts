import { AgentRegistry, branching, builtins, echo, failure, success, switching } from "flowsheet/agents";
import { describe, expect, it } from "vitest";
import { agentFacts } from "../../runtime/agents/facts.js";
import type { Settings } from "../../runtime/graph/contract/contract.js";
import { meets } from "../../runtime/graph/formula/criteria.js";
import { type Act, type Tiny, tiny } from "./tiny.js";

const run = async (node: Tiny, given: object): Promise<string | object> => {
  const graph = tiny({ A: { success: "Yes", failure: "No", ...node }, Yes: () => 1, No: () => 0 });
  const { error, path, state } = await graph.run({ ...given });
  return error?.message ?? [path[1], state["A"]];
};

describe("echo", () => {
  it.each<[string, Partial<Tiny>, object, unknown]>([
    ["the prompt", { prompt: ({ x }) => `[${x}]`, reads: ["x"] }, { x: 1 }, "[1]"],
    ["the prompt, empty", { prompt: () => "", reads: ["x"] }, { x: 1 }, ""],
    ["the one input", { reads: ["x"] }, { x: { a: [1] } }, { a: [1] }],
    ["the inputs", { reads: ["x", "y"] }, { x: 1 }, { x: 1 }],
    ["nothing at all", {}, {}, null],
    ["an input that is unset", { reads: ["x"] }, {}, undefined],
  ])("says %s", async (_, node, given, said) => {
    const { state } = await tiny({ A: { agent: echo as Act, ...node } }).run({ ...given });
    expect(state["A"]).toEqual(said);
  });
});

describe("success and failure", () => {
  it("always have their outcome; their value is the prompt", async () => {
    const prompt = (): string => "so be it";
    expect(await run({ agent: success as Act, prompt }, {})).toEqual(["Yes", "so be it"]);
    expect(await run({ agent: failure as Act, prompt }, {})).toEqual(["No", "so be it"]);
    const { state } = await tiny({ A: { agent: failure as Act, prompt } }).run({});
    expect(state).toEqual({ A: "so be it", error: "so be it" });
  });
});

describe("branching", () => {
  const branch = (settings: Settings = {}, reads: readonly string[] = ["x"]): Tiny => ({
    agent: branching as Act,
    settings,
    reads,
  });
  it.each<[unknown, string, boolean]>([
    ["yes", "Yes", true],
    [" TRUE ", "Yes", true],
    ["ok", "Yes", true],
    ["success", "Yes", true],
    [true, "Yes", true],
    [1, "Yes", true],
    [7, "Yes", true],
    ["1", "Yes", true],
    ["no", "No", false],
    ["False", "No", false],
    [0, "No", false],
    ["failure", "No", false],
  ])("%j", async (x, next, value) => {
    expect(await run(branch(), { x })).toEqual([next, value]);
  });

  it("sets no error, and writes its value whatever the outcome", async () => {
    const { state } = await tiny({ A: branch() }).run({ x: "no" });
    expect(state).toEqual({ x: "no", A: false });
  });

  it.each([["maybe"], [""], [null], [["yes"]]])(
    "%j is neither: the node throws, which is a failure with a reason",
    async (x) => {
      const { path, state } = await tiny({ A: { ...branch(), failure: "No" }, No: () => 0 }).run({ x });
      expect(path).toEqual(["A", "No"]);
      expect(state["error"]).toContain("neither a yes nor a no");
    },
  );

  it.each<[Settings, unknown, readonly [string, boolean]]>([
    [{ default_result: true }, "maybe", ["Yes", true]],
    [{ default_result: "no" }, undefined, ["No", false]],
    [{ success_values: ["gold", 3] }, "GOLD", ["Yes", true]],
    [{ success_values: ["gold", 3] }, 3, ["Yes", true]],
    [{ success_values: ["gold"] }, "silver", ["No", false]],
    [{ failure_values: ["bad"] }, "good", ["Yes", true]],
    [{ failure_values: ["bad"] }, "Bad", ["No", false]],
    [{ success_values: ["gold"], default_result: true }, "silver", ["Yes", true]],
    [{ success_values: ["gold"], failure_values: ["tin"] }, "yes", ["Yes", true]],
  ])("with %j: %j", async (settings, x, wanted) => {
    expect(await run(branch(settings), { x })).toEqual(wanted);
  });

  it("success_field names the input that decides", async () => {
    expect(await run(branch({ success_field: "y" }, ["x", "y"]), { x: "no", y: "yes" })).toEqual([
      "Yes",
      true,
    ]);
    expect(await run({ ...branch({ success_field: "z" }), failure: "END" }, { x: "no" })).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("when: all criteria must hold", async () => {
    const when = { amount: ">100", country: "<>DE", subject: "*urgent*" };
    const node = branch({ when }, ["amount", "country", "subject"]);
    expect(await run(node, { amount: 101, country: "FR", subject: "Very URGENT!" })).toEqual(["Yes", true]);
    expect(await run(node, { amount: "250", subject: "urgent" })).toEqual(["Yes", true]);
    expect(await run(node, { amount: 100, country: "FR", subject: "urgent" })).toEqual(["No", false]);
    expect(await run(node, { amount: 101, country: "de", subject: "urgent" })).toEqual(["No", false]);
  });
});

describe("criteria of COUNTIF", () => {
  it.each<[unknown, unknown, boolean]>([
    [5, "5", true],
    ["5.0", 5, true],
    [5, "=5", true],
    [5, "<>5", false],
    ["x", "<>5", true],
    [101, ">100", true],
    ["101", "> 100", true],
    ["lots", ">100", false],
    [100, ">=100", true],
    [100, "<=99.5", false],
    [-1, "<0", true],
    [undefined, "<0", false],
    [undefined, "=", true],
    ["", "", true],
    ["x", "=", false],
    ["x", "<>", true],
    [undefined, "<>", false],
    [undefined, "<>DE", true],
    ["Apple", "apple", true],
    ["apple pie", "apple", false],
    ["apple pie", "apple*", true],
    ["apple", "a?ple", true],
    ["aple", "a?ple", false],
    ["what?", "what~?", true],
    ["whatx", "what~?", false],
    ["2 * 3", "2 ~* 3", true],
    ["a~b", "a~b", true],
    ["berry", ">apple", true],
    ["2025-03-01", ">=2025-02-28", true],
    [true, "TRUE", true],
    [true, true, true],
    ["DE", ["AT", "DE"], true],
    ["FR", ["AT", "DE"], false],
    ["line\nurgent\nline", "*urgent*", true],
  ])("%j meets %j: %s", (value, criterion, holds) => {
    expect(meets(value, criterion)).toBe(holds);
  });

  it("a pattern of many stars is no trap", () => {
    const began = performance.now();
    expect(meets("a".repeat(20_000), `${"*a".repeat(500)}b`)).toBe(false);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe("switch", () => {
  const nodes = { Refund: () => 1, "Say hello": () => 2, Other: () => 3 };
  const choice = (rest: Partial<Tiny>): Tiny => ({ agent: switching as Act, reads: ["x"], ...rest });
  const goes = async (rest: Partial<Tiny>, x: unknown): Promise<unknown> => {
    const { path, state, error } = await tiny({ A: choice(rest), ...nodes }).run({ x });
    return error?.message ?? [path[1], state["A"]];
  };
  it("goes to the listed node that its input names, ignoring case", async () => {
    const rest = { next: ["Refund", "Say hello"] };
    expect(await goes(rest, " refund ")).toEqual(["Refund", " refund "]);
    expect(await goes(rest, "SAY HELLO")).toEqual(["Say hello", "SAY HELLO"]);
    expect(await goes(rest, "other")).toContain('nothing is listed for "other"');
    expect(await goes({ ...rest, otherwise: "Other" }, "what")).toEqual(["Other", "what"]);
    expect(await goes({ next: "Refund" }, "refund")).toEqual(["Refund", "refund"]);
    expect(await goes({ next: "Refund" }, "else")).toContain("nothing is listed");
  });

  it("goes by its cases, ignoring case; END is a place to go", async () => {
    const rest = { cases: { money: "Refund", 7: "Other", bye: "END" } } as const;
    expect(await goes(rest, "Money")).toEqual(["Refund", "Money"]);
    expect(await goes(rest, 7)).toEqual(["Other", "7"]);
    expect(await goes(rest, "bye")).toEqual([undefined, "bye"]);
    expect(await goes({ ...rest, otherwise: null }, undefined)).toEqual([undefined, ""]);
  });

  it("an exact name goes before one that differs in case", async () => {
    const graph = tiny({ A: choice({ next: ["go", "Go"] }), go: () => 1, Go: () => 2 });
    expect((await graph.run({ x: "Go" })).path).toEqual(["A", "Go"]);
    expect((await graph.run({ x: "go" })).path).toEqual(["A", "go"]);
  });

  it("a throw takes the failure edge", async () => {
    const { path } = await tiny({
      A: choice({ next: ["Refund", "Other"], failure: "Say hello" }),
      ...nodes,
    }).run({ x: "?" });
    expect(path).toEqual(["A", "Say hello"]);
  });

  it("a stand-in chooses by its value", async () => {
    const graph = tiny({ A: choice({ next: ["Refund", "Other"] }), ...nodes });
    expect((await graph.run({}, { nodes: { A: () => "Other" } })).path).toEqual(["A", "Other"]);
    expect((await graph.run({}, { nodes: { A: () => 1 } })).error).toMatchObject({ node: "A" });
  });
});

describe("the registry", () => {
  it("finds built-in agents by their names, ignoring case, spaces, _ and -", () => {
    const registry = new AgentRegistry();
    for (const name of ["", "default", "Default", "ECHO"]) expect(registry.find(name)).toBe(echo);
    expect(registry.find("Bran-ching ")).toBe(branching);
    expect(registry.find("nothing like it")).toBeUndefined();
    for (const name of ["constructor", "__proto__", "toString"]) expect(registry.find(name)).toBeUndefined();
  });

  it("finds an agent of the project by any spelling of its name", () => {
    const registry = new AgentRegistry();
    const agent = (): number => 1;
    registry.add("NextRowAgent", agent);
    for (const name of ["next_row", "NextRow", "next row agent", "NEXT-ROW"])
      expect(registry.find(name)).toBe(agent);
    expect([...registry.types()]).toEqual(["nextrow"]);
  });

  it("has one agent a name", () => {
    const registry = new AgentRegistry();
    registry.add("Weather", () => 1);
    expect(() => registry.add("weather_agent", () => 2)).toThrow('two agents named "weather_agent"');
    expect(() => registry.add("GPT", () => 2)).toThrow("name of a built-in agent");
    expect(() => registry.add("GptAgent", () => 2)).toThrow("name of a built-in agent");
  });

  it("takes classes and functions only", () => {
    const add = (): void => new AgentRegistry().add("Weather", 5 as never);
    expect(add).toThrow('the agent "Weather" is neither a class nor a function');
  });

  it("what is known of built-in agents names those that are there", () => {
    const known = new Set(agentFacts.map(({ type }) => type));
    for (const type of builtins.keys()) expect(known).toContain(type);
  });
});
