import type { Json } from "../../graph/contract/contract.js";
import { waitRow } from "../read-rows.js";
import type { DurableStore, KeptJournal } from "../store.js";
import { N } from "./columns.js";
import type { Database } from "./database.js";

/** So many rows are one text, which is read at once: a row by itself costs more than all that stands in it. */
const PAGE = 20_000;
/** A longer result is read by itself, so that no page is longer than a text may be. */
const LONG = 4_096;

const STEPS = `SELECT '[' || group_concat('[' || json_quote(id) || ',' || seq || ',' || pure || ',' || ended || ',' || worked
    || ',' || iif(length(result) > ${LONG}, 'null', ifnull(result, 'null')) || ']') || ']' AS page
  FROM (SELECT * FROM steps WHERE run = ${N} AND seq > ? ORDER BY seq LIMIT ${PAGE})`;
const EVENTS = `SELECT '[' || group_concat(event) || ']' AS page FROM
  (SELECT event FROM events WHERE run = ${N} AND n > ? ORDER BY n LIMIT ${PAGE})`;

/** What a leg goes on from, read fast. */
export const journals = (reader: Database): Pick<DurableStore, "journal"> => ({
  journal: async (runId, about) => ({
    steps: stepsOf(reader, runId),
    waits: reader.all("SELECT * FROM waits WHERE run_id = ? ORDER BY seq, id", runId).map(waitRow),
    events: about.events ? eventsOf(reader, runId) : [],
  }),
});

type Cells = readonly [id: string, seq: number, pure: number, ended: number, worked: number, result: Json];

function stepsOf(reader: Database, runId: string): KeptJournal["steps"] {
  const long = new Map<string, Json>();
  for (const { id, result } of reader.all(
    `SELECT id, result FROM steps WHERE run = ${N} AND length(result) > ${LONG}`,
    runId,
  ))
    long.set(String(id), JSON.parse(String(result)) as Json);
  const steps: KeptJournal["steps"][number][] = [];
  for (let page = pageOf(reader, STEPS, runId, 0); page.length > 0; ) {
    for (const [id, seq, pure, ended, worked, result] of page as readonly Cells[])
      steps.push({ id, seq, pure: pure === 1, ended, worked, result: long.get(id) ?? result });
    page = page.length < PAGE ? [] : pageOf(reader, STEPS, runId, steps.at(-1)?.seq ?? 0);
  }
  return steps.sort((a, b) => a.seq - b.seq);
}

function eventsOf(reader: Database, runId: string): readonly Json[] {
  const events: Json[] = [];
  for (;;) {
    // They are numbered without gaps.
    const page = pageOf(reader, EVENTS, runId, events.length) as readonly Json[];
    for (const event of page) events.push(event);
    if (page.length < PAGE) return events;
  }
}

function pageOf(reader: Database, sql: string, runId: string, after: number): readonly unknown[] {
  const page = reader.first(sql, runId, after)?.["page"];
  return page == null ? [] : (JSON.parse(String(page)) as readonly unknown[]);
}
