import type { World } from "../../compiler/world.js";
import { type FoundAgent, findAgents } from "../agents/custom/find.js";
import { passedOver } from "../agents/custom/passed-over.js";
import { agentFacts } from "../agents/facts.js";
import { customType } from "../agents/registry.js";
import { withEnvFile } from "../config/environment.js";
import type { Folders } from "../config/folders.js";
import { isMapping } from "../graph/values/values.js";
import type { Environment } from "../host.js";
import { once } from "../lazy.js";
import { type Lack, modelLack } from "../llm/lack.js";
import { createToolTypes } from "../net/assistants/kept-types.js";
import { createPromptResolver, type PromptResolver } from "../prompts/resolve.js";
import { nameFrom, type SheetPath } from "./find-sheets.js";
import { createLibrary, type FoundGraph, type Library, type SheetFiles } from "./library.js";
import { createTables } from "./tables/tables.js";

export interface WorldOptions {
  readonly folders: Folders;
  readonly env: Environment;
  readonly encoding: string | null;
  readonly sheets: readonly SheetPath[];
  readonly unknownAgent: World["unknownAgent"];
  readonly registered?: readonly string[];
  /** Agents that declare failures. Without this function none is known to fail. */
  readonly failingAgents?: (found: readonly FoundAgent[]) => ReadonlySet<string>;
  /** Replaces the project's own lookup. */
  readonly prompt?: PromptResolver;
  /** Reads sheets in place of the disk. */
  readonly files?: SheetFiles;
  /** With it, nothing is told of other graphs of other sheets, not even which there are. */
  readonly isSeen?: (graph: FoundGraph) => boolean;
}

export type Surroundings = ReturnType<typeof createSurroundings>;

export function createWorlds(options: WorldOptions): (sheet: SheetPath) => World {
  return createSurroundings(options).worldOf;
}

/** Files are read on demand, and once. */
export function createSurroundings(options: WorldOptions) {
  const { folders, unknownAgent, registered = [], isSeen } = options;
  const found = once(() => findAgents(folders.agents));
  const typesOf = (isSure: boolean): readonly string[] =>
    found().flatMap((agent) => (agent.isSure === isSure ? [agent.type] : []));
  const customAgents = once(() => new Set([...typesOf(true), ...registered.map(customType)]));
  const possibleAgents = once(() => new Set(typesOf(false)));
  const failingAgents = once(() => options.failingAgents?.(found()) ?? new Set<string>());
  const missed = once(() => passedOver(folders.agents));
  const { prompt = createPromptResolver(folders) } = options;
  const tables = createTables(folders.data);
  const lacks = createLacks(options);
  const connections = connectionsIn(folders);
  const tools = createToolTypes(folders.root);
  const worldOf = (sheet: SheetPath): World => {
    const otherGraphs = once(() => library.namesAround(sheet));
    return {
      agents: agentFacts,
      get customAgents() {
        return customAgents();
      },
      get possibleAgents() {
        return possibleAgents();
      },
      get failingAgents() {
        return failingAgents();
      },
      passedOver: (type) => {
        const one = missed().find(({ types }) => types.has(type));
        return one === undefined ? null : { ...one, file: nameFrom(folders.root, one.file) };
      },
      unknownAgent,
      prompt,
      connections,
      tool: tools.named,
      table: tables.around(sheet.path),
      get otherGraphs() {
        return isSeen === undefined ? otherGraphs() : null;
      },
      otherGraph: (name) => {
        const found = library.find(sheet, name);
        if (found === null || isSeen?.(found) === false) return null;
        return found.understanding.graphs.find((graph) => graph.name === found.name) ?? null;
      },
      lacks,
    };
  };
  const { encoding, sheets, files } = options;
  const about = { folders, encoding, sheets, worldOf };
  const library: Library = createLibrary(files === undefined ? about : { ...about, files });
  return { worldOf, library, tableFiles: tables.files, tools: tools.all };
}

/** What has no kind is told of where the configuration is checked. Without a file, services may come from a program. */
function connectionsIn({
  file,
  configuration: { connections },
}: Folders): ReadonlyMap<string, string> | null {
  if (file === null) return null;
  const all = isMapping(connections) ? Object.entries(connections) : [];
  return new Map(all.map(([name, one]) => [name, isMapping(one) ? String(one["kind"]) : ""]));
}

/** Computed once for nodes with equal settings. */
function createLacks({ folders, env }: WorldOptions): World["lacks"] {
  const { root, configuration } = folders;
  const about = once(() => ({ section: configuration["llm"], env: withEnvFile(env, root), root }));
  const known = new Map<string, Lack | null>();
  return (type, settings) => {
    const { provider = null, llm = null, strategy = null, fallback = null } = settings;
    const given = [provider, llm, strategy, fallback];
    const key = given.every((value) => value === null) ? type : JSON.stringify([type, ...given]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const lack = modelLack(type, settings, about());
    known.set(key, lack);
    return lack;
  };
}
