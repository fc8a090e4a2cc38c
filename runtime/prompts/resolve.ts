import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { wayInside } from "../../compiler/files/inside.js";
import type { FoundPrompt } from "../../compiler/world.js";
import type { Folders } from "../config/folders.js";
import { readYaml } from "../config/yaml.js";
import { once, oncePerKey } from "../lazy.js";

export type ResolvedPrompt = FoundPrompt;

/** Finds the prompt of a `file:` or `prompt:` cell. */
export type PromptResolver = (kind: "file" | "prompt", name: string) => ResolvedPrompt;

/** Nothing outside of `root` is ever read. */
type PromptFolders = Pick<Folders, "root" | "prompts">;

const MAX_SIZE = 1_000_000;
const TEXT_FILES = new Set([".md", ".txt", ".prompt"]);
const NOT_PLAIN =
  "outside the prompts folder only .md, .txt and .prompt files that are not hidden can be prompts";

/**
 * Prompts come from the prompts folder, named ones from the `prompts.yaml` in it or in the project's folder.
 * A `file:` path from the project's folder must name a plain text file: a sheet must never read a key file.
 * Each file is read once.
 */
export function createPromptResolver(folders: PromptFolders, onLook: OnLook = () => {}): PromptResolver {
  const named = once(() => readNamedPrompts(folders, onLook));
  const ofFile = oncePerKey((name: string) => filePrompt(folders, name, onLook));
  const ofName = oncePerKey((name: string) => namedPrompt(named(), name));
  return (kind, name) => (kind === "file" ? ofFile(name) : ofName(name));
}

/** Called for each path before it is read, also when there is no file. */
type OnLook = (path: string) => void;

function filePrompt({ root, prompts }: PromptFolders, name: string, onLook: OnLook): ResolvedPrompt {
  const isThere = (path: string): boolean => {
    onLook(path);
    return existsSync(path);
  };
  if (name === "") return { missing: "no file is named" };
  if (name.includes("\0")) return { missing: "that is no path" };
  if (isAbsolute(name)) return { missing: "the path must be relative to the prompts folder" };
  const inPrompts = resolve(prompts, name);
  if (isInside(prompts, inPrompts) && isThere(inPrompts)) return readPrompt(prompts, inPrompts);
  const inProject = resolve(root, name);
  if (!isInside(root, inProject)) return { missing: "the path leads out of the project" };
  if (!isThere(inProject)) return { missing: "there is no such file" };
  if (!isPlainText(relative(root, inProject))) return { missing: NOT_PLAIN };
  return readPrompt(root, inProject);
}

/** A text file that is neither hidden nor in a hidden folder. */
function isPlainText(path: string): boolean {
  return TEXT_FILES.has(extname(path).toLowerCase()) && !path.split(sep).some((part) => part.startsWith("."));
}

const isInside = (folder: string, path: string): boolean => Boolean(wayInside(folder, path));

/** Reads a file whose real path is inside the folder: no link leads out. */
function readPrompt(folder: string, path: string): ResolvedPrompt {
  try {
    const real = realpathSync(path);
    if (!isInside(realpathSync(folder), real)) return { missing: "the path leads out of the project" };
    return readText(real);
  } catch {
    return { missing: "the file cannot be read" };
  }
}

function readText(path: string): ResolvedPrompt {
  const stats = statSync(path);
  if (!stats.isFile()) return { missing: "that is not a file" };
  if (stats.nlink > 1) return { missing: "the file has a second name (a hard link), which may be anywhere" };
  if (stats.size > MAX_SIZE) return { missing: "the file is larger than 1 MB" };
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) return { missing: "the file is not UTF-8 text" };
  return { text: new TextDecoder().decode(bytes) };
}

type NamedPrompts = ReadonlyMap<string, string> | { readonly missing: string };

function readNamedPrompts({ root, prompts }: PromptFolders, onLook: OnLook): NamedPrompts {
  const folder = [prompts, root].find((one) => {
    onLook(join(one, "prompts.yaml"));
    return existsSync(join(one, "prompts.yaml"));
  });
  if (folder === undefined) return { missing: "there is no prompts.yaml in the prompts folder" };
  const read = readPrompt(folder, join(folder, "prompts.yaml"));
  if ("missing" in read) return { missing: `prompts.yaml: ${read.missing}` };
  const result = readYaml(read.text);
  if ("problem" in result) return { missing: `prompts.yaml, line ${result.line}: ${result.problem}` };
  const { data } = result;
  if (data === null || typeof data !== "object") return new Map();
  return new Map(
    Object.entries(data).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function namedPrompt(prompts: NamedPrompts, name: string): ResolvedPrompt {
  if ("missing" in prompts) return prompts;
  const text = prompts.get(name);
  if (text !== undefined) return { text };
  const near = suggest(name, [...prompts.keys()]);
  const help = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return { missing: `prompts.yaml has no text ${JSON.stringify(name)}${help}`, meant: near };
}
