import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { findDriver } from "../../../runtime/durable/sqlite/driver.js";
import { type Database, databaseOf, HOSTILE } from "./database.js";

const SQLITE = "{kind: sqlite, file: shop.db}";
const MAKE = "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, total REAL, note)";
const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c";

async function shop(): Promise<Database> {
  const database = databaseOf(SQLITE);
  await database.give(MAKE);
  return database;
}

test("rows are a list of mappings, and a change tells how many", async () => {
  const { give, run } = await shop();
  const insert = "INSERT INTO orders (id, name, total, note) VALUES ({id}, {name}, {total}, {note})";
  expect(await give(insert, { id: 1, name: "Ada", total: 2.5, note: null })).toEqual({ changes: 1 });
  expect(await give(insert, { id: 2, name: "Bob", total: 1e300, note: true })).toEqual({ changes: 1 });
  expect(await give("SELECT * FROM orders ORDER BY id")).toEqual([
    { id: 1, name: "Ada", total: 2.5, note: null },
    { id: 2, name: "Bob", total: 1e300, note: 1 },
  ]);
  expect(await give("SELECT name FROM orders WHERE id = {order.id}", { order: { id: 2 } })).toEqual([
    { name: "Bob" },
  ]);
  expect(await give("SELECT * FROM orders WHERE id = {id}", { id: 3 })).toEqual([]);
  expect(await give("UPDATE orders SET name = {name} RETURNING id", { name: "C" })).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
  const { values } = await run({ prompt: "DELETE FROM orders", outputs: "changes" });
  expect(values["changes"]).toBe(2);
});

test("outputs with types of their own, and several, take columns of one row", async () => {
  const { give, run } = await shop();
  await give("INSERT INTO orders (name, total) VALUES ('Ada', 7), ('Bob', 8)");
  const one = await run({
    prompt: "SELECT name, total FROM orders WHERE total = {n}",
    given: { n: 7 },
    outputs: "name|total:number",
  });
  expect(one.values).toMatchObject({ name: "Ada", total: 7 });
  const sum = await run({ prompt: "SELECT sum(total) AS sum FROM orders", outputs: "sum:number" });
  expect(sum.values["sum"]).toBe(15);
  const whole = await run({ prompt: "SELECT * FROM orders WHERE id = 1", outputs: "order:object" });
  expect(whole.values["order"]).toMatchObject({ name: "Ada" });
  const many = await run({ prompt: "SELECT total FROM orders", outputs: "total:number" });
  expect(many.message).toMatch("one row is needed for what the node writes, and there are 2");
  const wrong = await run({ prompt: "SELECT name FROM orders WHERE id = 1", outputs: "name:number" });
  expect(wrong.message).toMatch("number");
});

test("values are values, whatever is in them", async () => {
  const { give } = await shop();
  for (const text of HOSTILE) {
    await give("INSERT INTO orders (name) VALUES ({name})", { name: text });
    expect(await give("SELECT name FROM orders WHERE name = {name}", { name: text })).toEqual([
      { name: text },
    ]);
  }
  expect(await give("SELECT count(*) AS n FROM orders")).toEqual([{ n: HOSTILE.length }]);
});

test("whole numbers stay whole, large ones are texts, bytes are Base64, lists and mappings JSON", async () => {
  const { give } = await shop();
  const all =
    "SELECT {n} || '' AS n, typeof({n}) AS t, 9007199254740993 AS big, x'00ff' AS bytes, 9e999 AS inf";
  expect(await give(all, { n: 5 })).toEqual([
    { n: "5", t: "integer", big: "9007199254740993", bytes: "AP8=", inf: "Infinity" },
  ]);
  const ids = "SELECT value FROM json_each({ids}) WHERE value > {m.least}";
  expect(await give(ids, { ids: [1, 2, 3], m: { least: 1 } })).toEqual([{ value: 2 }, { value: 3 }]);
  expect(await give("SELECT {x} AS x", { x: { a: [1] } })).toEqual([{ x: '{"a":[1]}' }]);
});

