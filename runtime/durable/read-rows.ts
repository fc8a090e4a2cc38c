import type { Json, StateData, WaitingFor, WaitSpec } from "../graph/contract/contract.js";
import type { KeptJournal } from "./legs/leg-store.js";
import type {
  EventRow,
  FullRun,
  NewRun,
  RunRow,
  RunStatus,
  ScheduleRow,
  StepRow,
  VersionRow,
  WaitEnding,
  WaitRow,
  WorkerRow,
} from "./rows.js";
import type { StepQuery } from "./store.js";

export type Value = string | number | null;
export type Row = { readonly [column: string]: Value };

// Columns have no types that TypeScript could know: what the statements of a store wrote is read here.
// PostgreSQL gives its long numbers as texts.
const text = (value: Value | undefined): string => String(value);
const textOrNull = (value: Value | undefined): string | null => (value == null ? null : String(value));
const number = (value: Value | undefined): number => Number(value);
const numberOrNull = (value: Value | undefined): number | null => (value == null ? null : Number(value));
const json = (value: Value | undefined): Json => (value == null ? null : (JSON.parse(String(value)) as Json));

/** JSON as a column; null is NULL. */
export const column = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

/** The columns of `RunRow`. */
export const RUN = `runs.run_id, graph, sheet, version, contract, status, owner, epoch, recoveries, key, user_id,
  started_by, parent_id, parent_at, created, due, started, suspended, ended, deadline, worked, held, error_code`;
/** Those of `FullRun`, from runs with their values. */
export const FULL_RUN = `${RUN}, given, options, result`;

export function runRow(row: Row): RunRow {
  const parent = textOrNull(row["parent_id"]);
  return {
    runId: text(row["run_id"]),
    graph: text(row["graph"]),
    sheet: textOrNull(row["sheet"]),
    version: text(row["version"]),
    contract: number(row["contract"]),
    status: text(row["status"]) as RunStatus,
    owner: textOrNull(row["owner"]),
    epoch: number(row["epoch"]),
    recoveries: number(row["recoveries"]),
    key: textOrNull(row["key"]),
    userId: textOrNull(row["user_id"]),
    startedBy: textOrNull(row["started_by"]),
    parent: parent === null ? null : { runId: parent, at: text(row["parent_at"]) },
    created: number(row["created"]),
    due: number(row["due"]),
    started: numberOrNull(row["started"]),
    suspended: numberOrNull(row["suspended"]),
    ended: numberOrNull(row["ended"]),
    deadline: numberOrNull(row["deadline"]),
    worked: number(row["worked"]),
    held: textOrNull(row["held"]),
    errorCode: textOrNull(row["error_code"]),
  };
}

export const fullRun = (row: Row): FullRun => ({
  ...runRow(row),
  given: (json(row["given"]) ?? {}) as StateData,
  options: json(row["options"]),
  result: json(row["result"]),
  isErased: row["given"] === null,
});

/** What a run was given, as it is kept. */
interface ValueTexts {
  readonly given: string;
  readonly options: string;
}

/** The row of a run that was just inserted, with these texts of its values: at work when it has an owner. */
export function begunRun(run: NewRun, owner: string | null, texts: ValueTexts): FullRun {
  const { words: _words, given: _given, options: _options, ...about } = run;
  const [status, epoch, started] =
    owner === null ? (["queued", 0, null] as const) : (["running", 1, run.created] as const);
  const nothing = { suspended: null, ended: null, held: null, errorCode: null, result: null };
  const [given, options] = [JSON.parse(texts.given) as StateData, JSON.parse(texts.options) as Json];
  const values = { given, options, isErased: false };
  return { ...about, ...values, status, owner, epoch, started, ...nothing, recoveries: 0, worked: 0 };
}

export const stepRow = (row: Row): StepRow => ({
  id: text(row["id"]),
  seq: number(row["seq"]),
  pure: number(row["pure"]) === 1,
  node: text(row["node"]),
  visit: number(row["visit"]),
  attempt: number(row["attempt"]),
  branch: json(row["branch"]) as readonly number[],
  began: number(row["began"]),
  ended: number(row["ended"]),
  outcome: text(row["outcome"]),
  result: json(row["result"]),
  seen: json(row["seen"]),
  writes: json(row["writes"]),
  error: textOrNull(row["error"]),
  worked: number(row["worked"]),
});

/** Only what a replay reads. */
export const journalStep = (row: Row): KeptJournal["steps"][number] => ({
  id: text(row["id"]),
  seq: number(row["seq"]),
  pure: number(row["pure"]) === 1,
  ended: number(row["ended"]),
  worked: number(row["worked"]),
  result: json(row["result"]),
});

/** How many steps are given, and the number of the last one, by the sizes of all that may be. */
export function fitting(
  sizes: readonly Row[],
  { after, limit, bytes }: StepQuery,
): { readonly count: number; readonly last: number } {
  let [count, sum] = [0, 0];
  for (const row of sizes.slice(0, limit)) {
    sum += Number(row["bytes"]);
    if (count > 0 && sum > bytes) break;
    count += 1;
  }
  return { count, last: Number(sizes[count - 1]?.["seq"] ?? after) };
}

export const waitRow = (row: Row): WaitRow => ({
  id: text(row["id"]),
  seq: number(row["seq"]),
  waiting: json(row["waiting"]) as unknown as WaitingFor,
  spec: json(row["spec"]) as unknown as WaitSpec,
  about: json(row["about"]),
  opened: number(row["opened"]),
  until: numberOrNull(row["until_at"]),
  remindAt: numberOrNull(row["remind_at"]),
  escalateAt: numberOrNull(row["escalate_at"]),
  ending: json(row["ending"]) as WaitEnding | null,
  answeredBy: textOrNull(row["answered_by"]),
  endedAt: numberOrNull(row["ended_at"]),
});

export const eventRow = (row: Row): EventRow => ({
  n: number(row["n"]),
  at: number(row["at"]),
  type: text(row["type"]),
  event: json(row["event"]),
});

export const versionRow = (row: Row): VersionRow => ({
  version: text(row["version"]),
  graph: text(row["graph"]),
  sheet: textOrNull(row["sheet"]),
  contract: number(row["contract"]),
  texts: json(row["texts"]),
  seen: number(row["seen"]),
});

export const workerRow = (row: Row): WorkerRow => ({
  owner: text(row["owner"]),
  seen: number(row["seen"]),
  concurrency: number(row["concurrency"]),
});

export const scheduleRow = (row: Row): ScheduleRow => ({
  name: text(row["name"]),
  fingerprint: text(row["fingerprint"]),
  next: number(row["next"]),
  paused: number(row["paused"]) === 1,
});
