import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
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
