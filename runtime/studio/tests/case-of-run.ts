import type { CaseStatus } from "../../../compiler/2-analyze/tests/case-ir.js";
import type { GraphIR, Json, TestColumn } from "../../../compiler/ir.js";
import { isCall } from "../../durable/edits/find-visit.js";
import { resultOf } from "../../durable/kept-result.js";
import type { FullRun, StepRow, WaitRow } from "../../durable/rows.js";
import type { Became } from "../../graph/suspend/recorded.js";
import { redactData } from "../../graph/tell/redact.js";

export interface RecordedRun {
  readonly run: FullRun;
  readonly steps: readonly StepRow[];
  readonly waits: readonly WaitRow[];
}

/** The cells of a case, by their columns. */
export type CaseCells = { readonly [C in TestColumn]?: string };

/** What a case that repeats a run holds. */
export interface CaseOfRun {
  readonly given: Values;
  readonly mocks: Values;
  readonly answers: Values;
  readonly status: CaseStatus;
  readonly path: readonly string[];
  readonly state: Values;
  readonly error: Values | null;
}

interface Values {
  readonly [name: string]: Json;
}

/** Why no case can be made of a run; null when one can. */
export function whyNoCase({ run }: RecordedRun): string | null {
  if (run.isErased) return "the values of the run were deleted";
  if (run.status === "cancelled") return "the run was stopped: it has no end to expect";
  const hasEnd = run.status === "completed" || run.status === "failed" || run.status === "waiting";
  return hasEnd ? null : "the run has not come to an end yet";
}

interface CaseOptions {
  readonly redact: (text: string) => string;
  readonly graphs: readonly GraphIR[];
}

/** A run as a case: what it was given, what its agents gave and people answered, and what came of it. No secret is in it. */
export function caseOfRun(recorded: RecordedRun, { redact, graphs }: CaseOptions): CaseOfRun {
  const { run, steps, waits } = recorded;
  const asks = askingIn(graphs, run.graph);
  const { status, path, state, error } = resultOf(run);
  const given = run.given as Values;
  const written = Object.entries(state as Values).filter(
    ([field, value]) =>
      !Object.hasOwn(given, field) || JSON.stringify(given[field]) !== JSON.stringify(value),
  );
  const made: CaseOfRun = {
    given,
    mocks: byVisits(mocksIn(steps).filter(({ node }) => !asks(node))),
    answers: byVisits(answersIn(steps, waits)),
    status: status as CaseStatus,
    path,
    state: Object.fromEntries(written),
    error: status === "failed" && error !== null ? errorOf(error) : null,
  };
  return redactData(made, redact) as CaseOfRun;
}

const errorOf = ({ code, node }: { readonly code: string; readonly node: string | null }): Values => ({
  code,
  ...(node === null ? {} : { node }),
});

/** One thing at one visit of a node. */
interface AtVisit {
  readonly node: string;
  readonly visit: number;
  readonly value: Json;
}

/** Whether a node asks people: it takes what was given or answered, and needs no stand-in. */
function askingIn(graphs: readonly GraphIR[], graph: string): (node: string) => boolean {
  const namesIn = (some: readonly GraphIR[]): ReadonlySet<string> =>
    new Set(some.flatMap(({ nodes }) => nodes.filter(isAsking)).map(({ name }) => name));
  const own = namesIn(graphs.filter(({ name }) => name === graph));
  const all = namesIn(graphs);
  return (node) => (node.includes("/") ? all.has(node.slice(node.lastIndexOf("/") + 1)) : own.has(node));
}

const isAsking = ({ agent }: GraphIR["nodes"][number]): boolean =>
  agent.builtin && (agent.type === "input" || agent.type === "human");

/** What agents gave whose calls are recorded: all others compute the same again. */
function mocksIn(steps: readonly StepRow[]): readonly AtVisit[] {
  return steps.filter(isCall).flatMap(({ pure, node, visit, result }) => {
    const became = pure ? undefined : (result as { readonly became?: Became } | null)?.became;
    if (became === undefined || became.kind === "wait") return [];
    // All items of a loop share one stand-in.
    return [{ node: node.replace(/\[\d+\]\//g, "/"), visit, value: mockOf(became) }];
  });
}

const READ_OTHERWISE = new Set(["return", "fail", "throw", "visits"]);

function mockOf(became: Exclude<Became, { kind: "wait" }>): Json {
  if (became.kind === "thrown") return { throw: became.message };
  if (became.kind === "choice") return became.name;
  const { whole, entries } = became;
  if (became.kind === "value") return plain(entries ?? whole ?? null);
  // The verdict of a node that branches.
  if (became.isWhole && whole === false) return false;
  return { fail: became.reason ?? "", ...(entries === undefined ? {} : { writes: entries }) };
}

/** Some mappings mean something to a mock, and are given as they are in another one. */
function plain(value: Json): Json {
  const [first] =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  return first !== undefined && READ_OTHERWISE.has(first) ? { return: value } : value;
}

function answersIn(steps: readonly StepRow[], waits: readonly WaitRow[]): readonly AtVisit[] {
  const visits = new Map(steps.map(({ id, visit }) => [id, visit]));
  return waits.flatMap(({ id, waiting, ending }) =>
    ending?.kind === "answer"
      ? [{ node: waiting.node, visit: visits.get(id) ?? 1, value: ending.answer }]
      : [],
  );
}

/** The last thing of each visit, by node; one that holds for all visits is written once. */
function byVisits(all: readonly AtVisit[]): Values {
  const nodes = new Map<string, Json[]>();
  for (const { node, visit, value } of all) {
    const visits = nodes.get(node) ?? [];
    nodes.set(node, visits);
    visits[visit - 1] = value;
  }
  return Object.fromEntries(
    [...nodes].map(([node, visits]) => {
      const full = Array.from(
        visits,
        (one, i) => one ?? visits.slice(0, i).findLast((before) => before != null) ?? null,
      );
      const isOne = full.every((one) => JSON.stringify(one) === JSON.stringify(full[0]));
      return [node, isOne ? (full[0] ?? null) : { visits: full }];
    }),
  );
}

/** Fields whose values are others with each run are only held to their kind. */
export function loosened(made: CaseOfRun, fields: readonly string[]): CaseOfRun {
  const state = Object.entries(made.state).map(([field, value]): [string, Json] => [
    field,
    fields.includes(field) ? { $any: kindOf(value) } : value,
  ]);
  return { ...made, state: Object.fromEntries(state) };
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "object" : typeof value;
}

export function cellsOf(name: string, graph: string, made: CaseOfRun): CaseCells {
  const { given, mocks, answers, status, path, state, error } = made;
  return {
    graph_name: graph,
    case: name,
    given: jsonCell(given),
    mocks: jsonCell(mocks),
    answers: jsonCell(answers),
    expect_status: status === "completed" || error !== null ? "" : status,
    expect_path: pathCell(path),
    expect_state: jsonCell(state),
    expect_error: error === null ? "" : jsonCell(error),
  };
}

const jsonCell = (values: Values): string => (Object.keys(values).length === 0 ? "" : JSON.stringify(values));

/** Names with a sign that a path is written with stand in a list. */
function pathCell(path: readonly string[]): string {
  const isPlain = path.every((name) => !/[>*]|^\[|^\s|\s$/.test(name));
  return isPlain ? path.join(">") : JSON.stringify(path);
}
