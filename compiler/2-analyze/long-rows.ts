import { parseContext } from "../1-parse/cells/context.js";
import { type FieldList, type ListColumn, parseFieldList } from "../1-parse/cells/field-list.js";
import { parsePromptText } from "../1-parse/cells/prompt.js";
import { parseTargets } from "../1-parse/cells/targets.js";
import { quoteCell } from "../1-parse/text/edit-cell.js";
import { indexOf } from "../1-parse/text/page.js";
import { located } from "../1-parse/text/places.js";
import type { RecordScan } from "../1-parse/text/scan.js";
import { isBlank } from "../1-parse/text/white-space.js";
import { normalizeAgent } from "../agent-name.js";
import type { Fix } from "../diagnostics/diagnostic.js";
import { COLUMNS, type ColumnName, type Row, type Sheet } from "../ir.js";
import type { Analysis, Draft } from "./draft.js";

/** So many characters are read to find repairs: each row is read in as many ways as it has cells. */
const MOST_READ = 1_000_000;

/** Reports rows that fill more cells than the header has. Linear. */
export function checkLongRows(
  analysis: Analysis,
  rows: readonly Row[],
  draftOf: (graph: string) => Draft | null,
): void {
  const { sheet, problems } = analysis;
  let left = MOST_READ;
  for (const row of rows) {
    const cells = row.long ?? [];
    const columns = sheet.header.length;
    const surplus = cells.findIndex((cell, column) => column >= columns && !isBlank(cell));
    const span = { record: row.record, column: surplus, start: 0, end: cells[surplus]?.length ?? 0 };
    const isSlip = isOneSlip(filled(cells, columns) - columns);
    if (isSlip) left -= columns * cells.reduce((sum, cell) => sum + cell.length, 0);
    const draft = isSlip && left > 0 ? draftOf(row.graph.name) : null;
    const repair = draft === null ? null : onlyRepair(draft, row, cells);
    const cure = repair?.cure ?? (isBlank(cells[columns - 1] ?? "") ? "comma" : null);
    problems.report(
      "long-row",
      { cells: cells.length, columns, cure },
      { ...located(sheet, span), graph: row.graph.name, node: row.node.name, fix: repair?.fix ?? null },
    );
  }
}

/** One way to make a row as wide as the header: how its cells would stand then. */
interface Repair {
  readonly cells: readonly string[];
  readonly cure: "comma" | "quotes";
  readonly fix: Fix;
}

/** A row that is longer by more than this has not been written by a slip. */
const MOST_SURPLUS = 3;

const isOneSlip = (surplus: number): boolean => surplus >= 1 && surplus <= MOST_SURPLUS;

/** The cells of a row up to the last one that holds something, or as many as the header has. */
function filled(cells: readonly string[], width: number): number {
  let length = cells.length;
  while (length > width && isBlank(cells[length - 1] ?? "")) length--;
  return length;
}

/**
 * The one repair after which every cell fits its column; null when there is none. Of several, the one that moves the
 * surplus alone: every cell before it stands where it belongs.
 */
function onlyRepair(draft: Draft, row: Row, cells: readonly string[]): Repair | null {
  const { sheet } = draft.analysis;
  const width = sheet.header.length;
  const surplus = filled(cells, width) - width;
  const scan = indexOf(sheet).recordAt(row.record)?.cells ?? [];
  const all = [...withoutCommas(sheet, scan, cells, surplus), ...withQuotes(sheet, scan, cells, surplus)];
  const known = chosen.get(draft) ?? new Map<string, Repair["cells"] | null>();
  chosen.set(draft, known);
  const key = cells.join("\0");
  if (!known.has(key)) known.set(key, onlySound(draft, cells, all)?.cells ?? null);
  const one = known.get(key)?.join("\0");
  return all.find((repair) => repair.cells.join("\0") === one) ?? null;
}

/** The cells that rows of a graph should have, by those that they have: as long as the graph is as it is. */
const chosen = new WeakMap<Draft, Map<string, Repair["cells"] | null>>();

function onlySound(draft: Draft, cells: readonly string[], all: readonly Repair[]): Repair | null {
  const width = draft.analysis.sheet.header.length;
  const sound = all.filter((repair) => isSound(draft, repair.cells));
  const nearest = sound.filter((repair) =>
    repair.cells.slice(0, width - 1).every((cell, i) => cell === cells[i]),
  );
  const [only, ...more] = sound.length === 1 ? sound : nearest;
  return only === undefined || more.length > 0 ? null : only;
}

