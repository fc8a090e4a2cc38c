import { indexOf } from "../../1-parse/text/page.js";
import type { Row } from "../../ir.js";
import type { NameKey } from "./mention.js";
import type { SheetScene } from "./scene.js";

/** Tells the rows that can hold a name. To read the names of all rows takes much longer. */
export function rowsThatMayHold(scene: SheetScene, name: NameKey): (row: Row) => boolean {
  const isInText = textTest(scene, name);
  return (row) => mayReach(scene, row, name) && isInText(row);
}

/** Most rows are of other graphs: they can name only graphs in their settings, and fields of those that they run. */
function mayReach(scene: SheetScene, row: Row, { kind, file, graph, name }: NameKey): boolean {
  if (kind === "graph") return row.graph.name === name || row.settings.length > 0;
  if (graph === null) return true;
  if (file === scene.view.file && row.graph.name === graph) return true;
  return kind === "field" && scene.agentOf(row).facts?.type === "graph";
}

/**
 * The letters of a name stand in a row as they are, but for settings: JSON has escapes, and a loop gives a field that
 * nobody wrote.
 */
function textTest({ sheet }: SheetScene, { kind, name, graph }: NameKey): (row: Row) => boolean {
  const [word = ""] = (name.match(/[\p{L}\p{N}_]+/gu) ?? []).sort((a, b) => b.length - a.length);
  // Agents, settings and prompts in files are found by more than what is written.
  if (graph === null && kind !== "graph") return () => true;
  const { records } = indexOf(sheet);
  const isWritten = kind === "node" || kind === "graph";
  return ({ record, settings }) => {
    const text = sheet.text.slice(records[record], records[record + 1]);
    return text.includes(word) || (settings.length > 0 && (!isWritten || text.includes("\\")));
  };
}
