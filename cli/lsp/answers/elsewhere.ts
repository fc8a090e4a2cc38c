import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Location, Range } from "vscode-languageserver/node";
import { customType } from "../../../compiler/agent-name.js";
import { createLineIndex } from "../../../compiler/diagnostics/lines.js";
import { fileInside, wayInside } from "../../../compiler/files/inside.js";
import { findAgents } from "../../../runtime/agents/custom/find.js";
import type { Project } from "../../../runtime/config/folders.js";

/** Names that lead out of the sheets: to the code of agents, and to prompts. */

const MAX_SIZE = 1_000_000;

/** The class of an agent; the top of its file where the class has no line of its own. */
export function agentPlaces({ agents }: Project, name: string): readonly Location[] {
  const found = findAgents(agents).filter(({ type }) => type === customType(name));
  return found.map(({ file, export: exported, name: own }) => {
    const names = [exported, own, `${own}Agent`].filter((one) => /^[\w$]+$/.test(one) && one !== "default");
    const pattern = new RegExp(
      `\\b(?:class|const|function|let|var)\\s+(${names.map(quoted).join("|")})\\b`,
      "d",
    );
    return { uri: pathToFileURL(file).href, range: rangeIn(textOf(file), pattern) };
  });
}

const quoted = (name: string): string => name.replaceAll("$", "\\$");

/** The file of a prompt; for a named one its line in `prompts.yaml`. A place outside of the project is none. */
export function promptPlaces(
  { root, prompts }: Project,
  kind: "file" | "prompt",
  name: string,
): readonly Location[] {
  const paths =
    kind === "file"
      ? [resolve(prompts, name), resolve(root, name)]
      : [join(prompts, "prompts.yaml"), join(root, "prompts.yaml")];
  const path = paths.find((one) => isInside(root, prompts, one));
  if (path === undefined) return [];
  const key = new RegExp(`^(["']?${name.replace(/[^\p{L}\p{N} _-]/gu, ".")}["']?)[ \\t]*:`, "dmu");
  const range = kind === "file" ? TOP : rangeIn(textOf(path), key);
  return [{ uri: pathToFileURL(path).href, range }];
}

/** Nor is a link that leads out of it. */
const isInside = (root: string, prompts: string, path: string): boolean =>
  [root, prompts].some((folder) => Boolean(wayInside(folder, path)) && fileInside(folder, path) !== null);

const TOP: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Empty for what cannot be read. */
function textOf(path: string): string {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_SIZE ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

/** The first group of a pattern with the flag `d`; the top when it is not there. */
function rangeIn(text: string, pattern: RegExp): Range {
  const found = pattern.exec(text)?.indices?.[1];
  if (found === undefined) return TOP;
  const { positionOf } = createLineIndex(text);
  const at = (offset: number): Range["start"] => {
    const { line, column } = positionOf(offset);
    return { line: line - 1, character: column - 1 };
  };
  return { start: at(found[0]), end: at(found[1]) };
}
