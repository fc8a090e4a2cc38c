import { setTimeout as pause } from "node:timers/promises";
import type { Client, ClientConfig, Pool, PoolClient, PoolConfig } from "pg";
import { loadPackage } from "../../optional-packages.js";
import type { Row, Value } from "../read-rows.js";
import { StoreError } from "../store-error.js";
import type { StoreTrouble } from "../trouble.js";
import { isAway, isConflict, refusal } from "./refusals.js";
import { SCHEMA } from "./schema-names.js";
import { readAddress } from "./server/address.js";
import { arrayText, Texts } from "./texts.js";

export interface ConnectOptions {
  /** Where the tables are. */
  readonly schema?: string;
  /** At a time, at most. */
  readonly connections?: number;
  /** The folder whose packages count. */
  readonly root?: string;
  /** Told of what keeps the database from being used. */
  readonly trouble?: Pick<StoreTrouble, "met" | "over"> | undefined;
  /** A server that says nothing for so long is away. */
  readonly answerMs?: number;
}

/** A list is an array of PostgreSQL: its placeholder is written with its type, `?::text[]`. */
export type Given = Value | readonly Value[];

/** Statements are written for the schema `flowsheet`, with `?` for each value. */
export interface Statements {
  readonly all: (sql: string, ...values: readonly Given[]) => Promise<readonly Row[]>;
  readonly first: (sql: string, ...values: readonly Given[]) => Promise<Row | null>;
  /** The number of rows that were changed. */
  readonly run: (sql: string, ...values: readonly Given[]) => Promise<number>;
}

/**
 * A database of PostgreSQL. What it refuses is thrown as a `StoreError` that names host and database.
 * Each call, and each transaction as a whole, may be done twice: when the connection breaks, nobody knows whether it
 * was done, so it is done again.
 */
export interface Database extends Statements {
  /** Host and database. */
  readonly place: string;
  readonly schema: string;
  /** For the engine beside it. */
  readonly pool: Pool;
  /** All of it or nothing. */
  readonly transaction: <T>(
    work: (statements: Statements) => Promise<T>,
    /** How long each of its statements may take. */
    about?: { readonly answerMs: number },
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** Held until the end of the transaction by whoever names it first. */
export const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";

const CONNECTIONS = 10;
const IDLE_MS = 10_000;
/** A server that was cut off says nothing for a long time. */
const ANSWER_MS = 60_000;
/** The pauses before a call is repeated that met another transaction, or a broken connection. */
const CONFLICT_MS: readonly number[] = [0, 5, 20, 50, 100, 200];
const AWAY_MS: readonly number[] = [0, 20, 100, 500];
/** A server that says nothing is not asked again and again. */
const PATIENCE_MS = 2_000;
/** Who stops in the middle of a transaction must not hold its rows for ever. It holds for this transaction alone. */
const BEGIN = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 30000";

/** The project's own, where this package has none beside it. */
async function driverAt(root: string): Promise<Pick<typeof import("pg"), "Pool" | "Client">> {
  try {
    return ((await loadPackage("pg", root)) as { readonly default: typeof import("pg") }).default;
  } catch (error) {
    throw new StoreError("store_unusable", "runs are kept in PostgreSQL, and the package pg is missing", {
      help: "npm install pg",
      cause: error,
    });
  }
}

type Work<T> = (client: PoolClient) => Promise<T>;

const READS = /^\s*SELECT\b/;

/** Connects with the first call. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Database> {
  const { pool, place } = await openPool(url, options);
  const schema = options.schema ?? SCHEMA;
  const texts = new Texts(schema);
  const { trouble } = options;
  let ending: Promise<void> | undefined;
  const going = new Set<Promise<unknown>>();
  const called = <T>(work: Work<T>, hasWritten: (result: T) => boolean): Promise<T> =>
    insisted(() => withClient(pool, work)).then(
      (result) => {
        // A server that is full, or a standby, can still be read.
        if (hasWritten(result)) trouble?.over();
        return result;
      },
      (error: unknown) => {
        const refused = refusal(place, error);
        trouble?.met(refused);
        throw refused;
      },
    );
  const asked = async <T>(work: Work<T>, hasWritten: (result: T) => boolean): Promise<T> => {
    if (ending !== undefined) throw new StoreError("store_unusable", `the run store ${place} is closed`);
    const call = called(work, hasWritten).finally(() => going.delete(call));
    going.add(call);
    return call;
  };
  return {
    ...{ place, schema, pool },
    all: (sql, ...values) =>
      asked(
        (client) => statements(client, texts).all(sql, ...values),
        (rows) => rows.length > 0 && !READS.test(sql),
      ),
    first: (sql, ...values) =>
      asked(
        (client) => statements(client, texts).first(sql, ...values),
        (row) => row !== null && !READS.test(sql),
      ),
    run: (sql, ...values) =>
      asked(
        (client) => statements(client, texts).run(sql, ...values),
        (count) => count > 0,
      ),
    transaction: (work, about) =>
      asked(
        (client) => inTransaction(client, () => work(statements(client, texts, about?.answerMs))),
        () => true,
      ),
    close: () => {
      // A call that still waited for a connection would never be answered.
      ending ??= Promise.allSettled(going).then(() => pool.end());
      return ending;
    },
  };
}

async function openPool(
  url: string,
  { connections = CONNECTIONS, root = ".", answerMs = ANSWER_MS }: ConnectOptions,
): Promise<{ readonly pool: Pool; readonly place: string }> {
  const { client: about, shown: place } = readAddress(url);
  const { Pool, Client } = await driverAt(root);
  const { connectionTimeoutMillis = 0, ...config } = about;
  // As an option of the pool it would count the wait for a free connection, too.
  class Patient extends Client {
    constructor(options: ClientConfig) {
      // The pool hides the password from copies of its options.
      super({ ...options, ...config, connectionTimeoutMillis });
    }
  }
  const setting: PoolConfig = {
    ...config,
    ...{ keepAlive: true, query_timeout: answerMs, max: connections },
    ...{ idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true, Client: Patient as unknown as new () => Client },
  };
  const pool = new Pool(setting);
  // Without somebody who listens, a connection that breaks ends the process. The next call shows it.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return { pool, place };
}

async function insisted<T>(call: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let conflicts = 0, away = 0; ; ) {
    try {
      return await call();
    } catch (error) {
      const ms = isConflict(error) ? CONFLICT_MS[conflicts++] : isAway(error) ? AWAY_MS[away++] : undefined;
      if (ms === undefined || performance.now() - began > PATIENCE_MS) throw error;
      await pause(ms);
    }
  }
}

async function withClient<T>(pool: Pool, work: Work<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isAway(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query(BEGIN);
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A connection that does not even take this is thrown away.
    if (!isAway(error)) await client.query("ROLLBACK");
    throw error;
  }
}

/** All numbers there are whole ones, such as milliseconds. */
function sent(value: Given): Value {
  if (typeof value === "number") return Math.round(value);
  return typeof value === "object" && value !== null ? arrayText(value) : value;
}

function statements(client: PoolClient, texts: Texts, answerMs?: number): Statements {
  const patience = answerMs === undefined ? {} : { query_timeout: answerMs };
  const ask = (sql: string, values: readonly Given[]) =>
    client.query<Row>({ ...patience, text: texts.of(sql), values: values.map(sent) });
  return {
    all: async (sql, ...values) => (await ask(sql, values)).rows,
    first: async (sql, ...values) => (await ask(sql, values)).rows[0] ?? null,
    run: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
  };
}
