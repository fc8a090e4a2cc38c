import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunRow, RunStatus } from "../../../runtime/durable/rows.js";
import type { DurableStore, RowQuery, Sight } from "../../../runtime/durable/store.js";
import { howMany } from "../../how-many.js";
import { KINDS, withStore } from "../places.js";
import { atWork, completed, legEnd, newRun, OWNER, wait } from "./stores.js";

const STATUSES = ["queued", "running", "waiting", "completed", "failed", "cancelled"] as const;

type Kind = {
  readonly status: (typeof STATUSES)[number];
  readonly graph: string;
  readonly folder: string | null;
  readonly userId: string | null;
  readonly version: string;
  readonly created: number;
  readonly word: string;
};

const kind: fc.Arbitrary<Kind> = fc.record({
  status: fc.constantFrom(...STATUSES),
  graph: fc.constantFrom("A", "B", "C"),
  folder: fc.constantFrom(null, "a", "b", "c"),
  userId: fc.constantFrom(null, "ada", "bob"),
  version: fc.constantFrom("v1", "v2"),
  created: fc.integer({ min: 1, max: 5 }),
  word: fc.constantFrom("red", "reddish", "blue"),
});

const some = <T>(values: readonly T[]): fc.Arbitrary<readonly T[]> => fc.subarray([...values]);

const query: fc.Arbitrary<RowQuery> = fc.record(
  {
    status: some<RunStatus>([...STATUSES, "stuck"]),
    graphs: some(["A", "B", "D"]),
    userId: fc.constantFrom("ada", "eve"),
    trigger: fc.constantFrom("schedule:red", "schedule:blue"),
    version: fc.constant("v1"),
    since: fc.integer({ min: 1, max: 5 }),
    until: fc.integer({ min: 1, max: 5 }),
    q: fc.constantFrom("red", "BLUE", "re blu", "a-red"),
    assigned: some(["ada", "role:boss"]),
    seenBy: fc.record({
      startedBy: fc.constantFrom(null, "ada"),
      asked: fc.oneof(fc.constant("anybody" as const), some(["ada", "role:boss"])),
    }),
    within: fc.record({ graphs: some(["A", "B"]), folders: some(["team/", "c/"]) }),
    under: some(["a/", "c/"]),
    order: fc.constantFrom("newest" as const, "oldest" as const),
    limit: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: [] },
);

/** What the tests know of a run besides its row. */
interface Made extends Kind {
  readonly runId: string;
}

async function make(store: DurableStore, one: Kind): Promise<Made> {
  const { status, graph, folder, userId, version, created, word } = one;
  const sheet = folder === null ? null : `${folder}/orders.csv`;
  // A person may be called like a schedule.
  const startedBy = `schedule:${word}`;
  const run = newRun({ graph, sheet, userId, startedBy, version, created, words: `a ${word}` });
  const { lease } = await store.start(run, status === "queued" ? {} : { claim: { owner: OWNER } });
  if (status === "waiting") {
    const about = { assignees: [word === "red" ? "ada" : "role:boss"], escalate: { assignees: later(word) } };
    await store.openWait(lease!, wait("Ask", { about }));
    await store.suspend(lease!, { ...legEnd(), seen: new Set() });
  }
  if (status === "cancelled") await store.cancel(run.runId, { at: 1, events: [] });
  if (status === "completed" || status === "failed") await store.finish(lease!, completed({ status }));
  return { ...one, runId: run.runId };
}

/** Whom a wait asks later. */
const later = (word: string): readonly string[] =>
  word === "red" ? [] : word === "blue" ? ["eve"] : ["ada"];

