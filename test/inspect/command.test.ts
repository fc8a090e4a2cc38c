import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { readXml } from "./svg-reader.js";

const HEADER = "graph_name,node_name,next_node,agent_type,next_on_failure,input_fields,output_field,prompt\n";
const HELLO = `${HEADER}Hello,Ask,Greet,input,,,name,Who?\nHello,Greet,,echo,,name,greeting,Hello {name}\n`;
const BYE = "Bye,Leave,,echo,,,farewell,Bye\n";
const WRONG = "Wrong,A,Nowhere,echo,,,a,x\n";

interface Options {
  readonly csv?: string;
  readonly graph?: string;
  readonly node?: string;
  readonly format?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Runs the command in a folder. */
async function run(cwd: string, operands: readonly string[], options: Options = {}): Promise<Ended> {
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  return flowsheet(["inspect", ...operands, ...given], { cwd });
}

describe("flowsheet inspect", () => {
  test("draws the one graph of a sheet as a tree", async () => {
    const folder = createFolder({ "hello.csv": HELLO });
    const { code, stdout, stderr } = await run(folder, ["hello.csv"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("● Ask    input\n→ Greet  echo   → ends\n");
    expect(await run(folder, [], { csv: "hello.csv" })).toEqual({ code, stdout, stderr });
  });

  test("gives every format, and a file of it by its name", async () => {
    const folder = createFolder({ "hello.csv": HELLO });
    const of = async (format: string): Promise<string> =>
      (await run(folder, ["hello.csv"], { format })).stdout;
    expect(await of("mermaid")).toMatch(/^flowchart TD\n/);
    expect(await of("dot")).toMatch(/^digraph "Hello" \{\n/);
    expect(readXml(await of("svg"))[0]?.name).toBe("svg");
    expect(JSON.parse(await of("json"))).toMatchObject({
      name: "Hello",
      inputs: ["name"],
      outputs: ["name", "greeting"],
    });
    expect((await run(folder, ["hello.csv"], { json: true })).stdout).toBe(await of("json"));
    for (const [out, format] of [
      ["a.svg", "svg"],
      ["a.mmd", "mermaid"],
      ["a.dot", "dot"],
      ["a.json", "json"],
      ["a.txt", "tree"],
    ] as const) {
      expect(await run(folder, ["hello.csv"], { out })).toEqual({
        code: 0,
        stdout: "",
        stderr: `note: wrote ${out}\n`,
      });
      expect(readFileSync(join(folder, out), "utf8")).toBe(await of(format));
    }
  });

  test("shows all graphs of a sheet where a format can, and else asks for one", async () => {
    const folder = createFolder({ "both.csv": HELLO + BYE });
    const tree = await run(folder, ["both.csv"]);
    expect(tree.stdout).toMatch(/^Hello {2}2 nodes[\s\S]*\n\nBye {2}1 node /);
    const json = await run(folder, ["both.csv"], { json: true });
    expect(JSON.parse(json.stdout).graphs.map(({ name }: { name: string }) => name)).toEqual([
      "Hello",
      "Bye",
    ]);
    const svg = await run(folder, ["both.csv"], { format: "svg" });
    expect(svg).toMatchObject({ code: 2, stdout: "" });
    expect(svg.stderr).toContain("Hello, Bye");
    expect((await run(folder, ["both.csv"], { format: "svg", graph: "Bye" })).code).toBe(0);
  });

  test("shows one node as text or JSON, and finds the graph that has it", async () => {
    const folder = createFolder({ "both.csv": HELLO + BYE });
    expect((await run(folder, ["both.csv"], { node: "Greet" })).stdout).toContain("│ Hello {name}");
    const json = await run(folder, ["both.csv"], { node: "Leave", json: true });
    expect(JSON.parse(json.stdout)).toMatchObject({
      name: "Leave",
      graph: "Bye",
      entry: true,
      ends: ["next"],
    });
    expect((await run(folder, ["both.csv"], { node: "Greet", format: "svg" })).code).toBe(2);
  });

  test.each([
    ["a graph", { graph: "hello" }, 'did you mean "Hello"?'],
    ["a graph far off", { graph: "Nonsense" }, "there are: Hello, Bye"],
    ["a node", { node: "Gret" }, 'did you mean "Greet"?'],
    ["a node far off", { node: "__proto__" }, "there are: Ask, Greet, Leave"],
  ])("answers 2 and a cure when %s is not there", async (_, options, cure) => {
    const folder = createFolder({ "both.csv": HELLO + BYE });
    const { code, stdout, stderr } = await run(folder, ["both.csv"], options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(cure);
  });

  test("answers 2 for a file that cannot be opened, or written", async () => {
    const folder = createFolder({ "hello.csv": HELLO });
    expect((await run(folder, ["nothing.csv"])).code).toBe(2);
    const out = await run(folder, ["hello.csv"], { out: "no/such/folder.svg" });
    expect(out.code).toBe(2);
    expect(out.stderr).toContain("no/such/folder.svg");
    expect((await run(folder, ["hello.csv"], { json: true, format: "svg" })).code).toBe(2);
  });

  test("answers 1 with the problems of a graph that has errors, and draws nothing of it", async () => {
    const folder = createFolder({ "wrong.csv": HEADER + WRONG });
    const { code, stdout, stderr } = await run(folder, ["wrong.csv"], { out: "a.svg" });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("error unknown-node");
    expect(existsSync(join(folder, "a.svg"))).toBe(false);
    expect((await run(createFolder({ "a.csv": "nothing\n" }), ["a.csv"])).code).toBe(1);
    expect((await run(createFolder({ "a.csv": "" }), ["a.csv"], { graph: "G" })).code).toBe(1);
  });

  test("draws a graph whose neighbour has errors", async () => {
    const folder = createFolder({ "mixed.csv": HELLO + WRONG });
    const one = await run(folder, ["mixed.csv"], { graph: "Hello" });
    expect({ code: one.code, stderr: one.stderr }).toEqual({ code: 0, stderr: "" });
    const all = await run(folder, ["mixed.csv"]);
    expect(all.code).toBe(1);
    expect(all.stdout).toContain("Hello  2 nodes");
    expect(all.stdout).not.toContain("Wrong");
    expect(all.stderr).toContain("unknown-node");
  });

  test("finds a graph by its name in the sheets around", async () => {
    const folder = createFolder({
      "hello.csv": HELLO,
      "bye.csv": HEADER + BYE,
      "other.csv": "a,b\n1,2\n",
      "more.csv": HEADER + BYE,
    });
    expect((await run(folder, [], { graph: "Hello" })).stdout).toContain("hello.csv");
    const twice = await run(folder, [], { graph: "Bye" });
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain("bye::Bye, more::Bye");
    expect((await run(folder, [], { graph: "more::Bye" })).stdout).toContain("more.csv");
    expect((await run(createFolder({ "other.csv": "a,b\n1,2\n" }), [])).code).toBe(2);
  });
});
