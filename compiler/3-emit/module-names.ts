import type { GraphIR } from "../ir.js";
import { kebabCase } from "./names.js";

/** Names that Windows keeps for its devices, and the name of the index. */
const KEPT = /^(?:index|con|prn|aux|nul|com\d|lpt\d)$/;
const LONGEST = 80;

/**
 * The file names of graphs, without `.gen.ts`, in the order of the graphs. They differ also where case does not count.
 * The order of sheets and rows does not matter: of graphs that would share a name the first by sheet and name has it,
 * the others end in a number made of theirs. Names that are kept for other modules are not given away.
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

/** The graph's name as a file's; null when it does not make one. */
function plainName(name: string): string | null {
  const plain = kebabCase(name);
  if (plain === "" || plain.length > LONGEST) return null;
  return KEPT.test(plain) ? `${plain}-graph` : plain;
}

/** Eight letters and digits that tell names apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
