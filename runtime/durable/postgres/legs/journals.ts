import type { Json } from "../../../graph/contract/contract.js";
import { journalStep, waitRow } from "../../read-rows.js";
import type { DurableStore } from "../../store.js";
import type { Database } from "../connect.js";
import { N } from "../writes.js";

/** So many events are read at a time. They are numbered without gaps. */
const PAGE = 20_000;

/** What a leg goes on from. Its lease keeps others from writing meanwhile, but for answers. */
export const journals = (database: Database): Pick<DurableStore, "journal"> => ({
  journal: async (runId, about) => {
    const steps = await database.all(
      `SELECT id, seq, pure, ended, worked, result FROM flowsheet.steps WHERE run = ${N} ORDER BY seq`,
      runId,
    );
    const waits = await database.all(
      "SELECT * FROM flowsheet.waits WHERE run_id = ? ORDER BY seq, id",
      runId,
    );
    const events = about.events ? await eventsOf(database, runId) : [];
    return { steps: steps.map(journalStep), waits: waits.map(waitRow), events };
  },
});

async function eventsOf(database: Database, runId: string): Promise<readonly Json[]> {
  const events: Json[] = [];
  for (;;) {
    const page = await database.all(
      `SELECT event FROM flowsheet.events WHERE run = ${N} AND n > ? AND n <= ? ORDER BY n`,
      ...[runId, events.length, events.length + PAGE],
    );
    for (const { event } of page) events.push(JSON.parse(String(event)) as Json);
    if (page.length < PAGE) return events;
  }
}