/** A comma too many leaves an empty cell somewhere before the surplus; cells side by side come to the same. */
function withoutCommas(
  sheet: Sheet,
  scan: RecordScan["cells"],
  cells: readonly string[],
  surplus: number,
): readonly Repair[] {
  const repairs: Repair[] = [];
  for (let at = 0; at < sheet.header.length; at++) {
    if (at > 0 && isBlank(cells[at - 1] ?? "")) continue;
    if (!cells.slice(at, at + surplus).every(isBlank)) continue;
    const [first, next] = [scan[at], scan[at + surplus]];
    if (first === undefined || next === undefined) continue;
    const edits = [{ start: first.start, end: next.start, text: "" }];
    const sign = sheet.delimiter === "\t" ? "tab" : JSON.stringify(sheet.delimiter);
    const title = surplus === 1 ? `remove one ${sign}` : `remove ${surplus} times ${sign}`;
    repairs.push({ cells: cells.toSpliced(at, surplus), cure: "comma", fix: { title, safe: true, edits } });
  }
  return repairs;
}

/** Columns whose text may hold the sign between the cells. */
const TEXTS: readonly ColumnName[] = ["prompt", "description", "context", "input_fields", "output_field"];

/** Text with the sign between the cells in it, which nobody has put in quotes: white space follows each sign. */
function withQuotes(
  { delimiter, header, text }: Sheet,
  scan: RecordScan["cells"],
  cells: readonly string[],
  surplus: number,
): readonly Repair[] {
  return header.flatMap(({ meaning }, at): readonly Repair[] => {
    if (meaning.kind !== "column" || !TEXTS.includes(meaning.name)) return [];
    const parts = cells.slice(at, at + surplus + 1);
    if (parts.some((part, i) => isBlank(part) || (i > 0 && !/^\s/.test(part)))) return [];
    const [first, last] = [scan[at], scan[at + surplus]];
    if (first === undefined || last === undefined) return [];
    if (scan.slice(at, at + surplus + 1).some(({ quoted }) => quoted)) return [];
    const moved = cells.toSpliced(at, surplus + 1, parts.join(delimiter));
    const edits = [{ start: first.start, end: last.end, text: quoteCell(text.slice(first.start, last.end)) }];
    const title = `put the ${meaning.name} in quotes`;
    return [{ cells: moved, cure: "quotes", fix: { title, safe: true, edits } }];
  });
}

/** True when each cell is what its column holds: nodes of the graph, an agent that is there, fields, settings. */
function isSound(draft: Draft, cells: readonly string[]): boolean {
  const of = cellsByColumn(draft, cells);
  const agent = of.agent_type.trim();
  const { analysis, byName, suggestNode, isSurely } = draft;
  if (agent !== "" && !isAgent(analysis, agent)) return false;
  const targets = [of.next_node, of.next_on_success, of.next_on_failure].flatMap(
    (cell) => parseTargets(cell).entries,
  );
  const isTarget = (name: string): boolean =>
    name === "END" || byName.has(name) || isSurely(name, suggestNode(name) ?? "");
  if (!targets.every(({ name }) => isTarget(name))) return false;
  const inputs = fieldsIn(of.input_fields, "input_fields");
  const outputs = fieldsIn(of.output_field, "output_field");
  if (inputs.faults.length + outputs.faults.length > 0) return false;
  const { fault, description } = parseContext(of.context);
  if (fault !== null || byName.has(description)) return false;
  // The name of an agent in another column while the node has none is one that has been shifted.
  const others = [description, of.input_fields, of.output_field, of.prompt];
  if (agent === "" && others.some((text) => analysis.agents.has(normalizeAgent(text) || " "))) return false;
  if (byName.has(of.prompt.trim())) return false;
  const names = new Set(inputs.entries.flatMap(({ left, field }) => [left, field]));
  return parsePromptText(of.prompt).parts.every(
    (part) => part.kind === "text" || part.path[0] === "error" || names.has(part.path[0] as string),
  );
}

/** The fields of a cell as they are once its types are written in our words: one slip does not hide another. */
function fieldsIn(text: string, column: ListColumn): FieldList {
  const read = parseFieldList(text, column);
  const cures = read.faults.flatMap(({ code, cure }) =>
    code === "bad-type" && cure?.safe === true ? cure.parts : [],
  );
  if (cures.length === 0) return read;
  const mended = cures.reduceRight(
    (cell, { start, end, text: by }) => cell.slice(0, start) + by + cell.slice(end),
    text,
  );
  return parseFieldList(mended, column);
}

function cellsByColumn({ analysis: { sheet } }: Draft, cells: readonly string[]): Record<ColumnName, string> {
  const of = Object.fromEntries(COLUMNS.map((name) => [name, ""])) as Record<ColumnName, string>;
  sheet.header.forEach(({ meaning }, column) => {
    if (meaning.kind === "column") of[meaning.name] = cells[column] ?? "";
  });
  return of;
}

/** A built-in agent, or a custom one that is there; where nobody looked, what may be the name of one. */
function isAgent({ agentOf, world }: Analysis, written: string): boolean {
  const { facts, agent } = agentOf(written);
  if (facts !== null) return true;
  return world.customAgents === null
    ? /^[\p{L}_][\w -]*$/u.test(written)
    : world.customAgents.has(agent.type);
}
