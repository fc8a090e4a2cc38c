import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bundleForBrowser } from "../../scripts/bundle-browser.js";

/** The service, and the facts of the built-in agents that a worker hands to it. */
const room = readdirSync("compiler/service", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => `./${join("compiler/service", name)}`);
const WHOLE = [
  ...room.map((file, i) => `export * as file${i} from ${JSON.stringify(file)};`),
  'export { SheetDocument } from "./compiler/service/document.ts";',
  'export { agentFacts } from "./runtime/agents/facts.ts";',
].join("\n");

test("the service and all that it imports bundle for a browser, without anything of Node", async () => {
  const { text, inputs } = await bundleForBrowser(WHOLE, { resolveDir: process.cwd() });
  expect(inputs.filter((input) => input.includes("node_modules") || input.startsWith("node:"))).toEqual([]);
  expect(text).not.toMatch(/\b(?:Buffer|process)\.|require\(/);
});

const WORLD = `{
  world: {
    agents: service.agentFacts, customAgents: null, unknownAgent: "warning", prompt: null,
    otherGraphs: new Set(), lacks: () => null,
  },
}`;

/** What a worker would do: it has the language itself, and nothing of Node. */
const SESSION = `
  const document = service.SheetDocument.open("sheet.csv", text, ${WORLD});
  const codes = () => document.view().diagnostics.map(({ code, place }) => code + " " + place.cell).join();
  const before = codes();
  document.editCell({ record: 1, column: 2 }, "Bye");
  [before, codes()];
`;

test("it runs where nothing of Node is", async () => {
  const bundle = { resolveDir: process.cwd(), format: "iife", globalName: "service" } as const;
  const { text: code } = await bundleForBrowser(WHOLE, bundle);
  const text = 'graph_name,node_name,next_node,prompt\nA,Hi,By,"say ""hi"""\nA,Bye,,x\n';
  expect(runInContext(`${code}\n${SESSION}`, createContext({ text }))).toEqual(["unknown-node C2", ""]);
});

// A message more must not fail here, but a table or a package must. The layout is 16 KB of it, formulas 15 KB. What the
// Studio loads at once is less: test/studio/page/bundle.test.ts holds that to 110 KB.
const WORKER = `
  export { SheetDocument } from "./compiler/service/document.ts";
  export { complete } from "./compiler/service/complete/complete.ts";
  export { fixes } from "./compiler/service/fixes.ts";
  export { folding } from "./compiler/service/folding.ts";
  export { hints } from "./compiler/service/hints.ts";
  export { hover } from "./compiler/service/hover.ts";
  export { definition, highlights, references } from "./compiler/service/navigate.ts";
  export { rename } from "./compiler/service/rename.ts";
  export { tokens } from "./compiler/service/tokens/tokens.ts";
  export { agentFacts } from "./runtime/agents/facts.ts";
  export { Graph, layout } from "@dagrejs/dagre";
`;

test("a worker with the service and the picture stays below 132 KB, compressed", async () => {
  const { text } = await bundleForBrowser(WORKER, { resolveDir: process.cwd() });
  expect(gzipSync(text).length / 1024).toBeLessThan(132);
});