/** The rules of a list, said plainly. */
function expected(made: readonly Made[], asked: RowQuery): readonly Made[] {
  const isAsked = (run: Made, whom: readonly string[]): boolean =>
    run.status === "waiting" && whom.includes(run.word === "red" ? "ada" : "role:boss");
  const sees = (run: Made, { startedBy, asked }: Sight): boolean =>
    (startedBy !== null && run.userId === startedBy) ||
    isAsked(run, asked === "anybody" ? ["ada", "role:boss"] : asked) ||
    (run.status === "waiting" && later(run.word).some((one) => asked.includes(one)));
  const fits = (run: Made): boolean =>
    (asked.status?.includes(run.status) ?? true) &&
    (asked.graphs?.includes(run.graph) ?? true) &&
    (asked.userId === undefined || run.userId === asked.userId) &&
    (asked.trigger === undefined || (run.userId === null && asked.trigger === `schedule:${run.word}`)) &&
    (asked.version === undefined || run.version === asked.version) &&
    run.created >= (asked.since ?? 0) &&
    run.created <= (asked.until ?? 9) &&
    (asked.q ?? "")
      .toLowerCase()
      .split(/[ -]/)
      .every((part) => run.word.startsWith(part) || "a".startsWith(part)) &&
    (asked.assigned === undefined || isAsked(run, asked.assigned)) &&
    (asked.seenBy === undefined || sees(run, asked.seenBy)) &&
    (asked.within === undefined ||
      asked.within.graphs.includes(run.graph) ||
      asked.within.folders.includes(`${run.folder}/`)) &&
    (asked.under === undefined || asked.under.includes(`${run.folder}/`));
  // Of one time the one that was started last comes first.
  const found = made.filter(fits).sort((a, b) => a.created - b.created);
  return asked.order === "oldest" ? found : found.reverse();
}

async function pages(store: DurableStore, asked: RowQuery): Promise<readonly RunRow[]> {
  const all: RunRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.list(cursor === undefined ? asked : { ...asked, cursor });
    expect(page.runs.length).toBeLessThanOrEqual(asked.limit ?? 50);
    all.push(...page.runs);
    cursor = page.cursor;
  }
  return all;
}

