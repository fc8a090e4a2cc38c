import { expect, test } from "vitest";
import { readAgentFile } from "../../compiler/agent-files/agent-file.js";
import { declaredFailures } from "../../compiler/agent-files/declared-failures.js";

const failing = (text: string): readonly string[] => [...declaredFailures(readAgentFile(text))].sort();

test.each([
  [
    "a private method",
    'import { Agent, fail } from "flowsheet";\nexport class A extends Agent { process() { return this.#go(); } #go() { return fail("no"); } }',
  ],
  [
    "an interface that extends Failure",
    'import { Agent, type Failure } from "flowsheet";\ninterface No extends Failure {}\ninterface Never extends No {}\nexport class A extends Agent { process(): number | Never { return 1; } }',
  ],
  [
    "a type in front of fail",
    'import { defineAgent, fail } from "flowsheet";\nexport const A = defineAgent(() => <any>fail("no"));',
  ],
  [
    "a variable that is set later",
    'import { Agent, fail } from "flowsheet";\nexport class A extends Agent { process({ n }) { let out; if (n) out = n; else out = fail("no"); return out; } }',
  ],
  [
    "a return type that names Failure",
    'import { Agent, type Failure } from "flowsheet";\nexport class A extends Agent<{}, number> { process(): number | Failure { return go(); } }',
  ],
  [
    "one under another name, in a promise",
    'import { Agent, type Failure as No } from "flowsheet";\nexport class A extends Agent { async process(): Promise<string | No> { return later(); } }',
  ],
  [
    "one of a module that is imported whole",
    'import * as flow from "flowsheet";\nexport class A extends flow.Agent { process(): string | flow.Failure { return flow.fail("no"); } }',
  ],
  [
    "a type of the module that names it",
    'import type { Failure } from "flowsheet";\ninterface Yes { n: number }\ntype Found = Yes | Failure;\nexport const A = defineAgent((): Promise<Found> => look());',
  ],
  [
    "no return type, and fail in the work",
    'import { Agent, fail } from "flowsheet";\nexport class A extends Agent { process({ n }) { return n > 1 ? n : fail("too few"); } }',
  ],
  [
    "fail under another name, in a function",
    'import { defineAgent, fail as no } from "flowsheet";\nexport const A = defineAgent<{ n: number }, number>(async ({ n }) => { if (n < 1) return no("few"); return n; });',
  ],
  [
    "fail of a whole module",
    'import * as flow from "flowsheet";\nexport const A = flow.defineAgent(() => flow.fail("never"));',
  ],
  [
    "a function of the module that fails",
    'import { defineAgent, fail } from "flowsheet";\nfunction refuse(why) { return fail(why); }\nconst work = ({ n }) => n || refuse("none");\nexport const A = defineAgent(work);',
  ],
  [
    "a method beside the work",
    'import { Agent, fail } from "flowsheet";\nexport class A extends Agent { process() { return this.no(); }\n no() { return fail("no"); } }',
  ],
  [
    "a class that another one extends",
    'import { Agent, fail } from "flowsheet";\nclass Base extends Agent { process() { return fail("no"); } }\nexport class A extends Base {}',
  ],
  [
    "Outcome as the return type, and fail in the work",
    'import { Agent, fail, type Outcome } from "flowsheet";\nexport class A extends Agent { process(): Outcome<number> { return fail("no"); } }',
  ],
  [
    "Outcome as the return type, and work in another file",
    'import { Agent, type Outcome } from "flowsheet";\nimport go from "./go.js";\nexport class A extends Agent { async process(): Promise<Outcome<number>> { return await go(); } }',
  ],
  [
    "Outcome as the return type, and work in a private method",
    'import { Agent, fail, type Outcome } from "flowsheet";\nexport class A extends Agent { process(): Outcome<number> { return this.#go(); } #go() { return fail("no"); } }',
  ],
  [
    "the type of what fail makes",
    'import { Agent, fail } from "flowsheet";\nexport class A extends Agent { process(): number | ReturnType<typeof fail> { return go(); } }',
  ],
  [
    "a variable that is returned",
    'import { defineAgent, fail } from "flowsheet";\nexport const A = defineAgent(({ n }) => { const found = n ?? fail("none"); return found; });',
  ],
  [
    "a factory that fails for what it is given",
    'import { defineAgent, fail } from "flowsheet";\nconst guarded = (work) => defineAgent((given) => given.n > 1 ? work(given) : fail("few"));\nexport const A = guarded((given: { n: number }): number => given.n);',
  ],
  [
    "a promise that is made of it",
    'import { defineAgent, fail } from "flowsheet";\nexport const A = defineAgent(() => Promise.resolve(fail("no")));',
  ],
  [
    "an export that stands apart",
    'import { defineAgent, fail } from "flowsheet";\nconst one = defineAgent(() => fail("no"));\nexport { one as A };',
  ],
  [
    "a class that is a value",
    'import { Agent, fail } from "flowsheet";\nexport const A = class extends Agent { process = () => fail("no"); };',
  ],
])("%s is a declared failure", (_, text) => {
  expect(failing(text)).toEqual(["A"]);
});

