import { editCell } from "../../1-parse/text/edit-cell.js";
import { cellSpan } from "../../1-parse/text/places.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Json, JsonEntry, JsonSpot, SettingItem } from "../../ir.js";
import type { AgentFacts, SettingShape } from "../../world.js";
import {
  type At,
  type Draft,
  type DraftNode,
  inputNamed,
  reportAt,
  settingAt,
  spotSpan,
  writeFix,
} from "../draft.js";
import { mentionsIn } from "../fields/input-names.js";
import { checkAssignee, checkEscalate } from "./check-assignee.js";
import { columnFaults } from "./check-columns.js";
import { criterionExpectation, QUERY_PARTS, queryFaults } from "./check-query.js";
import { checkSchedule, checkTimezone } from "./check-schedule.js";
import { isTooLong, SHORT_ENOUGH } from "./longest.js";
import { GENERAL, isMerge, isOfColumn, isRecord, shapeOf } from "./settings.js";

export interface Checked {
  readonly draft: Draft;
  readonly node: DraftNode;
  readonly item: SettingItem;
  readonly spot: JsonSpot;
  /** Reports the setting, or a part of it, as something else than what is expected. */
  readonly bad: (expected: string, part?: Part) => void;
}

interface Part {
  /** Its name in the setting, as in `retry.attempts`. */
  readonly name?: string;
  readonly spot?: { readonly start: number; readonly end: number; readonly value?: Json };
  /** Describes the faulty part, where its value does not say it. */
  readonly found?: string;
  readonly fix?: Fix | null;
}

function checkedOf(draft: Draft, node: DraftNode, item: SettingItem): Checked {
  const bad: Checked["bad"] = (expected, { name = item.name, spot = item.spot, found, fix = null } = {}) => {
    const params = { setting: name, expected, found: found ?? describe(spot.value ?? null) };
    reportAt(draft, node, "bad-setting", params, { ...settingAt(item, spot), fix });
  };
  return { draft, node, item, spot: item.spot, bad };
}

/** Rules that a setting's shape cannot say. */
const rules: { readonly [name: string]: (checked: Checked) => void } = {
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
  fallback: checkFallback,
  default_action: checkDefaultAction,
  timezone: checkTimezone,
  schedule: checkSchedule,
  assignee: checkAssignee,
  escalate: checkEscalate,
};

/** Reports unknown settings and values of a wrong shape. Node and graph names are checked where targets are. */
export function checkSettings(draft: Draft, node: DraftNode): void {
  const { facts, row } = node;
  for (const item of row.settings) {
    const shape = shapeOf(item.name, facts);
    const checked = checkedOf(draft, node, item);
    if (shape !== undefined) {
      if (!fits(item.spot.value, shape)) checked.bad(expectation(shape));
      if (Object.hasOwn(rules, item.name)) rules[item.name]?.(checked);
      if (facts?.type === "csv_reader") checkColumns(checked);
    } else if (facts !== null) reportUnknown(draft, node, item, facts);
    checkInputNames(checked);
  }
  checkChosen(draft, node);
  if (facts?.type === "graph" && !row.damaged && !row.settings.some(({ name }) => name === "graph")) {
    const params = { setting: "graph", expected: "the name of a graph", found: "missing" };
    const at: At = { span: row.agent.at, column: "agent_type", fix: graphFix(draft, node) };
    reportAt(draft, node, "bad-setting", params, at);
  }
}

const isWriter = (facts: AgentFacts | null): boolean => facts?.type.endsWith("_writer") === true;

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

