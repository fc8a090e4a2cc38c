import { describe, expect, test } from "vitest";
import { agentsIn } from "../../runtime/agents/custom/agents-in.js";
import { findAgents } from "../../runtime/agents/custom/find.js";
import { createFolder } from "./folder.js";

const typesIn = (source: string, file = "weather.ts"): readonly string[] =>
  agentsIn(source, file).map(
    ({ type, export: exported, isSure }) => `${type} ${exported}${isSure ? "" : "?"}`,
  );

describe("agents of a module", () => {
  test.each([
    [
      "a class",
      "export class WeatherAgent extends Agent<{ city: string }, { forecast: string }> {}",
      "weather WeatherAgent",
    ],
    ["a class in several words", "export class NextRowAgent extends Agent {}", "nextrow NextRowAgent"],
    ["a class over several lines", "export class Row<\n  T,\n> extends Agent<\n T\n> {}", "row Row"],
    [
      "a class with Windows line ends",
      "\r\nexport class RowAgent\r\n  extends Agent {\r\n}\r\n",
      "row RowAgent",
    ],
    ["a default class with a name", "export default class RowAgent extends Agent {}", "row default"],
    ["a default class without a name", "export default class extends Agent {}", "weather default"],
    ["a made agent", "export const lookUp = defineAgent(async () => ({}));", "lookup lookUp"],
    [
      "a made agent with a type",
      "export const lookUp: AgentLike<A, B> = defineAgent<A, B>({});",
      "lookup lookUp",
    ],
    ["a default made agent", "export default defineAgent({});", "weather default"],
    ["a class exported later", "class A extends Agent {}\nexport { A as RowAgent };", "row RowAgent"],
    [
      "a class exported later by default",
      "class RowAgent extends Agent {}\nexport default RowAgent;",
      "row default",
    ],
    [
      "all on one line",
      'import { defineAgent } from "flowsheet"; export const foo = defineAgent(() => 1);',
      "foo foo",
    ],
    ["a variable", "export var foo = defineAgent(() => 1);", "foo foo"],
    [
      "a made agent with a function's type",
      "export const foo: (i: { x?: string }, c: C) => number = defineAgent(() => 1);",
      "foo foo",
    ],
    [
      "a made agent with a type of several members",
      "export const rate: AgentFunction<{ a: number; b?: number }, number> = defineAgent(() => 1);",
      "rate rate",
    ],
    ["a made agent behind another variable", "let a; export const foo = defineAgent(() => 1);", "foo foo"],
    [
      "a maker under another name",
      'import { defineAgent as d$ } from "flowsheet";\nexport const foo = d$(() => 1);',
      "foo foo",
    ],
    ["a maker of a namespace", "export const foo = fs.defineAgent(() => 1);", "foo foo"],
    ["a class as a value", "export const FooAgent = class extends Agent {\n};", "foo FooAgent"],
    [
      "a class with a name as a value",
      "export const FooAgent = class Foo extends Agent {\n};",
      "foo FooAgent",
    ],
    [
      "what a bundler makes of a class",
      "var FooAgent = class extends Agent {\n  process() {}\n};\nexport {\n  FooAgent\n};\n",
      "foo FooAgent",
    ],
    [
      "what a bundler makes when it saves room",
      'import{defineAgent as r}from"flowsheet";var o=r(()=>1);export{o as foo};',
      "foo foo",
    ],
    ["what a function of the project made", "export const row = makeAgent();", "row row?"],
    [
      "the same, exported later",
      "const row = makers.row<A>(1);\nexport { row as RowAgent };",
      "row RowAgent?",
    ],
    ["another name for what is elsewhere", "export const row = other;", "row row?"],
    ["an agent of a base for errors", "export class RowAgent extends ErrorAgent {}", "row RowAgent"],
    ["an agent named Agent", "export class Agent extends Base {}", "agent Agent"],
    [
      "a class behind a template text with a line that begins a comment",
      `const style = \`\n/* all\n// of \${\`x\${1}\`} it\`;\nexport class RowAgent extends Agent {}`,
      "row RowAgent",
    ],
    [
      "a class behind patterns and texts with marks in them",
      "const a = /[/`]\"/, b = '/*', c = \"it's `\", d = 1 / 2; // `\nexport class RowAgent extends Agent {}",
      "row RowAgent",
    ],
    [
      "a class behind a template text that nothing closes",
      "const a = \\`;\nexport class RowAgent extends Agent {}",
      "row RowAgent",
    ],
    [
      "an agent in another script",
      "export class ÜbersetzerAgent extends Agent {}",
      "übersetzer ÜbersetzerAgent",
    ],
  ])("%s", (_name, source, expected) => {
    expect(typesIn(source)).toEqual([expected]);
  });

  test.each([
    ["a class that is not exported", "class RowAgent extends Agent {}"],
    ["a class that extends nothing", "export class RowAgent {}"],
    ["an abstract class", "export abstract class BaseAgent extends Agent {}"],
    ["an interface", "export interface RowAgent extends Agent {}"],
    ["a line that is commented out", "// export class RowAgent extends Agent {}"],
    ["a block that is commented out", "/*\nexport class RowAgent extends Agent {}\n*/"],
    ["a number", "export const row = 5;"],
    ["a frozen object", "export const row = Object.freeze({ a: 1 });"],
    ["data that the language makes", "export const row = Symbol(1); export const all = JSON.parse(x);"],
    ["a line of a template text", "const a = `\nexport class RowAgent extends Agent {}\n`;"],
    ["what a comment behind a statement says", "x = 1; // was; export class Old extends Agent {}"],
    ["an error", "export class RateError extends Error {}"],
    ["an error of an error", "export default class RateError extends errors.BaseError {}"],
    ["an error as a value", "export const RateError = class extends TypeError {};"],
    ["an exception, exported later", "class Rate extends HttpException {}\nexport { Rate };"],
    ["a function", "export const row = (a) => a + 1;"],
    ["a function with a body", "export const row = async function () {};"],
    ["an object", "export const row = { a: defineAgent };"],
    ["a comparison", "export const row = a == defineAgent;"],
    [
      "a line of several statements that is commented out",
      "// a(); export const foo = defineAgent(() => 1);",
    ],
    ["a type of the same list", "interface A extends B {}\nexport { A };"],
    ["a class before one that extends", "export class A {}\nclass BAgent extends Agent {}"],
  ])("none: %s", (_name, source) => {
    expect(typesIn(source)).toEqual([]);
  });

  test("reads a hostile module in linear time", () => {
    const started = performance.now();
    for (const part of [
      "/*",
      "export class A ",
      "export {",
      "export const a ",
      "class A extends ",
      "\n/*\n",
      "\n//",
      "export const a: b => ",
      "var a = b.c.",
      "import {",
      ";var a=d(()=>1)",
      "`${",
      "\\`",
      "`",
      "x = /[",
      "'\\",
      "{}/",
    ]) {
      agentsIn(part.repeat(100_000), "a.ts");
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe("agents of a folder", () => {
  test("come from source files only, also in folders", () => {
    const folder = createFolder({
      "weather.ts": "export class WeatherAgent extends Agent {}",
      "deep/row.mjs": "export default class RowAgent extends Agent {}",
      "weather.test.ts": "export class FakeAgent extends Agent {}",
      "types.d.ts": "export class TypedAgent extends Agent {}",
      "node_modules/x/x.js": "export class ForeignAgent extends Agent {}",
      ".hidden/x.js": "export class HiddenAgent extends Agent {}",
      "notes.md": "export class NotedAgent extends Agent {}",
    });
    expect(findAgents(folder).map(({ type }) => type)).toEqual(["row", "weather"]);
  });

  test("a value that may be an agent is left out where there is one", () => {
    const folder = createFolder({
      "a.ts": "export const row = makeRow();",
      "b.ts": "export const RowAgent = defineAgent(() => 1);",
    });
    expect(findAgents(folder).map(({ file, isSure }) => [file.endsWith("b.ts"), isSure])).toEqual([
      [true, true],
    ]);
  });

  test("a module is not run", () => {
    const folder = createFolder({
      "bad.js": "throw new Error('run');\nexport class BadAgent extends Agent {}",
    });
    expect(findAgents(folder).map(({ type }) => type)).toEqual(["bad"]);
  });

  test("a folder that is not there holds none", () => {
    expect(findAgents("/no/such/folder")).toEqual([]);
  });
});
