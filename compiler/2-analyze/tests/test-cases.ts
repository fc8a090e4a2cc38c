import type { CaseCell, TestCase, TestSheet } from "../../1-parse/test-sheet.js";
import { located } from "../../1-parse/text/places.js";
import type { Problems } from "../../diagnostics/collect.js";
import { findSecret } from "../../diagnostics/secret-forms.js";
import { createNear, type Near } from "../../diagnostics/suggest.js";
import type { GraphIR, Json, JsonSpot } from "../../ir.js";
import type { FieldType } from "../../types/field-type.js";
import { isRunValue } from "../../types/run-values.js";
import type { AgentFacts } from "../../world.js";
import { fieldsByName } from "../by-name.js";
import { once } from "../flow/once.js";
import type { CaseIR } from "./case-ir.js";
import { type CaseName, CaseReporter, itemsOf } from "./case-report.js";
import { readErrorCell, readPathCell, readStatusCell } from "./expected-end.js";
import { checkMatchers } from "./matchers.js";
import { readAnswers, readMocks } from "./stand-ins.js";
import { createTestedGraphs, type TestedGraph, type TestedGraphs } from "./tested-graphs.js";

/** What a test sheet is checked against. */
export interface Tested {
  readonly graphs: readonly GraphIR[];
  readonly agents: readonly AgentFacts[];
  /** Why the matcher of patterns refuses one; without it, only their syntax is looked at. */
  readonly patternFault?: (source: string) => string | null;
}

export interface TestedSheet extends Tested {
  readonly problems: Problems;
}

/** The cases of a test sheet that can be run; reports what is wrong with the others. Linear. */
export function analyzeTests(sheet: TestSheet, tested: TestedSheet): readonly CaseIR[] {
  const known = new Map<string, TestCase>();
  const graphs = createTestedGraphs(tested.graphs);
  return sheet.cases.flatMap((one) => {
    const report = new CaseReporter(sheet, tested);
    const graph = graphOf(one, graphs, report);
    if (graph !== null) checkAmbiguous(one, graph, graphs, report);
    const name = one.cells.get("case")?.text ?? "";
    if (graph !== null) report.graph = graph;
    checkSecrets(one, report);
    // Without a readable graph name, nobody knows which cases may have the same name.
    const isNamed = !one.unread.has("graph_name") && checkName(one, sheet, known, report);
    if (graph === null || one.readable === "not") return [];
    const about = { tested: graphs.of(graph), agents: tested.agents, report };
    const read = readCase({ name, record: one.record, cells: one.cells, entries: one.entries }, about);
    return isNamed && one.readable === "whole" && report.errors === 0 ? [read] : [];
  });
}

/** Cases are shown and kept like sheets. Only forms of well-known keys count: fields of a case may be called anything. */
function checkSecrets({ cells, entries }: TestCase, report: CaseReporter): void {
  for (const cell of [...cells.values(), ...entries]) {
    const found = findSecret(cell.text);
    if (found !== null) report.at(cell, "secret-in-sheet", { column: cell.name }, { severity: "warning" });
  }
}

/** The graph that a case names; without a name the only one of the sheet. */
function graphOf(one: TestCase, { find, near, names }: TestedGraphs, report: CaseReporter): GraphIR | null {
  const cell = one.cells.get("graph_name");
  if (cell !== undefined) {
    const found = find(cell.text);
    if (found === null && names.length > 0) {
      const { suggestion, fix } = report.meant({ ...cell, isJson: false }, "unknown-graph", () =>
        near(cell.text),
      );
      report.at(cell, "unknown-graph", { name: cell.text, known: names, suggestion }, { fix });
    }
    return found;
  }
  const [only] = names;
  if (only !== undefined && names.length === 1) return find(only);
  // The cell that could not be read has been reported.
  if (one.unread.has("graph_name")) return null;
  const at = one.cells.get("case");
  const why = `the sheet has ${names.length} graphs, and graph_name does not say which is meant`;
  if (at !== undefined && names.length > 0)
    report.bad(at, why, `write one of ${names.slice(0, 5).join(", ")} into graph_name`);
  return null;
}

/** Running one of several would leave the others untested, and nobody would know. */
function checkAmbiguous(
  { cells }: TestCase,
  { name }: GraphIR,
  { isAmbiguous }: TestedGraphs,
  report: CaseReporter,
): void {
  const at = cells.get("graph_name") ?? cells.get("case");
  if (at === undefined || !isAmbiguous(name)) return;
  report.bad(at, `several worksheets have a graph ${JSON.stringify(name)}`, "give each a name of its own");
}

/** A case needs a name that no other case of its graph has. */
function checkName(
  one: TestCase,
  sheet: TestSheet,
  known: Map<string, TestCase>,
  report: CaseReporter,
): boolean {
  const cell = one.cells.get("case");
  if (cell === undefined) {
    const column = sheet.header.columns.get("case") ?? 0;
    const where = located(sheet, { record: one.record, column, start: 0, end: 0 });
    if (one.readable === "whole") report.put("missing-name", { column: "case", above: null }, where);
    return false;
  }
  const graph = report.graph?.name ?? "";
  const key = `${graph}\n${cell.text}`;
  const first = known.get(key);
  if (first === undefined) known.set(key, one);
  else report.at(cell, "duplicate-case", { name: cell.text, graph, row: first.record + 1 });
  return first === undefined;
}

interface About {
  readonly tested: TestedGraph;
  readonly agents: readonly AgentFacts[];
  readonly report: CaseReporter;
}

