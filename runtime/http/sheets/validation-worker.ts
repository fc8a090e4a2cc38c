import { parentPort } from "node:worker_threads";
import { understandSheet } from "../../../compiler/compile.js";
import { createReport } from "../../../compiler/diagnostics/report.js";
import type { World } from "../../../compiler/world.js";
import { agentFacts } from "../../agents/facts.js";

const SHOWN = "sheet.csv";

/** What is known of the world when nothing may be looked at: no agents folder, no prompts, no other sheets. */
const NOWHERE: World = {
  agents: agentFacts,
  customAgents: null,
  unknownAgent: "warning",
  prompt: null,
  otherGraphs: null,
  lacks: () => null,
};

// A thread of its own: a sheet may take seconds, in which the service answers others. The report is written as text
// here, too, since a long one takes time. Nothing but the sheet is read, and nothing is run.
parentPort?.on("message", (bytes: Uint8Array) => {
  const { diagnostics, graphs, sheet } = understandSheet({ file: SHOWN, bytes }, NOWHERE);
  const report = createReport(diagnostics, new Map([[SHOWN, sheet?.text ?? ""]]), graphs);
  parentPort?.postMessage(JSON.stringify(report));
});
