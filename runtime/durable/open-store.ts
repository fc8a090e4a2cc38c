import type { StoreSetting } from "../config/store-setting.js";
import { missingPackages, missingText } from "../optional-packages.js";
import type { DurableStore } from "./store.js";
import { StoreError } from "./store-error.js";
import type { StoreTrouble } from "./trouble.js";

export interface StorePlace {
  readonly store: StoreSetting;
  /** Of SQLite. */
  readonly file: string;
  readonly durability: "process" | "power";
  /** To a server, at most. */
  readonly connections: number;
  /** The folder whose packages count. */
  readonly root: string;
}

/** What a store on a server needs; neither is installed with this package. */
export const SERVER_PACKAGES = ["pg", "@dbos-inc/dbos-sdk"] as const;

/** Opens the store, and makes it when it is missing. What the other kind of store needs is not loaded. */
export async function openStore(
  { store, file, durability, connections, root }: StorePlace,
  trouble?: StoreTrouble,
): Promise<DurableStore> {
  if (store === "sqlite") {
    const { openSqliteStore } = await import("./sqlite/store.js");
    return openSqliteStore(file, { durability, trouble });
  }
  checkPackages(root);
  const { openPostgresStore } = await import("./postgres/store.js");
  return openPostgresStore(store.reveal(), { connections, root, trouble });
}

export function checkPackages(root: string): void {
  const missing = missingPackages(SERVER_PACKAGES, root);
  if (missing.length === 0) return;
  const message = `runs are kept on a PostgreSQL server (runs.store): ${missingText(missing)}`;
  throw new StoreError("store_unusable", message);
}
