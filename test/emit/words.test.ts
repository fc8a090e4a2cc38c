import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { emitFiles } from "../../compiler/emit-files.js";
import { understandText } from "../world.js";
import { importModules, moduleOf, modulesOf } from "./emitted.js";

/** All words of TypeScript, also those that mean something in some places only. */
const WORDS = Object.values(ts.SyntaxKind)
  .filter((kind): kind is ts.SyntaxKind => typeof kind === "number")
  .filter((kind) => kind >= ts.SyntaxKind.FirstKeyword && kind <= ts.SyntaxKind.LastKeyword)
  .map((kind) => ts.tokenToString(kind) ?? "");

test("graphs, nodes and fields may have the name of any word", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-words-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // That one is reserved in sheets.
  const words = [...new Set(WORDS)].filter((word) => word !== "constructor");
  expect(words.length).toBeGreaterThan(80);
  const rows = words.map((word) => `${word},${word},echo,given,${word},{given}`);
  const sheet = `graph_name,node_name,agent_type,input_fields,output_field,prompt\n${rows.join("\n")}\n`;
  const { graphs, diagnostics } = understandText(sheet);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const modules = await importModules(graphs.map(moduleOf), folder);
  expect(modules).toHaveLength(words.length);
});

test.each(["out", "of", "set", "module", "using"])("an agent may be exported as %s", (name) => {
  const { graphs } = understandText("graph_name,node_name,agent_type,output_field\nOut,A,mine,x\n", {
    customAgents: new Set(["mine"]),
  });
  const toEmit = graphs.map((graph) => ({ graph, fingerprint: "f" }));
  const findAgent = (): { readonly from: string; readonly name: string } => ({
    from: "../agents/a.js",
    name,
  });
  const files = emitFiles(toEmit, { findAgent, extension: ".js", modules: modulesOf(graphs) });
  expect(files.get("out.gen.ts")).toMatch(new RegExp(`^import \\{ ${name}(?: as ${name}2)? \\} from`, "m"));
});
