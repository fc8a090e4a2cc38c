import { begunRun, column, type Value } from "../read-rows.js";
import type { FullRun, Lease, NewEvent, NewRun, StepRow, WaitRow } from "../rows.js";
import type { Given, Statements } from "./connect.js";
import { named, plain } from "./plain.js";
import { KNOWN, SEEN, seenValues } from "./versions.js";
import { termsOf } from "./words.js";

/** The holder of a lease may write. Written so that the run is found by its id, and not among all that are at work. */
export const HELD =
  "run_id = ? AND owner IS NOT DISTINCT FROM ? AND epoch = ? AND status IS NOT DISTINCT FROM 'running'";
export const heldBy = ({ runId, owner, epoch }: Lease): readonly [string, string, number] => [
  runId,
  owner,
  epoch,
];

/** A run's number, by its id. */
export const N = "(SELECT n FROM flowsheet.runs WHERE run_id = ?)";
export const RUNS_WITH_VALUES = "flowsheet.runs JOIN flowsheet.run_values ON run_values.run = runs.n";
/** Now, by the clock that all machines share. */
export const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

export interface MarkedStep {
  readonly step: StepRow;
  readonly token: string;
}

export interface MarkedEvent {
  readonly event: NewEvent;
  readonly token: string | null;
}

export const marked = (steps: readonly StepRow[], token: string): readonly MarkedStep[] =>
  steps.map((step) => ({ step, token }));

export const unmarked = (events: readonly NewEvent[]): readonly MarkedEvent[] =>
  events.map((event) => ({ event, token: null }));

const COLUMNS = `run, id, seq, pure, node, visit, attempt, branch, began, ended, outcome, result, seen, writes, error,
  worked, token`;
const STEP_TYPES = [
  ...["text", "bigint", "smallint", "text", "bigint", "bigint", "text", "bigint", "bigint", "text", "text"],
  ...["text", "text", "text", "bigint", "text"],
];
const EVENT_TYPES = ["bigint", "bigint", "text", "text", "text"];

export const stepValues = ({ step, token }: MarkedStep): readonly Value[] => [
  ...[step.id, step.seq, step.pure ? 1 : 0, step.node, step.visit, step.attempt],
  ...[JSON.stringify(step.branch), step.began, step.ended, step.outcome],
  ...[column(step.result), column(step.seen), column(step.writes)],
  ...[step.error === null ? null : plain(step.error), step.worked, token],
];

const eventRow = ({ event, token }: MarkedEvent, i: number): readonly Value[] => [
  ...[i + 1, event.at, event.type, JSON.stringify(event.event), token],
];

/** A statement with its values, as a part of a longer one. */
interface Part {
  readonly sql: string;
  readonly values: readonly Given[];
}

/** So few rows stand in the statement one by one: reading arrays takes the server twice the time. */
const FEW = 8;

function listOf(types: readonly string[], rows: readonly (readonly Value[])[]): Part {
  if (rows.length > FEW)
    return {
      sql: `unnest(${types.map((type) => `?::${type}[]`).join(", ")})`,
      values: types.map((_, i) => rows.map((row) => row[i] ?? null)),
    };
  const row = `(${types.map((type) => `?::${type}`).join(", ")})`;
  return { sql: `(VALUES ${rows.map(() => row).join(", ")})`, values: rows.flat() };
}

function stepsPart(steps: readonly MarkedStep[], isAgain: boolean): Part {
  const { sql, values } = listOf(STEP_TYPES, steps.map(stepValues));
  const again = isAgain ? "ON CONFLICT DO NOTHING" : "";
  return {
    sql: `INSERT INTO flowsheet.steps (${COLUMNS}) SELECT run.n, step.* FROM run, ${sql} AS step ${again}`,
    values,
  };
}

/** They follow the last event of the run, which `run` has counted with them. */
function eventsPart(events: readonly MarkedEvent[]): Part {
  const { sql, values } = listOf(EVENT_TYPES, events.map(eventRow));
  return {
    sql: `INSERT INTO flowsheet.events (run, n, at, type, event, token)
      SELECT run.n, run.events - ?::bigint + event.n, event.at, event.type, event.event, event.token
        FROM run, ${sql} AS event (n, at, type, event, token)`,
    values: [events.length, ...values],
  };
}

/** What goes with the row of a run. */
export interface RunParts {
  readonly steps?: readonly MarkedStep[];
  /** Steps that are there are passed over; otherwise they are refused. */
  readonly isAgain?: boolean;
  readonly events?: readonly MarkedEvent[];
  /** A text of JSON. */
  readonly result?: { readonly text: string | null };
}

const partsOf = ({ steps = [], isAgain = false, events = [], result }: RunParts): readonly Part[] => [
  ...(steps.length === 0 ? [] : [stepsPart(steps, isAgain)]),
  ...(events.length === 0 ? [] : [eventsPart(events)]),
  ...(result === undefined ? [] : [{ sql: RESULT, values: [result.text] }]),
];

const RESULT = "UPDATE flowsheet.run_values SET result = ? FROM run WHERE run_values.run = run.n";

