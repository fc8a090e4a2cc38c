// Writes docs/diagnostics.md from the catalogue and its explanations; with --check it only compares.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, "docs/diagnostics.md");
const EXAMPLE = "example.csv";
const TESTS = "example.test.csv";

// The sources themselves, so that the reference needs no build and the package exports nothing for its sake.
const folder = mkdtempSync(join(tmpdir(), "flowsheet-docs-"));
const bundle = join(folder, "bundle.mjs");
await build({
  stdin: {
    contents: `
      export { understandSheet } from "./compiler/compile.ts";
      export { understandTests } from "./compiler/understand-tests.ts";
      export { exampleWorld, explanations, formatReference, formatText } from "./compiler/diagnostics/index.ts";
      export { agentFacts } from "./runtime/agents/facts.ts";
    `,
    resolveDir: root,
  },
  bundle: true,
  outfile: bundle,
  format: "esm",
  platform: "node",
});
const {
  agentFacts,
  exampleWorld,
  explanations,
  formatReference,
  formatText,
  understandSheet,
  understandTests,
} = await import(pathToFileURL(bundle).href);
rmSync(folder, { recursive: true });

/** What Flowsheet says of a code's example, without the line of totals. */
function reportOf(code) {
  const { example, bytes, tests } = explanations[code];
  const source = { file: EXAMPLE, bytes: bytes?.() ?? new TextEncoder().encode(example) };
  const { diagnostics, sheet, graphs } = understandSheet(source, exampleWorld(code, agentFacts));
  const text = sheet?.text ?? new TextDecoder().decode(source.bytes);
  const found = [...diagnostics];
  const sources = new Map([[EXAMPLE, text]]);
  if (tests !== undefined) {
    const beside = { file: TESTS, bytes: new TextEncoder().encode(tests) };
    found.push(...understandTests(beside, { graphs, agents: agentFacts }).diagnostics);
    sources.set(TESTS, tests);
  }
  const report = formatText(found, sources);
  return report.slice(0, report.trimEnd().lastIndexOf("\n"));
}

const wanted = formatReference(reportOf);
if (!process.argv.includes("--check")) {
  writeFileSync(file, wanted);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== wanted) {
  console.error("docs/diagnostics.md is out of date: run node scripts/docs-diagnostics.js");
  process.exitCode = 1;
}
