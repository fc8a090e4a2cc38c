import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { findAgents } from "../../agents/custom/find.js";
import { agentFacts } from "../../agents/facts.js";
import { AgentRegistry, customType } from "../../agents/registry.js";
import type { DataPath, Meant } from "../../config/findings.js";
import { ConfigurationError, locateIn, type Project } from "../../config/folders.js";
import type { RemindWith } from "../../config/run-settings.js";
import type { Environment } from "../../host.js";
import { faultOfRow } from "./reminding-row.js";

export interface RemindFault {
  readonly message: string;
  readonly help: string;
  readonly path: DataPath;
  readonly meant?: Meant;
}

const PATH = ["runs", "remind_with"];

/** What is wrong with `runs.remind_with`; null when nothing is. Agents of the project are not loaded. */
export function remindFault(
  project: Project,
  env: Environment,
  registered: readonly string[] = [],
): RemindFault | null {
  const { remindWith } = project.keeping;
  if (remindWith === null) return null;
  const { agent } = remindWith;
  const own = [...findAgents(project.agents).map(({ type }) => type), ...registered.map(customType)];
  if (own.includes(customType(agent))) return null;
  const at = pathOf("agent", project);
  if (new AgentRegistry().find(agent) === undefined) return unknownAgent(agent, own, at);
  if (WAITS.has(agent))
    return { message: `runs.remind_with cannot be ${agent}, which waits itself`, help: TELLING, path: at };
  return faultOfSettings(remindWith, project, env);
}

const TELLING = "name an agent that tells somebody, such as mail or notify";
const WAITS = new Set(["wait", ...agentFacts.filter(({ asks }) => asks).map(({ type }) => type)]);

function unknownAgent(agent: string, own: readonly string[], path: DataPath): RemindFault {
  const near = suggest(agent, [...own, ...agentFacts.map(({ type }) => type)]);
  const message = `runs.remind_with names an agent that is not there: ${JSON.stringify(agent)}`;
  if (near === null) return { message, help: listed(own), path };
  const meant = { word: agent, instead: near };
  return { message, help: `did you mean ${JSON.stringify(near)}?`, path, meant };
}

const listed = (own: readonly string[]): string =>
  own.length === 0 ? "write it into the agents folder" : `agents of the project are ${own.join(", ")}`;

function faultOfSettings(remindWith: RemindWith, project: Project, env: Environment): RemindFault | null {
  const fault = faultOfRow(remindWith, project, env);
  if (fault === null) return null;
  const { message, help, key } = fault;
  return {
    message: `runs.remind_with: ${message}`,
    help: help ?? AS_IN_SHEETS,
    path: key === null ? PATH : pathOf(key, project),
  };
}

const AS_IN_SHEETS = "prompt and settings are those of the agent in a sheet";

/** Of a part; of the whole when that is a text. */
function pathOf(key: string, { configuration: { runs } }: Project): DataPath {
  const written = (runs as { readonly remind_with?: unknown } | undefined)?.remind_with;
  return typeof written === "object" && written !== null && Object.hasOwn(written, key)
    ? [...PATH, key]
    : PATH;
}

/** Throws where servers and workers start. */
export function checkRemindWith(
  project: Project,
  env: Environment,
  registered: readonly string[] = [],
): void {
  const fault = remindFault(project, env, registered);
  if (fault === null || project.file === null) return;
  const { message, help, path } = fault;
  const place = locateIn(project.file)(path, "value") ?? undefined;
  throw new ConfigurationError(project.file, `${message}; ${help}`, place);
}
