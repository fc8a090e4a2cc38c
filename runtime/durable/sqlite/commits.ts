import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";

/** It may be done twice: whatever it changes beside the database must not count. */
export type Work<T> = (database: Database) => T;

/** Writes of one turn of the event loop share one transaction: the disk is waited for once. */
export interface Commits {
  /** Resolves when it is on the disk. */
  readonly sure: <T>(work: Work<T>) => Promise<T>;
  /** Resolves when the death of the process cannot lose it. */
  readonly fast: <T>(work: Work<T>) => Promise<T>;
  /** Commits at once what this turn has brought. */
  readonly flush: () => void;
}

/** After so many turns the write-ahead log is begun anew. Where several processes never rest, it would grow for ever. */
const LOG_TURNS = 400;

interface Job {
  readonly isSure: boolean;
  /** Its call tells the caller of the result. */
  readonly work: Work<() => void>;
  readonly fail: (error: unknown) => void;
}

export function createCommits({ sure, fast }: { readonly sure: Database; readonly fast: Database }): Commits {
  let jobs: Job[] = [];
  let turns = 0;
  const flush = (): void => {
    const turn = jobs;
    jobs = [];
    if (turn.length === 0) return;
    const database = turn.some(({ isSure }) => isSure) ? sure : fast;
    for (const tell of committed(database, turn)) tell();
    if (++turns % LOG_TURNS === 0) restartLog(database);
  };
  const soon = <T>(isSure: boolean, work: Work<T>): Promise<T> =>
    new Promise((done, fail) => {
      if (jobs.length === 0) setImmediate(flush);
      const told: Job["work"] = (database) => {
        const result = work(database);
        return () => done(result);
      };
      jobs.push({ isSure, work: told, fail });
    });
  return { sure: (work) => soon(true, work), fast: (work) => soon(false, work), flush };
}

function restartLog(database: Database): void {
  try {
    database.all("PRAGMA wal_checkpoint(RESTART)");
  } catch {
    // What keeps it from being written shows with the next turn.
  }
}

/** As a rule nothing fails, and a turn needs no savepoints. Otherwise its jobs are done anew, one apart from the other. */
function committed(database: Database, turn: readonly Job[]): readonly (() => void)[] {
  try {
    return database.transaction(() => turn.map(({ work }) => work(database)));
  } catch (error) {
    return turn.length === 1 || isOfFile(error) ? refused(turn, error) : committedApart(database, turn);
  }
}

const refused = (turn: readonly Job[], error: unknown): readonly (() => void)[] =>
  turn.map(
    ({ fail }) =>
      () =>
        fail(error),
  );

function committedApart(database: Database, turn: readonly Job[]): readonly (() => void)[] {
  try {
    return database.transaction(() => turn.map((job) => attempt(database, job)));
  } catch (error) {
    return refused(turn, error);
  }
}

/** What one caller asks wrongly must not undo what the others do. */
function attempt(database: Database, { work, fail }: Job): () => void {
  database.run("SAVEPOINT job");
  try {
    const tell = work(database);
    database.run("RELEASE job");
    return tell;
  } catch (error) {
    if (isOfFile(error)) throw error;
    database.exec("ROLLBACK TO job; RELEASE job");
    return () => fail(error);
  }
}

/** SQLite may have undone the whole transaction. */
const isOfFile = (error: unknown): boolean =>
  error instanceof StoreError && ["store_unwritable", "store_damaged", "store_busy"].includes(error.code);
