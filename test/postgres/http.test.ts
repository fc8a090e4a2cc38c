import { describe, expect, test } from "vitest";
import { keepRunsIn } from "../http/service.js";
import { HAS_POSTGRES, newDatabase } from "./asked.js";
import { query } from "./server.js";

/** The tests of runs over HTTP, once more. */
if (HAS_POSTGRES) {
  const databases = new Map<string, Promise<string>>();
  keepRunsIn((folder) => {
    const known = databases.get(folder) ?? newDatabase();
    databases.set(folder, known);
    return known;
  });
  await import("../durable/http-runs.test.js");
  await import("../durable/http-people.test.js");
  await import("../http/hooks-kept.test.js");

  test("all of these runs were in PostgreSQL", async () => {
    expect(databases.size).toBeGreaterThan(0);
    for (const url of databases.values())
      expect(await query(await url, "SELECT 1 FROM flowsheet.runs LIMIT 1")).toHaveLength(1);
  });
} else describe.skip("runs over HTTP, in PostgreSQL");
