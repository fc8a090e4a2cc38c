import { expect, test } from "vitest";
import { readAgentFile } from "../../compiler/agent-files/agent-file.js";
import { declaredInputs } from "../../compiler/agent-files/declared-inputs.js";
import { formatType } from "../../compiler/types/format-type.js";

/** What an agent called A takes, as a sheet would write it. */
const takes = (text: string): string =>
  [...(declaredInputs(readAgentFile(`import { Agent, defineAgent } from "flowsheet";\n${text}`), "A") ?? [])]
    .map(([name, type]) => `${name}:${formatType(type)}`)
    .join("|");

test.each([
  [
    "a class",
    "export class A extends Agent<{ n: number; t: string }, {}> { process() { return {}; } }",
    "n:number",
  ],
  [
    "its method",
    "export class A extends Agent { process({ n }: { n: boolean }) { return n; } }",
    "n:boolean",
  ],
  ["a function", "export const A = defineAgent(async (i: { n?: number }) => i.n);", "n:number"],
  [
    "what defineAgent names",
    "export const A = defineAgent<{ n: number }, number>(({ n }) => n);",
    "n:number",
  ],
  [
    "a function by name",
    "function work(i: { n: number[] }) { return i; }\nexport const A = defineAgent(work);",
    "n:number[]",
  ],
  [
    "an interface",
    "interface I { n: readonly string[]; o: { x: 1 } }\nexport const A = defineAgent((i: I) => i);",
    "n:string[]|o:object",
  ],
  [
    "types by name",
    "type How = 'a' | 'b';\ntype I = { how: How | undefined };\nexport const A = defineAgent((i: I) => i);",
    "how:'a'/'b'",
  ],
  [
    "interfaces and types of the language",
    "interface O { x: 1 }\nexport const A = defineAgent((i: { o: O; r: Record<string, O>; l: ReadonlyArray<number> }) => i);",
    "o:object|r:object|l:number[]",
  ],
  ["lists of anything", "export const A = defineAgent((i: { n: Line[] }) => i);", "n:list"],
])("declared by %s", (_, text, wanted) => {
  expect(takes(text)).toBe(wanted);
});

test.each([
  [
    "text, and what may be text",
    "export const A = defineAgent((i: { n: string; m: number | string }) => i);",
  ],
  ["null beside it", "export const A = defineAgent((i: { n: number | null }) => i);"],
  ["anything but null", "interface E {}\nexport const A = defineAgent((i: { n: {}; m: E }) => i);"],
  [
    "what is no data",
    "interface F { (): void }\nexport const A = defineAgent((i: { n: F; m: { go(): void }; d: Date }) => i);",
  ],
  ["unknown and any", "export const A = defineAgent((i: { n: unknown; m: any }) => i);"],
  [
    "types of other files",
    'import type { I, N } from "./types.js";\nexport const A = defineAgent((i: I & { n: N }) => i);',
  ],
  ["a type that is itself", "type N = N | undefined;\nexport const A = defineAgent((i: { n: N }) => i);"],
  ["parameters of a class", "export class A<T> extends Agent<T, {}> { process(i: T) { return {}; } }"],
  [
    "another defineAgent",
    'import { defineAgent as of } from "./mine.js";\nexport const A = of((i: { n: number }) => i);',
  ],
  ["no types", "export const A = defineAgent((i) => i);"],
])("nothing is kept of %s", (_, text) => {
  expect(takes(text)).toBe("");
});
