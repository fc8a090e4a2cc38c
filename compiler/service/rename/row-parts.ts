import type { CellPart } from "../../1-parse/text/edit-cell.js";
import type { InputItem, NodeIR, OutputItem, RecordSpan, Row } from "../../ir.js";
import { fieldsOf, type ItemSides, sidesOf } from "../names/field-names.js";
import { rewriteJson } from "../names/json-text.js";
import { type ItemSide, type Mention, type NameKey, sameName } from "../names/mention.js";
import { givesOneValue, knowsInputsByCells } from "../names/own-names.js";
import { rowNames } from "../names/row-names.js";
import type { SheetScene } from "../names/scene.js";

/** New text for a stretch of one cell of a record. */
export interface Part extends CellPart {
  readonly record: number;
  readonly column: number;
}

interface Exchange {
  readonly scene: SheetScene;
  readonly row: Row;
  readonly node: NodeIR;
  /** The input whose items a loop runs over: the graph gets them under another name. */
  readonly over: number;
  readonly mentions: readonly Mention[];
  /** The sides of items that hold the name, as `inputs 3 left`. */
  readonly named: ReadonlySet<string>;
  readonly from: NameKey;
  readonly to: string;
}

/** The two names of an item once a name is exchanged. */
interface Sides {
  readonly left: string;
  readonly right: string;
}

/** Exchanges the name of a field or an input in all cells of a row; null where the row is not understood. */
export function partsOfRow(scene: SheetScene, row: Row, from: NameKey, to: string): readonly Part[] {
  const mentions = rowNames(scene, row);
  const node = scene.nodeOf(row);
  const meant = mentions.filter(({ what }) => sameName(what, from));
  if (node === null || meant.length === 0) return [];
  const { over } = fieldsOf(scene, scene.named(row));
  const named = new Set(meant.flatMap(({ item }) => (item === undefined ? [] : [sideKey(item)])));
  const exchange: Exchange = { scene, row, node, over, mentions, named, from, to };
  const inputs = row.inputs.map((item, index) => inputSides(exchange, item, index));
  return [
    ...row.inputs.flatMap((item, index) => {
      const sides = inputs[index] as Sides;
      const isKept = (): boolean => keepsParam(exchange, index, item.field);
      return itemParts(exchange, item, { before: { left: item.param, right: item.field }, sides, isKept });
    }),
    ...row.outputs.flatMap((item, index) => {
      const sides = outputSides(exchange, item, index);
      const isKept = (): boolean => !givesOneValue(node, [item.key, item.field, from.name, to]);
      return itemParts(exchange, item, { before: { left: item.key, right: item.field }, sides, isKept });
    }),
    ...mentions.flatMap((mention) => otherParts(exchange, mention, inputs)),
  ];
}

const sideKey = ({ list, index, side }: ItemSide): string => `${list} ${index} ${side}`;

function inputSides(exchange: Exchange, item: InputItem, index: number): Sides {
  const { to } = exchange;
  const right = exchange.named.has(sideKey({ list: "inputs", index, side: "right" })) ? to : item.field;
  if (exchange.named.has(sideKey({ list: "inputs", index, side: "left" }))) return { left: to, right };
  const isBare = sidesIn(exchange, item)?.left === null;
  const follows = isBare && right === to && !keepsParam(exchange, index, to);
  return { left: follows ? to : item.param, right };
}

function outputSides(exchange: Exchange, item: OutputItem, index: number): Sides {
  const { to, node } = exchange;
  const right = exchange.named.has(sideKey({ list: "outputs", index, side: "right" })) ? to : item.field;
  if (exchange.named.has(sideKey({ list: "outputs", index, side: "left" }))) return { left: to, right };
  const isBare = sidesIn(exchange, item)?.left === null;
  return { left: isBare && right === to && givesOneValue(node, [item.field, to]) ? to : item.key, right };
}

/** Whether the agent must go on to know a bare input by its old name. */
function keepsParam({ row, node, over }: Exchange, index: number, to: string): boolean {
  const isFree = index === over || knowsInputsByCells(node);
  return !isFree || row.inputs.some(({ param }, i) => i !== index && param === to);
}

const sidesIn = ({ scene }: Exchange, item: InputItem | OutputItem): ItemSides | null =>
  sidesOf(scene.text(scene.span(item.at)), item);

interface ItemChange {
  readonly before: Sides;
  readonly sides: Sides;
  /** Whether the bare name would be written as an item with two sides, if the name were exchanged back. */
  readonly isKept: () => boolean;
}

/** An item whose two names become one is written bare where it would have two again if the name were exchanged back. */
function itemParts(
  exchange: Exchange,
  item: InputItem | OutputItem,
  { before, sides, isKept }: ItemChange,
): readonly Part[] {
  const places = sidesIn(exchange, item);
  if (places === null || (before.left === sides.left && before.right === sides.right)) return [];
  const { left, right, tight } = places;
  const part = (at: { start: number; end: number }, text: string): Part => ({
    ...{ ...exchange.scene.span({ ...item.at, start: at.start, end: at.end }), text },
  });
  const isOne = sides.left === sides.right;
  if (left === null) return [part(right, isOne ? sides.right : `${sides.left}=${sides.right}`)];
  if (isOne && tight && before.left !== before.right && isKept())
    return [part({ start: left.start, end: right.end }, sides.right)];
  return [
    ...(before.left === sides.left ? [] : [part(left, sides.left)]),
    ...(before.right === sides.right ? [] : [part(right, sides.right)]),
  ];
}

/** Placeholders and settings: what they name as an input goes by the input's names, all else by the field's own. */
function otherParts(
  { scene, row, from, to }: Exchange,
  mention: Mention,
  inputs: readonly Sides[],
): readonly Part[] {
  const { item, input, what } = mention;
  if (item !== undefined) return [];
  if (input === undefined) return sameName(what, from) ? [written(scene, mention, from.name, to)] : [];
  const before = row.inputs[input.index];
  const after = inputs[input.index];
  if (before === undefined || after === undefined) return [];
  const old = input.by === "left" ? before.param : before.field;
  if (input.by === "right" && before.field === after.right) return [];
  const isTaken = (): boolean => inputs.some(({ left }, i) => i !== input.index && left === after.right);
  const fresh = input.by === "left" || isTaken() ? after.left : after.right;
  return old === fresh ? [] : [written(scene, mention, old, fresh)];
}

/** The new text of a mention. */
export function written(
  { text }: { readonly text: (at: RecordSpan) => string },
  { at, writing }: Mention,
  name: string,
  to: string,
): Part {
  const { record, column } = at;
  if (writing.kind === "formula")
    return { record, column, start: at.start, end: at.end, text: writing.spelled(to) };
  if (writing.kind !== "json") return { record, column, start: at.start, end: at.end, text: to };
  return { record, column, ...rewriteJson(text(at), at, writing, { name, to }) };
}
