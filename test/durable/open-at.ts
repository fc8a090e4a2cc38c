import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import type { DurableStore } from "../../runtime/durable/store.js";

/** Opens the store at a place, for tests and for their programs: `libsql:<file>`, `node:<file>`. */
export async function openAt(place: string): Promise<DurableStore> {
  const [, kind = "", rest = ""] = /^(\w+):(.*)$/s.exec(place) ?? [];
  if (kind === "libsql" || kind === "node") return openSqliteStore(rest, { driver: kind });
  throw new Error(`no store is at ${place}`);
}
