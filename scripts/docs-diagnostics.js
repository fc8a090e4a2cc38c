// Writes docs/diagnostics.md from the catalogue and its explanations; with --check it only compares.
import { loadSources, writeReference } from "./reference.js";

const EXAMPLE = "example.csv";
const TESTS = "example.test.csv";

const {
  agentFacts,
  exampleWorld,
  explanations,
  formatReference,
  formatText,
  understandSheet,
  understandTests,
} = await loadSources(`
  export { understandSheet } from "./compiler/compile.ts";
  export { understandTests } from "./compiler/understand-tests.ts";
  export { exampleWorld } from "./compiler/diagnostics/explanations/circumstances.ts";
  export { explanations } from "./compiler/diagnostics/explanations/index.ts";
  export { formatReference } from "./compiler/diagnostics/format-reference.ts";
  export { formatText } from "./compiler/diagnostics/format-text.ts";
  export { agentFacts } from "./runtime/agents/facts.ts";
`);

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

writeReference("docs/diagnostics.md", formatReference(reportOf), "scripts/docs-diagnostics.js");
