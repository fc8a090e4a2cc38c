import type { JsonSpot, SettingItem } from "../../ir.js";
import { type ContextReading, parseContext, parseSetting } from "../cells/context.js";
import type { SettingColumn } from "../header/header.js";
import { isBlank } from "../text/white-space.js";
import { columnOf, type RowCells, spanOf, textOf } from "./row-cells.js";
import { remember } from "./row-lists.js";
import { reportCell, reportJson } from "./row-report.js";

/** The context of a row: settings, or a description of the node. */
export interface RowSettings {
  readonly settings: readonly SettingItem[];
  /** The text of a context that holds no settings. */
  readonly text: string;
  /** Some of it could not be read, so settings may be missing. */
  readonly faulty: boolean;
}

const NO_SETTINGS: readonly SettingItem[] = [];

/** A reader of the context cells of one sheet; a text that many rows hold is read once. */
export function createSettingsReader(): (row: RowCells) => RowSettings {
  const contextOf = remember(parseContext);
  const settingOf = remember(parseSetting);
  return (row) => {
    const reading = contextOf(textOf(row, "context"));
    const { settings, description } = readContext(row, reading);
    const { all, areFaulty } = addColumns(row, settings, settingOf);
    return { settings: all, text: description, faulty: reading.fault !== null || areFaulty };
  };
}

function readContext(
  row: RowCells,
  reading: ContextReading,
): { settings: readonly SettingItem[]; description: string } {
  const column = columnOf(row, "context");
  reportReading(row, column, reading);
  const { spot, description } = reading;
  if (spot === null) return { settings: NO_SETTINGS, description };
  const cell = spanOf(row, column, { start: 0, end: textOf(row, "context").length });
  const settings = (spot.entries ?? []).map((entry): SettingItem => {
    return { name: entry.key, nameAt: spanOf(row, column, entry), spot: entry.spot, cell };
  });
  return { settings, description };
}

/** The settings of a row with those of its own columns, which beat the context's. */
function addColumns(
  row: RowCells,
  settings: readonly SettingItem[],
  settingOf: (text: string) => ContextReading,
): { readonly all: readonly SettingItem[]; readonly areFaulty: boolean } {
  let byName: Map<string, SettingItem> | null = null;
  let areFaulty = false;
  for (const { name, column, start, end } of row.header.settings) {
    const text = row.cells[column] ?? "";
    if (isBlank(text)) continue;
    const reading = settingOf(text);
    reportReading(row, column, reading);
    areFaulty ||= reading.fault !== null;
    byName ??= new Map(settings.map((item) => [item.name, item]));
    byName.delete(name);
    if (reading.spot !== null)
      byName.set(name, columnSetting(row, { name, column, start, end }, reading.spot));
  }
  return { all: byName === null ? settings : [...byName.values()], areFaulty };
}

function columnSetting(
  row: RowCells,
  { name, column, start, end }: SettingColumn,
  spot: JsonSpot,
): SettingItem {
  const length = row.cells[column]?.length ?? 0;
  return {
    name,
    nameAt: { row: -1, column, start, end },
    spot,
    cell: spanOf(row, column, { start: 0, end: length }),
  };
}

function reportReading({ reporter }: RowCells, column: number, reading: ContextReading): void {
  const cell = { column, name: "context" } as const;
  const { fault } = reading;
  if (fault !== null) reportCell(reporter, { ...cell, ...fault }, "bad-context", { why: fault.why });
  reportJson(reporter, cell, reading, "setting");
}
