import { GENERAL } from "../../compiler/2-analyze/settings/settings.js";
import { expectation } from "../../compiler/2-analyze/settings/shapes.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { SettingShape } from "../../compiler/world.js";
import { about } from "../agents/about.js";
import { findAgents } from "../agents/custom/find.js";
import { agentFacts } from "../agents/facts.js";
import { inputInvalid } from "../http/request/problem.js";
import type { McpCaller } from "./caller.js";

type Shapes = { readonly [setting: string]: SettingShape };
type Lines = { readonly [setting: string]: string };

/** What `agent_type` may hold; with a type, its settings. */
export async function describeAgents({ service }: McpCaller, type: string | null): Promise<object> {
  const own = findAgents(service.project.agents).filter(({ isSure }) => isSure);
  const registered = Object.keys(service.agents).map((name) => ({ name }));
  const custom = [...new Set([...own, ...registered].map(({ name }) => name))];
  if (type !== null) return oneAgent(type, custom);
  return {
    agents: agentFacts.map(({ type, aliases }) => ({ type, aliases, about: about.agents[type]?.line ?? "" })),
    project_agents: custom,
    settings_of_every_node: settingsOf(GENERAL, about.everyNode),
  };
}

function oneAgent(type: string, custom: readonly string[]): object {
  const facts = agentFacts.find((one) => one.type === type || one.aliases.includes(type));
  if (facts !== undefined) {
    const { line = "", settings: lines = {} } = about.agents[facts.type] ?? {};
    return {
      type: facts.type,
      aliases: facts.aliases,
      about: line,
      settings: settingsOf(facts.settings, lines),
    };
  }
  if (custom.includes(type)) return { type, about: "an agent of the project", settings: [] };
  const near = suggest(type, [...agentFacts.map((one) => one.type), ...custom]);
  const help = near === null ? "" : `; did you mean ${quoted(near)}?`;
  throw inputInvalid([{ pointer: "/type", message: `there is no agent ${quoted(type)}${help}` }]);
}

const settingsOf = (shapes: Shapes, lines: Lines): readonly object[] =>
  Object.entries(shapes).map(([name, shape]) => ({
    name,
    value: expectation(shape),
    about: lines[name] ?? "",
  }));
