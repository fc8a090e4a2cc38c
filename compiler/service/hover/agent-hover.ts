import { shapeOf } from "../../2-analyze/settings/settings.js";
import { expectation } from "../../2-analyze/settings/shapes.js";
import { customType } from "../../agent-name.js";
import type { AgentIR } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import type { View } from "../document.js";
import { code, paragraphs, plainText } from "./markdown.js";

/** One line about an agent: what a built-in one does, where the class of another stands. */
export function agentLine({ world }: View, { type, builtin }: Pick<AgentIR, "type" | "builtin">): string {
  if (builtin) return world.about?.agents[type]?.line ?? "";
  if (!world.customAgents) return "An agent of the project.";
  const found = world.customAgents.find(({ name }) => customType(name) === type);
  return found === undefined
    ? "An agent of the project that is not written yet."
    : `An agent of the project: ${code(found.name)} in ${code(found.file)}.`;
}

const factsOf = ({ world }: View, type: string): AgentFacts | null =>
  world.world.agents.find((facts) => facts.type === type) ?? null;

export function agentHover(view: View, type: string, written: string): string {
  const facts = factsOf(view, type);
  const settings = Object.entries(facts?.settings ?? {}).map(([name, shape]) => {
    const about = view.world.about?.agents[type]?.settings[name] ?? "";
    return `- ${code(name)}: ${expectation(shape)}. ${about}`.trim();
  });
  const aliases =
    facts === null || facts.aliases.length === 0 ? "" : `Also ${facts.aliases.map(code).join(", ")}.`;
  return paragraphs(
    `**${plainText(written)}**`,
    agentLine(view, { type, builtin: facts !== null }),
    aliases,
    settings.join("\n"),
  );
}

/** A setting: what it holds, and what it is for. Of the header's settings nobody knows the agent. */
export function settingHover(view: View, name: string, type: string | null): string {
  const { about, world } = view.world;
  const owners = type === null ? world.agents : world.agents.filter((facts) => facts.type === type);
  const general = about?.everyNode[name];
  const owner = owners.find((facts) => Object.hasOwn(facts.settings, name));
  const shape = shapeOf(name, owner ?? null);
  const line = general ?? (owner === undefined ? undefined : about?.agents[owner.type]?.settings[name]);
  const of = type !== null && owner !== undefined ? ` of ${code(owner.type)}` : "";
  if (shape === undefined)
    return paragraphs(`**${plainText(name)}** · a setting that the agent itself must know`);
  return paragraphs(`**${plainText(name)}** · a setting${of}: ${expectation(shape)}`, line ?? "");
}
