import { editCell } from "../../1-parse/text/edit-cell.js";
import { cellSpan } from "../../1-parse/text/places.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Json, JsonEntry, SettingItem } from "../../ir.js";
import { type At, type Draft, type DraftNode, inputNames, reportAt, settingAt } from "../draft.js";
import { isTemplate, mentionsIn, oneOf } from "../fields/input-names.js";
import { checkAssignee, checkEscalate } from "./check-assignee.js";
import { columnFaults } from "./check-columns.js";
import { criterionExpectation, QUERY_PARTS, queryFaults } from "./check-query.js";
import { checkSchedule, checkScheduleOption, checkTimezone, isAtEntry } from "./check-schedule.js";
import { checkWebhook } from "./check-webhook.js";
import type { Checked } from "./checked.js";
import { isTooLong, SHORT_ENOUGH } from "./longest.js";
import { checkConnection } from "./outside/check-connection.js";
import { checkHttp } from "./outside/check-http.js";
import { inputFix, listFix, writeSetting } from "./setting-fix.js";
import { isMerge, isOfColumn, isRecord, isWithoutSchedule, shapeOf } from "./settings.js";
import { expectation, fits } from "./shapes.js";
import { isWriter, meantEntry, reportUnknown, reportUnknownEntry } from "./unknown-settings.js";

function checkedOf(draft: Draft, node: DraftNode, item: SettingItem): Checked {
  const bad: Checked["bad"] = (expected, { name = item.name, spot = item.spot, found, fix = null } = {}) => {
    const params = { setting: name, expected, found: found ?? describe(spot.value ?? null) };
    reportAt(draft, node, "bad-setting", params, { ...settingAt(item, spot), fix });
  };
  return { draft, node, item, spot: item.spot, bad };
}

/** Rules that a setting's shape cannot say. */
const rules: { readonly [name: string]: (checked: Checked) => unknown } = {
  retry: checkRetry,
  merge: checkMerge,
  max_visits: checkPositive,
  timeout_ms: checkTime,
  remind_ms: checkTime,
  concurrency: checkPositive,
  max_tokens: checkPositive,
  choices: checkTexts,
  options: checkTexts,
  query: checkQuery,
  when: checkWhen,
  where: checkWhen,
  for: checkFor,
  count: checkCount,
  fallback: checkFallback,
  default_action: checkDefaultAction,
  timezone: checkTimezone,
  schedule: checkSchedule,
  catch_up: checkScheduleOption,
  missed: checkScheduleOption,
  overlap: checkScheduleOption,
  webhook: checkWebhook,
  mcp: isAtEntry,
  assignee: checkAssignee,
  escalate: checkEscalate,
  connection: checkConnection,
};

/** Reports unknown settings and values of a wrong shape. Node and graph names are checked where targets are. */
export function checkSettings(draft: Draft, node: DraftNode): void {
  const { facts, row } = node;
  for (const item of row.settings) {
    const shape = shapeOf(item.name, facts);
    const checked = checkedOf(draft, node, item);
    const isOwn = facts === null && isWithoutSchedule(row, item.name);
    if (shape !== undefined && !isOwn) {
      const fix = shape.kind === "list" ? listFix(draft, item) : null;
      if (!fits(item.spot.value, shape)) checked.bad(expectation(shape), { fix });
      if (Object.hasOwn(rules, item.name)) rules[item.name]?.(checked);
      if (facts?.type === "csv_reader") checkColumns(checked);
      if (facts?.type === "http") checkHttp(checked);
    } else if (facts !== null) reportUnknown(draft, node, item, facts);
    checkInputNames(checked);
  }
  checkChosen(draft, node);
  checkNeeded(draft, node);
  checkAnswerNames(draft, node);
  if (facts?.type === "graph" && !row.damaged && !row.settings.some(({ name }) => name === "graph")) {
    const params = { setting: "graph", expected: "the name of a graph", found: "missing" };
    const at: At = { span: row.agent.at, column: "agent_type", fix: graphFix(draft, node) };
    reportAt(draft, node, "bad-setting", params, at);
  }
}

/** Settings without which the agent throws at every visit: one of each list. */
const NEEDED: { readonly [type: string]: readonly (readonly [setting: string, expected: string])[] } = {
  list: [["do", "filter, sort, unique, limit, group, flatten or pick"]],
  mail: [
    ["connection", "the name of a connection of flowsheet.yaml"],
    ["to", 'a mail address, such as "{email}", or a list of them'],
  ],
  notify: [["connection", "the name of a connection of flowsheet.yaml"]],
  sql: [["connection", "the name of a connection of flowsheet.yaml"]],
  mcp: [
    ["server", "the name of a server of mcp.servers in flowsheet.yaml"],
    ["tool", "the name of one of its tools"],
  ],
};
/** What a deed of `list` goes by. */
const OF_DEED: { readonly [deed: string]: readonly [setting: string, expected: string] } = {
  filter: ["where", 'a criterion, such as {"amount": ">100"}'],
  limit: ["count", "a whole number, 0 or more"],
  group: ["by", "the name of a field"],
  pick: ["fields", "a list of fields"],
};

