import { suggest } from "../../diagnostics/suggest.js";
import type { Json, JsonEntry, JsonSpot, SettingItem } from "../../ir.js";
import type { AgentFacts } from "../../world.js";
import { type Draft, type DraftNode, reportAt, settingAt, spotSpan } from "../draft.js";
import type { Checked } from "./checked.js";
import { renameSetting, writeSetting } from "./setting-fix.js";
import { GENERAL, isOfColumn, shapeOf } from "./settings.js";
import { fits } from "./shapes.js";
import { takenIn } from "./taken.js";

export const isWriter = (facts: AgentFacts | null): boolean => facts?.type.endsWith("_writer") === true;

/** Reports a setting that the agent does not have. */
export function reportUnknown(draft: Draft, node: DraftNode, item: SettingItem, facts: AgentFacts): void {
  const isRefused = isWriter(facts);
  const ofHeader = isOfColumn(item) && !isRefused;
  if (ofHeader) {
    // The header is one place for all rows: it is said once.
    const { unknownColumns } = draft.analysis;
    if (unknownColumns.has(item.nameAt.column)) return;
    unknownColumns.add(item.nameAt.column);
  }
  const given = takenIn(node.row.settings, ({ name }) => name);
  const names = [...Object.keys(facts.settings), ...Object.keys(GENERAL)];
  const suggestion = suggestFree(item.name, names, given);
  const params = { setting: item.name, agent: facts.type, suggestion, isRefused };
  const span = isOfColumn(item) && isRefused ? spotSpan(item.cell, item.spot) : item.nameAt;
  const severity = isRefused ? "error" : "warning";
  const isKept = suggestion !== null && (!ofHeader || fitsColumn(draft, item, suggestion));
  const fix = isKept ? renameSetting(draft, item, suggestion) : null;
  reportAt(draft, node, "unknown-setting", params, { span, column: "context", severity, fix });
}

/** Rows share a header: it is renamed only where the new name suits the value of each row that fills its column. */
function fitsColumn({ analysis }: Draft, { nameAt }: SettingItem, name: string): boolean {
  const { agentOf, everyRow } = analysis;
  return everyRow(`column ${nameAt.column} is ${name}`, (row) => {
    const item = row.settings.find((one) => isOfColumn(one) && one.nameAt.column === nameAt.column);
    return item === undefined || suits(item.spot.value, agentOf(row.agent.name).facts, name);
  });
}

function suits(value: Json, facts: AgentFacts | null, name: string): boolean {
  const shape = shapeOf(name, facts);
  return facts === null || (shape !== undefined && fits(value, shape));
}

/** The name that the key of an object may stand for: one that the object has not yet. */
export function meantEntry(spot: JsonSpot, { key }: JsonEntry, names: readonly string[]): string | null {
  return suggestFree(
    key,
    names,
    takenIn(spot.entries ?? [], (entry) => entry.key),
  );
}

const suggestFree = (name: string, names: readonly string[], given: ReadonlySet<string>): string | null =>
  suggest(
    name,
    names.filter((one) => !given.has(one)),
  );

/** Reports a key that a setting made of several does not have; an error where the setting is of no use with it. */
export function reportUnknownEntry(
  { draft, node, item }: Checked,
  entry: JsonEntry,
  names: readonly string[],
  severity: "error" | "warning" = "warning",
): void {
  const suggestion = meantEntry(item.spot, entry, names);
  const setting = `${item.name}.${entry.key}`;
  const params = { setting, agent: node.agent.written || "default", suggestion, isRefused: false };
  const fix = suggestion === null ? null : writeSetting(draft, item, entry, suggestion, false);
  reportAt(draft, node, "unknown-setting", params, { ...settingAt(item, entry), severity, fix });
}
