import { parsePromptText } from "../1-parse/cells/prompt.js";
import { agentBase, customType, type NameRefusal, normalizeAgent } from "../agent-name.js";
import { suggest } from "../diagnostics/suggest.js";
import type { Row } from "../ir.js";
import type { AgentFacts, World } from "../world.js";
import { type Analysis, type DraftNode, type KnownAgent, reportRow, writeFix } from "./draft.js";
import { memo } from "./flow/once.js";
import { decides, formulaOf } from "./formulas/node-formula.js";
import { nameForeign } from "./settings/foreign-settings.js";
import { typedByTool } from "./settings/outside/tool-types.js";
import { nameSettings, readSettings } from "./settings/settings.js";

/** Understands one row on its own: its agent, its settings, its prompt. */
export function createNode(analysis: Analysis, written: Row, index: number): DraftNode {
  const { agent, facts, declaresFailure } = analysis.agentOf(written.agent.name);
  const named = nameForeign(analysis, nameSettings(written, facts), facts);
  const settings = readSettings(named);
  const row = typedByTool(analysis.world, named, facts, settings.own);
  if (facts === null) checkCustomAgent(analysis, row);
  else checkDependency(analysis, row, { facts, settings: settings.own });
  const prompting = resolvePrompt(analysis, row);
  const formula = formulaOf(analysis.sheet, { row, facts, prompt: prompting.prompt });
  const isDeciding = formula !== null && formula.setting === null && decides(formula, row);
  return {
    index,
    row,
    // A formula that decides is run as the agent that does nothing else.
    agent: isDeciding ? { ...agent, type: "branching" } : agent,
    facts: isDeciding && facts !== null ? deciding(facts) : facts,
    formula,
    declaresFailure,
    settings: settings.own,
    retry: settings.retry,
    timeoutMs: settings.timeoutMs,
    maxVisits: settings.maxVisits,
    merge: settings.merge,
    timezone: settings.timezone,
    schedule: settings.schedule,
    scheduleOptions: settings.scheduleOptions,
    webhook: settings.webhook,
    isTool: settings.isTool,
    description: row.description,
    ...prompting,
    prompt: formula !== null && formula.setting === null ? null : prompting.prompt,
  };
}

const deciding = memo(
  (facts: AgentFacts): AgentFacts => ({
    ...facts,
    outcome: "signals",
    setsError: false,
    produces: "boolean",
  }),
);

/** Agents by every normalised name that they answer to. */
export function agentsByName(agents: readonly AgentFacts[]): Analysis["agents"] {
  const named = agents.flatMap((facts) => [facts.type, ...facts.aliases].map((name) => ({ name, facts })));
  return new Map(named.map(({ name, facts }) => [normalizeAgent(name), facts]));
}

/** Finds agents by what rows call them. */
export const createAgentFinder = (agents: Analysis["agents"], world: World): Analysis["agentOf"] =>
  memo((written: string): KnownAgent => {
    const facts = agents.get(normalizeAgent(written) || "default") ?? agents.get(customType(written)) ?? null;
    const type = facts?.type ?? customType(written);
    const declaresFailure = facts === null && world.failingAgents?.has(type) === true;
    return { agent: { type, written, builtin: facts !== null }, facts, declaresFailure };
  });

function checkCustomAgent(analysis: Analysis, row: Row): void {
  const { world, agents } = analysis;
  const written = row.agent.name;
  const type = customType(written);
  const { customAgents, possibleAgents, unknownAgent: severity } = world;
  if (customAgents === null || customAgents.has(type) || possibleAgents?.has(type) === true) return;
  const known = [...world.agents.map(({ type }) => type), ...agents.keys(), ...customAgents];
  const suggestion = suggest(written, known);
  const params = {
    type: written,
    suggestion,
    seen: world.passedOver?.(type) ?? null,
    cure: cureOf(analysis, written, type),
  };
  const span = row.agent.at;
  const fix = suggestion === null ? null : writeFix({ analysis }, span, suggestion, false);
  reportRow(analysis, row, "unknown-agent", params, { span, column: "agent_type", severity, fix });
}

/** Other tools' names for a node that waits do not say who is asked. */
const WAITING = 'say what waits here: "input" for an answer, "human" for an approval or a choice';

/** The name by which a built-in agent is meant, as the documentation writes it. */
export function builtinName({ type, aliases }: AgentFacts, meant: string): string {
  return [type, ...aliases].find((name) => normalizeAgent(name) === customType(meant)) ?? type;
}

/** The name that `scaffold` is told, or the reason why it writes no agent. */
function cureOf(
  { agentOf }: Analysis,
  written: string,
  type: string,
): { readonly scaffold: string } | NameRefusal | { readonly instead: string } {
  if (type === "suspend") return { instead: WAITING };
  const base = agentBase(written);
  if (typeof base !== "string") return base;
  const { facts } = agentOf(base);
  if (facts !== null) return { refused: `it would be taken for the built-in "${builtinName(facts, base)}"` };
  // A name that ends in Agent twice must keep one of them.
  return { scaffold: customType(base) === type ? base : `${base}Agent` };
}

function checkDependency(
  analysis: Analysis,
  row: Row,
  { facts, settings }: Pick<DraftNode, "settings"> & { readonly facts: AgentFacts },
): void {
  const lack = analysis.world.lacks(facts.type, settings);
  if (lack === null) return;
  const at = { span: row.agent.at, column: "agent_type" } as const;
  reportRow(analysis, row, "missing-dependency", { agent: facts.type, ...lack }, at);
}

function resolvePrompt(analysis: Analysis, row: Row): Pick<DraftNode, "prompt" | "promptFrom"> {
  const { prompt } = row;
  if (prompt === null || prompt.reference === null) return { prompt, promptFrom: null };
  const { kind, name } = prompt.reference;
  const promptFrom = `${kind}:${name}`;
  const found = analysis.world.prompt?.(kind, name);
  if (found === undefined) return { prompt: null, promptFrom };
  if ("text" in found) return { prompt: { ...prompt, ...parsePromptText(found.text) }, promptFrom };
  const { missing, meant = null } = found;
  const fix = meant === null ? null : writeFix({ analysis }, prompt.at, `${kind}:${meant}`, false);
  const params = { reference: promptFrom, why: missing };
  reportRow(analysis, row, "missing-prompt", params, { span: prompt.at, column: "prompt", fix });
  return { prompt: null, promptFrom };
}
