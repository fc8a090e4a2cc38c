import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { RunCopy } from "../../../runtime/durable/rows.js";
import { COLUMNS, Salvage } from "../../../runtime/durable/salvage/salvage.js";
import { openDatabases } from "../../../runtime/durable/sqlite/open.js";
import { openSqliteStore } from "../../../runtime/durable/sqlite/store.js";
import type { DurableStore } from "../../../runtime/durable/store.js";
import { temporaryFolder } from "../places.js";
import { atWork, completed, legEnd, step, token, told, wait } from "./stores.js";

const folder = temporaryFolder();
const PAGE = 4_096;

/** Runs of every kind: short and long ones, of values that go on in other pages, waiting and ended. */
async function fill(store: DurableStore, runs: number): Promise<readonly RunCopy[]> {
  const copies: RunCopy[] = [];
  for (let i = 0; i < runs; i++) {
    const given = { name: "Ada – Zürich".repeat(i % 7), big: "y".repeat((i % 5) * 2_500) };
    const lease = await atWork(store, { given }, { sheet: "x".repeat(9_000) });
    await store.record(lease, { steps: [], events: [told("run_start")], token: token() });
    for (let seq = 1; seq <= i % 6; seq++) {
      const row = step(seq, { result: { value: "z".repeat(seq * 300 * (i % 4)) } });
      await store.record(lease, { steps: [row], events: [told("node_end", seq)], token: token() });
    }
    if (i % 3 === 0) await store.finish(lease, completed({ events: [told("run_end")] }));
    else if (i % 3 === 1) {
      await store.openWait(lease, wait("Ask"));
      await store.suspend(lease, { ...legEnd({ result: { waits: true } }), seen: new Set() });
    } else await store.giveBack(lease, { due: 5, held: null, worked: 3 });
    copies.push((await store.copy(lease.runId))!);
  }
  return copies;
}

interface Found {
  readonly runs: ReadonlyMap<string, RunCopy>;
  readonly missing: ReadonlyMap<string, readonly string[]>;
  readonly lost: ReadonlySet<string>;
  readonly unreadable: number;
  readonly versions: number;
}

function salvaged(file: string): Found {
  const salvage = new Salvage(file);
  const [runs, missing, lost] = [
    new Map<string, RunCopy>(),
    new Map<string, readonly string[]>(),
    new Set<string>(),
  ];
  for (const found of salvage.runs()) {
    if (!("copy" in found)) lost.add(found.runId);
    else {
      runs.set(found.copy.run.runId, found.copy);
      if (found.missing.length > 0) missing.set(found.copy.run.runId, found.missing);
    }
  }
  salvage.close();
  return { runs, missing, lost, unreadable: salvage.unreadable.length, versions: salvage.versions.length };
}

describe("salvage", () => {
  test("knows the columns of the tables", async () => {
    const { sure, close } = await openDatabases(join(folder, "columns.db"));
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const found = sure.all(`PRAGMA table_info(${table})`).map(({ name }) => name);
      expect([table, columns.split(/\s+/)]).toEqual([table, found]);
    }
    close();
  });

  test("reads a whole file as it is, also what the write-ahead log alone has", async () => {
    const file = join(folder, "whole.db");
    const store = await openSqliteStore(file);
    const first = await fill(store, 20);
    await store.compact();
    const more = await fill(store, 10);
    // Erased values stay so, where the runs are taken to.
    const { runId } = first[1]!.run;
    await store.cancel(runId, { at: 9, events: [told("run_end")], erase: true });
    const erased = (await store.copy(runId))!;
    expect(erased.run.isErased).toBe(true);
    const { runs, missing, lost, unreadable, versions } = salvaged(file);
    expect([missing.size, lost.size, unreadable, versions]).toEqual([0, 0, 0, 1]);
    expect([...runs.values()]).toEqual([first[0], erased, ...first.slice(2), ...more]);
    await store.close();
    const other = await openSqliteStore(join(folder, "taken.db"));
    for (const copy of runs.values()) expect(await other.restore(copy, null)).toBe(true);
    expect(await other.copy(erased.run.runId)).toEqual(erased);
    await other.close();
  });

  test.each([
    ["overwritten", (bytes: Buffer) => bytes.fill(0x5a)],
    ["overwritten with text", (bytes: Buffer) => bytes.fill("all work and no play ")],
    [
      "overwritten with another page",
      (bytes: Buffer, all: Buffer) => all.copy(bytes, 0, PAGE * 9, PAGE * 10),
    ],
    ["emptied", (bytes: Buffer) => bytes.fill(0)],
  ])("whichever page is %s: a run is whole, or it is told that it is not", async (what, damage) => {
    const file = join(folder, `${what}.db`);
    const store = await openSqliteStore(file);
    const known = await fill(store, 16);
    await store.compact();
    await store.close();
    const good = readFileSync(file);
    const damaged = join(folder, "damaged.db");
    let [whole, told] = [0, 0];
    for (let page = 0; page < good.length / PAGE; page++) {
      const bytes = Buffer.from(good);
      damage(bytes.subarray(page * PAGE, (page + 1) * PAGE), good);
      writeFileSync(damaged, bytes);
      const { runs, missing, lost, unreadable } = salvaged(damaged);
      for (const copy of known) {
        const { runId } = copy.run;
        const isTold = lost.has(runId) || missing.has(runId) || unreadable > 0;
        const found = runs.get(runId);
        if (isSame(found, copy)) whole += 1;
        else {
          told += 1;
          expect([page, runId, isTold]).toEqual([page, runId, true]);
        }
      }
    }
    // One page is a small part of the file.
    expect(told).toBeGreaterThan(0);
    expect(whole).toBeGreaterThan(told * 10);
  });

  test("a file that is cut gives what is before the cut", async () => {
    const file = join(folder, "cut.db");
    const store = await openSqliteStore(file);
    const before = await fill(store, 16);
    await store.compact();
    await store.close();
    const cut = join(folder, "cut-off.db");
    copyFileSync(file, cut);
    truncateSync(cut, Math.floor(readFileSync(file).length / 2) + 100);
    const { runs, missing, lost, unreadable } = salvaged(cut);
    expect(unreadable).toBeGreaterThan(0);
    const known = before.filter(({ run }) => runs.has(run.runId));
    const gone = known.filter(({ run }) => `${missing.get(run.runId)}`.includes("given"));
    const whole = known.filter((copy) => isDeepStrictEqual(runs.get(copy.run.runId)?.steps, copy.steps));
    expect([known.length + lost.size, whole.length > 1, gone.length > 1]).toEqual([16, true, true]);
    // A person decides what becomes of an open run that is not whole.
    for (const { run } of gone)
      expect(runs.get(run.runId)?.run.status).toBe(run.ended === null ? "stuck" : run.status);
  });
});

/**
 * The search's copy of a run's words is made anew when it is lost. Nobody knows how many events an open run has had,
 * and nothing but what is told of it depends on them.
 */
function isSame(found: RunCopy | undefined, copy: RunCopy): boolean {
  if (found === undefined) return false;
  const isOpen = copy.run.ended === null;
  const parts = ({ run, steps, waits, events }: RunCopy): object => ({
    ...{ steps, waits, run: { ...run, words: "" }, events: isOpen ? null : events },
  });
  return isDeepStrictEqual(parts(found), parts(copy));
}
