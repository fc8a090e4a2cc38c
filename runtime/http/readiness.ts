import { constants } from "node:fs";
import { canWriteInto, kindOf, may } from "../../compiler/files/access.js";
import { cacheOf } from "../agents/custom/cache-folder.js";
import { loadAgents } from "../agents/custom/load.js";
import { builtinType } from "../agents/registry.js";
import type { Project } from "../config/folders.js";
import type { Logger } from "../graph/contract/contract.js";
import { messageOf } from "../graph/contract/errors.js";
import { isOnServer } from "../runs/kept/store-place.js";
import { agentModules } from "../workflows/agent-modules.js";
import type { Workflow } from "../workflows/catalogue.js";

/** The advice for each failed check. Anybody may ask, so it names no path and no agent. */
const HELP = {
  stopping: "the server is being stopped: ask another one",
  workflows: "make the folder `workflows` of flowsheet.yaml readable for this user",
  agents: "an agent does not load: flowsheet doctor says which, and the log",
  runs: "make the folder `runs` of flowsheet.yaml writable, with room on its disk: runs are kept there",
  store: "the database of `runs.store` cannot be used: flowsheet doctor says why, and the log",
  data: "make the folder `data` of flowsheet.yaml writable: agents write files there",
  log: "make `logging.file` of flowsheet.yaml writable for this user",
} as const;

export interface Check {
  readonly name: keyof typeof HELP;
  readonly ok: boolean;
  /** The advice; null when the check passed. */
  readonly help: string | null;
}

interface ReadinessOptions {
  readonly project: Project;
  readonly workflows: () => readonly Workflow[];
  readonly isStopping: () => boolean;
  readonly isLogging: () => boolean;
  readonly keepsAll: boolean;
  /** What keeps runs from being kept. */
  readonly storeTrouble: () => Promise<object | null>;
  readonly log: Logger;
}

/** Results are reused for this time, because anybody may ask at any rate. */
const FRESH_MS = 1_000;

/** Checks the preconditions of runs. Parallel requests share one result. */
export function createReadiness(options: ReadinessOptions) {
  const { isStopping } = options;
  let last: { readonly at: number; readonly checks: Promise<readonly Check[]> } | null = null;
  return async () => {
    if (last === null || performance.now() > last.at + FRESH_MS)
      last = { at: performance.now(), checks: checksOf(options) };
    const checks = [check("stopping", !isStopping()), ...(await last.checks)];
    return { ready: checks.every(({ ok }) => ok), checks };
  };
}

const check = (name: Check["name"], ok: boolean): Check => ({ name, ok, help: ok ? null : HELP[name] });

async function checksOf(options: ReadinessOptions): Promise<readonly Check[]> {
  const { project, isLogging, keepsAll, storeTrouble } = options;
  const nodes = options.workflows().flatMap(({ ir, valid }) => (valid ? ir.nodes : []));
  // Few custom agents wait. A read-only project that keeps no runs, without built-in ones that wait, is ready.
  const keeps =
    keepsAll || nodes.some(({ agent }) => agent.builtin && /^(?:human|input|wait)$/.test(agent.type));
  const writes = nodes.some(({ agent }) => agent.builtin && /_writer$/.test(agent.type));
  const custom = nodes.flatMap(({ agent }) => (agent.builtin ? [] : [agent.written]));
  return [
    check("workflows", isReadable(project)),
    check("agents", await load(custom, options)),
    isOnServer(project)
      ? check("store", !keeps || (await storeTrouble()) === null)
      : check("runs", !keeps || (canWriteInto(project.runs) && (await storeTrouble()) === null)),
    check("data", !writes || canWriteInto(project.data)),
    check("log", isLogging()),
  ];
}

/** Without a configuration, the folder may be missing. */
function isReadable({ file, workflows }: Project): boolean {
  const kind = kindOf(workflows);
  if (kind === null) return file === null;
  return kind === "folder" && may(workflows, constants.R_OK | constants.X_OK);
}

/** Agents registered in code have no file and need no loading. */
async function load(types: readonly string[], { project, log }: ReadinessOptions): Promise<boolean> {
  const needed = new Set(types.filter((type) => builtinType(type) === undefined));
  const cache = cacheOf(project.root);
  try {
    if (needed.size > 0)
      await loadAgents({ folder: project.agents, types: needed, cache, modules: agentModules });
    return true;
  } catch (error) {
    log.warn(`not ready: ${messageOf(error)}`);
    return false;
  }
}
