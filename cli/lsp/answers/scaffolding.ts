import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LSPErrorCodes, ResponseError } from "vscode-languageserver/node";
import { customType } from "../../../compiler/agent-name.js";
import type { Range as Offsets } from "../../../compiler/ir.js";
import type { UsingNode } from "../../../compiler/scaffold/agent-plan.js";
import { findAgents } from "../../../runtime/agents/custom/find.js";
import { UsageError } from "../../failure.js";
import type { Context } from "../../process/context.js";
import { rangeOfRow } from "../open/rows.js";
import type { Asked } from "../requests.js";

/** The agents that nodes in a range name and that are not there, as the sheet writes them. */
export function missingAgentsIn(asked: Asked, range: Offsets): readonly string[] {
  const { view } = asked;
  const missing = view.diagnostics.filter(({ code }) => code === "unknown-agent");
  if (view.sheet === null || missing.length === 0) return [];
  const rows = new Set(missing.map(({ graph, node }) => JSON.stringify([graph, node])));
  const found = view.sheet.rows.flatMap((row) => {
    const { start, end } = rangeOfRow(view, row);
    const isHere = start <= range.end && end >= range.start;
    return isHere && rows.has(JSON.stringify([row.graph.name, row.node.name])) ? [row.agent.name] : [];
  });
  return [...new Set(found)];
}

export interface Scaffolded {
  /** The addresses of the files that were written. */
  readonly created: readonly string[];
  readonly message: string;
}

/**
 * `flowsheet.scaffold`: writes an agent and its test as the command `scaffold` does, by the rows of the open text.
 * Nothing that is there is ever replaced, and no link is followed out of the project.
 */
export async function scaffoldAgent(
  { file, view, desk }: Asked,
  agent: string,
  context: Context,
): Promise<Scaffolded> {
  if (file.path === null) throw refused("the sheet has no file yet: save it first");
  if (view.diagnostics.some(({ severity }) => severity === "error"))
    throw refused("the sheet has errors: an agent is made only of what is right");
  const project = desk.worlds.projectOf(file);
  const using = usingNodes(nodesOf(view), agent);
  const { missingAgents } = await import("../../scaffold/missing-agents.js");
  const found = new Set(findAgents(project.agents).map(({ type }) => type));
  const { plans, refusals } = missingAgents(using, found);
  const [refusal] = refusals;
  if (refusal !== undefined) throw refused(refusal.message);
  const [plan] = plans;
  if (plan === undefined)
    throw refused(using.length === 0 ? "no row names this agent" : "the agent is there already");
  const { writeAgents } = await import("../../scaffold/agent-files.js");
  let said = "";
  const stdout = { write: (text: string) => (said += text), isTerminal: () => false, columns: () => null };
  try {
    writeAgents([plan], { out: project.agents, folders: project, context: { ...context, stdout } }, false);
  } catch (error) {
    if (error instanceof UsageError) throw refused(error.message);
    throw error;
  }
  const created = [`${plan.name.file}.ts`, `${plan.name.file}.test.ts`].map(
    (name) => pathToFileURL(join(project.agents, name)).href,
  );
  return { created, message: said.trim() };
}

const nodesOf = (view: Asked["view"]): readonly UsingNode[] =>
  view.graphs.flatMap((graph) => graph.nodes.map((node) => ({ graph, node })));

const usingNodes = (all: readonly UsingNode[], agent: string): readonly UsingNode[] =>
  all.filter(({ node }) => !node.agent.builtin && customType(node.agent.written) === customType(agent));

const refused = (message: string): ResponseError<void> =>
  new ResponseError(LSPErrorCodes.RequestFailed, message);
