import { RUN, runRow, scheduleRow, waitRow } from "../read-rows.js";
import type { DueNotice, DurableStore, Notice } from "../store.js";
import type { Database, Statements } from "./connect.js";
import { changeRun, unmarked } from "./writes.js";

type Times = Pick<
  DurableStore,
  "dueNotices" | "notice" | "schedules" | "addSchedule" | "advance" | "forgetSchedule"
>;

/** Reminders and schedules: whoever moves a time on first, does what is due. */
export const times = (database: Database): Times => ({
  dueNotices: async (now, limit) => {
    const rows = await database.all(
      `SELECT waits.*, ${RUN} FROM flowsheet.waits JOIN flowsheet.runs USING (run_id)
         WHERE ending IS NULL AND status IN ('waiting', 'queued', 'running') AND notice_at <= ?
         ORDER BY notice_at LIMIT ?`,
      ...[now, limit],
    );
    return rows.map((row) => ({ run: runRow(row), wait: waitRow(row) }));
  },
  notice: (due, next) => database.transaction((statements) => noticeIn(statements, due, next)),
  schedules: async () =>
    (await database.all("SELECT * FROM flowsheet.schedules ORDER BY name, fingerprint")).map(scheduleRow),
  addSchedule: async ({ name, fingerprint, next, paused }) => {
    await database.run(
      "INSERT INTO flowsheet.schedules VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      ...[name, fingerprint, next, paused ? 1 : 0],
    );
  },
  advance: async ({ name, fingerprint, next }, to) =>
    (await database.run(
      "UPDATE flowsheet.schedules SET next = ? WHERE name = ? AND fingerprint = ? AND next = ?",
      ...[to, name, fingerprint, next],
    )) === 1,
  forgetSchedule: async ({ name, fingerprint, next }) => {
    await database.run(
      "DELETE FROM flowsheet.schedules WHERE name = ? AND fingerprint = ? AND next = ?",
      ...[name, fingerprint, next],
    );
  },
});

async function noticeIn(statements: Statements, { run, wait }: DueNotice, next: Notice): Promise<boolean> {
  // Whoever writes to a run takes its row first: two that take the same rows in another order would stop each other.
  const open = "SELECT 1 FROM flowsheet.runs WHERE run_id = ? AND ended IS NULL FOR NO KEY UPDATE";
  if ((await statements.first(open, run.runId)) === null) return false;
  const changed = await statements.run(
    `UPDATE flowsheet.waits SET remind_at = ?, escalate_at = ?, about = ? WHERE run_id = ? AND id = ?
       AND ending IS NULL AND remind_at IS NOT DISTINCT FROM ? AND escalate_at IS NOT DISTINCT FROM ?`,
    ...[next.remindAt, next.escalateAt, JSON.stringify(next.about)],
    ...[run.runId, wait.id, wait.remindAt, wait.escalateAt],
  );
  if (changed === 0) return false;
  await changeRun(statements, { where: "run_id = ?", values: [run.runId], events: unmarked(next.events) });
  return true;
}
