import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../graph/contract/errors.js";
import type { Row, Value } from "../read-rows.js";
import { StoreError } from "../store-error.js";
import type { StoreTrouble } from "../trouble.js";
import type { Driver, RawDatabase } from "./driver.js";

/** One connection. What SQLite refuses is thrown as a `StoreError` that names the file. */
export interface Database {
  readonly exec: (sql: string) => void;
  /** The number of rows that were changed. */
  readonly run: (sql: string, ...values: readonly Value[]) => number;
  readonly all: (sql: string, ...values: readonly Value[]) => readonly Row[];
  readonly first: (sql: string, ...values: readonly Value[]) => Row | null;
  /** Takes the write lock at once, so that what is read inside stays true. */
  readonly transaction: <T>(work: () => T) => T;
  readonly close: () => void;
}

export function connect(
  driver: Driver,
  path: string,
  trouble: Pick<StoreTrouble, "met" | "over"> | null = null,
): Database {
  const refusing = <T>(call: () => T): T => {
    try {
      return call();
    } catch (error) {
      const refused = refusal(path, error);
      trouble?.met(refused);
      throw refused;
    }
  };
  const raw = refusing(() => driver.open(path));
  const prepared = new Map<string, ReturnType<RawDatabase["prepare"]>>();
  const prepare = (sql: string): ReturnType<RawDatabase["prepare"]> => {
    const known = prepared.get(sql) ?? raw.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const run = (sql: string, ...values: readonly Value[]): number =>
    Number(refusing(() => prepare(sql).run(...values)).changes);
  const all = (sql: string, ...values: readonly Value[]): readonly Row[] =>
    refusing(() => prepare(sql).all(...values)) as readonly Row[];
  return {
    exec: (sql) => void refusing(() => raw.exec(sql)),
    all,
    run,
    first: (sql, ...values) => all(sql, ...values)[0] ?? null,
    transaction: (work) => {
      run("BEGIN IMMEDIATE");
      try {
        const result = work();
        run("COMMIT");
        trouble?.over();
        return result;
      } catch (error) {
        rollBack(raw);
        throw error;
      }
    },
    close: () => {
      // A statement of libsql keeps its connection open until it is collected.
      prepared.clear();
      raw.close();
    },
  };
}

function rollBack(raw: RawDatabase): void {
  try {
    raw.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

/** https://www.sqlite.org/rescode.html: the last byte of an extended code is its primary one. */
const [PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [
  3, 5, 6, 8, 10, 11, 13, 14, 26,
];

function refusal(path: string, error: unknown): unknown {
  const said = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  switch (primaryCode(error)) {
    case FULL:
      return unwritable(path, FULL_DISK, error);
    case IOERR:
    case CANTOPEN:
      return unwritable(path, hasRoom(path) ? said : FULL_DISK, error);
    case READONLY:
    case PERM:
      return unwritable(path, said, error);
    case CORRUPT:
    case NOTADB:
      return damaged(path, error);
    case BUSY:
    case LOCKED:
      return new StoreError("store_busy", `the run store ${path} is held by another process`, options);
    default:
      return error;
  }
}

export const FULL_DISK = "the disk is full";

export const unwritable = (path: string, why: string, cause: unknown): StoreError =>
  new StoreError("store_unwritable", `the run store ${path} cannot be written: ${why}`, {
    cause,
    help: "what is stored stays, and goes on when it can be written",
  });

export const damaged = (path: string, cause: unknown): StoreError =>
  new StoreError("store_damaged", `the run store ${path} is damaged: ${messageOf(cause)}`, {
    cause,
    help: "the file is left as it is: flowsheet runs export --salvage writes what can be read of it",
  });

/** The files that SQLite makes beside its own take so much at least. */
const LEAST_ROOM = 65_536;

/** SQLite gives no other reason than an error of input or output when it cannot make the files beside its own. */
export function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize >= LEAST_ROOM;
  } catch {
    return true;
  }
}

/** `errcode` is node:sqlite's name of the number, `rawCode` libsql's. */
function primaryCode(error: unknown): number | null {
  const { errcode, rawCode } = (error ?? {}) as { readonly errcode?: unknown; readonly rawCode?: unknown };
  const code = errcode ?? rawCode ?? codeAtOpening(error);
  return typeof code === "number" ? code & 0xff : null;
}

/** When libsql cannot open a file, the code stands in the message alone. */
function codeAtOpening(error: unknown): number | null {
  const [, code] =
    /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error instanceof Error ? error.message : "") ?? [];
  return code === undefined ? null : Number(code);
}