describe("what is refused", () => {
  test.each([
    ["two statements", "SELECT 1; DELETE FROM orders", /second statement/],
    ["another file", "ATTACH '/tmp/x.db' AS x", /begins with ATTACH/],
    ["a place of SQLite", "SELECT ?", /the statement has \?: write \{name\}/],
    ["a name of SQLite", "SELECT :name", /the statement has :name/],
    ["a table that is not there", "SELECT * FROM customers", /shop: .*no such table: customers/],
    ["no SQL", "SELECT FROM WHERE", /shop: .*syntax error/],
    ["two columns of one name", "SELECT 1 AS a, 2 AS a", /two columns are named "a"/],
    ["a column that no entry may be", "SELECT 1 AS __proto__, 2 AS b", /shop: a column is named "__proto__"/],
    ["an extension", "SELECT load_extension('x')", /shop: /],
  ])("%s", async (_, prompt, message) => {
    await expect((await shop()).give(prompt)).rejects.toThrow(message);
  });

  test("a constraint, by its name", async () => {
    const { give } = await shop();
    await give("INSERT INTO orders (id) VALUES (1)");
    await expect(give("INSERT INTO orders (id) VALUES (1)")).rejects.toThrow(
      /shop: .*UNIQUE constraint failed: orders.id/,
    );
  });

  test("a change where nothing may be changed", async () => {
    const { give } = await shop();
    await expect(give("INSERT INTO orders (id) VALUES (1)", {}, { read_only: true })).rejects.toThrow(
      /left out: the statement changes something/,
    );
  });

  test("more rows and bytes than may be", async () => {
    const { give } = await shop();
    await give("INSERT INTO orders (id) VALUES (1), (2), (3)");
    await expect(give("SELECT id FROM orders", {}, { max_rows: 2 })).rejects.toThrow(/more than 2 rows/);
    expect(await give("SELECT id FROM orders", {}, { max_rows: 3 })).toHaveLength(3);
    const large = "SELECT printf('%.*c', 6000000, 'x') AS x FROM orders";
    await expect(give(large)).rejects.toThrow(/larger than 10 MB/);
    // Its lock is gone.
    await give("DELETE FROM orders");
  });
});

describe("the file", () => {
  test.each([
    ["../shop.db", /must not have \. or \.\./],
    ["/tmp/shop.db", /must begin in the data folder/],
    ["file:shop.db?mode=memory", /a character that file names cannot have/],
    ["link.db", /leads out of the data folder/],
    ["hard.db", /a second name/],
    ["none.db", /there is no such file in the data folder/],
    ["text.db", /no database|not a database/],
  ])("%s", async (file, message) => {
    const { folder, give } = databaseOf(`{kind: sqlite, file: "${file}"}`);
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "outside.db"), "");
    symlinkSync(join(folder, "outside.db"), join(folder, "data/link.db"));
    linkSync(join(folder, "outside.db"), join(folder, "data/hard.db"));
    writeFileSync(join(folder, "data/text.db"), "no database of SQLite ".repeat(100));
    const failed = give("SELECT * FROM sqlite_master");
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.not.toThrow(folder);
  });

  test("is made for a change, with its folders", async () => {
    const { folder, give } = databaseOf("{kind: sqlite, file: a/b/shop.db}");
    await give(MAKE);
    expect(existsSync(join(folder, "data/a/b/shop.db"))).toBe(true);
  });

  test("that is locked is waited for, and then told of", async () => {
    const { folder, give } = await shop();
    const holder = findDriver().open(join(folder, "data/shop.db"));
    holder.exec("BEGIN EXCLUSIVE");
    const waiting = give("INSERT INTO orders (id) VALUES (1)");
    await pause(100);
    holder.exec("COMMIT");
    expect(await waiting).toEqual({ changes: 1 });
    holder.exec("BEGIN EXCLUSIVE");
    await expect(give("INSERT INTO orders (id) VALUES (2)")).rejects.toThrow(
      /another program holds the database/,
    );
    holder.exec("ROLLBACK");
    holder.close();
  });
});

