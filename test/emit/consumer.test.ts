import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { CASES, caseFolders } from "../cases/case-folder.js";
import { understandText } from "../world.js";
import { emitCase } from "./cases.js";
import { check, createProject } from "./native.js";

/** A project with all modules that are kept. */
function consumer(compilerOptions: object): string {
  const folder = createProject(compilerOptions);
  cpSync("generated", join(folder, "generated"), { recursive: true });
  for (const name of caseFolders().filter((one) => one.startsWith("emit/")))
    cpSync(join(CASES, name), join(folder, name), { recursive: true });
  return folder;
}

const strictest = {
  target: "es2023",
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
};

describe("all goldens and all of generated/ type-check", () => {
  test.each([
    ["in a plain nodenext project", { module: "nodenext" }],
    ["under the strictest flags", { module: "nodenext", ...strictest }],
    ["for a bundler", { module: "esnext", moduleResolution: "bundler", target: "es2022" }],
    [
      "with declarations that stand alone",
      { module: "nodenext", declaration: true, isolatedDeclarations: true },
    ],
  ])("%s", async (_, options) => {
    const folder = consumer(options);
    // The agents of the cases declare less than that flag asks; they are no modules of ours.
    const said = (await check(folder)).split("\n").filter((line) => !/\/emit\/[^/]+\/agents\//.test(line));
    expect(said.join("\n")).toBe("");
  });

  test("a mistake in a module is found by this very check", async () => {
    const folder = consumer({ module: "nodenext" });
    const file = join(folder, "generated/support.gen.ts");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('Ask: { next: "IsRefund" }', 'Ask: { next: "IsRefnud" }'),
    );
    expect(await check(folder)).toContain("IsRefnud");
  });

  test("an agent that cannot be given undefined for what may be unset is refused where that is not a lack of it", async () => {
    const narrow = async (options: object): Promise<string> => {
      const folder = consumer({ module: "nodenext", ...options });
      const file = join(folder, "emit/unset-inputs/agents/tip.ts");
      const text = readFileSync(file, "utf8");
      expect(text).toContain("hint?: string | undefined;");
      writeFileSync(file, text.replace("hint?: string | undefined;", "hint?: string;"));
      return check(folder);
    };
    expect(await narrow({ exactOptionalPropertyTypes: true })).toMatch(
      /\bemit\/unset-inputs\/tips\.gen\.ts.*error TS2322/,
    );
    expect(await narrow({})).toBe("");
  });

  test("what nodes pass on is still checked, beside what is only printed", async () => {
    const folder = consumer({ module: "nodenext" });
    const change = (name: string, from: string, to: string): void => {
      const file = join(folder, `emit/passed-on/${name}.gen.ts`);
      const text = readFileSync(file, "utf8");
      expect(text).toContain(from);
      writeFileSync(file, text.replace(from, to));
    };
    change("asked", 'name: GreetingInput["name"];', "name: number;");
    const said = await check(folder);
    expect(said).toContain("emit/passed-on/asked.gen.ts");
    expect(said).toContain("Type 'number' is not assignable to type 'string'");
  });
});

test("a graph and the driver make a small bundle: no parser, no analysis, no agent that is not used", async () => {
  const { outputFiles, metafile } = await build({
    target: "es2023",
    stdin: { contents: 'export { hello } from "./generated/hello.gen.ts";', resolveDir: resolve(".") },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
    alias: {
      "flowsheet/graph": resolve("runtime/graph/index.ts"),
      "flowsheet/agents": resolve("runtime/agents/index.ts"),
    },
    external: ["node:*"],
    logLevel: "silent",
  });
  const [bundle] = Object.values(metafile.outputs);
  const used = Object.entries(bundle!.inputs).flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [file] : [],
  );
  expect(
    used.filter(
      (file) =>
        !/^runtime\/(?:graph\/|agents\/(?:deciding\/echo|asking\/[a-z]+)\.ts)|^compiler\/(?:types\/|definition\.ts)|^generated\//.test(
          file,
        ),
    ),
  ).toEqual([]);
  // The driver is most of it, the door for durable engines a tenth, and the values of the run a hundredth. What formulas
  // need of it, waits for a time and the rests that servers ask for are another hundredth.
  expect(outputFiles[0]!.contents.length).toBeLessThanOrEqual(60 * 1024);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(21.5 * 1024);
});

test("a module for a child graph imports its module and runs it late", () => {
  const csv =
    "graph_name,node_name,agent_type,context,input_fields,output_field\n" +
    'Parent,Call,graph,"{""graph"": ""Child""}",who:string,told\n' +
    "Child,Say,echo,,who:string,told\n";
  const { graphs } = understandText(csv);
  const [text = ""] = [...emitCase("emit/names", graphs)]
    .filter(([name]) => name === "parent.gen.ts")
    .map(([, text]) => text);
  expect(text).toContain('import { child, type ChildInput, type ChildState } from "./child.gen.js";');
  expect(text).toContain('  Call: Node<typeof runChild, "told">;');
  expect(text).toContain("const runChild: AgentFunction<ChildInput, ChildState> = subgraph(() => child);");
  expect(text).toContain("  Call: node(runChild, {");
});
