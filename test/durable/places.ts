import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Driver, findDriver } from "../../runtime/durable/sqlite/driver.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { HAS_POSTGRES, sharedPostgres } from "../postgres/asked.js";
import { openAt } from "./open-at.js";

/** The kinds of SQLite that this Node has: libsql, and from Node 22.13 on its own. */
export const DRIVERS: readonly Driver["name"][] = (["libsql", "node"] as const).filter((name) => {
  try {
    return findDriver(name).name === name;
  } catch {
    return false;
  }
});

export type Kind = Driver["name"] | "postgres";
/** Every kind of store: what one does, all do. */
export const KINDS: readonly Kind[] = HAS_POSTGRES ? [...DRIVERS, "postgres"] : DRIVERS;
/** One of SQLite is enough where the driver does not matter. */
export const STORES: readonly Kind[] = KINDS.filter((kind, i) => i === 0 || kind === "postgres");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that goes away with the tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-store-"));
  folders.push(folder);
  return folder;
}

/** A place of its own for a store, which any number of tests and programs may open with `openAt`. */
export async function newPlace(kind: Kind): Promise<string> {
  if (kind !== "postgres") return `${kind}:${join(temporaryFolder(), "runs", "runs.db")}`;
  return `${await sharedPostgres()}#store_${randomBytes(8).toString("hex")}`;
}

export async function withStore(kind: Kind, work: (store: DurableStore) => Promise<void>): Promise<void> {
  const store = await openAt(await newPlace(kind));
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
