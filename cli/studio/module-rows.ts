import { createLineIndex } from "../../compiler/diagnostics/lines.js";
import type { GraphIR } from "../../compiler/ir.js";
import type { ModuleToken } from "./module-tokens.js";

/** A node's part of a declaration, by offsets. */
interface Entry {
  readonly node: string;
  readonly from: number;
  readonly to: number;
}

/** The lines of a module, from 1, with the records of the nodes that they are made from. */
export function moduleRows(
  text: string,
  tokens: readonly ModuleToken[],
  { nodes }: GraphIR,
): readonly (readonly [line: number, record: number])[] {
  const records = new Map(nodes.map(({ name, row }) => [name, row - 1]));
  const { positionOf } = createLineIndex(text);
  return entriesIn(tokens).flatMap(({ node, from, to }) => {
    const record = records.get(node);
    if (record === undefined) return [];
    const [first, last] = [positionOf(from).line, positionOf(to).line];
    return Array.from({ length: last - first + 1 }, (_, i) => [first + i, record] as const);
  });
}

/** Declarations with an entry for each node. */
const isOfNodes = (name: string): boolean =>
  name === "nodes" || name === "routes" || name === "splits" || name.endsWith("Nodes");

/** The entries of those declarations, each from its comment to its end. */
function entriesIn(tokens: readonly ModuleToken[]): readonly Entry[] {
  const found: Entry[] = [];
  let depth = 0;
  let declared = "";
  let from: number | null = null;
  let node: string | null = null;
  const end = (to: number): void => {
    if (node !== null && from !== null) found.push({ node, from, to });
    node = from = null;
  };
  for (const [i, { text, start, is }] of tokens.entries()) {
    const before = tokens[i - 1];
    if (depth === 0 && (before?.text === "const" || before?.text === "interface")) declared = text;
    const isInside = depth === 1 && isOfNodes(declared);
    if (is === null && CLOSING.has(text)) {
      depth -= 1;
      if (depth === 0) end(before === undefined ? start : before.start);
    } else if (isInside && is === null && (text === "," || text === ";")) end(start);
    else if (isInside && node === null) {
      from ??= start;
      if (tokens[i + 1]?.text === ":") node = nameOf(text);
    }
    if (is === null && OPENING.has(text)) depth += 1;
  }
  return found;
}

const OPENING = new Set(["{", "(", "["]);
const CLOSING = new Set(["}", ")", "]"]);

function nameOf(key: string): string {
  try {
    return key.startsWith('"') ? (JSON.parse(key) as string) : key;
  } catch {
    return key;
  }
}
