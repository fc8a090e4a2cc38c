import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** Where an agent of the project is written. */
export interface FoundAgent {
  /** The agent type it answers to, normalised: `next_row` is `nextrow`. */
  readonly type: string;
  /** As it is written there. */
  readonly name: string;
  readonly file: string;
  /** The name it is exported under, or `default`. */
  readonly export: string;
}

const SOURCES = new Set([".ts", ".mts", ".js", ".mjs"]);
const MAX_FILES = 10_000;
const MAX_DEPTH = 16;
const MAX_SIZE = 1_000_000;

/**
 * Finds the custom agents of a folder by reading its files, without running them. A folder that is not there
 * holds none. Linear in the size of the files.
 */
export function findAgents(folder: string): readonly FoundAgent[] {
  return sourceFiles(folder).flatMap((file) => agentsIn(readFileSync(file, "utf8"), file));
}

function sourceFiles(folder: string): readonly string[] {
  const found: string[] = [];
  const waiting = [{ path: folder, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined && found.length < MAX_FILES; next = waiting.pop()) {
    for (const entry of entriesOf(next.path)) {
      const path = join(next.path, entry.name);
      if (entry.isDirectory()) {
        if (next.depth < MAX_DEPTH && isOurs(entry.name)) waiting.push({ path, depth: next.depth + 1 });
      } else if (isSource(entry.name) && isReadable(path)) found.push(path);
    }
  }
  return found.sort();
}

const isOurs = (folder: string): boolean => folder !== "node_modules" && !folder.startsWith(".");

function isSource(name: string): boolean {
  return SOURCES.has(extname(name)) && !/\.(?:d|test|spec)\.[mc]?[jt]s$/.test(name);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isReadable(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= MAX_SIZE;
}

/** A class that extends another one, or a value made by `defineAgent`, with or without `export` before it. */
const CLASS =
  /^[ \t]*(export[ \t]+)?(default[ \t]+)?class(?:[ \t]+(?!extends\b)([\w$\x80-\uffff]+))?[^{;]{0,300}?\bextends[ \t\r\n]/gm;
const MADE =
  /^[ \t]*(export[ \t]+)?(?:const|let)[ \t]+([\w$\x80-\uffff]+)[^=\n]{0,300}=[ \t\r\n]*defineAgent\b/gm;
const DEFAULT_MADE = /^[ \t]*export[ \t]+default[ \t]+defineAgent\b/m;
const DEFAULT_NAME = /^[ \t]*export[ \t]+default[ \t]+([\w$\x80-\uffff]+)[ \t]*;?[ \t]*\r?$/gm;
const LIST = /^[ \t]*export[ \t\r\n]*\{([^}]*)\}/gm;

/** The agents that a module's text exports. */
export function agentsIn(source: string, file: string): readonly FoundAgent[] {
  const text = withoutCommentBlocks(source);
  const found = new Map<string, FoundAgent>();
  const add = (name: string, exported: string): void => {
    const type = agentType(name);
    if (type !== "") found.set(type, { type, name, file, export: exported });
  };
  const declared = new Set<string>();
  for (const [, exported, isDefault, name] of text.matchAll(CLASS)) {
    if (name !== undefined) declared.add(name);
    if (isDefault !== undefined) add(name ?? nameOfFile(file), "default");
    else if (exported !== undefined && name !== undefined) add(name, name);
  }
  for (const [, exported, name = ""] of text.matchAll(MADE)) {
    declared.add(name);
    if (exported !== undefined) add(name, name);
  }
  if (DEFAULT_MADE.test(text)) add(nameOfFile(file), "default");
  for (const [, name = ""] of text.matchAll(DEFAULT_NAME)) if (declared.has(name)) add(name, "default");
  for (const [local, exported] of exportLists(text)) {
    if (declared.has(local)) add(exported === "default" ? local : exported, exported);
  }
  return [...found.values()];
}

const nameOfFile = (file: string): string => basename(file, extname(file));

/** Types match ignoring case, spaces, `_` and `-`; `NextRowAgent` is `NextRow`. */
function agentType(name: string): string {
  const type = name.toLowerCase().replace(/[\s_.-]/gu, "");
  return type.endsWith("agent") && type.length > "agent".length ? type.slice(0, -"agent".length) : type;
}

/** The pairs of `export { local as exported }`. */
function* exportLists(text: string): Iterable<readonly [local: string, exported: string]> {
  for (const [, list = ""] of text.matchAll(LIST)) {
    for (const item of list.split(",")) {
      const [local = "", exported = local] = item.trim().split(/\s+as\s+/u);
      yield [local, exported];
    }
  }
}

/** The text without the block comments that begin a line: code that was commented out is no agent. */
function withoutCommentBlocks(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/^[ \t]*\/\*/gmu)) {
    if (index < from) continue;
    kept.push(text.slice(from, index));
    const end = text.indexOf("*/", index);
    from = end === -1 ? text.length : end + 2;
  }
  return kept.join("") + text.slice(from);
}
