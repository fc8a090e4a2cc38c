// The group `service`: what editors wait for, as processor time, and what an open sheet takes. The service is measured
// as a browser's worker has it.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleForBrowser } from "../../../scripts/bundle-browser.js";
import { engineWeight } from "../studio/group.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const MEASURE = fileURLToPath(new URL("measure.js", import.meta.url));

const SERVICE = `
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
`;

/**
 * @param {(what: string, measured: number, goal: number, unit: string) => void} report
 * @param {string} folder
 */
export async function measureService(report, folder) {
  const { text } = await bundleForBrowser(SERVICE, { resolveDir: root });
  const file = join(folder, "service.mjs");
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", MEASURE, file], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the service exited ${status}: ${stderr}`);
  const { small, large, completion, fields, tokens, open, heapMb } = JSON.parse(stdout);
  report("key to diagnostics: a graph of 50 nodes in 10,000 rows", small, 10, "ms");
  report("key to diagnostics: a graph of 1,000 nodes in 10,000 rows", large, 60, "ms");
  report("completion of a node in 10,000 rows, after a key", completion, 5, "ms");
  report("completion of a field in 10,000 rows, after a key", fields, 5, "ms");
  report("the colours of what is in view, after a key", tokens, 5, "ms");
  report("the whole sheet of 10,000 rows", open, 500, "ms");
  report("heap of 50,000 rows, after collection", heapMb, 60, "MB");
  // The service as somebody has it: what the Studio's page loads. The layout of pictures is a file of its own.
  report("the Studio's engine, compressed", engineWeight(), 110, "KB");
}
