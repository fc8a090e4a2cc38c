import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { support } from "../../generated/support.gen.js";
import { expectDiagnostics, mock, scriptedModel, testSheet } from "../../runtime/testing/index.js";
import { createFolder } from "../cli/folder.js";

testSheet("examples/support.test.csv", { test });

/** Takes the tests that testSheet registers. */
function collect(
  path: string,
  options: Parameters<typeof testSheet>[1] = {},
): ReadonlyMap<string, () => Promise<void>> {
  const found = new Map<string, () => Promise<void>>();
  testSheet(path, { ...options, test: (name, run) => found.set(name, run) });
  return found;
}

describe("testSheet", () => {
  const flow =
    "graph_name,node_name,agent_type,input_fields,output_field,prompt\nG,Draft,llm,name:string,draft,Greet {name}\n";

  test("registers a test for each case, which fails as the command line shows it", async () => {
    const tests = `case,given,mocks,expect_state\nfine,"{""name"": ""Ada""}","{""Draft"": ""Hi""}","{""draft"": ""Hi""}"\nwrong,"{""name"": ""Ada""}","{""Draft"": ""Hi""}","{""draft"": ""Ho""}"\n`;
    const found = collect(join(createFolder({ "a.csv": flow, "a.test.csv": tests }), "a.test.csv"));
    expect([...found.keys()]).toEqual(["G: fine", "G: wrong"]);
    await found.get("G: fine")?.();
    await expect(found.get("G: wrong")?.()).rejects.toThrow(
      /expect_state: the state differs in "draft"[\s\S]*cell D3[\s\S]*> draft +"Ho" +"Hi"/,
    );
  });

  test("asks a scripted model for nodes that no case mocks", async () => {
    const tests = `case,given,expect_state\nasks,"{""name"": ""Ada""}","{""draft"": ""Dear Ada""}"\n`;
    const path = join(createFolder({ "a.csv": flow, "a.test.csv": tests }), "a.test.csv");
    const model = scriptedModel(["Dear Ada"]);
    await collect(path, { services: { llm: model } }).get("G: asks")?.();
    expect(model.requests).toMatchObject([{ prompt: "Greet Ada" }]);
    await expect(collect(path).get("G: asks")?.()).rejects.toThrow(
      'node "Draft" asks a model, which a test must not do',
    );
  });

  test("a test sheet with errors is a test that fails; its other cases are tested", async () => {
    const tests = `case,given,mocks\nbad,{,\nfine,"{""name"": ""Ada""}","{""Draft"": ""Hi""}"\n`;
    const found = collect(join(createFolder({ "a.csv": flow, "a.test.csv": tests }), "a.test.csv"));
    expect([...found.keys()]).toEqual(["a.test.csv has no errors", "G: fine"]);
    await expect(found.get("a.test.csv has no errors")?.()).rejects.toThrow(
      "error bad-case: given is not JSON",
    );
    await found.get("G: fine")?.();
  });

  test("says what it lacks", () => {
    expect(() => testSheet("examples/hello.test.csv")).toThrow(
      "testSheet needs the function that takes tests",
    );
    expect(() => collect("examples/nowhere.test.csv")).toThrow(
      "cannot open nowhere.test.csv: there is no such file",
    );
  });
});

describe("mock", () => {
  const given = { customer: "Ada", question: "Where is my parcel?" };

  test("stands in for agents of generated modules", async () => {
    const { path, state } = await support.run(given, { nodes: { Answer: mock.throws("lost") } });
    expect(path).toEqual(["Ask", "IsRefund", "IsUrgent", "Answer", "Apologize", "Close"]);
    expect(state.reply).toContain("(lost)");
  });

  test("fails with a reason, returns, and differs by visit", async () => {
    const failed = await support.run(given, {
      nodes: { Answer: mock.fails("no idea"), Apologize: mock.returns("Sorry") },
    });
    expect(failed.state).toMatchObject({ error: "no idea", reply: "Sorry" });
    const nodes = { IsRefund: mock.visits(mock.fails("x"), mock.returns(true)) };
    expect((await support.run(given, { nodes })).path).toContain("IsUrgent");
  });
});

describe("expectDiagnostics", () => {
  const sheet = "graph_name,node_name,next_node,prompt\ng,A,B,x\n";

  test("is silent when the diagnostics are as expected", () => {
    expectDiagnostics(sheet, ["unknown-node"]);
    expectDiagnostics(sheet, ["unknown-node C2"]);
    expectDiagnostics(sheet.replace(",B,", ",,"), []);
  });

  test.each([[[]], [["unknown-node C3"]], [["bad-name"]], [["unknown-node", "unknown-node"]]])(
    "throws for %j",
    (wanted) => {
      expect(() => expectDiagnostics(sheet, wanted)).toThrow(/but this was reported:\n\nerror unknown-node/);
    },
  );
});

describe("scriptedModel", () => {
  const call = { signal: new AbortController().signal, log: { warn: () => {} } };

  test("answers in turn: text, data, what a function makes of the request, an error", async () => {
    const model = scriptedModel(["one", { a: 1 }, ({ prompt }) => prompt.toUpperCase(), new Error("down")]);
    const texts = [];
    for (const prompt of ["a", "b", "c"]) texts.push((await model.generate({ prompt }, call)).text);
    expect(texts).toEqual(["one", '{"a":1}', "C"]);
    await expect(model.generate({ prompt: "d" }, call)).rejects.toThrow("down");
    await expect(model.generate({ prompt: "e" }, call)).rejects.toThrow(
      "has 4 answers, and was asked 5 times",
    );
    expect(model.requests).toHaveLength(5);
  });
});