function checkNeeded(draft: Draft, { facts, row, settings, ...node }: DraftNode): void {
  if (facts === null || row.damaged) return;
  const deed = facts.type === "list" ? String(settings["do"]) : "";
  const needed = [
    ...(Object.hasOwn(NEEDED, facts.type) ? NEEDED[facts.type]! : []),
    ...(Object.hasOwn(OF_DEED, deed) ? [OF_DEED[deed]!] : []),
    ...(facts.type === "wait" && settings["until"] === undefined
      ? [["for", 'a time such as "2h"'] as const]
      : []),
  ];
  for (const [setting, expected] of needed) {
    if (row.settings.some(({ name }) => name === setting)) continue;
    const at: At = { span: row.agent.at, column: "agent_type" };
    reportAt(
      draft,
      { facts, row, settings, ...node },
      "bad-setting",
      { setting, expected, found: "missing" },
      at,
    );
  }
}

function checkFor({ spot: { value }, bad }: Checked): void {
  if (typeof value !== "string") return;
  const [, number, unit = ""] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)\s*$/.exec(value) ?? [];
  if (number === undefined) bad('a time such as "90s", "2h" or "3d"');
  else if (isTooLong(Number(number) * UNITS_MS[unit]!)) bad('at most "36525d", which is 100 years');
}

const UNITS_MS: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

function checkCount({ spot: { value }, bad }: Checked): void {
  if (typeof value === "number" && value < 0) bad("0 or more");
}

/** Only an answer of a host has a status and headers. */
function checkAnswerNames(draft: Draft, node: DraftNode): void {
  if (node.facts?.produces === "answer") return;
  for (const { key, at } of node.row.outputs) {
    if (!key.startsWith("$")) continue;
    const why = `${key} is given by the agent "http" alone`;
    reportAt(draft, node, "bad-field", { text: key, why }, { span: at, column: "output_field" });
  }
}

/** Which entries of a file are meant is said once; more than that is refused when the node runs. */
function checkChosen(draft: Draft, node: DraftNode): void {
  if (node.row.settings.length < 2 || node.facts === null) return;
  const [first, second] = node.row.settings.filter(
    ({ name }) => CHOOSING.includes(name) && shapeOf(name, node.facts) !== undefined,
  );
  if (first === undefined || second === undefined) return;
  const expected = `left out beside ${JSON.stringify(first.name)}, which says what entries are meant`;
  checkedOf(draft, node, second).bad(expected);
}

const CHOOSING: readonly string[] = ["id", "id_from", "query"];

/** A context or a prompt that is nothing but the name of a graph says which is meant: the context gets it. */
function graphFix(draft: Draft, { row }: DraftNode): Fix | null {
  const { sheet, graphNames, world } = draft.analysis;
  const isGraph = (name: string): boolean => graphNames.has(name) || world.otherGraphs?.has(name) === true;
  const prompt = row.prompt?.text.trim() ?? "";
  const name = isGraph(row.context) ? row.context : row.context === "" && isGraph(prompt) ? prompt : null;
  const at = cellSpan(sheet, row.index, "context");
  if (name === null || at === null || row.settings.some((item) => !isOfColumn(item))) return null;
  const edits = [editCell(sheet, at, JSON.stringify({ graph: name }))];
  if (name !== row.context && row.prompt !== null) edits.push(editCell(sheet, row.prompt.at, ""));
  return { title: `write {"graph": ${JSON.stringify(name)}} into the context`, safe: true, edits };
}

function checkPositive({ spot: { value }, bad }: Checked): void {
  if (typeof value === "number" && value <= 0) bad("more than 0");
}

function checkTime(checked: Checked): void {
  checkPositive(checked);
  const { spot, bad } = checked;
  if (isTooLong(spot.value)) bad(SHORT_ENOUGH);
}

function checkTexts({ spot: { value }, bad }: Checked): void {
  if (!Array.isArray(value)) return;
  const isText = (one: Json): boolean => typeof one !== "object" && String(one).trim() !== "";
  if (value.length > 0 && value.every(isText)) return;
  bad("a list of texts", { found: value.length === 0 ? "empty" : "one that holds something else" });
}

export const RETRY = ["attempts", "delay_ms", "factor", "max_delay_ms"];

function checkRetry(checked: Checked): void {
  const { spot, bad } = checked;
  if (typeof spot.value === "number") {
    if (!isAttempts(spot.value)) bad("a whole number of attempts, 1 or more");
  } else if (spot.entries === undefined) {
    bad("a number of attempts, or {attempts, delay_ms, factor, max_delay_ms}");
  } else for (const entry of spot.entries) checkRetryEntry(checked, entry);
}

