import { describe, expect, test } from "vitest";
import { constructorNeeds } from "../../runtime/agents/custom/constructor-needs.js";
import { passedOver } from "../../runtime/agents/custom/passed-over.js";
import { createFolder } from "./folder.js";
import { flowsheet } from "./run.js";

const seenIn = (name: string, text: string): readonly string[] =>
  passedOver(createFolder({ [name]: text })).map(
    ({ what, cure, isLikeAgent }) => `${what}; ${cure}${isLikeAgent ? "" : " (?)"}`,
  );

describe("a file of the agents folder that gives no agent", () => {
  test.each([
    [
      "CommonJS",
      "rate.js",
      'const { Agent } = require("flowsheet");\nmodule.exports = class RateAgent extends Agent { process() {} };',
      'it is a CommonJS module; write it as rate.mjs, with import for require and "export class" for module.exports',
    ],
    [
      "CommonJS by its name",
      "rate.cjs",
      'const { defineAgent } = require("flowsheet");\nexports.rate = defineAgent(() => 1);',
      'it is a CommonJS module; write it as rate.mjs, with import for require and "export class" for module.exports',
    ],
    [
      "a file with JSX",
      "rate.tsx",
      "export class RateAgent extends Agent {}",
      "files that end in .tsx are not read; name it rate.ts",
    ],
    [
      "an agent of another tool",
      "rate.py",
      "class RateAgent(Agent):\n    def process(self, inputs): return 1",
      "it is Python; write it in TypeScript: flowsheet scaffold begins it",
    ],
    [
      "a class behind an error",
      "rate.ts",
      "export class RateError extends Error {}\nclass RateAgent extends Agent {}",
      "its class RateAgent is not exported; write: export class RateAgent",
    ],
    [
      "a class that is not exported",
      "rate.ts",
      "class RateAgent extends Agent<A, B> {}",
      "its class RateAgent is not exported; write: export class RateAgent",
    ],
    [
      "a class that extends nothing",
      "rate.ts",
      "export class RateAgent {\n  process() { return 1; }\n}",
      'its class RateAgent extends nothing; write: export class RateAgent extends Agent, with Agent from "flowsheet"',
    ],
    [
      "an agent that is not exported",
      "rate.ts",
      'import { defineAgent } from "flowsheet";\nconst rate = defineAgent(() => 1);',
      "what defineAgent makes there is not exported; write export before it",
    ],
    [
      "a function",
      "rate.ts",
      "export const rate = async (inputs) => 1;",
      'rate is a function as any other; write: export const rate = defineAgent(…), with defineAgent from "flowsheet" (?)',
    ],
  ])("%s: what was seen, and the cure", (_name, file, text, expected) => {
    expect(seenIn(file, text)).toEqual([expected]);
  });

  test.each([
    ["an agent", "rate.ts", "export class RateAgent extends Agent {}"],
    ["types", "types.ts", "export interface Rate { readonly a: number }"],
    ["a class of no agent", "money.ts", "export class Money { add() {} }"],
    ["an error", "rate.ts", "export class RateError extends Error {}"],
    [
      "an error of a package",
      "rate.ts",
      "class RateError<T>\n  extends http.HttpError {}\nexport const limit = 3;",
    ],
    ["the start of a Python package", "__init__.py", "class RateAgent(Agent):\n    pass"],
    ["a test", "rate.test.ts", "class RateAgent extends Agent {}"],
  ])("nothing is told of %s", (_name, file, text) => {
    expect(seenIn(file, text)).toEqual([]);
  });
});

const PROJECT = {
  "flowsheet.yaml": "workflows: workflows\nagents: agents\n",
  "workflows/order.csv": "graph_name,node_name,agent_type,output_field\nOrder,Rate,rate,rate\n",
  "agents/rate.cjs":
    'const { Agent } = require("flowsheet");\nmodule.exports = class Rate extends Agent {};\n',
  "agents/words.ts": "export const join = (a: string) => a;\n",
};

test("validate, run and doctor say which file was seen, why it gives no agent, and the cure", async () => {
  const cwd = createFolder(PROJECT);
  const help =
    /agents\/rate\.cjs was seen and gives no agent: it is a CommonJS module; write it as rate\.mjs/;
  for (const args of [
    ["validate", "--strict"],
    ["run", "--graph", "Order"],
  ]) {
    const { code, stdout, stderr } = await flowsheet(args, { cwd });
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(help)]);
  }
  const { stdout } = await flowsheet(["doctor"], { cwd });
  expect(stdout).toMatch(
    /agents\/rate\.cjs was seen and gives no agent: it is a CommonJS module\n.*write it as rate\.mjs/,
  );
  expect(stdout).not.toContain("words.ts");
});

describe("a class that is not made without arguments", () => {
  test.each<[string, string, readonly string[]]>([
    ["a property", "class A extends Agent { constructor(private readonly db: Db) { super(); } }", ["db"]],
    [
      "several",
      "class A { constructor(a: Map<string, number>, b: (x: A, y: B) => C, { c }) {} }",
      ["a", "b", "an object"],
    ],
    ["none", "class A { constructor() {} }", []],
    ["what may be left out", "class A { constructor(a?: Db, b = f(1, 2), ...c: D[]) {} }", []],
    ["no constructor", "class A { process() {} }", []],
    ["another class", "class B { constructor(a) {} }", []],
  ])("%s", (_name, text, expected) => {
    expect(constructorNeeds(text, "A")).toEqual(expected);
  });

  test("run and doctor say what it needs and what to do", async () => {
    const cwd = createFolder({
      ...PROJECT,
      "agents/rate.cjs": "",
      "agents/rate.ts":
        'import { Agent } from "flowsheet";\nexport class RateAgent extends Agent<object, number> {\n  constructor(private readonly db: { rate(): number }) { super(); }\n  override process() { return this.db.rate(); }\n}\n',
    });
    const why =
      /the class "RateAgent" needs constructor arguments \(db\), and agents are made without any; take it from context\.services/;
    for (const args of [["run", "--graph", "Order"], ["doctor"]]) {
      const { code, stdout, stderr } = await flowsheet(args, { cwd });
      expect([code > 0, stdout + stderr]).toEqual([true, expect.stringMatching(why)]);
    }
  });
});
