import { parseSetting } from "../1-parse/cells/context.js";
import { editRecordParts } from "../1-parse/text/edit-cell.js";
import { isComment } from "../1-parse/text/skipped-rows.js";
import { trimText } from "../1-parse/text/white-space.js";
import type { Edit } from "../diagnostics/diagnostic.js";
import type { Page } from "../ir.js";
import type { View } from "./document.js";
import { EDITOR_LIMITS } from "./limits.js";
import { fieldsOf } from "./names/field-names.js";
import type { Mention, NameKey } from "./names/mention.js";
import { knowsInputsByCells } from "./names/own-names.js";
import { pageOf, type SheetScene, sceneOf } from "./names/scene.js";
import { mentionAt, mentionsOf, type Name, taken } from "./names.js";
import {
  clashOfPaths,
  faultOfName,
  faultOfOld,
  type Refusal,
  refusal,
  refusalAt,
  takenBy,
} from "./rename/refusal.js";
import { type Part, partsOfRow, written } from "./rename/row-parts.js";
import { cellTextAt, rangeOf } from "./spot.js";

export type { Refusal } from "./rename/refusal.js";

/** The edits of one file, in its order and apart; each counts in the text as it is. */
export interface FileEdits {
  readonly file: string;
  readonly edits: readonly Edit[];
}

export interface Renaming {
  readonly kind: "edits";
  readonly files: readonly FileEdits[];
  /** What values at run time say of the old name, which no cell can follow. */
  readonly notes: readonly string[];
}

/** The name at an offset, when it can be exchanged at all. */
export function prepareRename(view: View, offset: number): Name | Refusal {
  const mention = mentionAt(view, offset);
  const page = pageOf(view);
  if (mention === null || page === null) return refusal("no name stands here");
  return fixedAt(view, mention) ?? { ...mention.what, range: rangeOf(page, mention.at) };
}

/**
 * Exchanges the name at an offset in a view and in those beside it: the sheet of a test sheet, the tests of a sheet,
 * and sheets that run its graphs. Nothing else changes its meaning, else it is refused.
 */
export function rename(
  view: View,
  offset: number,
  to: string,
  beside: readonly View[] = [],
): Renaming | Refusal {
  const mention = mentionAt(view, offset);
  if (mention === null) return refusal("no name stands here");
  const views = [view, ...beside.filter(({ file }) => file !== view.file)];
  return fixedAt(view, mention) ?? renameName(views, mention.what, trimText(to));
}

function fixedAt(view: View, mention: Mention): Refusal | null {
  const { writing, what } = mention;
  if (writing.kind === "fixed") return refusalAt(view, mention, (row) => `${writing.why} (${row})`);
  return what.file === null
    ? refusal(`nobody knows here where ${JSON.stringify(what.name)} is defined`)
    : null;
}

/** `rename` for a name that is known already. */
export function renameName(views: readonly View[], from: NameKey, to: string): Renaming | Refusal {
  const owner = views.find(({ kind, file }) => kind === "sheet" && file === from.file);
  if (owner === undefined) return refusal(`${from.file ?? "its sheet"} is needed, where the name is defined`);
  if (to === from.name) return { kind: "edits", files: [], notes: [] };
  const fault =
    undefinedName(owner, from) ??
    faultOfName(from, to) ??
    faultOfOld(views, from) ??
    takenBy(views, from, to) ??
    clashOfPaths(views, from, to) ??
    knownToCode(owner, from);
  if (fault !== null) return fault;
  const files: FileEdits[] = [];
  for (const view of views) {
    const edits = editsIn(view, from, to);
    if ("kind" in edits) return edits;
    if (edits.length > 0) files.push({ file: view.file, edits });
  }
  return { kind: "edits", files, notes: notesOn(owner, from) };
}

/** What no row defines has no name to exchange: it is misspelt where it stands. */
function undefinedName(owner: View, from: NameKey): Refusal | null {
  if (from.kind !== "node" && from.kind !== "graph") return null;
  for (const { role } of mentionsOf(owner, from)) if (role === "declares") return null;
  return refusal(`no row of ${owner.file} has ${JSON.stringify(from.name)}`);
}

/** The name of an input that code knows stays: only the field behind it can be exchanged. */
function knownToCode(owner: View, from: NameKey): Refusal | null {
  const scene = sceneOf(owner);
  if (from.kind !== "param" || scene === null) return null;
  const row = scene.sheet.rows.find(
    ({ graph, node }) => graph.name === from.graph && node.name === from.node,
  );
  const node = row === undefined ? null : scene.nodeOf(row);
  const [mention] = mentionsOf(owner, from);
  const isOver = row !== undefined && row.inputs[fieldsOf(scene, scene.named(row)).over]?.param === from.name;
  if (mention === undefined || isOver || (node !== null && knowsInputsByCells(node))) return null;
  return refusalAt(owner, mention, (where) => `the agent in ${where} knows its input by this name`);
}

