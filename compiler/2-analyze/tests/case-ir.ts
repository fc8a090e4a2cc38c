import type { CaseCell, EntryCell } from "../../1-parse/test-sheet.js";
import type { GraphIR, Json, JsonSpot, TestColumn } from "../../ir.js";

/** The stand-in for an agent at one visit. */
export type MockIR =
  | { readonly kind: "return"; readonly value: Json }
  /** The verdict of a `branching` node. */
  | { readonly kind: "judge"; readonly value: boolean }
  | { readonly kind: "fail"; readonly why: string; readonly writes: { readonly [key: string]: Json } | null }
  | { readonly kind: "throw"; readonly why: string };

/** One thing a visit; the last one stands for all further visits. */
export type EachVisit<T> = readonly [T, ...T[]];

export type CaseStatus = "completed" | "failed" | "suspended";

/** The expected error of a run. `message` is a part of its text, or a matcher. */
export interface ErrorIR {
  readonly code: string | null;
  readonly node: string | null;
  readonly message: Json | null;
}

/** A run, and its expected end. */
export interface CaseIR {
  readonly name: string;
  /** The record's number from 0. */
  readonly record: number;
  readonly cells: ReadonlyMap<TestColumn, CaseCell>;
  readonly entries: readonly EntryCell[];
  readonly graph: GraphIR;
  readonly given: { readonly [field: string]: Json };
  /** The time that all visits read as `$now`, in milliseconds since 1970. */
  readonly now: number | null;
  readonly mocks: ReadonlyMap<string, EachVisit<MockIR>>;
  readonly answers: ReadonlyMap<string, EachVisit<Json>>;
  readonly status: CaseStatus | null;
  /** Names of nodes; `*` stands for any number of them. */
  readonly path: readonly string[] | null;
  readonly state: JsonSpot | null;
  readonly absent: readonly string[];
  readonly error: ErrorIR | null;
}
