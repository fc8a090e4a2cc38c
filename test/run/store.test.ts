import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host } from "../../runtime/host.js";
import { createRunIndex } from "../../runtime/runs/files/index-of-runs.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import { currentOwner, isGone, LEASE_MS, ownerName, parseOwner } from "../../runtime/runs/owner.js";
import { parseRecord, type RunRecord } from "../../runtime/runs/record.js";
import type { RunStore } from "../../runtime/runs/suspended.js";
import { createFolder } from "../cli/folder.js";

const HOST: Host = { env: {}, pid: process.pid, isAlive: () => true, killGroup: () => {} };
const ID = "0123456789abcdef";

const record = (over: Partial<RunRecord> = {}): RunRecord => ({
  version: 1,
  runId: ID,
  graph: "G",
  sheet: "a.csv",
  encoding: null,
  fingerprint: "f",
  suspendedAt: "2026-01-01T00:00:00.000Z",
  limits: { maxSteps: null, timeoutMs: null },
  waiting: [{ node: "Ask", field: "a", prompt: "?", options: null, type: null }],
  answers: {},
  checkpoint: {
    version: 1,
    runId: ID,
    graph: "G",
    fingerprint: "f",
    steps: 1,
    durationMs: 1,
    given: {},
    visits: { Ask: 1 },
    regions: [
      {
        parent: null,
        state: {},
        path: ["Ask"],
        heads: [],
        start: null,
        arrivals: [],
        asleep: null,
        split: null,
      },
    ],
  },
  end: null,
  ...over,
});

function folderAndStore(): { readonly folder: string; readonly store: RunStore } {
  const folder = join(createFolder(), "deep/runs");
  return { folder, store: createRunStore(folder, HOST) };
}

/** The name of a claim of a process that is gone: this one's number, started at another time. */
const deadClaim = (runId: string): string =>
  `${runId}.${ownerName({ ...currentOwner(HOST), started: "1" })}.json`;

