import type { CaseIR } from "../../compiler/2-analyze/tests/case-ir.js";
import type { Json, TestColumn } from "../../compiler/ir.js";
import type { Result, StateData } from "../graph/contract/contract.js";
import { ANY, fitsPattern } from "../graph/formula/criteria.js";
import { type Difference, differences } from "./match-json.js";
import type { CaseRun } from "./run-case.js";

/** One line of a comparison; null when it is missing. */
export interface Compared {
  readonly what: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

export interface Mismatch {
  /** The column with the expectation; the case's name when there is none. */
  readonly column: TestColumn;
  readonly message: string;
  readonly help: string | null;
  readonly compared: readonly Compared[];
  /** For `expect_state`, the different fields. */
  readonly fields: readonly string[];
}

const plain = { help: null, compared: [], fields: [] } as const;

export const refusal = (column: TestColumn, message: string, help: string | null = null): Mismatch => ({
  ...plain,
  column,
  message,
  help,
});

/** The differences between a run and the expectations of its case; empty when it passed. */
export function checkCase(one: CaseIR, { result, refused, offences }: CaseRun): readonly Mismatch[] {
  const [offence] = offences;
  if (offence !== undefined) {
    return [refusal(one.cells.has("mocks") ? "mocks" : "case", offence.why, offence.cure)];
  }
  if (result === null) {
    return [refusal(one.cells.has("answers") ? "answers" : "case", `the run could not be made: ${refused}`)];
  }
  return [
    ...checkStatus(one, result),
    ...checkPath(one, result),
    ...checkState(one, result),
    ...checkAbsent(one, result),
    ...checkError(one, result),
  ];
}

function checkStatus({ status, cells }: CaseIR, result: Result<StateData>): readonly Mismatch[] {
  const wanted = status ?? "completed";
  if (result.status === wanted) return [];
  const column = (["expect_status", "expect_error"] as const).find((one) => cells.has(one)) ?? "case";
  const compared = [{ what: "status", expected: wanted, actual: result.status }];
  return [{ ...plain, column, message: endOf(result), compared, help: helpFor(result) }];
}

function endOf({ status, error, waiting }: Result<StateData>): string {
  if (error === null) {
    const nodes = waiting.map(({ node }) => JSON.stringify(node)).join(", ");
    return status === "completed" ? "the run completed" : `the run is suspended: it waits for ${nodes}`;
  }
  const at = error.node === null ? "" : ` at ${JSON.stringify(error.node)}`;
  return `the run ${status === "failed" ? "failed" : "was cancelled"}${at}: ${error.message}`;
}

const helpFor = ({ waiting }: Result<StateData>): string | null =>
  waiting[0] === undefined
    ? null
    : `write {${JSON.stringify(waiting[0].node)}: "the answer"} into answers, or expect suspended`;

function checkPath({ path }: CaseIR, result: Result<StateData>): readonly Mismatch[] {
  if (path === null || matchPath(path, result.path)) return [];
  const compared = alignPaths(withoutStars(path, result.path), result.path);
  return [{ ...plain, column: "expect_path", message: "the run took another path", compared }];
}

/** True when a path fits a pattern. `*` stands for any number of nodes. */
export const matchPath = (pattern: readonly string[], path: readonly string[]): boolean =>
  fitsPattern(
    path,
    pattern.map((name) => (name === "*" ? ANY : name)),
  );

/** A pattern with the nodes that each `*` stands for, up to the first that leads to no node of the path. */
function withoutStars(pattern: readonly string[], path: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const [i, name] of pattern.entries()) {
    const next = pattern[i + 1];
    if (name !== "*") names.push(name);
    else if (next !== "*") {
      const end = next === undefined ? path.length : path.indexOf(next, names.length);
      if (end < 0)
        return [...names, ...path.slice(names.length, i + 1 - pattern.length), ...pattern.slice(i + 1)];
      for (const one of path.slice(names.length, end)) names.push(one);
    }
  }
  return names;
}

/** Both paths side by side. Equal beginnings and ends are aligned; the nodes between are paired in order. */
function alignPaths(expected: readonly string[], actual: readonly string[]): readonly Compared[] {
  const shorter = Math.min(expected.length, actual.length);
  let head = 0;
  while (head < shorter && expected[head] === actual[head]) head++;
  let tail = 0;
  while (tail < shorter - head && expected.at(-1 - tail) === actual.at(-1 - tail)) tail++;
  const [left, right] = [expected, actual].map((path) => path.slice(head, path.length - tail));
  const middle = Math.max(left?.length ?? 0, right?.length ?? 0);
  const same = (names: readonly string[]) => names.map((name) => [name, name] as const);
  const lines = [
    ...same(expected.slice(0, head)),
    ...Array.from({ length: middle }, (_, i) => [left?.[i] ?? null, right?.[i] ?? null] as const),
    ...same(expected.slice(expected.length - tail)),
  ];
  return lines.map(([one, other], i) => ({ what: String(i + 1), expected: one, actual: other }));
}

function checkState({ state }: CaseIR, result: Result<StateData>): readonly Mismatch[] {
  if (state === null) return [];
  const found = differences(state.value, result.state as Json);
  if (found.length === 0) return [];
  const fields = [...new Set(found.map(({ path }) => String(path[0])))];
  const message = `the state differs in ${fields.map((field) => JSON.stringify(field)).join(", ")}`;
  return [{ ...plain, column: "expect_state", message, compared: found.map(comparedOf), fields }];
}

const comparedOf = ({ path, expected, actual }: Difference): Compared => ({
  what: path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join(""),
  expected: JSON.stringify(expected),
  actual: actual === undefined ? null : JSON.stringify(actual),
});

function checkAbsent({ absent }: CaseIR, { state }: Result<StateData>): readonly Mismatch[] {
  const there = absent.filter((field) => Object.hasOwn(state, field));
  if (there.length === 0) return [];
  const compared = there.map((what) => ({ what, expected: null, actual: JSON.stringify(state[what]) }));
  const message = `${there.map((field) => JSON.stringify(field)).join(", ")} should not be set`;
  return [{ ...plain, column: "expect_absent", message, compared, fields: there }];
}

function checkError({ error: wanted }: CaseIR, { error, status }: Result<StateData>): readonly Mismatch[] {
  // A wrong status has been reported already, with the reason.
  if (wanted === null || error === null || status !== "failed") return [];
  const { code, node, message } = wanted;
  const compared = [
    ...(code === null || code === error.code ? [] : [{ what: "code", expected: code, actual: error.code }]),
    ...(node === null || node === error.node ? [] : [{ what: "node", expected: node, actual: error.node }]),
    ...(message === null || fitsMessage(message, error.message)
      ? []
      : [{ what: "message", expected: JSON.stringify(message), actual: JSON.stringify(error.message) }]),
  ];
  if (compared.length === 0) return [];
  return [{ ...plain, column: "expect_error", message: "the run failed with another error", compared }];
}

/** A text must be a part of the message. */
const fitsMessage = (wanted: Json, message: string): boolean =>
  typeof wanted === "string" ? message.includes(wanted) : differences(wanted, message).length === 0;
