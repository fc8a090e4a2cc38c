import { cacheOf } from "../../agents/custom/cache-folder.js";
import { loadAgents } from "../../agents/custom/load.js";
import { fillIn } from "../../agents/outside/template.js";
import { AgentRegistry } from "../../agents/registry.js";
import type { Project } from "../../config/folders.js";
import type { RemindWith } from "../../config/run-settings.js";
import { type NoticesWorld, REMIND_MS, type Reminder } from "../../durable/notices.js";
import type {
  AgentContext,
  AnyAgent,
  Result,
  RunOptions,
  Settings,
  StateData,
} from "../../graph/contract/contract.js";
import { createGraph } from "../../graph/graph.js";
import { callOf } from "../../graph/link/table.js";
import { agentModules } from "../../workflows/agent-modules.js";

export interface RemindingWorld {
  readonly project: Project;
  readonly registered: { readonly [name: string]: AnyAgent };
  readonly options: RunOptions;
}

/** Calls the agent of `runs.remind_with`; null without one. It is loaded with the first reminder. */
export function createReminding({ project, registered, options }: RemindingWorld): NoticesWorld["remind"] {
  const { remindWith } = project.keeping;
  if (remindWith === null) return null;
  let found: Promise<AnyAgent> | null = null;
  return async (reminder, signal) => {
    found ??= findAgent(remindWith.agent, project, registered).catch((error: unknown) => {
      found = null;
      throw error;
    });
    const agent = await found;
    const running = graphOf(agent, remindWith, reminder).run(
      {},
      {
        ...options,
        ...{ runId: reminder.runId, timeoutMs: REMIND_MS, signal },
      },
    );
    const failure = failureOf(await running);
    if (failure !== null) throw new Error(failure);
  };
}

async function findAgent(
  name: string,
  { root, agents: folder }: Project,
  registered: RemindingWorld["registered"],
): Promise<AnyAgent> {
  const cache = cacheOf(root);
  const loaded = await loadAgents({ folder, types: [name], cache, modules: agentModules });
  const registry = new AgentRegistry();
  for (const [known, agent] of Object.entries(registered)) registry.add(known, agent);
  const others = loaded.filter(({ type }) => !registry.types().has(type));
  for (const { type, agent } of others) registry.add(type, agent, type);
  const agent = registry.find(name);
  if (agent === undefined) throw new Error(`there is no agent ${JSON.stringify(name)}`);
  return agent;
}

/** A graph of one node: the agent finds in it what it finds in every other one. */
function graphOf(
  agent: AnyAgent,
  { prompt: template, settings }: RemindWith,
  { runId, graph, node, visit, prompt, until, key }: Reminder,
) {
  const call = callOf(agent);
  const given = { run_id: runId, graph, node, prompt, until };
  return createGraph({
    name: graph,
    entry: node,
    nodes: {
      [node]: {
        agent: (inputs: { readonly [name: string]: unknown }, context: AgentContext) =>
          call(inputs, { ...context, visit, key }),
        inputs: () => given,
        settings: settings as Settings,
        ...(template === null ? {} : { prompt: () => fillIn(template, given) }),
      },
    },
    routes: { [node]: {} },
    fingerprint: "",
  });
}

function failureOf({ status, error, state }: Result<StateData>): string | null {
  if (status === "suspended") return "an agent that reminds cannot wait for an answer";
  if (status === "cancelled") return "it was stopped";
  if (error !== null) return error.message;
  return typeof state["error"] === "string" ? state["error"] : null;
}