function reportUnknown(draft: Draft, node: DraftNode, item: SettingItem, facts: AgentFacts): void {
  const isRefused = isWriter(facts);
  if (isOfColumn(item) && !isRefused) {
    // The header is one place for all rows: it is said once.
    const { unknownColumns } = draft.analysis;
    if (unknownColumns.has(item.nameAt.column)) return;
    unknownColumns.add(item.nameAt.column);
  }
  const suggestion = suggest(item.name, [...Object.keys(facts.settings), ...Object.keys(GENERAL)]);
  const params = { setting: item.name, agent: facts.type, suggestion, isRefused };
  const span = isOfColumn(item) && isRefused ? spotSpan(item.cell, item.spot) : item.nameAt;
  const severity = isRefused ? "error" : "warning";
  reportAt(draft, node, "unknown-setting", params, { span, column: "context", severity });
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

function checkRetryEntry({ draft, node, item, bad }: Checked, entry: JsonEntry): void {
  const { key, spot } = entry;
  const setting = `retry.${key}`;
  if (!RETRY.includes(key)) {
    const agent = node.agent.written || "default";
    const params = { setting, agent, suggestion: suggest(key, RETRY), isRefused: false };
    reportAt(draft, node, "unknown-setting", params, settingAt(item, entry));
  } else if (key === "attempts") {
    if (!isAttempts(spot.value)) bad("a whole number, 1 or more", { name: setting, spot });
  } else if (typeof spot.value !== "number" || spot.value < 0) {
    bad("a number, 0 or more", { name: setting, spot });
  }
}

const isAttempts = (value: Json): boolean => Number.isInteger(value) && (value as number) >= 1;

/** Settings that name inputs: a name that is none would fail every visit. */
function checkInputNames({ node, item, bad }: Checked): void {
  // The list of a loop is looked for where its sub-graph is checked.
  if (node.facts === null || node.facts.type === "graph" || node.row.damaged) return;
  for (const { name, spot } of mentionsIn(node.facts, item)) {
    if (inputNamed(node, name) !== null) continue;
    const names = node.row.inputs.map(({ param }) => param);
    const near = suggest(name, names);
    const known = (near === null ? names : [near]).map((one) => JSON.stringify(one)).join(" or ");
    const what = item.name === "when" ? "about inputs" : "an input";
    const expected = `${what} of this node${known === "" ? ", which has none" : `: ${known}`}`;
    bad(expected, { spot, found: JSON.stringify(name) });
  }
}

function checkQuery({ node, spot, bad }: Checked): void {
  const { mode } = node.settings;
  if (isWriter(node.facts) && mode !== "update" && mode !== "delete")
    bad('left out where the mode is neither "update" nor "delete"');
  for (const entry of spot.entries ?? []) {
    if (QUERY_PARTS.includes(entry.key)) continue;
    // Not a warning: to leave out a part of a query would mean other entries.
    const found = `${JSON.stringify(entry.key)}${orRather(suggest(entry.key, QUERY_PARTS))}`;
    bad(`made of ${QUERY_PARTS.join(", ")}`, { spot: entry, found });
  }
  for (const { expected, ...part } of queryFaults(spot, mode)) bad(expected, part);
}

const orRather = (meant: string | null): string =>
  meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;

function checkColumns({ draft, node, item, bad }: Checked): void {
  for (const { name, spot, expected, meant } of columnFaults(node, item.name, item.spot)) {
    const isPlain = isOfColumn(item) && spot === item.spot;
    const word = JSON.stringify(meant);
    const fix =
      meant === null ? null : writeFix(draft, spotSpan(item.cell, spot), isPlain ? meant : word, true);
    const found = `${describe(spot.value)}${orRather(meant)}`;
    bad(expected, { name, spot, found, fix: fix === null ? null : { ...fix, title: `write ${word}` } });
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

const isString = (value: Json): boolean => typeof value === "string";

/** What a value of a shape is in words, and the test of it. */
const shapes: {
  readonly [kind in Exclude<SettingShape["kind"], "one-of" | "either">]: readonly [
    words: string,
    fits: (value: Json) => boolean,
  ];
} = {
  any: ["any value", () => true],
  string: ["text", isString],
  field: ["the name of a field", isString],
  node: ["the name of a node", isString],
  graph: ["the name of a graph", isString],
  number: ["a number", (value) => typeof value === "number"],
  integer: ["a whole number", Number.isInteger],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  list: ["a list", Array.isArray],
  object: ["an object", isRecord],
  nodes: ["an object of node names", (value) => isRecord(value) && Object.values(value).every(isString)],
};

function fits(value: Json, shape: SettingShape): boolean {
  if (shape.kind === "one-of") return shape.values.some((one) => one === value);
  if (shape.kind === "either") return shape.shapes.some((one) => fits(value, one));
  return shapes[shape.kind][1](value);
}

/** A shape in the words of the diagnostics and of the tables in the docs. */
export function expectation(shape: SettingShape): string {
  if (shape.kind === "one-of") return shape.values.map((value) => JSON.stringify(value)).join(" or ");
  if (shape.kind === "either") return shape.shapes.map(expectation).join(" or ");
  return shapes[shape.kind][0];
}

function describe(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
