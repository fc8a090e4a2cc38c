import { locate } from "../1-parse/text/places.js";
import type { NameItem } from "../ir.js";
import type { Analysis, Draft, DraftNode } from "./draft.js";
import { reportAt } from "./draft.js";

/** Letters of other scripts that look like Latin ones, as pairs: the letter, then what it looks like. */
const LOOK_ALIKE = new Map(
  ("аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwӏlвbнhкkмmтtгrпnзз" + "αaοoρpνvιiκkτtυuχxγyηnωw" + "ıiℓlɡgɑaᴀaᴏo")
    .match(/../gsu)
    ?.map((pair): [string, string] => [pair[0] ?? "", pair[1] ?? ""]) ?? [],
);

const ASCII = /^[\x20-\x7e]*$/;

/** A name as the eye sees it: compatibility forms, case, marks and look-alike letters made equal. */
function skeleton(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  const plain = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u200b-\u200d\ufeff]/gu, "");
  let seen = "";
  for (const letter of plain) seen += LOOK_ALIKE.get(letter) ?? letter;
  return seen;
}

interface Named {
  readonly name: string;
  readonly row: number;
}

/** Finds for a name an earlier one that differs only in case, or only to the machine. */
function createClashes(): (
  name: string,
  row: number,
) => { readonly code: "case-clash" | "confusable-name"; readonly other: Named } | null {
  const folded = new Map<string, Named>();
  const seen = new Map<string, Named>();
  const put = (map: Map<string, Named>, key: string, named: Named): void => {
    if (!map.has(key)) map.set(key, named);
  };
  return (name, row) => {
    const fold = name.toLowerCase();
    const look = skeleton(name);
    const clash = folded.get(fold);
    const twin = seen.get(look);
    const named = { name, row };
    put(folded, fold, named);
    put(seen, look, named);
    if (clash !== undefined && clash.name !== name) return { code: "case-clash", other: clash };
    return twin === undefined || twin.name === name ? null : { code: "confusable-name", other: twin };
  };
}

/** Warns of nodes of a graph whose names are easily taken for each other. Linear. */
export function checkNodeNames(draft: Draft): void {
  const clashes = createClashes();
  for (const node of draft.nodes) {
    const { name, at } = node.row.node;
    const clash = name === "" ? null : clashes(name, node.row.record + 1);
    if (clash === null) continue;
    const params = { what: "node", name, other: clash.other.name, row: clash.other.row };
    reportAt(draft, node, clash.code, params, { span: at, column: "node_name" });
  }
}

/** Warns of graphs of a sheet whose names are easily taken for each other. Linear. */
export function checkGraphNames({ sheet, problems }: Analysis, drafts: readonly Draft[]): void {
  const clashes = createClashes();
  for (const { name, nodes } of drafts) {
    const { row } = nodes[0] as DraftNode;
    const graph: NameItem = row.graph;
    const clash = clashes(name, row.record + 1);
    if (clash === null) continue;
    const params = { what: "graph", name, other: clash.other.name, row: clash.other.row };
    problems.report(clash.code, params, {
      place: locate(sheet, graph.at),
      graph: name,
      node: null,
      column: "graph_name",
    });
  }
}
