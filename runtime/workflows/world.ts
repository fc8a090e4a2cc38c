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
import { type Lack, modelLack } from "../llm/lack.js";
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
  const lacks = createLacks(options);
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

/** What nodes lack to ask their models: worked out once for nodes that ask alike. */
function createLacks({ folders, env }: WorldOptions): World["lacks"] {
  const about = { section: folders.configuration["llm"], env, root: folders.root };
  const known = new Map<string, Lack | null>();
  return (type, settings) => {
    const { provider = null, llm = null, strategy = null } = settings;
    const key = JSON.stringify([type, provider, llm, strategy]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const lack = modelLack(type, settings, about);
    known.set(key, lack);
    return lack;
  };
}
