import { editCell } from "../../1-parse/text/edit-cell.js";
import { cellSpan } from "../../1-parse/text/places.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Json, JsonSpot, SettingItem } from "../../ir.js";
import type { AgentFacts, SettingShape } from "../../world.js";
import { type At, type Draft, type DraftNode, inputNamed, reportAt, spotSpan, writeFix } from "../draft.js";
import { mentionsIn } from "../fields/input-names.js";
import { columnFaults } from "./check-columns.js";
import { criterionExpectation, QUERY_PARTS, queryFaults } from "./check-query.js";
import { GENERAL, isMerge, isOfColumn, isRecord, shapeOf } from "./settings.js";

const RETRY = ["attempts", "delay_ms", "factor", "max_delay_ms"];
const POSITIVE: readonly string[] = ["max_visits", "timeout_ms", "concurrency", "max_tokens"];
const TEXT_LISTS: readonly string[] = ["choices", "options"];

/** Reports unknown settings and values of a wrong shape. Node and graph names are checked where targets are. */
export function checkSettings(draft: Draft, node: DraftNode): void {
  for (const item of node.row.settings) {
    const shape = shapeOf(item.name, node.facts);
    if (shape !== undefined) checkShape(draft, node, item, shape);
    else if (node.facts !== null) reportUnknown(draft, node, item, node.facts);
    if (item.name === "retry") checkRetry(draft, node, item);
    if (item.name === "merge") checkMerge(draft, node, item);
    // What a custom agent calls so is its own business.
    if (shape !== undefined && POSITIVE.includes(item.name)) checkPositive(draft, node, item);
    if (shape !== undefined && TEXT_LISTS.includes(item.name)) checkTexts(draft, node, item);
    if (shape !== undefined && item.name === "query") checkQuery(draft, node, item);
    if (shape !== undefined && item.name === "when") checkWhen(draft, node, item);
    if (shape !== undefined && item.name === "fallback") checkFallback(draft, node, item);
    if (shape !== undefined && node.facts?.type === "csv_reader") checkColumns(draft, node, item);
    checkInputNames(draft, node, item);
    if (node.facts?.type === "human" && item.name === "default_action") checkDefaultAction(draft, node, item);
  }
  checkChosen(draft, node);
  if (
    node.facts?.type === "graph" &&
    !node.row.damaged &&
    !node.row.settings.some((item) => item.name === "graph")
  ) {
    const params = { setting: "graph", expected: "the name of a graph", found: "missing" };
    reportAt(draft, node, "bad-setting", params, { ...agentCell(node), fix: graphFix(draft, node) });
  }
}

const isWriter = (facts: AgentFacts | null): boolean => facts?.type.endsWith("_writer") === true;

