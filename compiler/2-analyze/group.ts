import { nodeNameFault } from "../1-parse/cells/name-rules.js";
import { createSuggester, foldName } from "../diagnostics/suggest.js";
import type { Row } from "../ir.js";
import { type Analysis, type Draft, type DraftNode, reportRow } from "./draft.js";
import { isSlip } from "./fields/nearby.js";
import { once } from "./flow/once.js";
import { groupBy } from "./group-by.js";
import { createNode } from "./nodes.js";

/** Puts the rows of a graph together. Linear. */
export function createDraft(analysis: Analysis, name: string, rows: readonly Row[]): Draft {
  const byName = new Map<string, number>();
  const nodes: DraftNode[] = [];
  let duplicates = 0;
  for (const row of rows) {
    const first = byName.get(row.node.name);
    if (first !== undefined && row.node.name !== "") {
      const params = { name: row.node.name, row: (nodes[first] as DraftNode).row.record + 1 };
      reportRow(analysis, row, "duplicate-node", params, { span: row.node.at, column: "node_name" });
      duplicates++;
    } else byName.set(row.node.name, nodes.length);
    nodes.push(createNode(analysis, row, nodes.length));
  }
  byName.delete("");
  // A second row of one name may hold the edges that the author means, so nothing is called missing beside it.
  const incomplete = duplicates > 0 || nodes.some(({ row }) => row.damaged || row.node.name === "");
  return {
    analysis,
    name,
    nodes,
    byName,
    fieldNames: once(
      () => new Set(rows.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].map(({ field }) => field))),
    ),
    outputNames: once(() => new Set(rows.flatMap(({ outputs }) => outputs.map(({ field }) => field)))),
    suggestNode: createSuggester([...byName.keys(), "END"]),
    isSurely: createCertainty(byName, incomplete ? [] : rows),
    incomplete,
  };
}

/** So many nodes that no cell names are compared with one by one. */
const MOST_COMPARED = 200;

/**
 * True when an unknown target surely means a node. Either they differ only in case, white space, `_` and `-`, and no
 * other node's name does. Or the target is a slip for the only such node that no cell names.
 */
function createCertainty(byName: ReadonlyMap<string, number>, rows: readonly Row[]): Draft["isSurely"] {
  const same = once(() => groupBy(new Set([...byName.keys(), "END"]), foldName));
  const unnamed = once(() => unnamedNodes(byName, rows));
  return (name, suggestion) => {
    // A name that breaks a rule must itself be mended, so no cure writes it again.
    if (nodeNameFault(suggestion) !== null) return false;
    const folded = foldName(name);
    if (foldName(suggestion) === folded) return same().get(folded)?.length === 1;
    if (unnamed().length > MOST_COMPARED || !unnamed().includes(suggestion)) return false;
    return (
      unnamed()
        .filter((other) => isSlip(name, other))
        .join("|") === suggestion
    );
  };
}

/** The nodes besides the entry that no next column names. */
function unnamedNodes(byName: ReadonlyMap<string, number>, rows: readonly Row[]): readonly string[] {
  const named = new Set(
    rows.flatMap(({ next, onSuccess, onFailure }) =>
      [...next, ...onSuccess, ...onFailure].map(({ name }) => name),
    ),
  );
  // A graph that is not known whole passes no rows: the missing cells may name any node.
  if (rows.length === 0) return [];
  return [...byName].filter(([name, index]) => index > 0 && !named.has(name)).map(([name]) => name);
}
