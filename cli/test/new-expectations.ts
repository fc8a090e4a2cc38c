import type { TestSheet } from "../../compiler/1-parse/test-sheet.js";
import { type CellPart, editRecordParts } from "../../compiler/1-parse/text/edit-cell.js";
import type { Edit } from "../../compiler/diagnostics/diagnostic.js";
import type { Json, TestColumn } from "../../compiler/ir.js";
import type { Result, StateData } from "../../runtime/graph/contract/contract.js";
import type { Mismatch } from "../../runtime/testing/check-case.js";
import type { CaseResult } from "../../runtime/testing/run-tests.js";

type Writes = Map<TestColumn, readonly CellPart[] | string>;

/** The edits that make the result of a run the expectation of its case, and the columns that are not there. */
export function newExpectations(
  sheet: TestSheet,
  result: CaseResult,
): { readonly edits: readonly Edit[]; readonly homeless: readonly TestColumn[] } {
  const { one, mismatches, run } = result;
  const ended = run?.result ?? null;
  if (ended === null || run === null || run.offences.length > 0) return { edits: [], homeless: [] };
  const writes: Writes = new Map();
  for (const mismatch of mismatches) expectAnew(writes, mismatch, result, ended);
  const homeless = [...writes.keys()].filter((column) => !sheet.header.columns.has(column));
  if (isBare(result)) expectAll(writes, ended);
  const own = mismatches.flatMap((mismatch) => columnEdits(sheet, mismatch, one, ended));
  const edits = [...writes].flatMap(([name, text]) => {
    const column = sheet.header.columns.get(name);
    if (column === undefined) return [];
    const { start = 0, end = 0 } = one.cells.get(name) ?? {};
    const span = { record: one.record, column, start, end };
    return editRecordParts(sheet, span, typeof text === "string" ? [{ start, end, text }] : text);
  });
  return { edits: [...edits, ...own], homeless };
}

/** The values that differ in columns such as `expect_state.total`. */
function columnEdits(
  sheet: TestSheet,
  { column, fields }: Mismatch,
  one: CaseResult["one"],
  { state }: Result<StateData>,
): readonly Edit[] {
  if (column !== "expect_state") return [];
  const values = new Map<string, Json | undefined>(Object.entries(state));
  return (one.state?.entries ?? []).flatMap(({ key, cell }) => {
    if (cell === undefined || !fields.includes(key)) return [];
    const { start, end } = cell;
    return editRecordParts(sheet, cell, [{ start, end, text: cellTextOf(values.get(key)) }]);
  });
}

const cellTextOf = (value: Json | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

const isBare = ({ one }: CaseResult): boolean =>
  ![...one.cells.values(), ...one.entries].some(({ name }) => name.startsWith("expect_"));

function expectAll(writes: Writes, { status, path, state, error }: Result<StateData>): void {
  writes.set("expect_status", status);
  writes.set("expect_path", pathText(path));
  if (status === "completed") writes.set("expect_state", JSON.stringify(state));
  if (error !== null) writes.set("expect_error", error.message);
}

function expectAnew(writes: Writes, mismatch: Mismatch, result: CaseResult, ended: Result<StateData>): void {
  const { one } = result;
  const { column } = mismatch;
  const errorCell = one.cells.get("expect_error");
  if (mismatch.compared[0]?.what === "status" && column !== "expect_state") {
    writes.set("expect_status", ended.status);
    if (errorCell !== undefined && ended.status !== "failed") writes.set("expect_error", "");
  } else if (column === "expect_path") writes.set(column, pathText(ended.path));
  else if (column === "expect_state") {
    const hasOwn = (field: string): boolean =>
      one.state?.entries?.some(({ key, cell }) => key === field && cell !== undefined) === true;
    const fields = mismatch.fields.filter((field) => !hasOwn(field));
    if (fields.length > 0 || mismatch.fields.length === 0)
      writes.set(column, stateText({ ...mismatch, fields }, result, ended));
  } else if (column === "expect_absent") {
    writes.set(column, one.absent.filter((field) => !mismatch.fields.includes(field)).join(" | "));
  } else if (column === "expect_error" && ended.error !== null) {
    const { code, node, message } = ended.error;
    const { error } = one;
    const same = {
      ...(error?.code === null ? {} : { code }),
      ...(error?.node === null ? {} : { node }),
      ...(error?.message === null ? {} : { message }),
    };
    writes.set(column, errorCell?.json === null ? message : JSON.stringify(same));
  }
}

/** A path with dots; JSON when a name itself holds such a character. */
const pathText = (path: readonly string[]): string =>
  path.some((name) => name.includes(">") || name === "*" || name.startsWith("["))
    ? JSON.stringify(path)
    : path.join(">");

/** Only the values that differ are written anew, unless a field is no longer there. */
function stateText(
  { fields }: Mismatch,
  { one }: CaseResult,
  { state }: Result<StateData>,
): readonly CellPart[] | string {
  const entries = (one.state?.entries ?? []).filter(({ cell }) => cell === undefined);
  const values = new Map<string, Json | undefined>(Object.entries(state));
  if (fields.some((field) => values.get(field) === undefined)) {
    const kept = entries.flatMap(({ key, spot }) => {
      const value = fields.includes(key) ? values.get(key) : spot.value;
      return value === undefined ? [] : [[key, value] as const];
    });
    return JSON.stringify(Object.fromEntries(kept));
  }
  return entries
    .filter(({ key }) => fields.includes(key))
    .map(({ key, spot: { start, end } }) => ({ start, end, text: JSON.stringify(values.get(key)) }));
}
