import { describe, expect, it } from "vitest";
import { understandSheet } from "../../compiler/compile.js";
import type { GraphIR } from "../../compiler/ir.js";
import { AgentRegistry } from "../../runtime/agents/registry.js";
import type { AgentContext, AnyGraph } from "../../runtime/graph/contract/contract.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import { link } from "../../runtime/graph/link/link.js";
import { testWorld } from "../world.js";

function graphOf(
  rows: readonly string[],
  header = "graph_name,node_name,next_node,context,agent_type,next_on_success,next_on_failure,input_fields,output_field,prompt",
): GraphIR {
  const text = [header, ...rows].join("\n");
  const { graphs, diagnostics } = understandSheet(
    { file: "t.csv", bytes: new TextEncoder().encode(text) },
    testWorld(),
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  return graphs[0] as GraphIR;
}

const linked = (rows: readonly string[], agents = new AgentRegistry()): AnyGraph =>
  link(graphOf(rows), agents);

describe("a sheet, linked", () => {
  it("gives agents their settings as plain data that cannot be changed", async () => {
    const registry = new AgentRegistry();
    const seen: unknown[] = [];
    registry.add("look", (_inputs: unknown, { settings }: AgentContext) => {
      const inner = settings["a"] as { b?: number };
      seen.push(`${inner}`, Object.getPrototypeOf(settings) === Object.prototype, Object.isFrozen(inner));
      return settings["a"];
    });
    const { state } = await linked(['G,Look,,"{""a"": {""b"": [1]}}",look,,,,a,'], registry).run({});
    expect([state, seen]).toEqual([{ a: { b: [1] } }, ["[object Object]", true, true]]);
  });

  it("runs", async () => {
    const graph = linked([
      "G,Ask,Greet,,input,,,,name,Who are you?",
      "G,Greet,,,echo,,,name,greeting,Hello {name}!",
    ]);
    expect(await graph.run({ name: "Ada" })).toMatchObject({
      status: "completed",
      path: ["Ask", "Greet"],
      state: { name: "Ada", greeting: "Hello Ada!" },
    });
    expect((await graph.run({})).waiting).toMatchObject([
      { node: "Ask", field: "name", prompt: "Who are you?" },
    ]);
  });

  it("I01 to I04: prompts are rendered in one pass", async () => {
    const prompt = '"{ a } {b.x} {b.l.0} {{a}} {} {a b} {""k"": 1} {secret $& $` it\'s"';
    const graph = linked([`G,Say,,,echo,,,a|b,said,${prompt}`]);
    const { state } = await graph.run({
      a: "{secret} {b} $& </b>",
      b: { x: null, l: [[1, "z"]] },
      secret: "s",
    });
    expect(state["said"]).toBe('{secret} {b} $& </b>  [1,"z"] {a} {} {a b} {"k": 1} {secret $& $` it\'s');
  });

  it("inputs have names of their own and read inside values", async () => {
    const agents = new AgentRegistry();
    agents.add("Look", (inputs: object) => inputs);
    const graph = linked(
      [
        "G,Look,,,look,,,city=order.address.city|first=order.items.0|none=order.a.b?|whole=order|plain,seen:object,",
      ],
      agents,
    );
    const order = { address: { city: "Rome" }, items: ["tea"] };
    expect((await graph.run({ order, plain: 1 })).state["seen"]).toEqual({
      city: "Rome",
      first: "tea",
      whole: order,
      plain: 1,
    });
  });

  it("a failure's reason is there for the handler's prompt, though no input names it", async () => {
    const graph = linked([
      "G,Check,Done,,failure,,Sorry,,,no {x}".replace("no {x}", "no stock"),
      "G,Done,,,echo,,,,,",
      "G,Sorry,,,echo,,,,sorry,Sorry: {error}",
    ]);
    expect((await graph.run({})).state).toMatchObject({ sorry: "Sorry: no stock" });
  });

  it("splits, meets, and merges", async () => {
    const graph = linked([
      'G,Fan,A|B,"{""merge"": {""n"": ""sum""}}",echo,,,,,',
      "G,A,M,,echo,,,x,n,",
      "G,B,M,,echo,,,y,n,",
      "G,M,,,echo,,,n,total,",
    ]);
    expect(await graph.run({ x: 2, y: 3 })).toMatchObject({
      path: ["Fan", "A", "B", "M"],
      state: { n: 5, total: 5 },
    });
  });

  it("settings reach the driver and the agent", async () => {
    const agents = new AgentRegistry();
    let calls = 0;
    agents.add("Flaky", (_: object, { settings, attempt }: { settings: object; attempt: number }) => {
      calls += 1;
      if (attempt < 3) throw new Error("not yet");
      return settings;
    });
    const graph = linked(
      [
        'G,Try,Try,"{""retry"": 3, ""max_visits"": 2, ""on_limit"": ""End"", ""depth"": [1]}",flaky,,,,got:object,',
        "G,End,,,echo,,,,,",
      ],
      agents,
    );
    expect(await graph.run({})).toMatchObject({
      path: ["Try", "Try", "End"],
      state: { got: { depth: [1] } },
    });
    expect(calls).toBe(6);
  });

  it("a switch goes by its list, its cases and its default", async () => {
    const graph = linked([
      'G,Sort,Refund|Other,"{""cases"": {""money back"": ""Refund""}, ""default"": ""Other""}",switch,,,topic,,',
      "G,Refund,,,echo,,,,,",
      "G,Other,,,echo,,,,,",
    ]);
    const to = async (topic: string): Promise<string | undefined> => (await graph.run({ topic })).path[1];
    expect(await Promise.all(["refund", "Money Back", "weather"].map(to))).toEqual([
      "Refund",
      "Refund",
      "Other",
    ]);
  });

  it("an agent that is not there fails only its own node, and can be stood in for", async () => {
    const ir = { ...graphOf(["G,A,,,echo,,,,a,"]) };
    const missing = {
      ...ir,
      nodes: ir.nodes.map((node) => ({ ...node, agent: { type: "gone", written: "gone", builtin: false } })),
    };
    const graph = link(missing, new AgentRegistry());
    expect((await graph.run({})).error).toMatchObject({ node: "A", message: 'there is no agent "gone"' });
    expect((await graph.run({}, { nodes: { A: () => 1 } })).state).toEqual({ a: 1 });
  });
});

describe("the fingerprint", () => {
  const ask = "G,Ask,Greet,,input,,,,name,Who?";
  const greet = "G,Greet,Bye,,echo,,,name,greeting,Hello {name}";
  const bye = "G,Bye,,,echo,,,name,farewell,Bye";
  const rows = [ask, greet, bye];
  const base = fingerprintOf(graphOf(rows));

  it("is short, and the same each time", () => {
    expect(base).toMatch(/^[0-9a-f]{32}$/);
    expect(fingerprintOf(graphOf(rows))).toBe(base);
  });

  it.each<[string, readonly string[]]>([
    ["the order of later rows", [ask, bye, greet]],
    ["rows of other graphs", ["H,X,,,echo,,,,,", ...rows].slice(1).concat("H,X,,,echo,,,,,")],
    ["a description", [ask.replace("Greet,,", "Greet,Asks who it is,"), greet, bye]],
  ])("does not change with %s", (_, other) => {
    expect(fingerprintOf(graphOf(other))).toBe(base);
  });

  it.each<[string, readonly string[]]>([
    ["the entry", [greet, ask.replace("Greet", "Bye"), bye]],
    ["a target", [ask.replace("Greet", "Bye"), greet, bye]],
    ["a prompt", [ask, greet.replace("Hello", "Hallo"), bye]],
    ["an agent", [ask.replace("input", "human"), greet, bye]],
    ["an output", [ask, greet.replace("greeting", "words"), bye]],
    ["an annotation", [ask, greet.replace("greeting", "greeting:string"), bye]],
    ["the annotation of an input", [ask, greet.replace(",name,", ",name:string,"), bye]],
    ["a setting", [ask, greet.replace("Bye,,", 'Bye,"{""retry"": 2}",'), bye]],
    ["a name", [ask, greet, bye].map((row) => row.replaceAll("Greet", "Greet you"))],
  ])("changes with %s", (_, other) => {
    expect(fingerprintOf(graphOf(other))).not.toBe(base);
  });

  it("tells the types of inputs apart, and what may be unset", () => {
    const inputs = ["name.first:string", "name.first:number", "name.first?:string", "name.first"];
    const prints = inputs.map((input) =>
      fingerprintOf(graphOf([ask, greet.replace(",name,", `,f=${input},`), bye])),
    );
    expect(new Set(prints).size).toBe(inputs.length);
  });

  it("tells many small changes apart", () => {
    const prints = new Set(
      Array.from({ length: 2_000 }, (_, i) => fingerprintOf(graphOf([`G,A,,,echo,,,,a,${i}`]))),
    );
    expect(prints.size).toBe(2_000);
  });
});
