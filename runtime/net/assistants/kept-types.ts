import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ToolTypes, toolTypes } from "../../../compiler/types/from-schema.js";
import type { World } from "../../../compiler/world.js";
import { isMapping } from "../../graph/values/values.js";
import { once } from "../../lazy.js";

/** Where `flowsheet types --mcp` keeps what the tools of `mcp.servers` declare. */
export const toolTypesFile = (root: string): string => join(root, ".flowsheet", "mcp.json");

/** The types of tools, read when a node first calls one. A file that cannot be read says nothing. */
export function createToolTypes(root: string): {
  readonly named: NonNullable<World["tool"]>;
  readonly all: () => readonly KnownTool[];
} {
  const known = once(() => readTools(root));
  const byName = once(() => new Map(known().map(({ server, tool, types }) => [key(server, tool), types])));
  return { named: (server, tool) => byName().get(key(server, tool)) ?? null, all: known };
}

export interface KnownTool {
  readonly server: string;
  readonly tool: string;
  readonly types: ToolTypes;
}

const key = (server: string, tool: string): string => JSON.stringify([server, tool]);

function readTools(root: string): readonly KnownTool[] {
  const data = readData(toolTypesFile(root));
  const servers = isMapping(data) ? data["servers"] : null;
  return entries(servers).flatMap(([server, tools]) =>
    entries(tools).flatMap(([tool, one]) =>
      isMapping(one) ? [{ server, tool, types: toolTypes(one["input"], one["output"]) }] : [],
    ),
  );
}

const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isMapping(value) ? Object.entries(value) : [];

function readData(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
