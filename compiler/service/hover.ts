import { cellName } from "../1-parse/text/places.js";
import type { ColumnName, Range, TestColumn } from "../ir.js";
import type { View } from "./document.js";
import { agentHover, settingHover } from "./hover/agent-hover.js";
import { fieldHover, paramHover } from "./hover/field-hover.js";
import { graphOwning, propertyOf } from "./hover/field-lines.js";
import { formulaHover } from "./hover/formula-hover.js";
import { code, paragraphs, plainText, sentence, typescript } from "./hover/markdown.js";
import { nodeHover } from "./hover/node-hover.js";
import type { Mention } from "./names/mention.js";
import { pageOf, sceneOf } from "./names/scene.js";
import { mentionAt } from "./names.js";
import { cellTextAt, rangeOf, rowAt, spotAt } from "./spot.js";

export interface Hover {
  readonly range: Range;
  /** Markdown. What comes from the sheet is escaped: it makes no links, pictures or HTML. */
  readonly markdown: string;
}

/** What is known of the name, or of the column's header, at an offset; null where neither stands. */
export function hover(view: View, offset: number): Hover | null {
  const page = pageOf(view);
  const mention = mentionAt(view, offset);
  if (page === null) return null;
  if (mention === null) return formulaHover(view, page, offset) ?? headerHover(view, offset);
  const markdown = said(view, mention);
  return markdown === "" ? null : { range: rangeOf(page, mention.at), markdown };
}

function said(view: View, mention: Mention): string {
  const { what, at } = mention;
  const graph = graphOwning(view, what);
  switch (what.kind) {
    case "node": {
      const node = graph?.nodes.find(({ name }) => name === what.name);
      return graph === null || node === undefined ? "" : nodeHover(view, graph, node);
    }
    case "field": {
      const field = graph?.fields.find(({ name }) => name === what.name);
      return graph === null || field === undefined ? "" : fieldHover(view, graph, field);
    }
    case "graph":
      return graphHover(view, mention);
    case "agent":
      return agentHover(view, what.name, writtenAt(view, mention));
    case "setting":
      return settingHover(view, what.name, agentAt(view, at.record));
    case "param":
      return paramHover(what.name, fieldBehind(view, mention));
    case "reference":
      return referenceHover(view, what.name);
  }
}

function graphHover(view: View, { what }: Mention): string {
  const graph = graphOwning(view, what);
  const head = `**${plainText(what.name)}** · a graph`;
  if (graph === null) return head;
  const given = graph.fields.filter(({ input }) => input !== null);
  const lines = (fields: typeof graph.fields): readonly string[] =>
    fields.slice(0, MOST_FIELDS).map((field) => propertyOf(view, graph, field));
  const written = graph.fields.filter(({ writers }) => writers.length > 0);
  const [entry] = graph.nodes;
  return paragraphs(
    `${head} of ${graph.nodes.length === 1 ? "1 node" : `${graph.nodes.length} nodes`} in ${code(graph.file)}`,
    entry === undefined ? "" : sentence("Runs begin at", [code(entry.name)]),
    given.length === 0 ? "" : `It takes\n${typescript(lines(given))}`,
    written.length === 0 ? "" : `Its nodes write\n${typescript(lines(written))}`,
  );
}

const MOST_FIELDS = 12;

const writtenAt = (view: View, { at }: Mention): string => {
  const page = pageOf(view);
  return page === null ? "" : cellTextAt(page, at.record, at.column).slice(at.start, at.end);
};

/** The type of the agent of a record's row; null for the header. */
function agentAt(view: View, record: number): string | null {
  const scene = sceneOf(view);
  const row = scene === null ? null : rowAt(scene.sheet.rows, record);
  return scene === null || row === null ? null : scene.agentOf(row).agent.type;
}

function fieldBehind({ sheet }: View, { what }: Mention): string {
  const row = sheet?.rows.find((one) => one.graph.name === what.graph && one.node.name === what.node);
  return row?.inputs.find(({ param }) => param === what.name)?.field ?? what.name;
}

/** The beginning of a prompt that stands in a file. */
function referenceHover({ world }: View, reference: string): string {
  const colon = reference.indexOf(":");
  const kind = reference.slice(0, colon) === "file" ? "file" : "prompt";
  const found = world.world.prompt?.(kind, reference.slice(colon + 1));
  const head = `The prompt is taken from ${code(reference)}.`;
  if (found === undefined) return head;
  return paragraphs(head, "text" in found ? plainText(found.text) : plainText(found.missing));
}

/** What a column is, over its header. */
function headerHover(view: View, offset: number): Hover | null {
  const page = pageOf(view);
  const spot = page === null ? null : spotAt(page, offset);
  if (page === null || spot === null || spot.record !== headerRecord(view)) return null;
  const text = cellTextAt(page, spot.record, spot.column);
  const range = rangeOf(page, { record: spot.record, column: spot.column, start: 0, end: text.length });
  const meaning = meaningOf(view, spot.column);
  const where = `column ${cellName(spot.column, spot.record).replace(/\d+$/, "")}`;
  if (meaning === null) return null;
  const markdown =
    meaning.name === null ? meaning.line : paragraphs(`${code(meaning.name)} · ${where}`, meaning.line);
  return { range, markdown };
}

const headerRecord = ({ sheet, tests }: View): number => sheet?.headerRecord ?? tests?.header.record ?? -1;

interface ColumnMeaning {
  readonly name: ColumnName | TestColumn | null;
  readonly line: string;
}

function meaningOf({ sheet, tests, world: { about } }: View, column: number): ColumnMeaning | null {
  if (tests !== null) {
    const [name] = [...tests.header.columns].find(([, at]) => at === column) ?? [];
    return name === undefined ? null : { name, line: about?.testColumns[name] ?? "" };
  }
  const meaning = sheet?.header[column]?.meaning;
  if (meaning?.kind === "private") return { name: null, line: "A private column: it is ignored." };
  if (meaning?.kind !== "column") return null;
  return { name: meaning.name, line: about?.columns[meaning.name] ?? "" };
}
