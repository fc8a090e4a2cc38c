import { mentionsIn } from "../../2-analyze/fields/input-names.js";
import { isOfColumn, shapeOf } from "../../2-analyze/settings/settings.js";
import type { JsonSpot, Range, SettingItem } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import type { RowFields } from "./field-names.js";
import { nameInJson, textsOf } from "./json-text.js";
import {
  fieldKey,
  freeKey,
  type Mention,
  type NameKey,
  nodeKey,
  type Role,
  type Writing,
} from "./mention.js";

interface Setting {
  readonly fields: RowFields;
  readonly item: SettingItem;
  readonly cell: string;
}

/** The names in the settings of a row, and of the settings themselves. */
export function settingNames(fields: RowFields): readonly Mention[] {
  const { scene, row } = fields;
  const { facts } = scene.agentOf(row);
  return row.settings.flatMap((item) => {
    const setting: Setting = { fields, item, cell: scene.text(scene.span(item.cell)) };
    return [
      ...ownName(setting),
      ...targetNames(setting, facts),
      ...graphNames(setting, facts),
      ...inputNames(setting, facts),
      ...stateNames(setting, facts),
    ];
  });
}

const FIXED: Writing = { kind: "fixed", why: "settings belong to their agents" };

/** The setting's name where it stands in this row: a name in the header is no row's. */
function ownName({ fields: { scene }, item, cell }: Setting): readonly Mention[] {
  if (isOfColumn(item)) return [];
  const written = nameInJson(cell, item.nameAt, { value: item.name, name: item.name });
  const at = scene.span({ ...item.nameAt, start: written.start, end: written.end });
  return [{ what: freeKey("setting", item.name), role: "names", at, writing: FIXED }];
}

/** The setting holds names of nodes. */
function targetNames(setting: Setting, facts: AgentFacts | null): readonly Mention[] {
  const { fields, item } = setting;
  const { scene, row } = fields;
  const shape = shapeOf(item.name, facts);
  const spots = shape?.kind === "nodes" ? (item.spot.entries ?? []).map(({ spot }) => spot) : [item.spot];
  if (shape?.kind !== "nodes" && shape?.kind !== "node") return [];
  return spots.flatMap((spot): readonly Mention[] => {
    if (typeof spot.value !== "string") return [];
    const name = spot.value.trim();
    if (name === "" || (name === "END" && !scene.hasNode(row.graph.name, name))) return [];
    return [place(setting, spot, nodeKey(scene.view.file, row.graph.name, name), name)];
  });
}

function graphNames(setting: Setting, facts: AgentFacts | null): readonly Mention[] {
  const { fields, item } = setting;
  const { value } = item.spot;
  if (shapeOf(item.name, facts)?.kind !== "graph" || typeof value !== "string" || value.trim() === "")
    return [];
  const what = fields.scene.graphNamed(value.trim());
  return [place(setting, item.spot, what, what.name)];
}

/** The setting names inputs of its node. */
function inputNames(setting: Setting, facts: AgentFacts | null): readonly Mention[] {
  if (facts === null) return [];
  return mentionsIn(facts, setting.item).flatMap(({ name, spot }): readonly Mention[] => {
    const meant = setting.fields.meant(name);
    if (meant === null) return [];
    return [{ ...place(setting, valued(spot, name), meant.what, name, "reads"), ...meant }];
  });
}

/** A key is a text, too. */
const valued = (spot: Range, name: string): Text =>
  "value" in spot && typeof spot.value === "string"
    ? { ...spot, value: spot.value }
    : { ...spot, value: name };

/** The setting names fields of the state: those that a split merges, and the one that gets the item of a loop. */
function stateNames(setting: Setting, facts: AgentFacts | null): readonly Mention[] {
  const { fields, item } = setting;
  const { scene, row, called } = fields;
  if (item.name === "merge")
    return (item.spot.entries ?? []).map(({ key, start, end }) =>
      place(setting, { start, end, value: key }, fieldKey(scene.view.file, row.graph.name, key), key),
    );
  if (facts?.type !== "graph" || called === null) return [];
  const field = (name: string): NameKey => fieldKey(called.file, called.name, name);
  if (item.name === "as")
    return textsOf(item.spot).map((spot) => place(setting, spot, field(spot.value), spot.value, "writes"));
  if (item.name !== "over" || row.settings.some(({ name }) => name === "as")) return [];
  const why = 'a loop without the setting "as" gives its items under the name "item"';
  return [{ ...place(setting, item.spot, field("item"), "item", "writes"), writing: { kind: "fixed", why } }];
}

type Text = Range & { readonly value: string };

function place(
  { fields: { scene }, item, cell }: Setting,
  spot: Text | JsonSpot,
  what: NameKey,
  name: string,
  role: Role = "names",
): Mention {
  const value = typeof spot.value === "string" ? spot.value : name;
  const { start, end, writing } = nameInJson(cell, spot, { value, name });
  const at = scene.span({ ...item.cell, start, end });
  // The cell of a setting's own column holds a name as it is.
  const isPlain = isOfColumn(item) && spot.start === item.spot.start && item.spot.entries === undefined;
  return {
    what,
    role,
    at,
    writing: isPlain && item.spot.items === undefined ? { kind: "setting" } : writing,
  };
}