test("a statement that takes too long is ended, and holds nothing", async () => {
  const { give } = await shop();
  await expect(give(ENDLESS, {}, { timeout_ms: 300 })).rejects.toThrow(/time|300/);
  const stuck = `INSERT INTO orders (id) ${ENDLESS}`;
  await expect(give(stuck, {}, { timeout_ms: 300 })).rejects.toThrow(/time|300/);
  expect(await give("INSERT INTO orders (id) VALUES (1)")).toEqual({ changes: 1 });
  expect(await give("SELECT id FROM orders")).toEqual([{ id: 1 }]);
});

test("a run that is stopped ends its statement", async () => {
  const { give, run } = await shop();
  const stopping = new AbortController();
  const going = run({ prompt: `INSERT INTO orders (id) ${ENDLESS}`, signal: stopping.signal });
  await pause(200);
  stopping.abort();
  await going.catch(() => {});
  expect(await give("INSERT INTO orders (id) VALUES (1)")).toEqual({ changes: 1 });
});

test("a statement that waits for another one is stopped at once", async () => {
  const { folder } = await shop();
  const { createDatabases } = await import("../../../runtime/net/databases/databases.js");
  const connections = { section: { shop: { kind: "sqlite", file: "shop.db" } }, env: {} };
  const databases = createDatabases({ connections, data: join(folder, "data"), root: folder });
  const ask = ({ signal }: AbortController) =>
    databases.run({
      ...{ connection: "shop", texts: [ENDLESS], values: [] },
      ...{ givesRows: true, readOnly: true, signal },
    });
  const [first, last] = [new AbortController(), new AbortController()];
  const asked = ask(first);
  const waiting = ask(last);
  await pause(100);
  last.abort(new Error("not needed any more"));
  await expect(waiting).rejects.toThrow("not needed any more");
  first.abort();
  await expect(asked).rejects.toThrow();
});

test("statements at one time come one after the other", async () => {
  const { give } = await shop();
  const ids = Array.from({ length: 12 }, (_, id) => id);
  await Promise.all(ids.map((id) => give("INSERT INTO orders (id) VALUES ({id})", { id })));
  expect(await give("SELECT count(*) AS n FROM orders")).toEqual([{ n: 12 }]);
});

test("once: the same attempt changes nothing a second time, and gives the first result", async () => {
  const { folder, give } = await shop();
  const { createDatabases } = await import("../../../runtime/net/databases/databases.js");
  const connections = { section: { shop: { kind: "sqlite", file: "shop.db" } }, env: {} };
  const databases = createDatabases({ connections, data: join(folder, "data"), root: folder });
  const call = {
    ...{ connection: "shop", texts: ["INSERT INTO orders (name) VALUES (", ") RETURNING id"] },
    ...{ givesRows: true, readOnly: false },
  };
  const first = await databases.run({ ...call, values: ["a"], key: "run/Ask/1" });
  expect(await databases.run({ ...call, values: ["a"], key: "run/Ask/1" })).toEqual(first);
  expect(await databases.run({ ...call, values: ["a"], key: "run/Ask/2" })).toEqual([{ id: 2 }]);
  // What fails keeps no key.
  const bad = { ...call, texts: ["INSERT INTO orders (id) VALUES (", ") RETURNING id"], key: "run/Ask/3" };
  await expect(databases.run({ ...bad, values: [1] })).rejects.toThrow(/UNIQUE/);
  expect(await databases.run({ ...bad, values: [9] })).toEqual([{ id: 9 }]);
  expect(await give("SELECT count(*) AS n FROM flowsheet_keys")).toEqual([{ n: 3 }]);
});
