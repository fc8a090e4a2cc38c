import { describe, expect, test } from "vitest";
import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import { HAS_POSTGRES, newDatabase } from "./asked.js";
import { query } from "./server.js";

describe.skipIf(!HAS_POSTGRES)("connections", () => {
  test("are at most as many as may be, and calls that wait for one are answered before the end", async () => {
    const url = await newDatabase();
    const store = await openPostgresStore(url, { connections: 3 });
    const calls = Array.from({ length: 40 }, () => store.workers());
    const database = new URL(url).pathname.slice(1);
    const [open] = await query(
      url,
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${database}' AND application_name = 'flowsheet'`,
    );
    expect(open?.["n"]).toBeLessThanOrEqual(3);
    const closed = Promise.all([store.close(), store.close()]);
    expect(await Promise.all(calls)).toHaveLength(40);
    await closed;
    await expect(store.workers()).rejects.toMatchObject({ code: "store_unusable" });
  });
});
