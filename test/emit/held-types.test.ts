import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { GraphIR, Json } from "../../compiler/ir.js";
import type { AnyGraph, StandIns } from "../../runtime/graph/contract/contract.js";
import { fail } from "../../runtime/graph/index.js";
import { understandText } from "../world.js";
import { graphIn, importModules, moduleOf } from "./emitted.js";
import { interpreted } from "./play.js";

const folder = mkdtempSync(join(tmpdir(), "flowsheet-held-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TYPES = [
  "string",
  "number",
  "boolean",
  "object",
  "list",
  "any",
  "string[]",
  "number[]",
  "boolean[]",
  "object[]",
  "'yes'/'no'",
] as const;
type Named = (typeof TYPES)[number];

/** Those of the words for yes and no that random texts can come to. */
const YES = new Set(["yes", "y", "true", "t", "on", "1"]);
const NO = new Set(["no", "n", "false", "f", "off", "0"]);

/** The rule, written down once more: what becomes of a value under an annotation; undefined when it does not fit. */
function rule(value: Json, type: Named): Json | undefined {
  const is = (one: unknown, plain: string): boolean =>
    plain === "object"
      ? typeof one === "object" && one !== null && !Array.isArray(one)
      : typeof one === plain;
  const listFits = (list: unknown): boolean =>
    Array.isArray(list) && (type === "list" || list.every((one) => is(one, type.slice(0, -2))));
  const isList = type === "list" || type.endsWith("[]");
  if (type === "any") return value;
  if (isList ? listFits(value) : type.startsWith("'") ? value === "yes" || value === "no" : is(value, type))
    return value;
  if (typeof value !== "string") return undefined;
  const word = value.trim().toLowerCase();
  if (type === "number") return word !== "" && Number.isFinite(Number(word)) ? Number(word) : undefined;
  if (type === "boolean") return YES.has(word) ? true : NO.has(word) ? false : undefined;
  if (type.startsWith("'")) return word === "yes" || word === "no" ? word : undefined;
  try {
    const data = JSON.parse(value) as Json;
    return (isList ? listFits(data) : is(data, type)) ? data : undefined;
  } catch {
    return undefined;
  }
}

const texts = [
  "abc",
  "1.200,50",
  "12",
  " 7 ",
  "-1e3",
  "",
  "yes",
  "No",
  "true",
  "null",
  "[1,2]",
  '["a"]',
  "[{}]",
];
const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...texts, '{"a":1}', '{"a":"1"}', "a|b", "[1", "0", "1"),
  fc.constantFrom<Json>(null, true, 0, 1.5, [], {}, ["a"], [1], ["1"], [true], [{}], [null], { a: 1 }),
  // Runs take no entry of that name.
  fc
    .jsonValue({ maxDepth: 2 })
    .filter((value) => !JSON.stringify(value).includes("__proto__")) as fc.Arbitrary<Json>,
);

/** A node that writes, one that reads inside, and one that reads the whole of what nobody holds. */
const graphs: readonly (readonly [Named, GraphIR])[] = TYPES.map((type) => {
  const rows = [
    `G,Begin,Write,echo,,,begun,go,`,
    `G,Write,Inside,writer,Inside,,"written:${type}",,`,
    `G,Inside,Open,reader,Open,"inner=free.a:${type}",inside,,`,
    `G,Open,Whole,opener,,,raw,,`,
    `G,Whole,,reader,End,"raw:${type}",whole,,`,
    `G,End,,echo,,,end,over,`,
  ];
  const { graphs: all, diagnostics } = understandText(
    `graph_name,node_name,next_node,agent_type,next_on_failure,input_fields,output_field,prompt,context\n${rows.join("\n")}\n`,
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return [type, all[0]!] as const;
});

const standIns = (value: Json): StandIns<AnyGraph["definition"]["nodes"]> => ({
  Write: () => value,
  Inside: ({ inner }: { readonly inner: Json }) => ({ inside: { saw: inner } }),
  Open: () => ({ raw: value }),
  Whole: ({ raw }: { readonly raw: Json }) => ({ whole: { saw: raw } }),
});

test("what nodes write and read is held to its type, interpreted and generated alike", async () => {
  const modules = await importModules(
    graphs.map(([, ir]) => moduleOf(ir)),
    folder,
  );
  const producers = graphs.map(([type, ir], i) => ({ type, both: [interpreted(ir), graphIn(modules[i]!)] }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...producers), values, async ({ type, both }, value) => {
      const said: string[] = [];
      for (const graph of both) {
        const { status, state, path } = await graph.run({ free: { a: value } }, { nodes: standIns(value) });
        said.push(JSON.stringify([status, state, path]));
        const held = rule(value, type);
        // An annotated object takes the whole answer, all others the entry that has the field's name.
        expect([state["written"], state["inside"], state["whole"]]).toEqual([
          held,
          held === undefined ? undefined : { saw: held },
          held === undefined ? undefined : { saw: held },
        ]);
        expect("error" in state).toBe(held === undefined);
        if (held === undefined) expect(state["error"]).toContain(` must be ${type}, not `);
      }
      expect(said[1]).toBe(said[0]);
    }),
    { numRuns: 1_500 },
  );
});

