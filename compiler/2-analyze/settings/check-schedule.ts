import { foldName, suggest } from "../../diagnostics/suggest.js";
import type { FieldIR } from "../../ir.js";
import { timezoneNamed } from "../../types/run-values.js";
import { type Draft, reportAt, settingAt } from "../draft.js";
import type { Checked } from "./checked.js";
import { cronFault } from "./cron.js";
import { writeSetting } from "./setting-fix.js";
import { isWithoutSchedule } from "./settings.js";

export function checkSchedule(checked: Checked): void {
  const { value } = checked.item.spot;
  if (typeof value !== "string" || !isAtEntry(checked)) return;
  const fault = cronFault(value);
  if (fault !== null) checked.bad(fault);
}

export function checkScheduleOption(checked: Checked): void {
  const { node, item, bad } = checked;
  if (typeof item.spot.value !== "string" || !isAtEntry(checked)) return;
  if (isWithoutSchedule(node.row, item.name)) bad('beside "schedule"', { spot: item.spot, found: "alone" });
}

export function checkTimezone(checked: Checked): void {
  const { draft, item, bad } = checked;
  const { value } = item.spot;
  if (typeof value !== "string" || !isAtEntry(checked) || timezoneNamed(value) !== null) return;
  const meant = meantZone(value);
  const fix = meant === null ? null : writeSetting(draft, item, item.spot, meant, false);
  bad("the name of a time zone, such as Europe/Berlin", { fix });
}

/** Settings of a whole graph stand in its first row. */
export function isAtEntry({ draft, node, item, bad }: Checked): boolean {
  const [entry] = draft.nodes;
  if (entry === undefined || node === entry) return true;
  const expected = `in the first row of the graph, ${JSON.stringify(entry.row.node.name)}`;
  bad(expected, { spot: item.spot, found: `in ${JSON.stringify(node.row.node.name)}` });
  return false;
}

/** `Berlin` is Europe/Berlin. */
function meantZone(name: string): string | null {
  const zones = Intl.supportedValuesOf("timeZone");
  const city = zones.find((zone) => foldName(zone.split("/").at(-1) ?? "") === foldName(name));
  return city ?? suggest(name, zones);
}

/** Nobody gives a run values that begins by itself. */
export function checkScheduled(draft: Draft, fields: () => readonly FieldIR[]): void {
  const [entry] = draft.nodes;
  const item = entry?.row.settings.find(({ name }) => name === "schedule");
  if (entry === undefined || item === undefined || entry.schedule === null || draft.incomplete) return;
  const needed = fields().filter(({ input }) => input === "required");
  if (needed.length === 0) return;
  const names = needed.map(({ name }) => name);
  reportAt(draft, entry, "schedule-needs-input", { graph: draft.name, fields: names }, settingAt(item));
}