/** Which entries of a file are meant is said once; more than that is refused when the node runs. */
function checkChosen(draft: Draft, node: DraftNode): void {
  if (node.row.settings.length < 2) return;
  const [first, second] = node.row.settings.filter(
    ({ name }) => CHOOSING.includes(name) && shapeOf(name, node.facts) !== undefined,
  );
  if (first === undefined || second === undefined || node.facts === null) return;
  const expected = `left out beside ${JSON.stringify(first.name)}, which says what entries are meant`;
  reportBad(draft, node, second, { name: second.name, spot: second.spot, expected });
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

const agentCell = (node: DraftNode): At => ({ span: node.row.agent.at, column: "agent_type" });

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

function reportBad(draft: Draft, node: DraftNode, item: SettingItem, problem: BadSetting): void {
  const { name, spot, expected } = problem;
  const at: At = { span: spotSpan(item.cell, spot), column: "context" };
  reportAt(draft, node, "bad-setting", { setting: name, expected, found: describe(spot.value) }, at);
}

interface BadSetting {
  readonly name: string;
  readonly spot: JsonSpot;
  readonly expected: string;
}

function checkShape(draft: Draft, node: DraftNode, item: SettingItem, shape: SettingShape): void {
  if (fits(item.spot.value, shape)) return;
  reportBad(draft, node, item, { name: item.name, spot: item.spot, expected: expectation(shape) });
}

function checkPositive(draft: Draft, node: DraftNode, item: SettingItem): void {
  const value = item.spot.value;
  if (typeof value !== "number" || value > 0) return;
  reportBad(draft, node, item, { name: item.name, spot: item.spot, expected: "more than 0" });
}

function checkTexts(draft: Draft, node: DraftNode, item: SettingItem): void {
  const { value } = item.spot;
  if (!Array.isArray(value)) return;
  const isText = (one: Json): boolean => typeof one !== "object" && String(one).trim() !== "";
  if (value.length > 0 && value.every(isText)) return;
  const found = value.length === 0 ? "empty" : "one that holds something else";
  const at: At = { span: spotSpan(item.cell, item.spot), column: "context" };
  reportAt(draft, node, "bad-setting", { setting: item.name, expected: "a list of texts", found }, at);
}

function checkRetry(draft: Draft, node: DraftNode, item: SettingItem): void {
  const { spot } = item;
  if (typeof spot.value === "number") {
    const expected = "a whole number of attempts, 1 or more";
    if (!isAttempts(spot.value)) reportBad(draft, node, item, { name: "retry", spot, expected });
    return;
  }
  if (spot.entries === undefined) {
    reportBad(draft, node, item, {
      name: "retry",
      spot,
      expected: "a number of attempts, or {attempts, delay_ms, factor, max_delay_ms}",
    });
    return;
  }
  for (const entry of spot.entries) {
    const { value } = entry.spot;
    if (!RETRY.includes(entry.key)) {
      const agent = node.agent.written || "default";
      const params = {
        setting: `retry.${entry.key}`,
        agent,
        suggestion: suggest(entry.key, RETRY),
        isRefused: false,
      };
      const at: At = { span: spotSpan(item.cell, entry), column: "context" };
      reportAt(draft, node, "unknown-setting", params, at);
    } else if (entry.key === "attempts" ? !isAttempts(value) : typeof value !== "number" || value < 0) {
      const expected = entry.key === "attempts" ? "a whole number, 1 or more" : "a number, 0 or more";
      reportBad(draft, node, item, { name: `retry.${entry.key}`, spot: entry.spot, expected });
    }
  }
}

/** Settings that name inputs: a name that is none would fail every visit. */
function checkInputNames(draft: Draft, node: DraftNode, item: SettingItem): void {
  // Whether a loop has its list is looked at where its sub-graph is.
  if (node.facts === null || node.facts.type === "graph" || node.row.damaged) return;
  for (const mention of mentionsIn(node.facts, item)) {
    if (inputNamed(node, mention.name) !== null) continue;
    const names = node.row.inputs.map(({ param }) => param);
    const near = suggest(mention.name, names);
    const known = (near === null ? names : [near]).map((one) => JSON.stringify(one)).join(" or ");
    const what = item.name === "when" ? "about inputs" : "an input";
    const expected = `${what} of this node${known === "" ? ", which has none" : `: ${known}`}`;
    const at: At = { span: spotSpan(item.cell, mention.spot), column: "context" };
    const params = { setting: item.name, expected, found: JSON.stringify(mention.name) };
    reportAt(draft, node, "bad-setting", params, at);
  }
}

function checkQuery(draft: Draft, node: DraftNode, item: SettingItem): void {
  const { mode } = node.settings;
  if (isWriter(node.facts) && mode !== "update" && mode !== "delete") {
    const expected = `left out where the mode is neither "update" nor "delete"`;
    reportBad(draft, node, item, { name: item.name, spot: item.spot, expected });
  }
  for (const entry of item.spot.entries ?? []) {
    if (QUERY_PARTS.includes(entry.key)) continue;
    // Not a warning: to leave out a part of a query would mean other entries.
    const near = suggest(entry.key, QUERY_PARTS);
    const expected = `made of ${QUERY_PARTS.join(", ")}`;
    const found = `${JSON.stringify(entry.key)}${near === null ? "" : `; did you mean ${JSON.stringify(near)}?`}`;
    const at: At = { span: spotSpan(item.cell, entry), column: "context" };
    reportAt(draft, node, "bad-setting", { setting: "query", expected, found }, at);
  }
  for (const fault of queryFaults(item.spot, node.settings["mode"])) reportBad(draft, node, item, fault);
}

function checkColumns(draft: Draft, node: DraftNode, item: SettingItem): void {
  for (const { name, spot, expected, meant } of columnFaults(node, item.name, item.spot)) {
    const span = spotSpan(item.cell, spot);
    const plain = isOfColumn(item) && spot === item.spot;
    const word = JSON.stringify(meant);
    const found = `${describe(spot.value)}${meant === null ? "" : `; did you mean ${word}?`}`;
    const fix = meant === null ? null : writeFix(draft, span, plain ? meant : word, true);
    const at: At = { span, column: "context", fix: fix === null ? null : { ...fix, title: `write ${word}` } };
    reportAt(draft, node, "bad-setting", { setting: name, expected, found }, at);
  }
}

function checkWhen(draft: Draft, node: DraftNode, item: SettingItem): void {
  for (const { key, spot } of item.spot.entries ?? []) {
    for (const one of [spot, ...(spot.items ?? [])]) {
      const isText = typeof one.value !== "object" || Array.isArray(one.value);
      const expected = isText ? criterionExpectation(one.value) : "a criterion, or a list of them";
      if (expected !== null) reportBad(draft, node, item, { name: `when.${key}`, spot: one, expected });
    }
  }
}

function checkFallback(draft: Draft, node: DraftNode, item: SettingItem): void {
  const expected = 'a provider, {"provider": "name", "model": "name"}, or a list of these';
  for (const spot of item.spot.items ?? [item.spot])
    if (!isFallback(spot.value)) reportBad(draft, node, item, { name: item.name, spot, expected });
}

function isFallback(value: Json): boolean {
  if (!isRecord(value)) return typeof value === "string";
  const { provider, model = "", ...more } = value;
  return typeof provider === "string" && typeof model === "string" && Object.keys(more).length === 0;
}

/** What a person who does not answer is taken to have said must be something that can be said. */
function checkDefaultAction(draft: Draft, node: DraftNode, item: SettingItem): void {
  const { options } = node.settings;
  const { value } = item.spot;
  if (!Array.isArray(options) || typeof value !== "string") return;
  const fold = (text: string): string => text.trim().toLowerCase();
  if (options.some((option) => fold(String(option)) === fold(value))) return;
  if (node.settings["interaction"] === "approval" || node.settings["interaction"] === "text") return;
  const expected = `one of the options: ${options.map((option) => JSON.stringify(option)).join(", ")}`;
  reportBad(draft, node, item, { name: item.name, spot: item.spot, expected });
}

const isAttempts = (value: Json): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 1;

function checkMerge(draft: Draft, node: DraftNode, item: SettingItem): void {
  for (const entry of item.spot.entries ?? []) {
    if (isMerge(entry.spot.value)) continue;
    reportBad(draft, node, item, {
      name: `merge.${entry.key}`,
      spot: entry.spot,
      expected: '"append", "last" or "sum"',
    });
  }
}

function fits(value: Json, shape: SettingShape): boolean {
  switch (shape.kind) {
    case "any":
      return true;
    case "string":
    case "field":
    case "node":
    case "graph":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "integer":
      return Number.isInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "list":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "nodes":
      return isRecord(value) && Object.values(value).every((target) => typeof target === "string");
    case "one-of":
      return typeof value === "string" && shape.values.includes(value);
    case "either":
      return shape.shapes.some((one) => fits(value, one));
  }
}

/** What a setting wants, in the words of the diagnostics and of the tables in the docs. */
export function expectation(shape: SettingShape): string {
  const words = {
    any: "any value",
    string: "text",
    field: "the name of a field",
    node: "the name of a node",
    graph: "the name of a graph",
    number: "a number",
    integer: "a whole number",
    boolean: "true or false",
    list: "a list",
    object: "an object",
    nodes: "an object of node names",
  };
  if (shape.kind === "one-of") return shape.values.map((value) => JSON.stringify(value)).join(" or ");
  if (shape.kind === "either") return shape.shapes.map(expectation).join(" or ");
  return words[shape.kind];
}

function describe(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
