import type { Json } from "../../../compiler/ir.js";
import type { Mismatch } from "../../testing/check-case.js";
import { placeOfMismatch } from "../../testing/failure-text.js";
import type { OpenedTests } from "../../testing/open-tests.js";
import type { CaseResult } from "../../testing/run-tests.js";

/** What is told of a case that was run. */
export function describeCase(result: CaseResult, opened: OpenedTests): object {
  const { one, place, mismatches, run, ms } = result;
  const differing = mismatches.flatMap((mismatch) => differences(mismatch, result));
  return {
    ...{ case: one.name, graph: one.graph.name, status: mismatches.length === 0 ? "passed" : "failed" },
    expected: Object.fromEntries(differing.map(([column, expected]) => [column, expected])),
    actual: Object.fromEntries(differing.map(([column, , actual]) => [column, actual])),
    ...{ cell: place.cell, line: place.line, duration_ms: Math.round(ms * 1000) / 1000 },
    path: run?.result?.path ?? null,
    failures: mismatches.map((mismatch) => {
      const { column, message, help, compared } = mismatch;
      return { column, cell: placeOfMismatch(result, mismatch, opened).cell, message, help, compared };
    }),
  };
}

type Differing = readonly [column: string, expected: unknown, actual: unknown];

/** An expectation that differs, with what came in its place. A mismatch that is none has no such pair. */
function differences({ column, compared, fields }: Mismatch, { one, run }: CaseResult): readonly Differing[] {
  const ended = run?.result ?? null;
  if (ended === null || compared.length === 0) return [];
  if (column === "expect_path") return [[column, one.path, ended.path]];
  if (column === "expect_state") {
    const wanted = (one.state?.value ?? {}) as { readonly [field: string]: Json };
    return [[column, pick(wanted, fields), pick(ended.state, fields)]];
  }
  if (column === "expect_absent") return [[column, fields, pick(ended.state, fields)]];
  const isStatus = compared[0]?.what === "status";
  if (isStatus) return [["expect_status", compared[0]?.expected, ended.status]];
  const pairs = (side: "expected" | "actual"): object =>
    Object.fromEntries(compared.map((line) => [line.what, line[side]]));
  return [[column, pairs("expected"), pairs("actual")]];
}

const pick = (values: { readonly [field: string]: unknown }, fields: readonly string[]): object =>
  Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(values, field) ? [[field, values[field]]] : [])),
  );