test.each([
  [
    "an agent that only throws",
    'import { Agent } from "flowsheet";\nexport class A extends Agent { process() { throw new Error("no"); } }',
  ],
  [
    "a return type without one, whatever else is there",
    'import { Agent, fail } from "flowsheet";\nconst no = () => fail("no");\nexport class A extends Agent { process(): number { no(); return 1; } }',
  ],
  [
    "Outcome where nothing fails",
    'import { Agent, type Outcome } from "flowsheet";\nexport class A extends Agent { process(): Outcome<number> { return 1; } }',
  ],
  [
    "Outcome where the work is a call of what is known",
    'import { Agent, type Outcome } from "flowsheet";\nimport { go } from "./go.js";\nexport class A extends Agent { process(): Outcome<string> { const n = go(); return String(n).trim(); } }',
  ],
  [
    "interfaces and variables that hold none",
    'import { Agent, fail } from "flowsheet";\ninterface Base { n: number }\ninterface Yes extends Base {}\nexport class A extends Agent { process(): Yes { let out, other; other = fail("unused"); out = { n: 1 }; return out; } }',
  ],
  [
    "work in another file without Outcome",
    'import { Agent } from "flowsheet";\nimport { go } from "./go.js";\nexport class A extends Agent { process() { return go(); } }',
  ],
  [
    "what only bears the name",
    'import { defineAgent } from "flowsheet";\nimport { log } from "./log.js";\nexport const A = defineAgent(() => { log.fail("x"); return { fail: 1 }; });',
  ],
  [
    "a failure inside of what is given back",
    'import { Agent, type Failure } from "flowsheet";\nexport class A extends Agent { process(): { result: string; problems: readonly Failure[] } { return go(); } }',
  ],
  [
    "one that the work handles",
    'import { defineAgent, fail } from "flowsheet";\nconst look = (n) => n > 1 ? n : fail("few");\nexport const A = defineAgent(({ n }) => { const found = look(n); return typeof found === "number" ? found + 1 : 0; });',
  ],
  [
    "a static method of the name",
    'import { Agent, fail } from "flowsheet";\nexport class A extends Agent { static process() { return fail("no"); }\n process() { return 1; } }',
  ],
  [
    "a type of the module that has the name",
    'import { Agent } from "flowsheet";\ninterface Failure { why: string }\nexport class A extends Agent { process(): string | Failure { return ""; } }',
  ],
  [
    "what another package calls so",
    'import { fail } from "node:assert";\nimport { defineAgent } from "flowsheet";\nexport const A = defineAgent(({ n }) => n > 1 ? n : fail("few"));',
  ],
  [
    "a word of a text or a comment",
    'import { defineAgent } from "flowsheet";\n// fail("x") is for others\nexport const A = defineAgent(() => "fail");',
  ],
  [
    "another agent of the file that fails",
    'import { defineAgent, fail } from "flowsheet";\nconst B = defineAgent(() => fail("no"));\nexport const A = defineAgent(() => 1);',
  ],
])("%s is none", (_, text) => {
  expect(failing(text)).toEqual([]);
});

test("default exports, with and without a name", () => {
  const head = 'import { Agent, defineAgent, fail } from "flowsheet";\n';
  for (const rest of [
    'export default class extends Agent { process() { return fail("no"); } }',
    'export default defineAgent(() => fail("no"));',
    'const one = defineAgent(() => fail("no"));\nexport default one;',
    'const one = defineAgent(() => fail("no"));\nexport { one as default };',
  ])
    expect(failing(head + rest)).toEqual(["default"]);
});

test("deep trees end", () => {
  const sum = `${'"a" + '.repeat(6_000)}"a"`;
  const head = 'import { defineAgent, fail } from "flowsheet";\n';
  expect(failing(`${head}export const A = defineAgent(() => ${sum});`)).toEqual([]);
  expect(
    failing(`${head}export const A = defineAgent(() => { const b = ${sum}; return fail(b); });`),
  ).toEqual(["A"]);
  expect(failing(`${head}${"{".repeat(20_000)}${"}".repeat(20_000)}`)).toEqual([]);
});

test("circles, wrong code and nothing at all end", () => {
  expect(failing("export const A = B;\nconst B = A;\nclass C extends C {}\nexport { C };")).toEqual([]);
  expect(failing("export class { process( { return fail(")).toEqual([]);
  expect(failing("")).toEqual([]);
});