function readCase(one: Pick<CaseIR, "name" | "record" | "cells" | "entries">, about: About): CaseIR {
  const { cells } = one;
  const { tested, report } = about;
  const { given, now } = readGiven(one, about);
  const fields = fieldsOf(tested, given);
  const status = readStatusCell(cells.get("expect_status"), report);
  const error = readErrorCell(cells.get("expect_error"), about);
  const errorCell = cells.get("expect_error");
  if (error !== null && errorCell !== undefined && status !== null && status !== "failed") {
    const cure = 'what a node signalled is expected with expect_state: {"error": "the reason"}';
    report.bad(errorCell, `expect_error is the error of a failed run, and expect_status is ${status}`, cure);
  }
  return {
    ...one,
    graph: tested.graph,
    given,
    now,
    mocks: readMocks(one, about),
    answers: readAnswers(one, about),
    status: status ?? (error === null ? null : "failed"),
    path: readPathCell(cells.get("expect_path"), about),
    state: readState(one, { about, fields }),
    absent: readAbsent(cells.get("expect_absent"), { about, fields }),
    error,
  };
}

type CaseCells = Pick<CaseIR, "cells" | "entries">;

function readGiven(
  one: CaseCells,
  { tested: { graph, hasField, nearNamed }, report }: About,
): Pick<CaseIR, "given" | "now"> {
  const entries = report.entries(one, "given", { of: "values by field", typeOf: typesIn(graph) });
  for (const { key, at } of entries) {
    if (hasField(key) || key === NOW) continue;
    if (isRunValue(key)) {
      report.bad(at, `${key} is known to the run alone`, `give ${NOW}, or a field of the graph`);
      continue;
    }
    const { suggestion, fix } = report.meant(at, "unknown-field", () => nearNamed(at.text));
    // The run takes the value all the same, so another name means another run.
    const unsafe = fix === null ? null : { ...fix, safe: false };
    const params = { field: key, graph: graph.name, suggestion };
    report.at(at, "unknown-field", params, { severity: "warning", fix: unsafe });
  }
  const clock = entries.find(({ key }) => key === NOW);
  const fields = entries.filter(({ key }) => !isRunValue(key));
  return {
    given: Object.fromEntries(fields.map(({ key, spot }) => [key, spot.value])) as { [field: string]: Json },
    now: clock === undefined ? null : readNow(clock, report),
  };
}

/** Fixes the clock of all visits, and with it `$today`. */
const NOW = "$now";
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/;
const ISO_DATE = /^\d{4}-\d\d-\d\d$/;

function readNow({ spot: { value }, at }: ReturnType<CaseReporter["entries"]>[number], report: CaseReporter) {
  const time = typeof value === "string" ? timeOf(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  report.bad(at, `${NOW} is no time`, 'write an ISO time, such as "2026-11-22T09:00:00Z"');
  return null;
}

/** Cells of a workbook hold days and times without a zone: they are meant in UTC. */
function timeOf(text: string): number {
  const found = ISO_TIME.exec(text);
  if (found === null) return ISO_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Date.parse(found[1] === undefined ? `${text}Z` : text);
}

/** The fields that the state of a case may have. */
interface Fields {
  readonly has: (name: string) => boolean;
  readonly near: Near;
}

function fieldsOf({ hasField, nearFields }: TestedGraph, given: CaseIR["given"]): Fields {
  const nearGiven = once(() => createNear(Object.keys(given).filter((name) => !hasField(name))));
  return {
    has: (name) => hasField(name) || Object.hasOwn(given, name),
    near: (name) => [...nearFields(name), ...nearGiven()(name)],
  };
}

interface State {
  readonly about: About;
  readonly fields: Fields;
}

function checkField(at: CaseName, { about: { tested, report }, fields }: State): boolean {
  if (fields.has(at.text)) return true;
  const { suggestion, fix } = report.meant(at, "unknown-field", () => fields.near(at.text));
  report.at(at, "unknown-field", { field: at.text, graph: tested.graph.name, suggestion }, { fix });
  return false;
}

function readState(one: CaseCells, state: State): JsonSpot | null {
  const { report, tested } = state.about;
  const about = { of: "the expected values by field", typeOf: typesIn(tested.graph) };
  const entries = report.entries(one, "expect_state", about);
  for (const { spot, at } of entries) {
    checkField(at, state);
    checkMatchers(spot, at, report);
  }
  const whole = one.cells.get("expect_state")?.json ?? null;
  const own = entries.flatMap(({ key, spot, at: { nameAt, ...cell } }) =>
    nameAt === undefined ? [] : [{ key, spot, start: cell.start, end: cell.end, cell }],
  );
  if (own.length === 0) return whole;
  const { start, end } = whole ?? { start: 0, end: 0 };
  const all = [...(whole?.entries ?? []), ...own];
  const value: { [field: string]: Json } = Object.create(null);
  for (const { key, spot } of all) value[key] = spot.value;
  return { value, start, end, entries: all };
}

const typesIn =
  (graph: GraphIR) =>
  (field: string): FieldType | undefined =>
    fieldsByName(graph).get(field)?.type;

/** A list of fields, with the signs between them that lists of fields have everywhere. */
function readAbsent(cell: CaseCell | undefined, state: State): readonly string[] {
  const items = cell === undefined ? [] : itemsOf(cell, /[|,;\r\n]/g);
  return items.filter(({ at }) => checkField(at, state)).map(({ text }) => text);
}