describe("a run's file", () => {
  test("is one, named by its id, and nobody else can read it or look into its folder", async () => {
    const { folder, store } = folderAndStore();
    const before = process.umask(0);
    await store.add(record()).finally(() => process.umask(before));
    expect(readdirSync(folder)).toEqual([`${ID}.json`]);
    expect(statSync(join(folder, `${ID}.json`)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(join(folder, `${ID}.json`), "utf8"))).toEqual(record());
  });

  test("stays one file through all of its life", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record());
    const claim = await (await store.find(ID)).claim();
    expect(readdirSync(folder)).toHaveLength(1);
    await claim.write(record({ answers: { Ask: 1 } }));
    expect(readdirSync(folder)).toHaveLength(1);
    expect(statSync(join(folder, readdirSync(folder)[0] ?? "")).mode & 0o777).toBe(0o600);
    await claim.release();
    expect(readdirSync(folder)).toEqual([`${ID}.json`]);
    expect((await store.find(ID)).record.answers).toEqual({ Ask: 1 });
    await (await (await store.find(ID)).claim()).remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    "../../etc/passwd",
    "..",
    "",
    "ABCDEF0123456789",
    "a/b",
    "0123456789abcde\0",
    ".hidden",
    `${ID}.json`,
    "x".repeat(65),
    "short",
  ])("P: %j is no id, and never gets into a path", async (runId) => {
    const { store } = folderAndStore();
    await expect(store.find(runId)).rejects.toMatchObject({ code: "run_not_found", runId });
    await expect(store.add(record({ runId }))).rejects.toThrow("is no id of ours");
  });

  test.each([
    ["nothing", ""],
    ["half of it", JSON.stringify(record()).slice(0, 200)],
    ["other JSON", "[]"],
    ["another version", JSON.stringify({ ...record(), version: 2 })],
    ["another run", JSON.stringify(record({ runId: "ffffffffffffffff" }))],
    ["no regions", JSON.stringify({ ...record(), checkpoint: { ...record().checkpoint, regions: 7 } })],
    [
      "a region without a path",
      JSON.stringify({ ...record(), checkpoint: { ...record().checkpoint, regions: [{ state: {} }] } }),
    ],
    ["other answers", JSON.stringify({ ...record(), answers: [] })],
  ])("that holds %s is damaged, and hides no other run", async (_name, text) => {
    const { folder, store } = folderAndStore();
    await store.add(record({ runId: "aaaaaaaaaaaaaaaa" }));
    writeFileSync(join(folder, `${ID}.json`), text);
    await expect(store.find(ID)).rejects.toMatchObject({ code: "run_unreadable" });
    const { runs, unreadable } = await store.list();
    expect(runs.map((run) => run.runId)).toEqual(["aaaaaaaaaaaaaaaa"]);
    expect(unreadable).toEqual([`${ID}.json`]);
  });

  test("D18 a list holds no states, and the index reads each file once", async () => {
    const { folder, store } = folderAndStore();
    const ids = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"];
    for (const runId of ids) await store.add(record({ runId }));
    for (const run of (await store.list()).runs) expect(JSON.stringify(run)).not.toContain("regions");
    const read: string[] = [];
    const index = createRunIndex(folder, async ({ name, runId }) => {
      read.push(runId);
      return parseRecord(readFileSync(join(folder, name), "utf8"), runId) ?? "damaged";
    });
    const known = async (): Promise<readonly string[]> =>
      (await index(readdirSync(folder).sort())).map(({ runId }) => runId);
    expect([await known(), await known(), read]).toEqual([ids, ids, ids]);
    writeFileSync(join(folder, `${ids[1]}.json`), "{");
    rmSync(join(folder, `${ids[2]}.json`));
    expect([await known(), await known(), read]).toEqual([[ids[0]], [ids[0]], [...ids, ids[1]]]);
    expect((await store.index()).map(({ runId }) => runId)).toEqual([ids[0]]);
  });

  test("what is no regular file is not read", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record({ runId: "aaaaaaaaaaaaaaaa" }));
    mkdirSync(join(folder, `${ID}.json`));
    symlinkSync("/dev/zero", join(folder, "bbbbbbbbbbbbbbbb.json"));
    expect((await store.list()).unreadable).toEqual([`${ID}.json`, "bbbbbbbbbbbbbbbb.json"]);
  });

  test("files of others in the folder are left alone", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record());
    for (const name of ["notes.txt", "x.json", `${ID}.someone.json`, "mine.tmp"])
      writeFileSync(join(folder, name), "x");
    expect((await store.list()).runs).toHaveLength(1);
    expect(readdirSync(folder)).toHaveLength(5);
  });

  test("a folder that is not there holds no runs", async () => {
    const { store } = folderAndStore();
    expect(await store.list()).toEqual({ runs: [], unreadable: [] });
    await expect(store.find(ID)).rejects.toMatchObject({ code: "run_not_found" });
  });

  test("what is no data cannot be kept, and the state before stays", async () => {
    const { store } = folderAndStore();
    const bad = record({ answers: { Ask: 1n as never } });
    await expect(store.add(bad)).rejects.toMatchObject({ code: "run_unwritable" });
    await store.add(record());
    const claim = await (await store.find(ID)).claim();
    await expect(claim.write(bad)).rejects.toMatchObject({ code: "run_unwritable" });
    await claim.release();
    expect((await store.find(ID)).record).toEqual(record());
  });

  test.skipIf(process.getuid?.() === 0)("K07: a folder that cannot be written", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record());
    chmodSync(folder, 0o500);
    await expect(store.add(record({ runId: "aaaaaaaaaaaaaaaa" }))).rejects.toMatchObject({
      code: "run_unwritable",
    });
    await expect(store.find(ID).then((run) => run.claim())).rejects.toMatchObject({ code: "run_unwritable" });
    chmodSync(folder, 0o700);
    expect((await store.find(ID)).record).toEqual(record());
  });

  test("a file where the folder should be", async () => {
    const folder = join(createFolder({ runs: "" }), "runs");
    await expect(createRunStore(folder, HOST).add(record())).rejects.toMatchObject({
      code: "run_unwritable",
    });
  });
});

