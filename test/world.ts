import { type Understanding, understandSheet } from "../compiler/compile.js";
import type { World } from "../compiler/world.js";
import { agentFacts } from "../runtime/agents/facts.js";

/** A world in which every custom agent is there and nothing else is looked up, unless a test says so. */
export function testWorld(overrides: Partial<World> = {}): World {
  return {
    agents: agentFacts,
    customAgents: null,
    unknownAgent: "warning",
    prompt: null,
    otherGraphs: new Set(),
    lacks: () => null,
    ...overrides,
  };
}

/** Understands a sheet given as text. */
export function understandText(
  text: string,
  overrides: Partial<World> = {},
  file = "sheet.csv",
): Understanding {
  return understandSheet({ file, bytes: new TextEncoder().encode(text) }, testWorld(overrides));
}

/** Each problem as `code line:column cell`. */
export function problemsOf(text: string, overrides: Partial<World> = {}): readonly string[] {
  return understandText(text, overrides).diagnostics.map(
    ({ code, place }) => `${code} ${place?.line}:${place?.column} ${place?.cell}`,
  );
}
