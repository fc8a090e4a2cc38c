import { findDriver, type RawDatabase } from "../../durable/sqlite/driver.js";
import type { Json } from "../../graph/contract/contract.js";
import { keepAnswer, MAKE_KEYS, readKey, takeKey } from "./keys.js";
import { columnsOf, jsonOf, Refused, Rows } from "./rows.js";

/** A statement for the process that SQLite has for itself. */
export interface SqliteRequest {
  readonly path: string;
  readonly sql: string;
  readonly values: readonly Json[];
  readonly givesRows: boolean;
  readonly readOnly: boolean;
  readonly key: string | null;
  readonly maxRows: number | null;
}

/** Of both drivers. */
interface Prepared {
  run(...values: readonly unknown[]): { readonly changes: number | bigint };
  all(...values: readonly unknown[]): readonly unknown[];
  iterate(...values: readonly unknown[]): Iterable<object>;
  columns?(): readonly { readonly name: string }[];
  safeIntegers?(on: boolean): unknown;
  setReadBigInts?(on: boolean): unknown;
}

const BUSY_MS = 5_000;

/** The answer as JSON. It blocks its thread. */
export function runStatement(request: SqliteRequest): string {
  const db = findDriver().open(request.path);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    db.exec("PRAGMA foreign_keys = ON");
    db.exec("PRAGMA trusted_schema = OFF");
    if (request.readOnly) {
      db.exec("PRAGMA query_only = ON");
      return answerOf(db, request);
    }
    return inTransaction(db, () => onceIn(db, request));
  } finally {
    db.close();
  }
}

function inTransaction(db: RawDatabase, work: () => string): string {
  db.exec("BEGIN IMMEDIATE");
  try {
    const answer = work();
    db.exec("COMMIT");
    return answer;
  } catch (error) {
    try {
      db.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
    throw error;
  }
}

/** A key that is there was taken by an earlier attempt, whose change stands. */
function onceIn(db: RawDatabase, request: SqliteRequest): string {
  const { key } = request;
  if (key === null) return answerOf(db, request);
  db.exec(MAKE_KEYS);
  const at = new Date().toISOString();
  if (Number(db.prepare(takeKey("?1", "?2")).run(key, at).changes) === 0) {
    const [row] = db.prepare(readKey("?1")).all(key) as readonly { readonly answer: string | null }[];
    return row?.answer ?? "null";
  }
  const answer = answerOf(db, request);
  db.prepare(keepAnswer("?1", "?2")).run(answer, key);
  return answer;
}

function answerOf(db: RawDatabase, { sql, values, givesRows, maxRows }: SqliteRequest): string {
  const statement = db.prepare(sql) as unknown as Prepared;
  const bound = values.map(boundValue);
  if (!givesRows) return JSON.stringify({ changes: Number(statement.run(...bound).changes) });
  statement.safeIntegers?.(true);
  statement.setReadBigInts?.(true);
  columnsOf(statement.columns?.().map(({ name }) => name) ?? []);
  const rows = new Rows(maxRows ?? undefined);
  for (const row of statement.iterate(...bound)) rows.add(jsonOf(row));
  return rows.json;
}

/** SQLite has no booleans, lists and mappings. A whole number stays one in a column of text. */
function boundValue(value: Json): string | number | bigint | null {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

/** What is told of an error: never a path of the machine. */
export function messageFor(error: unknown, path: string): string {
  const text = error instanceof Error ? error.message : String(error);
  const isLocked = /\b(?:database (?:table )?is locked|SQLITE_BUSY)\b/i.test(text);
  if (isLocked) return `another program holds the database: it was locked for ${BUSY_MS / 1_000} seconds`;
  const plain = text.replaceAll(path, "the file");
  return error instanceof Refused || !/not a database/.test(plain)
    ? plain
    : "the file is no database of SQLite";
}
