import { describe, expect, onTestFinished, test } from "vitest";
import type { Lease } from "../../runtime/durable/rows.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { openAt } from "../durable/open-at.js";
import { newPlace } from "../durable/places.js";
import { atWork, claiming, completed, legEnd, step, token, told, wait } from "../durable/store/stores.js";
import { HAS_POSTGRES } from "./asked.js";

const ROUNDS = 30;

/** Two workers on one store. */
async function two(): Promise<readonly [DurableStore, DurableStore]> {
  const place = await newPlace("postgres");
  const [one, other] = [await openAt(place), await openAt(place)];
  onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => {}));
  return [one, other];
}

const all = { isGone: () => true, now: 1, recoveries: 1_000 };

describe.skipIf(!HAS_POSTGRES)("two at the same moment", () => {
  test("a record and a take-over: what is kept was written before it, and nothing after", async () => {
    const [one, other] = await two();
    for (let round = 0; round < ROUNDS; round++) {
      const lease = await atWork(one);
      const record = { steps: [step(1)], events: [{ at: 1, type: "a", event: {} }], token: token() };
      const [kept] = await Promise.all([one.record(lease, record), other.sweep(all)]);
      // A run that is written to at that moment is left to the next look.
      await other.sweep(all);
      const [next] = await other.claim({ ...claiming, owner: "another" });
      expect(next?.lease.runId).toBe(lease.runId);
      const late = { steps: [step(2)], events: [told("late")], token: token() };
      expect(await one.record(lease, late)).toBe("lost");
      const steps = await other.steps(lease.runId);
      expect(steps.map(({ seq }) => seq)).toEqual(kept === "kept" ? [1] : []);
      const recorded = (await other.events(lease.runId)).filter(({ type }) => type === "a");
      expect(recorded).toHaveLength(steps.length);
      await other.finish(next!.lease, completed());
    }
  });

  test("an answer and the end of its leg: the answer is taken, and the run goes on", async () => {
    const [one, other] = await two();
    for (let round = 0; round < ROUNDS; round++) {
      const lease = await atWork(one);
      await one.openWait(lease, wait("Ask"));
      const answer = { answers: { Ask: 1 }, by: null, at: 5, token: token(), events: [told("run_answer")] };
      const [kept, answered] = await Promise.all([
        one.suspend(lease, { ...legEnd(), seen: new Set() }),
        other.answer(lease.runId, answer),
      ]);
      expect([kept, answered.kind]).toEqual(["kept", "taken"]);
      expect(await one.run(lease.runId)).toMatchObject({ status: "queued" });
      const [next] = await other.claim({ ...claiming, runId: lease.runId });
      await other.finish(next!.lease, completed());
    }
  });

  test("the end of an overdue wait and its answer: one of them", async () => {
    const [one, other] = await two();
    for (let round = 0; round < ROUNDS; round++) {
      const lease = await atWork(one);
      await one.openWait(lease, wait("Ask", { until: 100 }));
      const answer = { answers: { Ask: 1 }, by: "ada", at: 50, token: token(), events: [] };
      const [over, answered] = await Promise.all([
        one.endWait(lease, "Ask|1", { kind: "over", at: 200 }),
        other.answer(lease.runId, answer),
      ]);
      expect([over?.ending?.kind, answered.kind]).toEqual(
        answered.kind === "taken" ? ["answer", "taken"] : ["over", "already_ended"],
      );
      await one.finish(lease, completed());
    }
  });

  test("a cancel and a finish: the run has one end, and its events have no gaps", async () => {
    const [one, other] = await two();
    for (let round = 0; round < ROUNDS; round++) {
      const lease = await atWork(one);
      const end = completed({ steps: [step(1)], events: [told("run_end")] });
      const [kept, cancelled] = await Promise.allSettled([
        one.finish(lease, end),
        other.cancel(lease.runId, { at: 3, events: [told("run_cancel"), told("run_end")] }),
      ]);
      const run = await one.run(lease.runId);
      const isFinished = kept.status === "fulfilled" && kept.value === "kept";
      expect(run?.status).toBe(isFinished ? "completed" : "cancelled");
      expect(cancelled.status).toBe(isFinished ? "rejected" : "fulfilled");
      expect((await one.events(lease.runId)).map(({ n }) => n)).toEqual(isFinished ? [1] : [1, 2]);
    }
  });

  test("the last word of a cancelled leg and a retry: the run that begins anew has no result", async () => {
    const [one, other] = await two();
    for (let round = 0; round < ROUNDS; round++) {
      const lease = await atWork(one);
      await other.cancel(lease.runId, { at: 3, events: [] });
      await Promise.all([
        one.finish(lease, completed()),
        other.retry(lease.runId, { at: 4, events: [], forget: [], after: null }),
      ]);
      expect(await one.run(lease.runId)).toMatchObject({ status: "queued", result: null });
    }
  });

  test("claims of several workers: each run has one", async () => {
    const [one, other] = await two();
    const runs = await Promise.all(Array.from({ length: 40 }, () => atWork(one)));
    await one.sweep(all);
    const claimed: Lease[] = [];
    const take = async (store: DurableStore, owner: string): Promise<void> => {
      for (;;) {
        const found = await store.claim({ ...claiming, owner, limit: 3 });
        if (found.length === 0) return;
        claimed.push(...found.map(({ lease }) => lease));
      }
    };
    await Promise.all(["a", "b", "c", "d"].map((owner, i) => take(i % 2 === 0 ? one : other, owner)));
    // Rows that another looked at in this moment are passed over.
    await take(one, "e");
    expect(claimed.map(({ runId }) => runId).sort()).toEqual(runs.map(({ runId }) => runId).sort());
    for (const lease of claimed) expect((await one.run(lease.runId))?.owner).toBe(lease.owner);
  });
});
