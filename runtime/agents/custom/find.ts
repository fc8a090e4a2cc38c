import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { agentsIn } from "./agents-in.js";

export interface FoundAgent {
  /** The agent type in normalized form: `next_row` is `nextrow`. */
  readonly type: string;
  readonly name: string;
  readonly file: string;
  /** The name of the export, or `default`. */
  readonly export: string;
  /** True for a certain agent. Otherwise it may be one, which only loading shows. */
  readonly isSure: boolean;
}

const LOADED = new Set([".ts", ".mts", ".js", ".mjs"]);
/** Files of this kind are never read as agents, but who moves from another tool is told so. */
export const PYTHON = ".py";
const MAX_FILES = 10_000;
const MAX_DEPTH = 16;
const MAX_SIZE = 16_000_000;

/** Reads the files of a folder without running them. A missing folder has no agents. Linear. */
export function findAgents(folder: string): readonly FoundAgent[] {
  const all = sourceFiles(folder, isLoaded).flatMap((file) => agentsIn(readFileSync(file, "utf8"), file));
  const sure = new Set(all.flatMap(({ type, isSure }) => (isSure ? [type] : [])));
  return all.filter(({ type, isSure }) => isSure || !sure.has(type));
}

export const isLoaded = (name: string): boolean => LOADED.has(extname(name));

export function sourceFiles(folder: string, isWanted: (name: string) => boolean): readonly string[] {
  const found: string[] = [];
  const waiting = [{ path: folder, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined && found.length < MAX_FILES; next = waiting.pop()) {
    for (const entry of entriesOf(next.path)) {
      const path = join(next.path, entry.name);
      if (entry.isDirectory()) {
        if (next.depth < MAX_DEPTH && isOurs(entry.name)) waiting.push({ path, depth: next.depth + 1 });
      } else if (isSource(entry.name) && isWanted(entry.name) && isReadable(path)) found.push(path);
    }
  }
  return found.sort();
}

const isOurs = (folder: string): boolean => folder !== "node_modules" && !folder.startsWith(".");

function isSource(name: string): boolean {
  if (extname(name) === PYTHON) return !name.startsWith("_") && !name.startsWith("test_");
  return /\.[mc]?[jt]sx?$/.test(name) && !/\.(?:d|test|spec)\.[mc]?[jt]sx?$/.test(name);
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
