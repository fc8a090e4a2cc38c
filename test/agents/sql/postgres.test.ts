import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { createDatabases } from "../../../runtime/net/databases/databases.js";
import { HAS_POSTGRES, newDatabase } from "../../postgres/asked.js";
import { query } from "../../postgres/server.js";
import { type Database, databaseOf, HOSTILE } from "./database.js";

const MAKE =
  "CREATE TABLE orders (id int PRIMARY KEY, name text, total numeric(12,2), note jsonb, bytes bytea)";

describe.runIf(HAS_POSTGRES)("the agent sql on PostgreSQL", () => {
  let url: string;
  beforeAll(async () => {
    url = await newDatabase();
    await query(url, MAKE);
  });
  const shop = (): Database => databaseOf("{kind: postgres, url: env:SHOP_URL}", { SHOP_URL: url });
  const emptied = async (): Promise<Database> => {
    await query(url, "DELETE FROM orders");
    return shop();
  };

  test("rows are a list of mappings, and a change tells how many", async () => {
    const { give, run } = await emptied();
    const insert = "INSERT INTO orders VALUES ({id}, {name}, {total}, {note}, {bytes}::bytea)";
    const first = { id: 1, name: "Ada", total: 2.5, note: { a: [1, "x"] }, bytes: "\\x00ff" };
    expect(await give(insert, first)).toEqual({ changes: 1 });
    expect(await give(insert, { id: 2, name: null, total: null, note: null, bytes: null })).toEqual({
      changes: 1,
    });
    expect(await give("SELECT * FROM orders ORDER BY id")).toEqual([
      { ...first, bytes: "AP8=" },
      { id: 2, name: null, total: null, note: null, bytes: null },
    ]);
    expect(await give("SELECT id FROM orders WHERE id = ANY({ids}::int[])", { ids: [2, 3] })).toEqual([
      { id: 2 },
    ]);
    expect(await give("UPDATE orders SET name = 'x' RETURNING id")).toHaveLength(2);
    const { values } = await run({ prompt: "DELETE FROM orders", outputs: "changes" });
    expect(values["changes"]).toBe(2);
    const one = await run({
      prompt: "SELECT count(*) AS n, 'a' AS name FROM orders",
      outputs: "n:number|name",
    });
    expect(one.values).toMatchObject({ n: 0, name: "a" });
  });

  test("numbers that a double cannot hold are texts, times are ISO texts", async () => {
    const { give } = shop();
    const all = `SELECT 9007199254740993::bigint AS big, 7::bigint AS small, 12345678901234567.89 AS exact, 0.10 AS cents,
      'NaN'::float8 AS nan, true AS yes, timestamptz '2026-11-22 10:36:00.5+01' AS at, timestamp '2026-11-22 10:36' AS local,
      date '2026-11-22' AS day, interval '1 day' AS long, ARRAY['a','b'] AS texts, ARRAY[1,2] AS numbers, point '(1,2)' AS point`;
    expect(await give(all)).toEqual([
      {
        ...{
          big: "9007199254740993",
          small: 7,
          exact: "12345678901234567.89",
          cents: 0.1,
          nan: "NaN",
          yes: true,
        },
        ...{ at: "2026-11-22T09:36:00.500Z", local: "2026-11-22T10:36:00", day: "2026-11-22", long: "1 day" },
        ...{ texts: ["a", "b"], numbers: [1, 2], point: "(1,2)" },
      },
    ]);
  });

  test("values are values, whatever is in them", async () => {
    const { give } = await emptied();
    for (const [id, text] of HOSTILE.entries()) {
      await give("INSERT INTO orders (id, name) VALUES ({id}, {name})", { id, name: text });
      const found = await give("SELECT name FROM orders WHERE name = {name}", { name: text });
      expect(found).toEqual([{ name: text }]);
    }
    expect(await give("SELECT count(*) AS n FROM orders")).toEqual([{ n: HOSTILE.length }]);
  });

  test.each([
    ["two statements", "SELECT 1; DELETE FROM orders", /second statement/],
    ["code of the server", "DO $$ BEGIN END $$", /begins with DO/],
    ["a program of the server", "COPY orders FROM PROGRAM 'ls'", /begins with COPY/],
    ["a table that is not there", "SELECT * FROM customers", /shop: relation "customers" does not exist/],
    ["a change that does not look like one", "SELECT setval('s', 1)", /shop: /],
    ["a value that is no number", "SELECT 'x'::int", /shop: invalid input syntax/],
    ["two columns of one name", "SELECT 1 AS a, 2 AS a", /two columns are named "a"/],
    ["a column that no entry may be", 'SELECT 1 AS "__proto__"', /shop: a column is named "__proto__"/],
    [
      "JSON that is nested deep",
      "SELECT (repeat('[', 5000) || repeat(']', 5000))::jsonb AS deep",
      /shop: a value is nested more than 200 deep/,
    ],
    ["too many rows", "SELECT generate_series(1, 1000000)", /more than 10000 rows/],
    ["too many bytes", "SELECT repeat('x', 6000000) FROM generate_series(1, 1000)", /larger than 10 MB/],
  ])("%s", async (_, prompt, message) => {
    await expect(shop().give(prompt)).rejects.toThrow(message);
  });

  test("a row that is too long is given up on its way", async () => {
    let sent = 0;
    const { hostname, port } = new URL(url);
    const between = createServer((socket) => {
      const server = connect(Number(port), hostname);
      server.on("data", (chunk) => {
        sent += chunk.length;
      });
      for (const one of [server, socket]) one.on("error", () => {});
      socket.pipe(server).pipe(socket);
      socket.on("close", () => server.destroy());
    });
    await new Promise<void>((go) => between.listen(0, "127.0.0.1", go));
    const there = new URL(url);
    there.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
    const { give } = databaseOf("{kind: postgres, url: env:SHOP_URL}", { SHOP_URL: there.href });
    await expect(give("SELECT repeat('x', 150000000) AS x")).rejects.toThrow(/larger than 10 MB/);
    expect(sent).toBeLessThan(100_000_000);
    expect(await give("SELECT repeat('ä', 4000000) AS x, 1 AS a")).toHaveLength(1);
    await new Promise((go) => between.close(go));
  });

  test("a SELECT changes nothing, unless the sheet lets it", async () => {
    await query(url, "CREATE SEQUENCE IF NOT EXISTS numbers");
    const { give } = shop();
    await expect(give("SELECT nextval('numbers') AS n")).rejects.toThrow(
      /read-only transaction; write "read_only": false/,
    );
    expect(await give("SELECT nextval('numbers') AS n", {}, { read_only: false })).toHaveLength(1);
  });

  test("rows come also from a SELECT that locks them, has names that are words, or holds a change", async () => {
    const { give } = await emptied();
    await give("INSERT INTO orders (id) VALUES (1), (2)");
    expect(await give("SELECT id, 5 AS delete FROM orders WHERE id = 1")).toEqual([{ id: 1, delete: 5 }]);
    expect(await give("SELECT id FROM orders ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED")).toEqual([
      { id: 1 },
    ]);
    const both = "WITH u AS (UPDATE orders SET name = 'x' WHERE id = 2 RETURNING id) SELECT id FROM u";
    expect(await give(both)).toEqual([{ id: 2 }]);
  });

  test("a constraint is told without the values of rows", async () => {
    const { give } = await emptied();
    await give("INSERT INTO orders (id) VALUES (4711)");
    const failed = give("INSERT INTO orders (id) VALUES (4711)");
    await expect(failed).rejects.toThrow(
      /shop: duplicate key value violates unique constraint "orders_pkey"/,
    );
    await expect(failed).rejects.not.toThrow(/4711/);
  });

  test("a statement that takes too long is ended at the server, too", async () => {
    const { give } = await emptied();
    const marked = "SELECT pg_sleep(600), 'marked by the test of time' AS m";
    await expect(give(marked, {}, { timeout_ms: 300 })).rejects.toThrow(/time|300/);
    const working =
      "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%marked by the test of time%' AND pid <> pg_backend_pid()";
    while ((await query(url, working)).length > 0) await pause(20);
  });

  test.each([
    [
      "a port where nobody listens",
      "postgres://ada:s3cr3t-word@127.0.0.1:1/shop",
      /^shop: the server cannot be reached \(ECONNREFUSED\)$/,
    ],
    ["an address of something else", "http://ada:s3cr3t-word@127.0.0.1/shop", /shop: .*postgres:\/\//],
  ])("%s, without its password", async (_, address, message) => {
    const { give } = databaseOf("{kind: postgres, url: env:SHOP_URL}", { SHOP_URL: address });
    const failed = give("SELECT 1");
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow(/s3cr3t/);
  });

  test.each([
    ["a role that is not there", { username: "mallory" }, /refuses the role .*\(28/],
    ["a database that is not there", { pathname: "/mallory" }, /no database .*\(3D000\)/],
    ["a host that is not there", { hostname: "mallory.invalid" }, /cannot be reached/],
  ])("%s, without its name", async (_, change, message) => {
    const address = Object.assign(new URL(url), change);
    const { give } = databaseOf("{kind: postgres, url: env:SHOP_URL}", { SHOP_URL: address.href });
    const failed = give("SELECT 1");
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow(/mallory/);
  });

  test("ten connections are open at most, and who waits for one can be stopped", async () => {
    const connections = { section: { shop: { kind: "postgres", url: "env:URL" } }, env: { URL: url } };
    const databases = createDatabases({ connections, data: "/nowhere", root: "." });
    const ask = ({ signal }: AbortController) =>
      databases.run({
        ...{ connection: "shop", texts: ["SELECT pg_sleep(600), 'marked by the test of places' AS m"] },
        ...{ givesRows: true, readOnly: true, values: [], signal },
      });
    const [first, last] = [new AbortController(), new AbortController()];
    const asked = Array.from({ length: 10 }, () => ask(first));
    const waiting = ask(last);
    const working =
      "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%marked by the test of places%' AND pid <> pg_backend_pid()";
    while ((await query(url, working)).length < 10) await pause(20);
    await pause(200);
    expect(await query(url, working)).toHaveLength(10);
    last.abort(new Error("not needed any more"));
    await expect(waiting).rejects.toThrow("not needed any more");
    expect(await query(url, working)).toHaveLength(10);
    first.abort();
    await Promise.allSettled(asked);
  });

  test("once: the same attempt changes nothing a second time, at the same time either", async () => {
    await emptied();
    const connections = { section: { shop: { kind: "postgres", url: "env:URL" } }, env: { URL: url } };
    const databases = createDatabases({ connections, data: "/nowhere", root: "." });
    const call = {
      ...{
        connection: "shop",
        texts: ["INSERT INTO orders (id) SELECT count(*) + ", " FROM orders RETURNING id"],
      },
      ...{ givesRows: true, readOnly: false, values: [0], key: "run/Ask/1" },
    };
    const all = await Promise.all(Array.from({ length: 6 }, () => databases.run(call)));
    expect(all).toEqual(Array.from({ length: 6 }, () => [{ id: 0 }]));
    expect(await databases.run({ ...call, key: "run/Ask/2" })).toEqual([{ id: 1 }]);
    expect(await query(url, "SELECT count(*)::int AS n FROM flowsheet_keys")).toEqual([{ n: 2 }]);
  });
});
