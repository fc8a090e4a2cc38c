import { indexOf } from "../1-parse/text/page.js";
import type { Draft, DraftNode } from "./draft.js";
import type { Digraph } from "./flow/digraph.js";

/**
 * In a graph of which some cells could not be read: says of a node whether some cell may name it. A row that could
 * not be read names a node when all the words of its name stand in that row. Linear in the damaged rows.
 */
export function createMayBeNamed(draft: Draft, graph: Digraph): (node: DraftNode) => boolean {
  const targets = new Set(graph.to);
  const { sheet } = draft.analysis;
  const words = new Set<string>();
  for (const { row } of draft.nodes) {
    if (!row.damaged) continue;
    const cells = indexOf(sheet).recordAt(row.record)?.cells ?? [];
    for (const [column, { start, end }] of cells.entries()) {
      if (column === row.node.at.column) continue;
      for (const word of wordsOf(sheet.text.slice(start, end))) words.add(word);
    }
  }
  return ({ index, row }) => {
    const own = wordsOf(row.node.name);
    // Of two rows of one name only the first one is gone to.
    const isSecond = draft.byName.get(row.node.name) !== index;
    return isSecond || targets.has(index) || own.every((word) => words.has(word));
  };
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
