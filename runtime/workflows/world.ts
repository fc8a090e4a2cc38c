import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parseSheet } from "../../compiler/1-parse/index.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import type { World } from "../../compiler/world.js";
import { customType } from "../agents/builtins.js";
import { agentFacts } from "../agents/facts.js";
import { findAgents } from "../agents/find.js";
import type { Folders } from "../config/folders.js";
import type { Environment } from "../host.js";
import { createPromptResolver, type PromptResolver } from "../prompts/resolve.js";
import { type SheetPath, sheetsInFolder } from "./find-sheets.js";
import { openSheet } from "./open-sheet.js";

/** What the worlds of all sheets of one command have in common. */
export interface WorldOptions {
  readonly folders: Folders;
  readonly env: Environment;
  readonly encoding: string | null;
  /** All sheets of the command: their graphs know each other. */
  readonly sheets: readonly SheetPath[];
  readonly unknownAgent: World["unknownAgent"];
  /** Names of agents that code has registered. */
  readonly registered?: readonly string[];
  /** Looks prompts up instead of the project's own look-up. */
  readonly prompt?: PromptResolver;
}

/** Makes the world of a sheet. Files are looked at only when a sheet asks for what is in them, and once. */
export function createWorlds(options: WorldOptions): (sheet: SheetPath) => World {
  const { folders, unknownAgent, registered = [] } = options;
  const customAgents = once(
    () => new Set([...findAgents(folders.agents).map(({ type }) => type), ...registered.map(customType)]),
  );
  const graphsOf = remembered((path: string) => graphNames(path, options.encoding));
  const { prompt = createPromptResolver(folders) } = options;
  const lacks = remembered((type: string) => lackOf(type, options));
  return (sheet) => {
    const otherGraphs = once(() => new Set(namesOf(neighbours(sheet, options), folders, graphsOf)));
    return {
      agents: agentFacts,
      get customAgents() {
        return customAgents();
      },
      unknownAgent,
      prompt,
      get otherGraphs() {
        return otherGraphs();
      },
      lacks,
    };
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function remembered<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.has(key) ? (known.get(key) as T) : make(key);
    known.set(key, found);
    return found;
  };
}

/** The other sheets whose graphs a sheet may run: those beside it, of the workflows folder, and of the command. */
function neighbours(sheet: SheetPath, { folders, sheets }: WorldOptions): readonly string[] {
  const around = [dirname(sheet.path ?? join(folders.root, "-")), folders.workflows].filter(existsSync);
  const found = around.flatMap(
    (folder) => sheetsInFolder(folder, folder, folder === folders.workflows).sheets,
  );
  const paths = new Set([...sheets, ...found].flatMap(({ path }) => (path === null ? [] : [path])));
  if (sheet.path !== null) paths.delete(sheet.path);
  return [...paths];
}

/** Graph names, each also with its sheet: `support::Triage`. */
function* namesOf(
  paths: readonly string[],
  { workflows }: Folders,
  graphsOf: (path: string) => ReadonlySet<string>,
): Iterable<string> {
  for (const path of paths) {
    const sheet = sheetNameOf(path, workflows);
    for (const name of graphsOf(path)) {
      yield name;
      yield `${sheet}::${name}`;
    }
  }
}

/** A sheet's name before `::`: its way from the workflows folder, else its file's name, without `.csv`. */
export function sheetNameOf(path: string, workflows: string): string {
  const way = relative(workflows, path).replaceAll("\\", "/");
  return (way.startsWith("..") ? basename(path) : way).replace(/\.csv$/i, "");
}

function graphNames(path: string, encoding: string | null): ReadonlySet<string> {
  const opened = openSheet(path);
  if (opened.kind !== "bytes") return new Set();
  const source = { file: path, bytes: opened.bytes, ...(encoding === null ? {} : { encoding }) };
  const sheet = parseSheet(source, new Problems(path));
  return new Set(sheet?.rows.map(({ graph }) => graph.name).filter((name) => name !== ""));
}

/** The package and the key that each hosted model needs. */
const MODELS: { readonly [agent: string]: { readonly sdk: string; readonly key: string } } = {
  openai: { sdk: "@ai-sdk/openai", key: "OPENAI_API_KEY" },
  anthropic: { sdk: "@ai-sdk/anthropic", key: "ANTHROPIC_API_KEY" },
  google: { sdk: "@ai-sdk/google", key: "GOOGLE_GENERATIVE_AI_API_KEY" },
};

function lackOf(agent: string, { folders, env }: WorldOptions): ReturnType<World["lacks"]> {
  const model = Object.hasOwn(MODELS, agent) ? MODELS[agent] : undefined;
  if (model === undefined) return null;
  const packages = ["ai", model.sdk].filter((name) => !isInstalled(name, folders.root));
  const keys = env[model.key] ? [] : [model.key];
  if (packages.length + keys.length === 0) return null;
  const cures = [
    ...(packages.length === 0 ? [] : [`npm install ${packages.join(" ")}`]),
    ...keys.map((key) => `set ${key} in the environment`),
  ];
  return { what: [...packages, ...keys].join(", "), cure: cures.join("; ") };
}

/** Whether a package stands in a node_modules of the project or above it: nothing is loaded to find out. */
function isInstalled(name: string, from: string): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
    if (dirname(folder) === folder) return false;
  }
}