/** One statement: the row of a run, which gives `n` and `events`, and all that goes with it. False without a row. */
async function writeRun(statements: Statements, row: Part, parts: readonly Part[]): Promise<boolean> {
  const others = parts.map(({ sql }, i) => `, part${i} AS (${sql})`).join("");
  const values = [row, ...parts].flatMap((part) => part.values);
  return (await statements.first(`WITH run AS (${row.sql})${others} SELECT n FROM run`, ...values)) !== null;
}

/** A change of one run's row. */
export interface RunChange extends RunParts {
  readonly set?: string;
  readonly where: string;
  /** Those of `set`, then those of `where`. */
  readonly values: readonly Given[];
}

/** False when there is no such run: nothing was written. */
export async function changeRun(
  statements: Statements,
  { set = "", where, values, ...parts }: RunChange,
): Promise<boolean> {
  const count = parts.events?.length ?? 0;
  const sets = ["events = events + ?", set].filter((one) => one !== "").join(", ");
  const sql = `UPDATE flowsheet.runs SET ${sets} WHERE ${where} RETURNING n, events`;
  return writeRun(statements, { sql, values: [count, ...values] }, partsOf(parts));
}

interface RunBeginning {
  readonly owner?: string | null;
  /** Nothing is written unless its version is kept. */
  readonly isOfKnownVersion?: boolean;
}

/** Gives the row, at work when it has an owner; null when a run of this id or of this key is there. */
export async function insertRun(
  statements: Statements,
  asked: NewRun,
  { owner = null, isOfKnownVersion = false, ...parts }: RunParts & RunBeginning = {},
): Promise<FullRun | null> {
  const run = namedRun(asked);
  const [given, options] = [JSON.stringify(run.given), JSON.stringify(run.options)];
  const begun = begunRun(run, owner, { given, options });
  const { runId, graph, sheet, version, contract, key, userId, startedBy, parent, created, due } = run;
  const row = {
    sql: `INSERT INTO flowsheet.runs (run_id, graph, sheet, version, contract, status, owner, epoch, key, user_id,
        started_by, parent_id, parent_at, created, due, started, deadline, events)
      SELECT ?, ?, ?, ?, ?::integer, ?, ?, ?::bigint, ?, ?, ?, ?, ?, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint
        ${isOfKnownVersion ? `WHERE EXISTS (SELECT 1 FROM (${KNOWN}) AS known)` : ""}
      ON CONFLICT DO NOTHING RETURNING n, events`,
    values: [
      ...[runId, graph, sheet, version, contract, begun.status, owner, begun.epoch, key, userId, startedBy],
      ...[parent?.runId ?? null, parent?.at ?? null, created, due, begun.started, run.deadline],
      ...[parts.events?.length ?? 0, ...(isOfKnownVersion ? [version] : [])],
    ],
  };
  // Of a run that was there already nothing is seen.
  const seen = {
    sql: `${SEEN} AND EXISTS (SELECT 1 FROM run)`,
    values: seenValues({ version, graph, seen: created }),
  };
  const own = [
    ...(isOfKnownVersion ? [seen] : []),
    { sql: VALUES, values: [given, options] },
    { sql: WORDS, values: [run.words, termsOf(`${runId} ${run.words}`)] },
  ];
  return (await writeRun(statements, row, [...own, ...partsOf(parts)])) ? begun : null;
}

const VALUES = "INSERT INTO flowsheet.run_values (run, given, options) SELECT n, ?, ? FROM run";
const WORDS = `INSERT INTO flowsheet.run_words (run, words, terms) SELECT n, ?, array_to_tsvector(?::text[]) FROM run`;

function namedRun(run: NewRun): NewRun {
  for (const [what, name] of Object.entries({
    id: run.runId,
    graph: run.graph,
    key: run.key,
    user: run.userId,
  }))
    named(what, name);
  const [words, startedBy] = [plain(run.words), run.startedBy === null ? null : plain(run.startedBy)];
  return { ...run, words, startedBy };
}

const WAITS = `INSERT INTO flowsheet.waits (run_id, id, seq, node, waiting, spec, about, opened, until_at, remind_at,
    escalate_at, ending, answered_by, ended_at)
  SELECT run.run_id, wait.* FROM run, unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[],
    ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[]) AS wait
  ON CONFLICT DO NOTHING`;

/** Gives how many were new. */
export function insertWaits(
  statements: Statements,
  run: { readonly where: string; readonly values: readonly Given[] },
  waits: readonly WaitRow[],
): Promise<number> {
  const columnOf = (read: (wait: WaitRow) => Given): Given => waits.map(read) as Given;
  return statements.run(
    `WITH run AS (SELECT run_id FROM flowsheet.runs WHERE ${run.where} FOR NO KEY UPDATE) ${WAITS}`,
    ...run.values,
    columnOf(({ id }) => id),
    columnOf(({ seq }) => seq),
    columnOf(({ waiting }) => waiting.node),
    columnOf(({ waiting }) => JSON.stringify(waiting)),
    columnOf(({ spec }) => JSON.stringify(spec)),
    columnOf(({ about }) => JSON.stringify(about)),
    columnOf(({ opened }) => opened),
    columnOf(({ until }) => until),
    columnOf(({ remindAt }) => remindAt),
    columnOf(({ escalateAt }) => escalateAt),
    columnOf(({ ending }) => column(ending)),
    columnOf(({ answeredBy }) => answeredBy),
    columnOf(({ endedAt }) => endedAt),
  );
}
