import { isQuote } from "../../1-parse/cells/json-strings.js";
import { parseTargets } from "../../1-parse/cells/targets.js";
import { trimRange } from "../../1-parse/text/white-space.js";
import type { CellSpan, NameItem, Row } from "../../ir.js";
import { fieldsOf, itemNames, placeholderNames, type RowFields } from "./field-names.js";
import { formulaNames } from "./formula-names.js";
import { freeKey, graphKey, type Mention, type NameKind, nodeKey, PLAIN, type Writing } from "./mention.js";
import type { SheetScene } from "./scene.js";
import { settingNames } from "./setting-names.js";

/** The names of the row with very many that was last asked for. Those of all rows would fill the memory. */
const lastLong = new WeakMap<SheetScene, { readonly row: Row; readonly names: readonly Mention[] }>();
const LONG = 500;

/** Every name that a row holds. */
export function rowNames(scene: SheetScene, row: Row): readonly Mention[] {
  const last = lastLong.get(scene);
  if (last?.row === row) return last.names;
  const names = readNames(scene, row);
  if (names.length >= LONG) lastLong.set(scene, { row, names });
  return names;
}

/** The names of a row that may be of a kind: cells with lists, prompts and formulas may hold very many others. */
export const namesOfKind = (kind: NameKind): typeof rowNames => READERS[kind] ?? rowNames;

const READERS: { readonly [K in NameKind]?: typeof rowNames } = {
  graph: (scene, row) => [...ownNames(scene, row), ...inSettings(scene, row)],
  node: (scene, row) => [
    ...ownNames(scene, row),
    ...targetNames(scene, scene.named(row)),
    ...inSettings(scene, row),
  ],
  agent: (scene, row) => ownNames(scene, row),
  setting: (scene, row) => inSettings(scene, row),
  reference: (scene, row) => referenceNames(scene, row),
};

const inSettings = (scene: SheetScene, row: Row): readonly Mention[] =>
  row.settings.length === 0 ? [] : settingNames(fieldsOf(scene, scene.named(row)));

/** The names in the lists of inputs and outputs alone. */
export const listedNames = (scene: SheetScene, row: Row): readonly Mention[] =>
  itemNames(fieldsOf(scene, scene.named(row)));

function readNames(scene: SheetScene, row: Row): readonly Mention[] {
  const fields = fieldsOf(scene, scene.named(row));
  return [
    ...ownNames(scene, row),
    ...targetNames(scene, fields.row),
    ...itemNames(fields),
    ...settingNames(fields),
    ...promptNames(fields),
    ...referenceNames(scene, row),
  ];
}

/** A formula has names, no placeholders. */
function promptNames(fields: RowFields): readonly Mention[] {
  const names = formulaNames(fields);
  const isPrompt = fields.scene.agentOf(fields.row).facts?.type === "formula";
  return [...(names ?? []), ...(isPrompt ? [] : placeholderNames(fields))];
}

const FIXED_AGENT: Writing = { kind: "fixed", why: "agents are named by their code" };
const FIXED_FILE: Writing = { kind: "fixed", why: "prompts are named by their files" };

function ownNames(scene: SheetScene, row: Row): readonly Mention[] {
  const { graph, node, agent } = row;
  const { file } = scene.view;
  const isFirst = scene.entries.get(graph.name) === row;
  const mentions: Mention[] = [];
  const add = (item: NameItem, mention: Omit<Mention, "at">): void => {
    // A merged cell of a graph's name is empty.
    if (item.at.start < item.at.end) mentions.push({ ...mention, at: scene.span(item.at) });
  };
  add(graph, { what: graphKey(file, graph.name), role: isFirst ? "declares" : "names", writing: PLAIN });
  add(node, { what: nodeKey(file, graph.name, node.name), role: "declares", writing: PLAIN });
  if (agent.name !== "") {
    const { type } = scene.agentOf(row).agent;
    add(agent, { what: freeKey("agent", type), role: "names", writing: FIXED_AGENT });
  }
  return mentions;
}

function targetNames(scene: SheetScene, { graph, next, onSuccess, onFailure }: Row): readonly Mention[] {
  const lists = [next, onSuccess, onFailure].flatMap((list) => [...list, ...repeatedIn(scene, list)]);
  return lists.flatMap(({ name, at }): readonly Mention[] => {
    if (name === "END" && !scene.hasNode(graph.name, name)) return [];
    const what = nodeKey(scene.view.file, graph.name, name);
    return [{ what, role: "names", at: scene.span(at), writing: writingOf(scene, at, name) }];
  });
}

/** The names that a list holds once more: of a row they are no part. */
function repeatedIn(scene: SheetScene, list: readonly NameItem[]): readonly NameItem[] {
  const [first] = list;
  const text = first === undefined ? "" : scene.text(scene.span(first.at));
  if (first === undefined || !/[|\r\n]/.test(text) || !isInColumn(scene, first.at)) return [];
  return parseTargets(text).repeated.map(({ name, start, end }) => ({
    name,
    at: { ...first.at, start, end },
  }));
}

const isInColumn = ({ sheet }: SheetScene, { column }: CellSpan): boolean => {
  const meaning = sheet.header[column]?.meaning;
  return meaning?.kind === "column" && meaning.name !== "context";
};

/** Settings of other tools name targets, too: these stand in JSON. */
function writingOf(scene: SheetScene, at: CellSpan, name: string): Writing {
  if (isInColumn(scene, at) || !isQuote(scene.text(scene.span(at))[at.start - 1] ?? "")) return PLAIN;
  const token = { start: at.start - 1, end: at.end + 1 };
  return { kind: "json", token, value: name, from: 0, isVerbatim: true };
}

function referenceNames(scene: SheetScene, { prompt }: Row): readonly Mention[] {
  if (prompt === null || prompt.reference === null) return [];
  const { kind, name } = prompt.reference;
  const at = scene.span({ ...prompt.at, ...trimRange(prompt.text) });
  return [{ what: freeKey("reference", `${kind}:${name}`), role: "names", at, writing: FIXED_FILE }];
}

/** The names of settings in the header. */
export function headerNames(scene: SheetScene): readonly Mention[] {
  const { header, headerRecord: record } = scene.sheet;
  return header.flatMap(({ text, meaning }, column): readonly Mention[] => {
    if (meaning.kind !== "setting") return [];
    const start = text.lastIndexOf(meaning.name);
    if (start < 0) return [];
    const at = { record, column, start, end: start + meaning.name.length };
    const writing: Writing = { kind: "fixed", why: "settings belong to their agents" };
    return [{ what: freeKey("setting", meaning.name), role: "names", at, writing }];
  });
}