function editsIn(view: View, from: NameKey, to: string): readonly Edit[] | Refusal {
  const page = pageOf(view);
  if (page === null) return [];
  const found = partsIn(view, page, from, to);
  if ("kind" in found) return found;
  const cells = new Map<string, Part[]>();
  for (const part of found) {
    const key = `${part.record}:${part.column}`;
    const parts = cells.get(key);
    if (parts === undefined) cells.set(key, [part]);
    else parts.push(part);
  }
  const edits: Edit[] = [];
  for (const parts of cells.values()) {
    const made = editsOfCell(view, page, parts);
    if ("kind" in made) return made;
    for (const edit of made) edits.push(edit);
  }
  return edits.sort((a, b) => a.start - b.start);
}

function partsIn(view: View, page: Page, from: NameKey, to: string): readonly Part[] | Refusal {
  const scene = sceneOf(view);
  const mentions = [...taken(mentionsOf(view, from), EDITOR_LIMITS.renamed + 1)];
  if (mentions.length > EDITOR_LIMITS.renamed)
    return refusal(
      `${JSON.stringify(from.name)} stands at more places of ${view.file} than are changed at once`,
    );
  if (scene !== null && (from.kind === "field" || from.kind === "param")) {
    const stuck = mentions.find(({ writing }) => writing.kind === "fixed");
    return stuck === undefined ? fieldParts(scene, mentions, from, to) : (fixedAt(view, stuck) ?? []);
  }
  const parts: Part[] = [];
  for (const mention of mentions) {
    const part = partAt(view, page, mention, from, to);
    if (part !== null && "kind" in part) return part;
    if (part !== null) parts.push(part);
  }
  return parts;
}

function fieldParts(
  scene: SheetScene,
  mentions: readonly Mention[],
  from: NameKey,
  to: string,
): readonly Part[] {
  const records = new Set(mentions.map(({ at }) => at.record));
  const rows = scene.sheet.rows.filter(({ record }) => records.has(record));
  return rows.flatMap((row) => partsOfRow(scene, row, from, to));
}

function partAt(view: View, page: Page, mention: Mention, from: NameKey, to: string): Part | Refusal | null {
  const { writing, at, standsFor } = mention;
  if (writing.kind === "fixed") return fixedAt(view, mention);
  if (writing.kind === "kept" || (standsFor !== undefined && isTold(standsFor.agent.type, to))) return null;
  if (!canHold(writing, to))
    return refusalAt(view, mention, (row) => `${row} cannot hold ${JSON.stringify(to)} as a text`);
  const text = cellTextAt(page, at.record, at.column);
  if (writing.kind === "path" && /^\[|>/.test(to))
    return { ...wholePath(text, from.name, to), ...cellOf(mention) };
  return written({ text: () => text }, mention, from.name, to);
}

function canHold(writing: Mention["writing"], name: string): boolean {
  if (writing.kind === "setting") return parseSetting(name).spot?.value === name;
  return writing.kind !== "json" || writing.isVerbatim !== true || JSON.stringify(name) === `"${name}"`;
}

/** Outputs with these names are filled by what they are called, so the old name stays beside them. */
const isTold = (agent: string, to: string): boolean =>
  (agent === "input" || agent === "human") && ["comment", "by", "at"].includes(to);

const cellOf = ({ at: { record, column } }: Mention): Pick<Part, "record" | "column"> => ({ record, column });

/** A path with a name that holds its sign is a list. */
function wholePath(text: string, name: string, to: string): Omit<Part, "record" | "column"> {
  const names = text.split(">").map((one) => one.trim());
  const listed = names.filter((one) => one !== "").map((one) => (one === name ? to : one));
  return { start: 0, end: text.length, text: JSON.stringify(listed) };
}

function editsOfCell(view: View, page: Page, parts: readonly Part[]): readonly Edit[] | Refusal {
  const sorted = parts
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .filter((part, i, all) => i === 0 || !isSame(part, all[i - 1] as Part));
  const [first] = sorted;
  if (first === undefined) return [];
  const at = { record: first.record, column: first.column, start: first.start, end: first.end };
  if (sorted.some((part, i) => i > 0 && part.start < (sorted[i - 1] as Part).end))
    return refusalAt(view, { at }, (row) => `${row} names it twice in one text`);
  if (at.column === 0 && isComment(rewritten(cellTextAt(page, at.record, at.column), sorted)))
    return refusalAt(view, { at }, (row) => `${row} would become a comment`);
  return editRecordParts(page, at, sorted);
}

const rewritten = (cell: string, parts: readonly Part[]): string =>
  parts.reduceRight((text, part) => text.slice(0, part.start) + part.text + text.slice(part.end), cell);

const isSame = (a: Part, b: Part): boolean => a.start === b.start && a.end === b.end && a.text === b.text;

/** Agents that choose find their targets by name: values of a run may say the old one. */
function notesOn(owner: View, { kind, name, graph }: NameKey): readonly string[] {
  const nodes = owner.graphs.find((one) => one.name === graph)?.nodes ?? [];
  const target = kind === "node" ? nodes.findIndex((node) => node.name === name) : -1;
  return nodes.flatMap(({ agent, next, onSuccess, onFailure, row, name: chooser }) => {
    const chooses = agent.builtin && (agent.type === "switch" || agent.type === "orchestrator");
    if (!chooses || target < 0 || ![...next, ...onSuccess, ...onFailure].includes(target)) return [];
    return [
      `row ${row}: ${JSON.stringify(chooser)} finds its targets by their names: values that say ${JSON.stringify(name)} no longer lead there`,
    ];
  });
}
