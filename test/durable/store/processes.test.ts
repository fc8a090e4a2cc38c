import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { howMany, inCi } from "../../how-many.js";
import { node24, type } from "../../package/npm.js";
import { openAt } from "../open-at.js";
import { DRIVERS, KINDS, newPlace, temporaryFolder } from "../places.js";
import { answerOf, scriptOf } from "./bundle.js";
import { atWork, legEnd, newRun, wait } from "./stores.js";

/** Long enough for a process to start, on a busy machine, too. */
const HEAD_START_MS = 1_500;

const WRITING_MS = 10_000;

describe.each(KINDS)("several processes on one store, with %s", (kind) => {
  const race = async (place: string, what: string, names: readonly string[]): Promise<readonly unknown[]> => {
    const script = await scriptOf("race");
    const at = String(Date.now() + HEAD_START_MS);
    return Promise.all(names.map((name) => answerOf(script, [place, what, name, at])));
  };
  test("make a new store together", async () => {
    expect(await race(await newPlace(kind), "open", ["a", "b", "c"])).toEqual([0, 0, 0]);
  });

  test("claim each run once, and keep to limits", async () => {
    const place = await newPlace(kind);
    const store = await openAt(place);
    const count = howMany(250, 30);
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        store.start(newRun({ graph: i % 5 === 0 ? "Limited" : "Orders" })),
      ),
    );
    const taken = (await race(place, "work", ["a", "b", "c"])) as readonly (readonly string[])[];
    expect(new Set(taken.flat()).size).toBe(count);
    expect(taken.flat()).toHaveLength(count);
    expect(await store.counts({})).toEqual({ completed: count });
    for (const [i, runIds] of taken.entries())
      for (const runId of runIds) {
        expect((await store.run(runId))?.result).toBe("abc"[i]);
        expect((await store.events(runId)).map(({ type }) => type)).toEqual(["abc"[i]]);
      }
    await store.close();
  });

  test("fifty starts of one key make one run", async () => {
    const place = await newPlace(kind);
    const starts = (await race(place, "start", ["a", "b"])) as readonly (readonly [boolean, string][])[];
    expect(starts.flat()).toHaveLength(50);
    expect(starts.flat().filter(([created]) => created)).toHaveLength(1);
    expect(new Set(starts.flat().map(([, runId]) => runId)).size).toBe(1);
  });

  test("two answers at once: one is taken", async () => {
    const place = await newPlace(kind);
    const store = await openAt(place);
    const lease = await atWork(store, { runId: "f".repeat(32) });
    await store.openWait(lease, wait("Ask"));
    await store.suspend(lease, { ...legEnd(), seen: new Set() });
    const kinds = await race(place, "answer", ["a", "b"]);
    expect([...kinds].sort()).toEqual(["already_answered", "taken"]);
    const winner = kinds.indexOf("taken") === 0 ? "a" : "b";
    expect((await store.waits(lease.runId))[0]).toMatchObject({
      ending: { kind: "answer", answer: winner },
      answeredBy: winner,
    });
    await store.close();
  });

  test("a process that is killed leaves what it was told was kept", async () => {
    const place = await newPlace(kind);
    const child = spawn(process.execPath, [await scriptOf("record-for-ever"), place]);
    let told = "";
    child.stdout.on("data", (chunk) => {
      told += chunk;
      if (told.includes("\n30\n")) child.kill("SIGKILL");
    });
    const [, signal] = await once(child, "close");
    expect(signal).toBe("SIGKILL");
    // The last line may be cut.
    const last = Number(told.split("\n").at(-2));
    const store = await openAt(place);
    const steps = await store.steps("f".repeat(32));
    expect(steps.length).toBeGreaterThanOrEqual(last);
    expect(steps.map(({ seq }) => seq)).toEqual(steps.map((_, i) => i + 1));
    await store.close();
  });
});

/** Writers that never rest keep nobody from bringing the log into the file. */
test.skipIf(!inCi)("the write-ahead log stays small while three processes write and one reads", async () => {
  const file = join(temporaryFolder(), "runs.db");
  const place = `${DRIVERS[0]}:${file}`;
  const script = await scriptOf("record-for-ever");
  const store = await openAt(place);
  const writers = ["a", "b", "c"].map((digit) => {
    const child = spawn(process.execPath, [script, place, digit], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return { child, ended: once(child, "close") };
  });
  let largest = 0;
  for (const end = Date.now() + WRITING_MS; Date.now() < end; await pause(20)) {
    await store.list({});
    largest = Math.max(largest, statSync(`${file}-wal`).size);
  }
  for (const { child } of writers) child.kill("SIGKILL");
  expect((await Promise.all(writers.map(({ ended }) => ended))).map(([, signal]) => signal)).toEqual(
    writers.map(() => "SIGKILL"),
  );
  const counts = await Promise.all(
    ["a", "b", "c"].map(async (digit) => (await store.steps(digit.repeat(32))).length),
  );
  expect(Math.min(...counts)).toBeGreaterThan(100);
  // It is brought in at 16 MB, by whoever writes next; a machine with other work lets it grow for a while.
  // What was written is a page a record at least, some gigabytes.
  expect(largest).toBeLessThan(256 * 1024 * 1024);
  await store.close();
});

/** A Node with SQLite of its own is fetched, which only CI waits for. */
test.skipIf(!inCi || DRIVERS.includes("node"))(
  "all of this holds with Node's own SQLite",
  async ({ skip }) => {
    const found = await node24();
    if ("lacks" in found) return skip(found.lacks);
    const line = `CI= "${found.bin}/node" node_modules/vitest/vitest.mjs run test/durable/store --reporter=dot`;
    const { code, stdout, stderr } = await type(line, process.cwd(), found.bin);
    expect(code, stdout + stderr).toBe(0);
  },
);