describe.each(KINDS)("lists, with %s", (on) => {
  test("give what the rules say, page by page, with total and counts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(kind, { minLength: 8, maxLength: 20 }),
        fc.array(query, { minLength: 12, maxLength: 12 }),
        (kinds, queries) =>
          withStore(on, async (store) => {
            const made: Made[] = [];
            for (const one of kinds) made.push(await make(store, one));
            for (const asked of queries) {
              const rows = expected(made, asked);
              expect((await pages(store, asked)).map(({ runId }) => runId)).toEqual(
                rows.map(({ runId }) => runId),
              );
              expect((await store.list(asked)).total).toBe(rows.length);
              const { status: _, ...all } = asked;
              const counts: { [status: string]: number } = {};
              for (const run of expected(made, all)) counts[run.status] = (counts[run.status] ?? 0) + 1;
              expect(await store.counts(asked)).toEqual(counts);
            }
          }),
      ),
      { numRuns: howMany(25, 3) },
    );
  });

  test("find a key, an id and the beginning of an id", () =>
    withStore(on, async (store) => {
      const [one, two] = [
        newRun({ runId: `ab01${"0".repeat(28)}`, key: "order-17", words: "Zürich ada@example.org" }),
        newRun({ runId: `ab02${"0".repeat(28)}` }),
      ];
      for (const run of [one, two]) await store.start(run);
      expect(await store.idsFrom("ab0", 5)).toEqual([one.runId, two.runId]);
      expect(await store.idsFrom("ab0", 1)).toEqual([one.runId]);
      expect(await store.idsFrom("ab01", 5)).toEqual([one.runId]);
      expect(await store.idsFrom("%", 5)).toEqual([]);
      const found = async (asked: RowQuery) => (await store.list(asked)).runs.map(({ runId }) => runId);
      expect(await found({ key: "order-17" })).toEqual([one.runId]);
      for (const q of ["zuri", "ada@exa", "EXAMPLE.org ada", "ab01"])
        expect(await found({ q })).toEqual([one.runId]);
      for (const q of ['"', "rich", "NEAR(", "-", "ada OR bob", "words:ada"])
        expect(await found({ q })).toEqual([]);
      expect(await found({ q: " " })).toHaveLength(2);
    }));

  test("find names of any signs", () =>
    withStore(on, async (store) => {
      const names = ['a"b', "a,b", "a\\b", "{a}", "a'b", "NULL", "", "é🙂", "%", "_", "$1", "?", "a b "];
      for (const name of names) {
        const lease = await atWork(store, {
          graph: name,
          sheet: `${name}/a.csv`,
          userId: name,
          version: `v${name}|`,
        });
        const about = {
          assignees: ["\ud800", "\u0000", `${name}\\u0000`, name],
          escalate: { assignees: ["\udc00"] },
        };
        await store.openWait(lease, wait("Ask", { about }));
      }
      const some = { startedBy: null, asked: names.slice(0, 3) };
      const sets: readonly RowQuery[] = [
        ...[{ graphs: names }, { under: names.map((name) => `${name}/`) }, { assigned: names }],
        ...[{ within: { graphs: names, folders: [] } }, { seenBy: { startedBy: "eve", asked: names } }],
      ];
      for (const asked of sets) expect((await store.list(asked)).total).toBe(names.length);
      expect((await store.list({ seenBy: some })).total).toBe(3);
      for (const name of names) {
        const folder = `${name}/`;
        const alone: readonly RowQuery[] = [
          ...[
            { graphs: [name] },
            { userId: name },
            { version: `v${name}|` },
            { assigned: [name] },
            { under: [folder] },
          ],
          ...[{ within: { graphs: [], folders: [folder] } }, { seenBy: { startedBy: name, asked: [] } }],
        ];
        for (const asked of alone)
          expect((await store.list(asked)).runs.map(({ graph }) => graph)).toEqual([name]);
      }
      const none = "a\u0000";
      for (const asked of [
        { graphs: [none] },
        { key: none },
        { userId: none },
        { version: none },
        { q: none + "b" },
      ])
        expect(await store.list(asked)).toEqual({ runs: [], cursor: null, total: 0 });
      for (const asked of [
        { assigned: [none] },
        { under: [none] },
        { seenBy: { startedBy: none, asked: [] } },
      ])
        expect((await store.list(asked)).total).toBe(0);
    }));

  test("refuse a cursor that no list has given", () =>
    withStore(on, async (store) => {
      for (const cursor of ["", "x", "MS4t", Buffer.from("1.x").toString("base64url")])
        await expect(store.list({ cursor })).rejects.toMatchObject({ code: "input_invalid" });
    }));

  test("count exactly to 10,000, with and without filters", () =>
    withStore(on, async (store) => {
      const starts = async (more: number) => {
        await Promise.all(Array.from({ length: more }, () => store.start(newRun({ userId: "ada" }))));
        return [(await store.list({})).total, (await store.list({ userId: "ada" })).total];
      };
      expect(await starts(10_000)).toEqual([10_000, 10_000]);
      expect(await starts(1)).toEqual([null, null]);
      expect(await store.counts({})).toEqual({ queued: 10_001 });
      // What is found so often is found in the same order.
      const [all, found] = [await store.list({}), await store.list({ q: "orders" })];
      expect(found).toEqual(all);
      const next = { limit: 5, cursor: found.cursor! };
      expect(await store.list({ ...next, q: "orders" })).toEqual(await store.list(next));
      expect(await store.counts({ q: "orders" })).toEqual({ queued: 10_001 });
    }));

  test("metrics know what waits, what is due and the oldest wait", () =>
    withStore(on, async (store) => {
      for (const opened of [30, 20]) {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask", { opened }));
        if (opened === 30) await store.suspend(lease, { ...legEnd(), seen: new Set() });
        else await store.cancel(lease.runId, { at: 1, events: [] });
      }
      for (const due of [5, 6, 7]) await store.start(newRun({ due }));
      expect(await store.stats(6)).toEqual({
        counts: { queued: 3, waiting: 1, cancelled: 1 },
        oldestWait: 30,
        due: 2,
      });
    }));
});
