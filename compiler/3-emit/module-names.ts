import type { GraphIR } from "../ir.js";
import { kebabCase } from "./names.js";

/** Windows reserves these names for devices; `index` is the index of the modules. */
const KEPT = /^(?:index|con|prn|aux|nul|com\d|lpt\d)$/;
const LONGEST = 80;

/**
 * The file names of graphs, without `.gen.ts`. They differ also on file systems that ignore case.
 * Graphs that would share a name get it in the order of their names and sheets, whatever the order of the rows:
 * the first has the name, and others end in a hash. Names in `kept` belong to other modules.
 */
export function moduleNames(
  graphs: readonly Pick<GraphIR, "name" | "file">[],
  kept: readonly string[] = [],
): readonly string[] {
  const names = new Map<number, string>();
  const taken = new Set<string>(kept);
  const identity = ({ name, file }: Pick<GraphIR, "name" | "file">): string =>
    `${name}\n${file.replaceAll("\\", "/")}`;
  const order = [...graphs.keys()].sort((a, b) => (identity(graphs[a]!) < identity(graphs[b]!) ? -1 : 1));
  for (const index of order) {
    const { name } = graphs[index]!;
    const plain = plainName(name);
    const known = plain === null || taken.has(plain);
    const unique = known
      ? `${(plain ?? "graph").slice(0, LONGEST)}-${shortHash(identity(graphs[index]!))}`
      : plain;
    taken.add(unique);
    names.set(index, unique);
  }
  return graphs.map((_, index) => names.get(index)!);
}

/** Null when a graph's name does not make the name of a file. */
function plainName(name: string): string | null {
  const plain = kebabCase(name);
  if (plain === "" || plain.length > LONGEST) return null;
  return KEPT.test(plain) ? `${plain}-graph` : plain;
}

/** FNV-1a. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
