import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { GraphIR } from "../../compiler/ir.js";
import type { AnyGraph } from "../../runtime/graph/contract/contract.js";
import { createFolder } from "../cli/folder.js";
import { sheetOf } from "../cli/sheets.js";
import { understandText } from "../world.js";
import { emitted, graphIn, importModules, moduleOf } from "./emitted.js";
import { interpreted, playGraph } from "./play.js";
import { expectRoundTrip } from "./round-trip.js";

const isWord = (text: string): boolean => /^[a-z]+$/.test(text);
const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context";

/** All words of TypeScript, also those that mean something in some places only. Sheets keep one for themselves. */
const WORDS = [
  ...new Set([
    ...Object.values(ts.SyntaxKind)
      .filter((kind): kind is ts.SyntaxKind => typeof kind === "number")
      .map((kind) => ts.tokenToString(kind) ?? "")
      .filter(isWord),
    ..."arguments eval of undefined intrinsic globalThis NaN Infinity await enum".split(" "),
  ]),
].filter((word) => word !== "constructor");

const json = (value: object): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;

/** A word in every place that a name can stand in, but for names of graphs. */
const fieldSheet = (word: string): string => {
  const setting = json({ settings: { [word]: word }, [word]: { [word]: [word] } });
  return sheetOf(
    HEADER,
    `G,Plain,Renamed,echo,${word},a,,`,
    `G,Renamed,Short,echo,q=${word},b,,`,
    `G,Short,Path,echo,${word}=a,c,,`,
    `G,Path,Inner,echo,${word}.path,d,,`,
    `G,Inner,Deep,echo,x=${word}.path,e,,`,
    `G,Deep,Asked,echo,x=${word}.${word}|${word}=a,f,,`,
    `G,Asked,Inside,echo,${word}|a,g,{${word}} and {a},`,
    `G,Inside,Other,echo,q=${word},h,{${word}.path} and {${word}.${word}} and {q},`,
    `G,Other,Set,echo,${word}=a,i,{${word}},`,
    `G,Set,Key,custom,a,k:string|${word},,${setting}`,
    `G,Key,${word},custom,${word}?,l=${word}|m=n,,`,
    `G,${word},X|Y,echo,a,${word},,${json({ merge: { [word]: "append" } })}`,
    `G,X,Z,echo,a,${word},,`,
    `G,Y,Z,echo,b,${word},,`,
    `G,Z,,echo,${word}|z=${word},o,{${word}},`,
  );
};

/** A word as the name of graphs, and of what a loop goes over. */
const graphSheet = (word: string): string =>
  sheetOf(
    HEADER,
    `${word},${word},,echo,${word},${word},<{${word}}>,`,
    `Loops,Each,Once,graph,${word},${word}=all,,${json({ graph: word, over: word, as: word })}`,
    `Loops,Once,,graph,${word}=q,${word}=one,,${json({ graph: word })}`,
    `As,Each,Typed,graph,${word}=list|q,all=${word}|errors,,${json({ graph: "Loops", over: word, as: word, on_error: "collect" })}`,
    `As,Typed,,graph,q|${word}=list,one,,${json({ graph: "Loops" })}`,
  );

const understood = (sheet: string): readonly GraphIR[] => {
  const { graphs, diagnostics } = understandText(sheet, { customAgents: new Set(["custom"]) });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return graphs;
};

const given = (word: string) => ({
  [word]: { path: "p", [word]: "w" },
  list: ["one", "two"],
});

describe("a word of TypeScript may stand in every place", () => {
  test("there are many", () => expect(WORDS.length).toBeGreaterThan(85));

  test("of nodes and fields: modules print, and run as the interpreter does", async () => {
    const folder = createFolder({});
    const graphs = WORDS.map((word) => understood(fieldSheet(word))[0]!);
    const modules = await importModules(graphs.map(moduleOf), folder);
    for (const [at, word] of WORDS.entries())
      await expectEqualRuns(graphs[at]!, graphIn(modules[at]!), given(word));
  });

  test("of graphs, and of what loops go over", async () => {
    const folder = createFolder({});
    const graphs = WORDS.map((word) => understood(graphSheet(word)));
    const modules = await importModules(
      graphs.map(([graph]) => moduleOf(graph!)),
      folder,
    );
    for (const [at, word] of WORDS.entries())
      await expectEqualRuns(graphs[at]![0]!, graphIn(modules[at]!), given(word));
  });

  test("of all: the modules type-check", async () => {
    const folder = createFolder({ "package.json": '{ "type": "module" }', "tsconfig.json": CONFIG });
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve("."), join(folder, "node_modules/flowsheet"));
    mkdirSync(join(folder, "agents"));
    writeFileSync(join(folder, "agents/custom.ts"), AGENT);
    for (const word of WORDS)
      for (const [kind, sheet] of [
        ["fields", fieldSheet(word)],
        ["graphs", graphSheet(word)],
      ] as const)
        writeModules(join(folder, `${kind}-${word}`), emitted(understood(sheet)));
    expect(await check(folder)).toBe("");
  });
});

const CONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2023",
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    isolatedModules: true,
  },
});

/** Gives whatever its outputs are. */
const AGENT = "export function Custom(_inputs: object): any {\n  return null;\n}\n";

function writeModules(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}

const native = createRequire(import.meta.url).resolve("@typescript/native/package.json");

/** What the native compiler says of a project; empty when all is well. */
async function check(folder: string): Promise<string> {
  const tsc = join(dirname(native), "bin/tsc");
  const run = promisify(execFile)(process.execPath, [tsc, "-p", folder], { maxBuffer: 10_000_000 });
  return run.then(
    () => "",
    (thrown: { readonly stdout: string }) => thrown.stdout,
  );
}

async function expectEqualRuns(ir: GraphIR, made: AnyGraph, input: object): Promise<void> {
  expectRoundTrip(ir, made);
  const play = { given: input as never, answer: () => "yes" };
  expect(await playGraph(made, play)).toEqual(await playGraph(interpreted(ir), play));
}
