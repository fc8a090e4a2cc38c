import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { HAS_POSTGRES, newDatabase, sharedPostgres } from "./asked.js";
import { type PostgresServer, query, startServer } from "./server.js";

describe.skipIf(!HAS_POSTGRES)("the PostgreSQL of the tests", () => {
  const servers: PostgresServer[] = [];
  afterAll(async () => {
    for (const server of servers) await server.remove();
  });

  test("is one for all, with databases for each", async () => {
    const url = await newDatabase();
    await query(url, "CREATE TABLE a (b text)");
    expect(await query(url, "SELECT * FROM a")).toEqual([]);
    await expect(query(await sharedPostgres(), "SELECT * FROM a")).rejects.toMatchObject({ code: "42P01" });
  });

  test("keeps what was committed when it is stopped, at once or in order, and is gone at the end", async () => {
    const server = await startServer();
    servers.push(server);
    await query(server.url, "CREATE TABLE a (b text)");
    for (const how of ["fast", "immediate"] as const) {
      await query(server.url, `INSERT INTO a VALUES ('${how}')`);
      await server.stop(how);
      await expect(query(server.url, "SELECT 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
      await server.start();
    }
    expect(await query(server.url, "SELECT b FROM a")).toEqual([{ b: "fast" }, { b: "immediate" }]);
    await server.remove();
    expect(existsSync(server.folder)).toBe(false);
  });

  test("stands still until it goes on", async () => {
    const server = await startServer();
    servers.push(server);
    server.pause();
    const answered = query(server.url, "SELECT 1 AS n");
    const first = await Promise.race([
      answered,
      new Promise((resolve) => setTimeout(resolve, 300, "nothing")),
    ]);
    expect(first).toBe("nothing");
    server.resume();
    expect(await answered).toEqual([{ n: 1 }]);
  });
});
