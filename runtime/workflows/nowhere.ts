import type { World } from "../../compiler/world.js";
import { agentFacts } from "../agents/facts.js";

/** A world without agents of a project, prompts and other sheets: no sheet is called wrong for what nobody looked at. */
export const NOWHERE: World = {
  agents: agentFacts,
  customAgents: null,
  unknownAgent: "warning",
  prompt: null,
  otherGraphs: null,
  lacks: () => null,
};
