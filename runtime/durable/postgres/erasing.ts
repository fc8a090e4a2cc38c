import type { Row } from "../read-rows.js";
import type { Statements } from "./connect.js";
import { termsOf } from "./words.js";
import { N } from "./writes.js";

/**
 * Times and outcomes stay. Answers of people, texts of errors and what the search finds are values, too. JSON is changed
 * here: PostgreSQL reads no JSON that holds U+0000. The run is locked by the caller.
 */
export async function eraseValues(statements: Statements, runId: string): Promise<void> {
  await eraseOptions(statements, runId);
  await eraseWords(statements, runId);
  await statements.run(
    `UPDATE flowsheet.steps SET result = NULL, seen = NULL, writes = NULL, error = NULL WHERE run = ${N}`,
    runId,
  );
  await eraseWaits(statements, runId);
  await eraseEvents(statements, runId);
}

export const isErased = async (statements: Statements, runId: string): Promise<boolean> =>
  (await statements.first(`SELECT 1 FROM flowsheet.run_values WHERE run = ${N} AND given IS NULL`, runId)) !==
  null;

type Members = { [name: string]: unknown };

/** The text of an object without some of its members, and with others. */
function without(text: unknown, names: readonly string[], more: Members = {}): string {
  const value: unknown = JSON.parse(String(text));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return String(text);
  const rest = Object.entries(value).filter(([name]) => !names.includes(name));
  return JSON.stringify({ ...Object.fromEntries(rest), ...more });
}

async function eraseOptions(statements: Statements, runId: string): Promise<void> {
  const row = await statements.first(`SELECT options FROM flowsheet.run_values WHERE run = ${N}`, runId);
  if (row === null) return;
  await statements.run(
    `UPDATE flowsheet.run_values SET given = NULL, result = NULL, options = ? WHERE run = ${N}`,
    ...[without(row["options"], ["set"]), runId],
  );
}

async function eraseWords(statements: Statements, runId: string): Promise<void> {
  const row = await statements.first("SELECT graph FROM flowsheet.runs WHERE run_id = ?", runId);
  const graph = String(row?.["graph"]);
  await statements.run(
    `UPDATE flowsheet.run_words SET words = ?, terms = array_to_tsvector(?::text[]) WHERE run = ${N}`,
    ...[graph, termsOf(`${runId} ${graph}`), runId],
  );
}

const ASKED = ["prompt", "inside", "assignees", "escalate"];

async function eraseWaits(statements: Statements, runId: string): Promise<void> {
  const rows = await statements.all(
    "SELECT id, waiting, spec, ending FROM flowsheet.waits WHERE run_id = ?",
    runId,
  );
  const texts = (read: (row: Row) => string | null): readonly (string | null)[] => rows.map(read);
  await statements.run(
    `UPDATE flowsheet.waits SET waiting = erased.waiting, about = 'null', spec = erased.spec, ending = erased.ending
       FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS erased (id, waiting, spec, ending)
       WHERE run_id = ? AND waits.id = erased.id`,
    texts(({ id }) => String(id)),
    texts(({ waiting }) => without(waiting, [], { prompt: "" })),
    texts(({ spec }) => without(spec, ASKED)),
    texts(({ ending }) => (ending == null ? null : erasedEnding(String(ending)))),
    runId,
  );
}

const erasedEnding = (ending: string): string =>
  "answer" in (JSON.parse(ending) as object) ? without(ending, [], { answer: null }) : ending;

const TOLD = ["error", "waiting", "prompt", "assignee"];

async function eraseEvents(statements: Statements, runId: string): Promise<void> {
  // Most events hold no values.
  const rows = await statements.all(
    `SELECT n, event FROM flowsheet.events WHERE run = ${N} AND event LIKE ANY (?::text[])`,
    ...[runId, TOLD.map((name) => `%"${name}"%`)],
  );
  await statements.run(
    `UPDATE flowsheet.events SET event = erased.event FROM unnest(?::bigint[], ?::text[]) AS erased (n, event)
       WHERE run = ${N} AND events.n = erased.n`,
    ...[rows.map(({ n }) => String(n)), rows.map(({ event }) => without(event, TOLD)), runId],
  );
}
