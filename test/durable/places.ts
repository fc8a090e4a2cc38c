import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Driver, findDriver } from "../../runtime/durable/sqlite/driver.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { openAt } from "./open-at.js";

/** The kinds of SQLite that this Node has: libsql, and from Node 22.13 on its own. */
export const DRIVERS: readonly Driver["name"][] = (["libsql", "node"] as const).filter((name) => {
  try {
    return findDriver(name).name === name;
  } catch {
    return false;
  }
});

export type Kind = Driver["name"];
/** Every kind of store: what one does, all do. */
export const KINDS: readonly Kind[] = DRIVERS;
/** One of SQLite is enough where the driver does not matter. */
export const STORES: readonly Kind[] = KINDS.slice(0, 1);

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
  return `${kind}:${join(temporaryFolder(), "runs", "runs.db")}`;
}

export async function withStore(kind: Kind, work: (store: DurableStore) => Promise<void>): Promise<void> {
  const store = await openAt(await newPlace(kind));
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
