import { expect, onTestFinished, test } from "vitest";
import type { DurableStore } from "../../runtime/durable/store.js";
import { openAt } from "../durable/open-at.js";
import { newPlace } from "../durable/places.js";
import { atWork, newRun, step, token, told, wait } from "../durable/store/stores.js";
import { HAS_POSTGRES } from "./asked.js";

async function newStore(): Promise<DurableStore> {
  const store = await openAt(await newPlace("postgres"));
  onTestFinished(() => store.close());
  return store;
}

const onPostgres = test.skipIf(!HAS_POSTGRES);

onPostgres("records of one run keep the order of their calls, over all connections", async () => {
  const store = await newStore();
  const leases = await Promise.all(Array.from({ length: 12 }, () => atWork(store)));
  const told3 = (n: number) => [told(`a${n}`), told(`b${n}`), told(`c${n}`)];
  await Promise.all(
    leases.flatMap((lease) =>
      Array.from({ length: 150 }, async (_, i) => {
        // Some come later than others.
        for (let turn = 0; turn < i % 7; turn++) await new Promise((next) => setImmediate(next));
        const record = { steps: i % 5 === 0 ? [] : [step(i)], events: told3(i), token: token() };
        expect(await store.record(lease, record)).toBe("kept");
      }),
    ),
  );
  for (const { runId } of leases) {
    const events = await store.events(runId);
    expect(events.map(({ n }) => n)).toEqual(Array.from({ length: 450 }, (_, i) => i + 1));
    // Those of one record stand together.
    for (let at = 0; at < events.length; at += 3)
      expect(events.slice(at, at + 3).map(({ type }) => type.slice(1))).toEqual(
        Array.from({ length: 3 }, () => events[at]?.type.slice(1)),
      );
    expect(await store.steps(runId)).toHaveLength(120);
  }
});

onPostgres("a record that cannot be kept does not undo those that share its statement", async () => {
  const store = await newStore();
  const lease = await atWork(store);
  const record = (seq: number, id: string) =>
    store.record(lease, { steps: [step(seq, { id })], events: [told(id)], token: token() });
  const ids = ["a", "b", "b", "c\u0000", "d"];
  const kept = await Promise.allSettled(ids.map((id, i) => record(i + 1, id)));
  expect(kept.map(({ status }) => status)).toEqual([
    ...["fulfilled", "fulfilled", "rejected", "rejected", "fulfilled"],
  ]);
  expect(kept[3]).toMatchObject({ reason: { code: "input_invalid" } });
  expect((await store.steps(lease.runId)).map(({ id }) => id)).toEqual(["a", "b", "d"]);
  expect((await store.events(lease.runId)).map(({ n, type }) => `${n}${type}`)).toEqual(["1a", "2b", "3d"]);
});

onPostgres("a record may be long: many events, and a value of 20 MB", async () => {
  const store = await newStore();
  const lease = await atWork(store);
  const events = Array.from({ length: 10_000 }, (_, i) => told(`e${i}`));
  const result = { text: 'é"\\\u0000'.repeat(2_000_000) };
  expect(await store.record(lease, { steps: [step(1, { result })], events, token: token() })).toBe("kept");
  const journal = await store.journal(lease.runId, { events: true });
  expect(journal.events).toEqual(events.map(({ event }) => event));
  expect(journal.steps[0]?.result).toEqual(result);
});

onPostgres("times are whole milliseconds", async () => {
  const store = await newStore();
  const lease = await atWork(store, { created: 1_000.4, due: 0.5, deadline: 9_000_000.6 });
  expect(await store.run(lease.runId)).toMatchObject({ created: 1_000, due: 1, deadline: 9_000_001 });
  const asking = wait("Ask", { opened: 100.25, until: 8_000_000.5, remindAt: 200.75 });
  expect(await store.openWait(lease, asking)).not.toBeNull();
  expect(await store.waits(lease.runId)).toMatchObject([{ opened: 100, until: 8_000_001, remindAt: 201 }]);
});

onPostgres(
  "names that cannot be found again are refused, texts for people are kept without the sign",
  async () => {
    const store = await newStore();
    for (const more of [
      { key: "a\u0000" },
      { userId: "a\u0000" },
      { graph: "a\u0000" },
      { key: "k".repeat(3_000) },
    ])
      await expect(store.start(newRun(more), { texts: () => null })).rejects.toMatchObject({
        code: "input_invalid",
      });
    const run = newRun({ words: "red\u0000blue", startedBy: "os:a\u0000" });
    const { run: begun } = await store.start(run, { texts: () => null });
    expect(begun.startedBy).toBe("os:a\ufffd");
    expect((await store.list({ q: "blue" })).runs).toHaveLength(1);
  },
);