function checkRetryEntry(checked: Checked, entry: JsonEntry): void {
  const { bad } = checked;
  const { key, spot } = entry;
  const setting = `retry.${key}`;
  if (!RETRY.includes(key)) {
    reportUnknownEntry(checked, entry, RETRY);
  } else if (key === "attempts") {
    if (!isAttempts(spot.value)) bad("a whole number, 1 or more", { name: setting, spot });
  } else if (typeof spot.value !== "number" || spot.value < 0) {
    bad("a number, 0 or more", { name: setting, spot });
  }
}

const isAttempts = (value: Json): boolean => Number.isInteger(value) && (value as number) >= 1;

/** Settings that name inputs: a name that is none would fail every visit. */
function checkInputNames({ draft, node, item, bad }: Checked): void {
  // The list of a loop is looked for where its sub-graph is checked.
  if (node.facts === null || node.facts.type === "graph" || node.row.damaged) return;
  const inputs = inputNames(node);
  for (const mention of mentionsIn(node.facts, item)) {
    const { name, spot } = mention;
    if (inputs.named(name) !== null) continue;
    const near = suggest(name, inputs.near(name));
    const known = oneOf(near === null ? inputs.params : [near]);
    const what = item.name === "when" ? "about inputs" : "an input";
    const expected = `${what} of this node${known === "" ? ", which has none" : `: ${known}`}`;
    const fix = isTemplate(item.name, node.facts) ? null : inputFix(draft, item, mention, inputs);
    bad(expected, { spot, found: JSON.stringify(name), fix });
  }
}

function checkQuery({ draft, node, item, spot, bad }: Checked): void {
  const { mode } = node.settings;
  // The query of an address is something else.
  if (shapeOf("query", node.facts)?.kind !== "object") return;
  if (isWriter(node.facts) && mode !== "update" && mode !== "delete")
    bad('left out where the mode is neither "update" nor "delete"');
  for (const entry of spot.entries ?? []) {
    if (QUERY_PARTS.includes(entry.key)) continue;
    // Not a warning: to leave out a part of a query would mean other entries.
    const meant = meantEntry(spot, entry, QUERY_PARTS);
    const fix = meant === null ? null : writeSetting(draft, item, entry, meant, false);
    const found = `${JSON.stringify(entry.key)}${orRather(meant)}`;
    bad(`made of ${QUERY_PARTS.join(", ")}`, { spot: entry, found, fix });
  }
  for (const { expected, ...part } of queryFaults(spot, mode)) bad(expected, part);
}

const orRather = (meant: string | null): string =>
  meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;

function checkColumns({ draft, node, item, bad }: Checked): void {
  for (const { name, spot, expected, meant } of columnFaults(node, item.name, item.spot)) {
    const fix = meant === null ? null : writeSetting(draft, item, spot, meant, true);
    bad(expected, { name, spot, found: `${describe(spot.value)}${orRather(meant)}`, fix });
  }
}

function checkWhen({ spot: { entries = [] }, bad }: Checked): void {
  for (const { key, spot } of entries) {
    for (const one of [spot, ...(spot.items ?? [])]) {
      const isText = typeof one.value !== "object" || Array.isArray(one.value);
      const expected = isText ? criterionExpectation(one.value) : "a criterion, or a list of them";
      if (expected !== null) bad(expected, { name: `when.${key}`, spot: one });
    }
  }
}

function checkFallback({ item, bad }: Checked): void {
  for (const spot of item.spot.items ?? [item.spot])
    if (!isFallback(spot.value))
      bad('a provider, {"provider": "name", "model": "name"}, or a list of these', { spot });
}

function isFallback(value: Json): boolean {
  if (!isRecord(value)) return typeof value === "string";
  const { provider, model = "", ...more } = value;
  return typeof provider === "string" && typeof model === "string" && Object.keys(more).length === 0;
}

/** The default stands for the answer of a person, so it must be one that the person could give. */
function checkDefaultAction({ node, spot: { value }, bad }: Checked): void {
  const { options, interaction } = node.settings;
  if (node.facts?.type !== "human" || !Array.isArray(options) || typeof value !== "string") return;
  const fold = (text: string): string => text.trim().toLowerCase();
  if (options.some((option) => fold(String(option)) === fold(value))) return;
  if (interaction === "approval" || interaction === "text") return;
  bad(`one of the options: ${options.map((option) => JSON.stringify(option)).join(", ")}`);
}

function checkMerge({ spot: { entries = [] }, bad }: Checked): void {
  for (const { key, spot } of entries)
    if (!isMerge(spot.value)) bad('"append", "last" or "sum"', { name: `merge.${key}`, spot });
}

function describe(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
