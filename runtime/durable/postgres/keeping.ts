import { sumOf } from "../list-query.js";
import { eventRow, FULL_RUN, fullRun, stepRow, waitRow } from "../read-rows.js";
import type { RunCopy, VersionRow } from "../rows.js";
import type { DurableStore, Pruning } from "../store.js";
import type { Database, Statements } from "./connect.js";
import { quoted } from "./texts.js";
import { forgetVersions, keepVersion } from "./versions.js";
import { changeRun, insertRun, insertWaits, marked, N, RUNS_WITH_VALUES, unmarked } from "./writes.js";

type Keeping = Pick<
  DurableStore,
  "probe" | "check" | "prune" | "forget" | "named" | "copy" | "restore" | "compact"
>;

/** So many runs are forgotten in one transaction. */
const PIECE = 100;

export const keeping = (database: Database): Keeping => ({
  probe: async () => {
    await database.run("UPDATE flowsheet.meta SET schema = schema");
  },
  check: (most) => check(database, most ?? Number.POSITIVE_INFINITY),
  prune: async (pruning) =>
    pruning.dryRun === true ? (await prunable(database, pruning)).length : prune(database, pruning),
  forget: (runId) =>
    database.transaction(async (statements) => {
      const ended = "SELECT n FROM flowsheet.runs WHERE run_id = ? AND ended IS NOT NULL FOR UPDATE";
      await forgetRuns(statements, numbersOf(await statements.all(ended, runId)));
    }),
  named: async (status, { after, limit }) => {
    const rows = await database.all(
      `SELECT n, run_id, version FROM flowsheet.runs WHERE n > ? AND status = ANY(?::text[])
         ORDER BY n LIMIT ?`,
      ...[after, status, limit],
    );
    return rows.map(({ n, run_id, version }) => ({
      n: Number(n),
      runId: String(run_id),
      version: String(version),
    }));
  },
  copy: (runId) =>
    database.transaction(async (statements) => {
      // All of it as it was at one moment.
      await statements.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
      return copyOf(statements, runId);
    }),
  restore: (copy, version) => database.transaction((statements) => restoreIn(statements, copy, version)),
  // PostgreSQL does it by itself.
  compact: async () => {},
});

const OF_RUNS = ["run_values", "run_words", "steps", "events"];
const ALL = ["runs", ...OF_RUNS, "waits", "versions", "schedules", "workers"];
/** So many runs are read with one statement: none of them takes long. */
const READ = 1_000;

/** What is damaged is refused when it is read: every row, with its long texts, which stand elsewhere. */
async function check(database: Database, most: number): Promise<void> {
  const { schema } = database;
  const size = await database.first(
    "SELECT sum(pg_total_relation_size(one::regclass)) AS bytes FROM unnest(?::text[]) AS one",
    ALL.map((table) => `${quoted(schema)}.${table}`),
  );
  if (Number(size?.["bytes"]) > most) return;
  const last = Number((await database.first("SELECT max(n) AS n FROM flowsheet.runs"))?.["n"] ?? 0);
  const read = (rows: string, ...values: readonly number[]) =>
    database.first(`SELECT sum(length(one::text)) FROM flowsheet.${rows}`, ...values);
  for (let n = 0; n <= last; n += READ) {
    const piece = [n, n + READ] as const;
    await read("runs AS one WHERE n >= ? AND n < ?", ...piece);
    await read("runs JOIN flowsheet.waits AS one USING (run_id) WHERE n >= ? AND n < ?", ...piece);
    for (const table of OF_RUNS) await read(`${table} AS one WHERE run >= ? AND run < ?`, ...piece);
  }
  for (const table of ["versions", "schedules", "workers"]) await read(`${table} AS one`);
}

