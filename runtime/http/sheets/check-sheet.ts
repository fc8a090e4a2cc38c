import { understandSheet } from "../../../compiler/compile.js";
import { createReport, type Report } from "../../../compiler/diagnostics/report.js";
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

/** Finds every problem of a sheet that came in a request. Reads nothing, runs nothing. */
export function checkSheet(bytes: Uint8Array): Report {
  const { diagnostics, graphs, sheet } = understandSheet({ file: SHOWN, bytes }, NOWHERE);
  return createReport(diagnostics, new Map([[SHOWN, sheet?.text ?? ""]]), graphs);
}
