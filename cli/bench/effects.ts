import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import { effectOf } from "../../runtime/agents/effects.js";
import type { Project } from "../../runtime/config/folders.js";
import { asksRemoteModel } from "../../runtime/llm/lack.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";

/** Repeated runs of agents that ask models, write files or call others cost money or harm: the user must allow them. */
export function checkEffects(
  { env, note }: Context,
  { configuration }: Project,
  family: readonly GraphIR[],
  accepted: boolean,
): void {
  const nodes = family.flatMap((graph) => graph.nodes).filter(({ reachable }) => reachable);
  const source = { section: configuration["llm"], env };
  const effects = nodes.flatMap((node) => {
    const what = effectIn(node, source);
    return what === null ? [] : [`${JSON.stringify(node.name)} ${what}`];
  });
  if (effects.length > 0 && !accepted)
    throw new UsageError(
      `a bench runs the graph hundreds of times, and ${listText(effects)}`,
      "--yes runs it all the same, with all its effects; a provider of kind mock answers without a network",
    );
  if (effects.length > 0) note(`each run has its effects: ${listText(effects)}`);
  const own = [...new Set(nodes.filter(({ agent }) => !agent.builtin).map(({ agent }) => agent.written))];
  if (own.length > 0) note(`your own agents run as they are, each time: ${own.join(", ")}`);
}

const LONGEST = 5;

function listText(items: readonly string[]): string {
  const more = items.length - LONGEST;
  return `${items.slice(0, LONGEST).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function effectIn({ agent, settings }: NodeIR, source: Parameters<typeof asksRemoteModel>[2]): string | null {
  if (!agent.builtin) return null;
  const own = effectOf(agent.type, settings);
  if (own !== null) return own.effect;
  return asksRemoteModel(agent.type, settings, source) ? "asks a model" : null;
}
