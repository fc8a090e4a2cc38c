import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { findAgents } from "../../agents/custom/find.js";
import { agentFacts } from "../../agents/facts.js";
import { AgentRegistry, customType } from "../../agents/registry.js";
import { ConfigurationError, locateIn, type Project } from "../../config/folders.js";

type Reminding = Pick<Project, "agents" | "keeping">;

export interface RemindFault {
  readonly message: string;
  readonly help: string;
}

/** What is wrong with `runs.remind_with`; null when nothing is. Agents of the project are not loaded. */
export function remindFault(
  { agents, keeping: { remindWith: name } }: Reminding,
  registered: readonly string[] = [],
): RemindFault | null {
  if (name === null) return null;
  const own = [...findAgents(agents).map(({ type }) => type), ...registered.map(customType)];
  if (own.includes(customType(name)) || new AgentRegistry().find(name) !== undefined) return null;
  const near = suggest(name, [...own, ...agentFacts.map(({ type }) => type)]);
  const help = near === null ? listed(own) : `did you mean ${JSON.stringify(near)}?`;
  return { message: `runs.remind_with names an agent that is not there: ${JSON.stringify(name)}`, help };
}

const listed = (own: readonly string[]): string =>
  own.length === 0 ? "write it into the agents folder" : `agents of the project are ${own.join(", ")}`;

/** Throws where servers and workers start. */
export function checkRemindWith(
  project: Reminding & Pick<Project, "file">,
  registered: readonly string[] = [],
): void {
  const fault = remindFault(project, registered);
  if (fault === null || project.file === null) return;
  const place = locateIn(project.file)(["runs", "remind_with"], "value") ?? undefined;
  throw new ConfigurationError(project.file, `${fault.message}; ${fault.help}`, place);
}
