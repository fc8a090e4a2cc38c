import type { Json } from "../../graph/contract/contract.js";
import type { KeptJournal } from "../legs/leg-store.js";
import { waitRow } from "../read-rows.js";
import type { DurableStore } from "../store.js";
import { N } from "./columns.js";
import type { Database } from "./database.js";

/** So many rows are one text, which is read at once: a row by itself costs more than all that stands in it. */
const PAGE = 20_000;
/** A longer result is read by itself, so that no page is longer than a text may be. */
const LONG = 4_096;

/** A list for each column, and not one for each row. In the order of the key: any other one sorts whole rows. */
const STEPS = `SELECT json_group_array(id) AS ids, json_group_array(seq) AS seqs, json_group_array(pure) AS pures,
    json_group_array(ended) AS ends, json_group_array(worked) AS worked,
    '[' || group_concat(iif(length(result) > ${LONG}, 'null', ifnull(result, 'null'))) || ']' AS results
  FROM (SELECT * FROM steps WHERE run = ${N} AND id > ? ORDER BY id LIMIT ${PAGE})`;
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

function stepsOf(reader: Database, runId: string): KeptJournal["steps"] {
  const long = new Map<string, Json>();
  for (const { id, result } of reader.all(
    `SELECT id, result FROM steps WHERE run = ${N} AND length(result) > ${LONG}`,
    runId,
  ))
    long.set(String(id), JSON.parse(String(result)) as Json);
  const steps: KeptJournal["steps"][number][] = [];
  for (let page = pageOfSteps(reader, runId, ""); page.length > 0; ) {
    for (const step of page) steps.push(long.has(step.id) ? { ...step, result: long.get(step.id)! } : step);
    page = page.length < PAGE ? [] : pageOfSteps(reader, runId, page.at(-1)?.id ?? "");
  }
  return steps.sort((a, b) => a.seq - b.seq);
}

function pageOfSteps(reader: Database, runId: string, after: string): KeptJournal["steps"] {
  const row = reader.first(STEPS, runId, after) ?? {};
  const list = <T>(column: string): readonly T[] => JSON.parse(String(row[column] ?? "[]")) as readonly T[];
  const [seqs, pures, ends] = [list<number>("seqs"), list<number>("pures"), list<number>("ends")];
  const [worked, results] = [list<number>("worked"), list<Json>("results")];
  return list<string>("ids").map((id, i) => ({
    id,
    seq: seqs[i]!,
    pure: pures[i] === 1,
    ended: ends[i]!,
    worked: worked[i]!,
    result: results[i]!,
  }));
}

function eventsOf(reader: Database, runId: string): readonly Json[] {
  const events: Json[] = [];
  for (;;) {
    // They are numbered without gaps.
    const page = reader.first(EVENTS, runId, events.length)?.["page"] ?? "[]";
    const read = JSON.parse(String(page)) as readonly Json[];
    for (const event of read) events.push(event);
    if (read.length < PAGE) return events;
  }
}