const sheet = (...rows: readonly string[]): GraphIR => {
  const header =
    "graph_name,node_name,next_node,agent_type,next_on_failure,input_fields,output_field,prompt,context";
  const { graphs: all } = understandText(`${header}\n${rows.join("\n")}\n`);
  return all[0]!;
};

async function both(ir: GraphIR): Promise<readonly AnyGraph[]> {
  const [module = {}] = await importModules([moduleOf(ir)], folder);
  return [interpreted(ir), graphIn(module)];
}

test("without a failure edge the run fails as bad_value, once, and names the entry of the cell", async () => {
  const writes = sheet('G,A,,agent,,,n:number,,"{""retry"": 3}"');
  const reads = sheet("G,A,B,agent,,,line,,", "G,B,,agent,,net=line.net:number,out,,");
  for (const graph of await both(writes)) {
    let calls = 0;
    const count = (): string => `abc${"!".repeat(calls++)}`;
    const { status, error } = await graph.run({}, { nodes: { A: count } });
    expect({ status, calls, error }).toEqual({
      status: "failed",
      calls: 1,
      error: {
        code: "bad_value",
        message: 'output "n" must be number, not "abc"',
        graph: "G",
        node: "A",
        item: { column: "output_field", name: "n" },
      },
    });
  }
  for (const graph of await both(reads)) {
    const { error } = await graph.run({}, { nodes: { A: () => ({ line: {} }), B: () => "never" } });
    expect(error).toMatchObject({
      code: "bad_value",
      message: 'input "net" (line.net) must be number, but it is unset',
      node: "B",
      item: { column: "input_fields", name: "net" },
    });
  }
});

test("what fail() writes is held too, and nothing is written when one entry does not fit", async () => {
  const ir = sheet("G,A,,agent,H,,a:number|b:boolean,,", "G,H,,echo,,error,said,{error},");
  for (const graph of await both(ir)) {
    const good = await graph.run({}, { nodes: { A: () => fail("no", { a: "5", b: "yes" }) } });
    expect(good.state).toEqual({ a: 5, b: true, error: "no", said: "no" });
    const bad = await graph.run({}, { nodes: { A: () => fail("no", { a: 5, b: "perhaps" }) } });
    expect(bad.state).toEqual({
      error: 'output "b" must be boolean, not "perhaps"',
      said: 'output "b" must be boolean, not "perhaps"',
    });
  }
});

test("S: the value is cut only after its secrets are taken out", async () => {
  const secret = "sk-secret-0123456789-0123456789";
  const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
  const ir = sheet("G,A,,agent,,,n:number,,");
  const value = `${"x".repeat(85)}${secret}${"y".repeat(500)}`;
  for (const graph of await both(ir)) {
    const { error } = await graph.run({}, { nodes: { A: () => value }, redact });
    expect(error?.message).not.toContain("sk-secret");
    expect(error?.message.length).toBeLessThan(150);
    expect(error?.message).toMatch(/…$/);
  }
});

test("a merge appends items that are held one by one", async () => {
  const ir = sheet(
    'G,S,A|B,echo,,,,go,"{""merge"": {""n"": ""append""}}"',
    "G,A,M,agent,,,n:number,,",
    "G,B,M,agent,,,n:number,,",
    "G,M,,agent,,n:number[],out,,",
  );
  for (const graph of await both(ir)) {
    const nodes = { A: () => "1", B: () => 2, M: ({ n }: { readonly n: Json }) => ({ out: n }) };
    expect((await graph.run({}, { nodes })).state).toEqual({ n: [1, 2], out: [1, 2] });
    const { error } = await graph.run({}, { nodes: { ...nodes, B: () => "two" } });
    expect(error).toMatchObject({ code: "bad_value", node: "B" });
  }
});

test("a run that was suspended goes on under the same rule", async () => {
  const ir = sheet("G,A,B,input,,,name,Who?,", "G,B,,agent,,name,n:number,,");
  for (const graph of await both(ir)) {
    const nodes = { B: ({ name }: { readonly name: Json }) => name };
    const first = await graph.run({}, { nodes });
    if (first.status !== "suspended") throw new Error("it waits");
    const goOn = async (name: string): Promise<unknown> => {
      const { state, error } = await graph.resume(first.checkpoint, { A: name }, { nodes });
      return [(state as { readonly n?: Json }).n, error?.code];
    };
    expect(await goOn("12")).toEqual([12, undefined]);
    expect(await goOn("twelve")).toEqual([undefined, "bad_value"]);
  }
});

test("a caller of a graph in code is refused what is of another type", async () => {
  for (const graph of await both(sheet("G,A,,agent,,n:number,out,,")))
    await expect(graph.run({ n: "5" }, { nodes: { A: () => 1 } })).rejects.toThrow(
      'input "n" must be number, not "5"',
    );
});
