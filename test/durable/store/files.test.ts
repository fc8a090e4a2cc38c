import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCommits } from "../../../runtime/durable/sqlite/commits.js";
import { connect } from "../../../runtime/durable/sqlite/database.js";
import { findDriver } from "../../../runtime/durable/sqlite/driver.js";
import { openDatabases } from "../../../runtime/durable/sqlite/open.js";
import { MIGRATIONS, prepareSchema } from "../../../runtime/durable/sqlite/schema.js";
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";
import { DRIVERS, temporaryFolder } from "../places.js";
import { answerOf, scriptOf } from "./bundle.js";
import { atWork, completed, newRun, step, token } from "./stores.js";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** A log that is left over belongs to its file: libsql closes when its memory is collected. */
const namesBeside = (file: string): readonly string[] =>
  readdirSync(join(file, "..")).filter((name) => !/-(?:wal|shm)$/.test(name));

const holds = (file: string, text: string): boolean =>
  [file, `${file}-wal`].some((path) => readFileSync(path).includes(text));

describe.each(DRIVERS)("the file of a store, with %s", (driver) => {
  const folder = temporaryFolder();
  let files = 0;
  const newFile = (): string => join(folder, `${++files}`, "runs.db");

  test("and all beside it is for its owner alone, whatever the umask", async () => {
    const file = newFile();
    const before = process.umask(0);
    const store = await openSqliteStore(file, { driver });
    await store.start(newRun());
    process.umask(before);
    const names = readdirSync(join(file, ".."));
    expect(names).toEqual(["runs.db", "runs.db-shm", "runs.db-wal"]);
    expect(names.map((name) => modeOf(join(file, "..", name)))).toEqual(["600", "600", "600"]);
    expect(modeOf(join(file, ".."))).toBe("700");
    await store.close();
  });

  test("has two connections, one that waits for the disk and one that does not", async () => {
    const file = newFile();
    const synchronous = async (durability: "process" | "power"): Promise<unknown> => {
      const { sure, fast, close } = await openDatabases(file, { driver, durability });
      const found = [sure, fast].map((one) => one.first("PRAGMA synchronous")?.["synchronous"]);
      expect(fast.first("PRAGMA journal_mode")).toMatchObject({ journal_mode: "wal" });
      expect(fast.first("PRAGMA auto_vacuum")).toMatchObject({ auto_vacuum: 2 });
      close();
      return found;
    };
    expect(await synchronous("process")).toEqual([2, 1]);
    expect(await synchronous("power")).toEqual([2, 2]);
  });

  test("is refused on a network", async () => {
    const network = new Set([statfsSync(folder).type]);
    const file = newFile();
    const refused = openSqliteStore(file, { driver, network });
    await expect(refused).rejects.toMatchObject({
      code: "store_unusable",
      help: expect.stringContaining("runs.folder"),
    });
    expect(existsSync(file)).toBe(false);
  });

  test("that cannot be made is a clear error", async () => {
    writeFileSync(join(folder, "a-file"), "");
    const refused = openSqliteStore(join(folder, "a-file", "runs.db"), { driver });
    await expect(refused).rejects.toMatchObject({
      code: "store_unusable",
      message: expect.stringContaining("a-file"),
    });
  });

  test.skipIf(process.getuid?.() === 0)("that may not be written is a clear error", async () => {
    const file = newFile();
    await (await openSqliteStore(file, { driver })).close();
    chmodSync(file, 0o400);
    await expect(openSqliteStore(file, { driver })).rejects.toMatchObject({ code: "store_unwritable" });
  });

  test("of another program is left as it is", async () => {
    const file = newFile();
    mkdirSync(join(file, ".."));
    const other = connect(findDriver(driver), file);
    other.exec("CREATE TABLE notes (text)");
    other.close();
    const before = readFileSync(file);
    await expect(openSqliteStore(file, { driver })).rejects.toMatchObject({ code: "store_unusable" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("of a later version is refused and not touched", async () => {
    const file = newFile();
    await (await openSqliteStore(file, { driver })).close();
    const later = connect(findDriver(driver), file);
    later.run("UPDATE meta SET schema = ?", MIGRATIONS.length + 1);
    later.close();
    const before = readFileSync(file);
    await expect(openSqliteStore(file, { driver })).rejects.toMatchObject({
      code: "store_newer",
      message: expect.stringContaining(file),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(namesBeside(file)).toEqual(["runs.db"]);
  });

  test("of an older version is copied beside and brought up, by one of several at once", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { driver });
    const run = newRun();
    await store.start(run);
    const next = [...MIGRATIONS, "ALTER TABLE runs ADD COLUMN colour TEXT; UPDATE runs SET colour = 'red'"];
    const both = [connect(findDriver(driver), file), connect(findDriver(driver), file)];
    await Promise.all(both.map((database) => prepareSchema(database, file, next)));
    expect(both[1]!.first("SELECT colour, schema FROM runs, meta")).toMatchObject({
      colour: "red",
      schema: MIGRATIONS.length + 1,
    });
    for (const database of both) database.close();
    await store.close();
    const names = namesBeside(file);
    expect(names).toEqual(["runs.db", `runs.db.schema-${MIGRATIONS.length}`]);
    const copy = join(file, "..", names[1]!);
    expect(modeOf(copy)).toBe("600");
    const older = await openSqliteStore(copy, { driver });
    expect(await older.run(run.runId)).toMatchObject({ runId: run.runId });
    await older.close();
  });

  test("of the first schema counts its runs by their sheets, too", async () => {
    const file = newFile();
    mkdirSync(join(file, ".."));
    const first = connect(findDriver(driver), file);
    await prepareSchema(first, file, MIGRATIONS.slice(0, 1));
    const insert =
      "INSERT INTO runs (run_id, graph, sheet, version, contract, status, created, due) VALUES (?, 'A', ?, 'v', 1, ?, 1, 1)";
    for (const [id, sheet, status] of [
      ["one", "team/a.csv", "failed"],
      ["two", "other/a.csv", "failed"],
      ["three", null, "waiting"],
    ] as const)
      first.run(insert, id, sheet, status);
    first.close();
    const store = await openSqliteStore(file, { driver });
    expect(await store.counts({})).toEqual({ failed: 2, waiting: 1 });
    expect(await store.counts({ under: ["team/"] })).toEqual({ failed: 1 });
    await store.cancel("three", { at: 1, events: [] });
    expect(await store.counts({})).toEqual({ failed: 2, cancelled: 1 });
    await store.close();
  });

  test("whose migration fails stays as it was", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { driver });
    const database = connect(findDriver(driver), file);
    const broken = [...MIGRATIONS, "CREATE TABLE fine (x); CREATE TABLE runs (y)"];
    await expect(prepareSchema(database, file, broken)).rejects.toThrow("runs");
    expect(database.first("SELECT schema FROM meta")).toMatchObject({ schema: MIGRATIONS.length });
    expect(database.all("SELECT name FROM sqlite_schema WHERE name = 'fine'")).toEqual([]);
    database.close();
    await store.close();
  });

  test.each([
    ["is overwritten", (file: string) => writeFileSync(file, "this is no database\n".repeat(500))],
    ["is cut", (file: string) => truncateSync(file, 40_000)],
    ["has broken pages", (file: string) => writeFileSync(file, readFileSync(file).fill(0x5a, 4_096))],
  ])("that %s is a clear error with its path, and stays", async (_, damage) => {
    const file = newFile();
    const store = await openSqliteStore(file, { driver });
    for (let i = 0; i < 50; i++) await store.start(newRun());
    // Nothing is left in the write-ahead log, from which pages would be read.
    await store.compact();
    await store.close();
    damage(file);
    const before = readFileSync(file);
    const use = async (): Promise<void> => {
      const damaged = await openSqliteStore(file, { driver });
      await damaged.list({}).finally(() => damaged.close());
    };
    await expect(use()).rejects.toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining(file),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("on a full disk refuses to write, keeps what it has, and goes on when there is room", async () => {
    const file = newFile();
    const script = await scriptOf("fill-disk");
    const { status, stdout, stderr } = spawnSync(
      "bash",
      // The file may not grow beyond so many blocks of 1,024 bytes; without the signal, a write fails.
      ["-c", `trap '' XFSZ; ulimit -f 400; exec "${process.execPath}" "${script}" "${file}" ${driver}`],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    const { code, kept, runId } = JSON.parse(stdout);
    expect([code, kept > 0]).toEqual(["store_unwritable", true]);
    const store = await openSqliteStore(file, { driver });
    expect(await store.steps(runId)).toHaveLength(kept);
    const { sure, close } = await openDatabases(file, { driver });
    expect(sure.all("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
    close();
    expect((await store.start(newRun())).created).toBe(true);
    await store.close();
  });

  test("that another process holds is busy, for all that one turn has asked, and goes on", async () => {
    const file = newFile();
    const [mine, other] = [await openDatabases(file, { driver }), await openDatabases(file, { driver })];
    for (const database of [mine.sure, mine.fast]) database.exec("PRAGMA busy_timeout=20");
    const commits = createCommits(mine);
    const write = (name: string) =>
      commits.sure((database) => database.run("INSERT INTO workers VALUES (?, 1, 1)", name));
    other.sure.run("BEGIN IMMEDIATE");
    const refused = await Promise.allSettled([write("a"), write("b")]);
    expect(refused).toMatchObject([{ reason: { code: "store_busy" } }, { reason: { code: "store_busy" } }]);
    other.sure.run("COMMIT");
    expect(await Promise.all([write("a"), write("b")])).toEqual([1, 1]);
    expect(mine.fast.all("SELECT owner FROM workers").map(({ owner }) => owner)).toEqual(["a", "b"]);
    for (const databases of [mine, other]) databases.close();
  });

  test("is shared by two stores of one process without losing its log to another process", async () => {
    const file = newFile();
    const script = await scriptOf("look-once");
    const store = await openSqliteStore(file, { driver });
    await store.start(newRun());
    await (await openSqliteStore(file, { driver })).close();
    // Whoever believes to be the last one takes the log away when it goes.
    expect(await answerOf(script, [file, driver])).toBe(1);
    expect(existsSync(`${file}-wal`)).toBe(true);
    await store.start(newRun());
    expect(await answerOf(script, [file, driver])).toBe(2);
    await store.close();
  });

  test("holds nothing any more of what was erased", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { driver });
    const secret = "tangerine";
    const long = `${"x".repeat(9_000)}${secret}`;
    for (let i = 0; i < 20; i++) {
      const lease = await atWork(store, { words: `Orders ${secret}`, given: { secret } });
      const row = step(1, { result: long, writes: { secret }, seen: secret });
      await store.record(lease, { steps: [row], events: [], token: token() });
      if (i < 10) await store.finish(lease, completed({ result: long, erase: true }));
      else await store.finish(lease, completed({ result: secret, at: 1 }));
    }
    expect(holds(file, secret)).toBe(true);
    await store.prune({ endedBefore: 2, statuses: ["completed"], limit: 500 });
    await store.compact();
    expect(holds(file, secret)).toBe(false);
    expect((await store.list({ q: secret })).total).toBe(0);
    await store.close();
  });

  test("forgets many runs piece by piece: others come between, and the room goes back", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { driver });
    const leases = await Promise.all(
      Array.from({ length: 3_000 }, () => atWork(store, { given: { id: "x".repeat(500) } })),
    );
    await Promise.all(leases.map((lease, i) => store.finish(lease, completed({ at: i }))));
    await store.compact();
    const full = statSync(file).size;
    let [isDone, between] = [false, 0];
    const pruned = store.prune({ endedBefore: 2_500, statuses: ["completed"], limit: 2_400 }).finally(() => {
      isDone = true;
    });
    for (; !isDone; between++) await store.start(newRun());
    expect(await pruned).toBe(2_400);
    // As many as there are pieces.
    expect(between).toBeGreaterThan(10);
    expect((await store.counts({})).completed).toBe(600);
    expect(await store.prune({ endedBefore: 2_500, statuses: ["completed"], limit: 500 })).toBe(100);
    expect(await store.prune({ endedBefore: 2_500, statuses: ["completed"], limit: 500 })).toBe(0);
    await store.compact();
    expect(statSync(file).size).toBeLessThan(full / 2);
    await store.close();
  });

  test("shrinks when runs are forgotten", async () => {
    const file = newFile();
    const store = await openSqliteStore(file, { driver });
    const large = "x".repeat(20_000);
    for (let i = 0; i < 100; i++) {
      const lease = await atWork(store);
      await store.record(lease, { steps: [step(1, { result: large })], events: [], token: token() });
      await store.finish(lease, completed({ at: i }));
    }
    await store.compact();
    const full = statSync(file).size;
    expect(await store.prune({ endedBefore: 90, statuses: ["completed"], limit: 500 })).toBe(90);
    await store.compact();
    expect(statSync(file).size).toBeLessThan(full / 2);
    expect(statSync(`${file}-wal`).size).toBe(0);
    expect((await store.list({})).total).toBe(10);
    await store.close();
  });
});

test("without any SQLite the error names the cure", async () => {
  const script = await scriptOf("no-sqlite", temporaryFolder());
  expect(await answerOf(script, [])).toEqual({
    code: "store_unusable",
    help: expect.stringContaining("npm install libsql"),
  });
});

test.runIf(DRIVERS.length > 1)(
  "a file that one kind of SQLite has written is read and written by the other",
  async () => {
    const file = join(temporaryFolder(), "runs.db");
    const [one, two] = [
      await openSqliteStore(file, { driver: "libsql" }),
      await openSqliteStore(file, { driver: "node" }),
    ];
    const lease = await atWork(one, { words: "Zürich" });
    await one.record(lease, { steps: [step(1)], events: [], token: token() });
    await two.record(lease, { steps: [step(2)], events: [], token: token() });
    expect(await one.copy(lease.runId)).toEqual(await two.copy(lease.runId));
    expect((await two.list({ q: "zurich" })).total).toBe(1);
    await two.finish(lease, completed());
    expect((await one.run(lease.runId))?.status).toBe("completed");
    await Promise.all([one.close(), two.close()]);
  },
);
