// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what is tried here.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import type { emitFiles } from "../../compiler/emit-files.js";
import type { GraphIR } from "../../compiler/ir.js";
import { quoted } from "../cli/sheets.js";
import { understandText } from "../world.js";
import { graphIn, importModules, modulesOf } from "./emitted.js";
import { HOSTILE } from "./hostile-values.js";
import { expectRoundTrip } from "./round-trip.js";

// Beside the packages, so that the mutants find ts-morph.
const folder = resolve("node_modules/.cache/flowsheet-mutants");
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LITERALS = "compiler/3-emit/literals.ts";

/** The emitter with one function of its encoders replaced. */
async function mutant(name: string, change: (source: string) => string): Promise<typeof emitFiles> {
  const source = readFileSync(LITERALS, "utf8");
  const changed = change(source);
  const plugin: Plugin = {
    name: "mutant",
    setup({ onLoad }) {
      onLoad({ filter: /3-emit\/literals\.ts$/ }, () => ({ contents: changed, loader: "ts" }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: ["compiler/emit-files.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    write: false,
    plugins: [plugin],
  });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, outputFiles[0]!.contents);
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    readonly emitFiles: typeof emitFiles;
  };
  return module.emitFiles;
}

/** The source with the body of one function replaced. */
const broken =
  (name: string, body: string) =>
  (source: string): string => {
    const start = source.indexOf(`export function ${name}(`);
    const open = source.indexOf("{\n", start);
    const end = source.indexOf("\n}\n", open);
    expect(start, `there is no function ${name}`).toBeGreaterThan(0);
    return `${source.slice(0, open)}{ ${body} ${source.slice(end + 1)}`;
  };

const replaced =
  (from: string, to: string) =>
  (source: string): string => {
    expect(source).toContain(from);
    return source.replace(from, to);
  };

/** A sheet for each hostile value, in all places that take any text. */
const graphs: readonly GraphIR[] = Object.values(HOSTILE).flatMap((value) => {
  const context = JSON.stringify({ free: value, [value]: 1 });
  const rows = [
    [
      "graph_name",
      "node_name",
      "agent_type",
      "input_fields",
      "output_field",
      "context",
      "prompt",
      "description",
    ],
    ["Shop", "Ask", "Custom", "user-id", "b", context, `{user-id}${value}`, value],
  ];
  const text = rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");
  const { graphs, diagnostics } = understandText(text);
  if (diagnostics.some(({ severity }) => severity === "error")) return [];
  // Half characters come from programs only.
  return graphs.flatMap((graph) => [
    graph,
    {
      ...graph,
      nodes: graph.nodes.map((node) => ({ ...node, prompt: ["\ud800", ["user-id"]] })),
    },
  ]);
});

interface Caught {
  readonly check: number;
  readonly suite: number;
}

/** What stops a mutant, the check of the syntax or the comparison of the texts: all graphs are tried until it is enough. */
async function caught(
  emit: typeof emitFiles,
  isEnough: (caught: Caught) => boolean = () => false,
): Promise<Caught> {
  let check = 0;
  let suite = 0;
  for (const graph of graphs) {
    if (isEnough({ check, suite })) break;
    let files: ReadonlyMap<string, string>;
    try {
      const findAgent = (): { from: string; name: string } => ({
        from: "../agents/custom.js",
        name: "Custom",
      });
      files = emit([{ graph, fingerprint: "0" }], {
        findAgent,
        extension: ".js",
        modules: modulesOf([graph]),
      });
    } catch (thrown) {
      expect(String(thrown)).toContain("the module of a sheet holds");
      check++;
      continue;
    }
    try {
      const [text = ""] = files.values();
      const [module = {}] = await importModules([text], folder);
      expectRoundTrip(graph, graphIn(module));
    } catch {
      suite++;
    }
  }
  return { check, suite };
}

describe("C55: an encoder that is broken on purpose is caught", () => {
  test("the right one passes everything", async () => {
    expect(graphs.length).toBeGreaterThan(40);
    expect(await caught(await mutant("right", (source) => source))).toEqual({ check: 0, suite: 0 });
  });

  const functions = [
    ["stringLiteral", 'return `"${text}"`;'],
    ["templateText", "return text;"],
    ["commentText", "return text;"],
    ["propertyKey", "return name;"],
    ["propertyRead", "return `${object}.${name}`;"],
  ] as const;

  test.each(functions)("%s without any escapes is stopped by the check", async (name, body) => {
    const { check } = await caught(await mutant(name, broken(name, body)), ({ check }) => check > 0);
    expect(check).toBeGreaterThan(0);
  });

  test.each([
    ["backslashes of templates", "/[\\\\`]|\\$(?=\\{|$)/g", "/[`]|\\$(?=\\{|$)/g"],
    ["dollars of templates", "/[\\\\`]|\\$(?=\\{|$)/g", "/[\\\\`]/g"],
    ["backticks of templates", "/[\\\\`]|\\$(?=\\{|$)/g", "/[\\\\]|\\$(?=\\{|$)/g"],
    ["the end of comments", '.replace(/\\*(?=\\/)/g, "* ")', ""],
    ["tags in comments", '.replace(/@/g, "(at)")', ""],
    ["markup in literals", "/<(?=\\/script|script|!--)/gi", "/(?!)/g"],
    ["bidi marks", "\\p{Cf}", ""],
    ["control characters", "\\p{Cc}", ""],
    ["half characters", "\\p{Cs}", ""],
  ])("%s forgotten: the check or the suite says so", async (name, from, to) => {
    const emit = await mutant(name.replace(/\W/g, "-"), replaced(from, to));
    const { check, suite } = await caught(emit, ({ check, suite }) => check + suite > 0);
    expect(check + suite).toBeGreaterThan(0);
  });
});
