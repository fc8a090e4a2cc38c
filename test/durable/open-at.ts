import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import { openSqliteStore } from "../../runtime/durable/sqlite/store.js";
import type { DurableStore } from "../../runtime/durable/store.js";

/** Opens the store at a place, for tests and for their programs: `libsql:<file>`, `node:<file>`, `postgres:…#<schema>`. */
export async function openAt(place: string): Promise<DurableStore> {
  const [, kind = "", rest = ""] = /^(\w+):(.*)$/s.exec(place) ?? [];
  if (kind === "libsql" || kind === "node") return openSqliteStore(rest, { driver: kind });
  const [url = "", schema = ""] = place.split("#");
  // Tests have many stores open on their one server. They hold without DBOS, which only keeps books.
  const { carrierOf: _, ...store } = await openPostgresStore(url, { schema, connections: 4 });
  return store;
}
