import { RUN, runRow, scheduleRow, waitRow } from "../read-rows.js";
import type { DueNotice, DurableStore, Notice } from "../store.js";
import type { Commits } from "./commits.js";
import type { Database } from "./database.js";
import { addEvents } from "./writes.js";

type Times = Pick<
  DurableStore,
  "dueNotices" | "notice" | "schedules" | "addSchedule" | "advance" | "forgetSchedule"
>;

/** Reminders and schedules: whoever moves a time on first, does what is due. */
export const times = ({ sure, fast }: Commits, reader: Database): Times => ({
  dueNotices: async (now, limit) =>
    reader
      .all(
        `SELECT waits.*, ${RUN} FROM waits INDEXED BY waits_notice CROSS JOIN runs USING (run_id)
           WHERE ending IS NULL AND status IN ('waiting', 'queued', 'running') AND notice_at <= ? ORDER BY notice_at LIMIT ?`,
        ...[now, limit],
      )
      .map((row) => ({ run: runRow(row), wait: waitRow(row) })),
  notice: (due, next) => fast((database) => noticeIn(database, due, next)),
  schedules: async () => reader.all("SELECT * FROM schedules ORDER BY name, fingerprint").map(scheduleRow),
  addSchedule: ({ name, fingerprint, next, paused }) =>
    sure((database) => {
      database.run(
        "INSERT OR IGNORE INTO schedules VALUES (?, ?, ?, ?)",
        ...[name, fingerprint, next, paused ? 1 : 0],
      );
    }),
  advance: ({ name, fingerprint, next }, to) =>
    sure(
      (database) =>
        database.run(
          "UPDATE schedules SET next = ? WHERE name = ? AND fingerprint = ? AND next = ?",
          ...[to, name, fingerprint, next],
        ) === 1,
    ),
  forgetSchedule: ({ name, fingerprint, next }) =>
    sure((database) => {
      database.run(
        "DELETE FROM schedules WHERE name = ? AND fingerprint = ? AND next = ?",
        ...[name, fingerprint, next],
      );
    }),
});

function noticeIn(database: Database, { run, wait }: DueNotice, next: Notice): boolean {
  const changed = database.run(
    `UPDATE waits SET remind_at = ?, escalate_at = ?, about = ?
       WHERE run_id = ? AND id = ? AND ending IS NULL AND remind_at IS ? AND escalate_at IS ?
         AND EXISTS (SELECT 1 FROM runs WHERE runs.run_id = waits.run_id AND ended IS NULL)`,
    ...[next.remindAt, next.escalateAt, JSON.stringify(next.about)],
    ...[run.runId, wait.id, wait.remindAt, wait.escalateAt],
  );
  if (changed === 1) addEvents(database, run.runId, next.events);
  return changed === 1;
}
