import { createRequire } from "node:module";
import { host } from "../../host.js";
import type { Value } from "../read-rows.js";
import { StoreError } from "../store-error.js";

/** What `node:sqlite` and libsql have in common. */
export interface Driver {
  readonly name: "node" | "libsql";
  readonly open: (path: string) => RawDatabase;
}

export interface RawDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): RawStatement;
  close(): unknown;
}

interface RawStatement {
  run(...values: readonly Value[]): { readonly changes: number | bigint };
  all(...values: readonly Value[]): readonly unknown[];
}

type Opens = new (path: string) => RawDatabase;

/** Node's own SQLite where it needs no flag (from Node 22.13 on), else libsql. */
export function findDriver(wanted: Driver["name"] | null = null): Driver {
  const driver = (wanted === "libsql" ? null : ofNode()) ?? (wanted === "node" ? null : ofPackage());
  if (driver !== null) return driver;
  throw new StoreError("store_unusable", "runs are kept with SQLite, which this Node.js does not have", {
    help: "npm install libsql, or use Node.js 22.13 or later",
  });
}

function ofNode(): Driver | null {
  const { DatabaseSync } = (host.builtin?.("node:sqlite") ?? {}) as { readonly DatabaseSync?: Opens };
  return DatabaseSync === undefined ? null : { name: "node", open: (path) => new DatabaseSync(path) };
}

function ofPackage(): Driver | null {
  try {
    const Database = createRequire(import.meta.url)("libsql") as Opens;
    return { name: "libsql", open: (path) => new Database(path) };
  } catch {
    // It is an optional dependency: some systems have no build of it.
    return null;
  }
}