async function prune(database: Database, pruning: Pruning): Promise<number> {
  let pruned = 0;
  // Others come between two pieces.
  for (let last = 1; last > 0 && pruned < pruning.limit; pruned += last) {
    const limit = Math.min(PIECE, pruning.limit - pruned);
    last = await database.transaction(async (statements) => {
      // Another process may forget the same ones: it takes others.
      const numbers = await prunable(statements, { ...pruning, limit }, "FOR UPDATE SKIP LOCKED");
      return forgetRuns(statements, numbers);
    });
  }
  return pruned;
}

const prunable = async (
  statements: Statements,
  { endedBefore, statuses, limit }: Pruning,
  lock = "",
): Promise<readonly string[]> =>
  numbersOf(
    await statements.all(
      `SELECT n FROM flowsheet.runs WHERE ended IS NOT NULL AND ended < ? AND status = ANY(?::text[])
         ORDER BY ended LIMIT ? ${lock}`,
      ...[endedBefore, statuses, limit],
    ),
  );

const numbersOf = (rows: readonly { readonly [column: string]: unknown }[]): readonly string[] =>
  rows.map(({ n }) => String(n));

/** The runs are locked: nothing is added to them meanwhile. */
async function forgetRuns(statements: Statements, numbers: readonly string[]): Promise<number> {
  if (numbers.length === 0) return 0;
  const parts = OF_RUNS.map(
    (table) => `${table}_gone AS (DELETE FROM flowsheet.${table} USING gone WHERE run = gone.n)`,
  );
  const rows = await statements.all(
    `WITH gone AS (DELETE FROM flowsheet.runs WHERE n = ANY(?::bigint[]) RETURNING n, run_id, graph),
       ${parts.join(",")},
       waits_gone AS (DELETE FROM flowsheet.waits USING gone WHERE waits.run_id = gone.run_id)
     SELECT graph, count(*) AS n FROM gone GROUP BY graph`,
    numbers,
  );
  await forgetVersions(
    statements,
    rows.map(({ graph }) => String(graph)),
  );
  return sumOf(rows);
}

async function copyOf(statements: Statements, runId: string): Promise<RunCopy | null> {
  const row = await statements.first(
    `SELECT ${FULL_RUN}, (SELECT words FROM flowsheet.run_words WHERE run_words.run = n) AS words
       FROM ${RUNS_WITH_VALUES} WHERE run_id = ?`,
    runId,
  );
  if (row === null) return null;
  const rowsOf = (those: string) => statements.all(`SELECT * FROM flowsheet.${those}`, runId);
  return {
    run: { ...fullRun(row), words: String(row["words"]) },
    steps: (await rowsOf(`steps WHERE run = ${N} ORDER BY seq`)).map(stepRow),
    waits: (await rowsOf("waits WHERE run_id = ? ORDER BY seq, id")).map(waitRow),
    events: (await rowsOf(`events WHERE run = ${N} ORDER BY n`)).map(eventRow),
  };
}

async function restoreIn(
  statements: Statements,
  { run, steps, waits, events }: RunCopy,
  version: VersionRow | null,
): Promise<boolean> {
  const { runId, status } = run;
  const parts = { steps: marked(steps, runId), events: unmarked(events) };
  if ((await insertRun(statements, run, parts)) === null) return false;
  if (version !== null) await keepVersion(statements, version, () => version.texts);
  await changeRun(statements, {
    set: `status = ?, epoch = ?, recoveries = ?, started = ?, suspended = ?, ended = ?, worked = ?, held = ?,
      error_code = ?`,
    where: "run_id = ?",
    values: [
      // Nobody here is at work on it.
      ...[status === "running" ? "queued" : status, run.epoch, run.recoveries, run.started, run.suspended],
      ...[run.ended, run.worked, run.held, run.errorCode, runId],
    ],
  });
  await statements.run(
    `UPDATE flowsheet.run_values SET result = ?${run.isErased ? ", given = NULL" : ""} WHERE run = ${N}`,
    ...[JSON.stringify(run.result), runId],
  );
  await insertWaits(statements, { where: "run_id = ?", values: [runId] }, waits);
  return true;
}
