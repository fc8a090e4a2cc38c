import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStorage } from "../../runtime/storage/storage.js";
import { createFolder } from "../cli/folder.js";
import { howMany } from "../how-many.js";
import { sheetOf } from "./project.js";
import { startRuns } from "./writing-process.js";

const KILLS = howMany(10, 2, "STORAGE_KILLS");

test("many writers of one file in one process lose nothing", async () => {
  const data = createFolder();
  // Two storages, as two instances of the library have them.
  const storages = [createStorage(data), createStorage(data)];
  const writes = Array.from({ length: 40 }, (_, i) =>
    storages[i % 2]!.write({ format: "csv", file: "t.csv", mode: "append", value: { n: i } }),
  );
  await Promise.all(writes);
  const rows = (await storages[0]!.read({ format: "csv", file: "t.csv" })) as { n: string }[];
  expect(rows.map(({ n }) => Number(n)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, i) => i),
  );
});

test("many writers of one file in several processes lose nothing", async () => {
  const sheet = sheetOf(
    { agent: "csv_writer", settings: { mode: "append" }, inputs: "row", prompt: "t.csv" },
    { agent: "json_writer", settings: { id_from: "id" }, inputs: "id|row", prompt: "t.json" },
  );
  const cwd = createFolder({ "s.csv": sheet });
  const processes = ["a", "b", "c"].map((name) => {
    const id = `"${name}" + i`;
    return startRuns(cwd, { rounds: 15, state: `{ id: ${id}, row: { who: ${id} } }` });
  });
  expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual(["", "", ""]);
  const storage = createStorage(join(cwd, "data"));
  expect(await storage.read({ format: "csv", file: "t.csv" })).toHaveLength(45);
  expect(Object.keys((await storage.read({ format: "json", file: "t.json" })) as object)).toHaveLength(45);
  expect(readdirSync(join(cwd, "data/.locks"))).toEqual([]);
});

test("a process that is killed leaves the old file or the new one, and nothing in the way", async () => {
  const sheet = sheetOf({ agent: "json_writer", inputs: "v", prompt: "t.json" });
  const cwd = createFolder({ "s.csv": sheet });
  const data = join(cwd, "data");
  const storage = createStorage(data);
  await storage.write({ format: "json", file: "t.json", mode: "write", value: [] });
  for (let kill = 0; kill < KILLS; kill++) {
    // What a killed process held is taken over after some seconds: the last round waits for that.
    rmSync(join(data, ".locks"), { recursive: true, force: true });
    const { child, ended } = startRuns(cwd, { rounds: 1e6, state: "{ v: Array(40_000).fill(i) }" });
    await new Promise((begun) => child.stdout?.once("data", begun));
    await new Promise((later) => setTimeout(later, Math.random() * 60));
    child.kill("SIGKILL");
    await ended;
    const values = JSON.parse(readFileSync(join(data, "t.json"), "utf8")) as number[];
    expect(values).toHaveLength(40_000);
    expect(new Set(values).size).toBe(1);
  }
  await storage.write({ format: "json", file: "t.json", mode: "write", value: "new" });
  expect(await storage.read({ format: "json", file: "t.json" })).toBe("new");
  expect(readdirSync(data).sort()).toEqual([".locks", "t.json"]);
});

test("a call that is aborted writes nothing", async () => {
  const data = createFolder({ "t.csv": `n\n${"1\n".repeat(500_000)}` });
  const storage = createStorage(data);
  const request = { format: "csv", file: "t.csv", mode: "update", query: {}, value: { n: 2 } } as const;
  const before = readFileSync(join(data, "t.csv"));
  await expect(storage.write({ ...request, signal: AbortSignal.abort() })).rejects.toThrow("abort");
  const stop = new AbortController();
  const late = storage.write({ ...request, signal: stop.signal });
  setTimeout(() => stop.abort(), 5);
  await expect(late).rejects.toThrow("abort");
  expect(readFileSync(join(data, "t.csv")).equals(before)).toBe(true);
  expect(readdirSync(data).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await expect(storage.read({ ...request, signal: AbortSignal.abort() })).rejects.toThrow("abort");
  expect(existsSync(join(data, "t.csv"))).toBe(true);
});

test("the lock of a process that was killed is taken over", async () => {
  const sheet = sheetOf({ agent: "csv_writer", settings: { mode: "append" }, inputs: "v", prompt: "t.csv" });
  const cwd = createFolder({ "s.csv": sheet });
  const locks = join(cwd, "data/.locks");
  const { child, ended } = startRuns(cwd, { rounds: 1e6, state: "{ v: Array(20_000).fill({ i }) }" });
  await new Promise((begun) => child.stdout?.once("data", begun));
  // Nearly all of its time it holds the lock; it is stopped in one of those moments.
  for (;;) {
    child.kill("SIGSTOP");
    if (readdirSync(locks).length > 0) break;
    child.kill("SIGCONT");
    await new Promise((later) => setTimeout(later, 5));
  }
  child.kill("SIGKILL");
  await ended;
  const storage = createStorage(join(cwd, "data"));
  const waiting = storage.write({ format: "csv", file: "t.csv", mode: "append", value: { i: "x" } });
  // Other files have locks of their own.
  const change = { format: "csv", file: "other.csv", mode: "append", value: {} } as const;
  await storage.write(change);
  // Whoever is not willing to wait need not.
  const impatient = { ...change, file: "t.csv", signal: AbortSignal.timeout(200) };
  await expect(createStorage(join(cwd, "data")).write(impatient)).rejects.toThrow("abort");
  await waiting;
  const query = { filter: { i: "x" } };
  expect(await storage.read({ format: "csv", file: "t.csv", query })).toEqual([{ i: "x" }]);
});