describe("claims", () => {
  test("of a hundred that try at once, one gets the run; the others are told", async () => {
    const { store } = folderAndStore();
    await store.add(record());
    const stored = await store.find(ID);
    const tries = await Promise.allSettled(Array.from({ length: 100 }, () => stored.claim()));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const codes = tries.flatMap((one) =>
      one.status === "rejected" ? [(one.reason as { code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(["run_taken"]));
    await expect(store.find(ID).then((run) => run.claim())).rejects.toMatchObject({ code: "run_taken" });
    expect((await store.list()).runs).toMatchObject([{ status: "taken" }]);
  });

  test("of a process that is gone are none: of a hundred that try, one takes it over", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record({ answers: { Ask: "yes" } }));
    renameSync(join(folder, `${ID}.json`), join(folder, deadClaim(ID)));
    const stored = await store.find(ID);
    expect(stored).toMatchObject({ about: { status: "interrupted" }, record: { answers: { Ask: "yes" } } });
    const tries = await Promise.allSettled(Array.from({ length: 100 }, () => stored.claim()));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([`${ID}.${ownerName(currentOwner(HOST))}.json`]);
  });

  test("are of what the run is now, not of what it was when it was looked at", async () => {
    const { store } = folderAndStore();
    await store.add(record());
    const early = await store.find(ID);
    const other = await early.claim();
    await other.write(record({ graph: "later" }));
    await other.release();
    expect((await early.claim()).record.graph).toBe("later");
  });

  test("a claim that was taken over writes nothing any more", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record());
    const claim = await (await store.find(ID)).claim();
    renameSync(join(folder, readdirSync(folder)[0] ?? ""), join(folder, deadClaim(ID)));
    for (const step of [() => claim.write(record({ graph: "late" })), claim.release, claim.remove])
      await expect(step()).rejects.toMatchObject({ code: "run_taken" });
    expect((await store.find(ID)).record.graph).toBe("G");
  });

  test("drafts of a process that is gone are swept, those of one that works are not", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record());
    const dead = `${ID}.${ownerName({ ...currentOwner(HOST), started: "1" })}.tmp`;
    const alive = `${ID}.${ownerName(currentOwner(HOST))}.tmp`;
    for (const name of [dead, alive]) writeFileSync(join(folder, name), "{");
    await store.list();
    expect(readdirSync(folder).sort()).toEqual([alive, `${ID}.json`].sort());
    // A draft of an earlier attempt of its own is no hindrance.
    await store.add(record());
    expect(readdirSync(folder)).toEqual([`${ID}.json`]);
  });
});

describe("owners", () => {
  const mine = currentOwner(HOST);
  const now = Date.now();
  const longAgo = now - LEASE_MS - 1;

  test("have a name that can be read back", () => {
    expect(parseOwner(ownerName(mine))).toEqual(mine);
    expect(parseOwner(ownerName({ ...mine, started: null }))).toEqual({ ...mine, started: null });
    for (const name of ["", "x", "0123456789abcdef-1", "0123456789abcdeg-1-1", "0123456789abcdef--1"])
      expect(parseOwner(name)).toBeNull();
  });

  test("live as long as their process, whatever the clock says", () => {
    expect(isGone(mine, longAgo, HOST)).toBe(false);
    expect(isGone({ ...mine, started: "1" }, now, HOST)).toBe(true);
    expect(isGone({ ...mine, pid: 4_000_000 }, now, HOST)).toBe(true);
  });

  test("whose process cannot be looked up live by their last sign of life", () => {
    const elsewhere = { ...mine, place: "0".repeat(16) };
    expect(isGone(elsewhere, now, HOST)).toBe(false);
    expect(isGone(elsewhere, longAgo, HOST)).toBe(true);
    const nameless = { ...mine, started: null };
    expect(isGone(nameless, now, HOST)).toBe(false);
    expect(isGone(nameless, longAgo, HOST)).toBe(true);
    expect(isGone(nameless, now, { ...HOST, isAlive: () => false })).toBe(true);
  });

  test("a claim gives a sign of life before it is made", async () => {
    const { folder, store } = folderAndStore();
    await store.add(record());
    const file = join(folder, `${ID}.json`);
    utimesSync(file, 1, 1);
    await (await store.find(ID)).claim();
    expect(Date.now() - statSync(join(folder, readdirSync(folder)[0] ?? "")).mtimeMs).toBeLessThan(10_000);
  });
});
