import { describe, expect, test } from "vitest";
import type { NewRun } from "../../../runtime/durable/rows.js";
import type { DurableStore } from "../../../runtime/durable/store.js";
import type { Json } from "../../../runtime/graph/contract/contract.js";
import { openAt } from "../open-at.js";
import { KINDS, newPlace, withStore } from "../places.js";
import { atWork, claiming, completed, legEnd, newRun, OWNER, step, token, told, wait } from "./stores.js";

const SEEN_NOTHING: ReadonlySet<string> = new Set();

const versionsOf = async (store: DurableStore, graph = "Orders"): Promise<readonly string[]> =>
  (await store.versionsOf(graph)).map(({ version }) => version);

const prunedBefore = (store: DurableStore, endedBefore: number): Promise<number> =>
  store.prune({ endedBefore, statuses: ["completed"], limit: 500 });

describe.each(KINDS)("a store of runs, with %s", (kind) => {
  const given = (work: (store: DurableStore) => Promise<void>) => () => withStore(kind, work);

  describe("starts", () => {
    test(
      "keep everything that was given",
      given(async (store) => {
        const run = newRun({
          key: "order-17",
          userId: "ada",
          startedBy: "os:ada",
          parent: { runId: "f".repeat(32), at: "Price#2" },
          deadline: 9_000,
          options: { max: [1] },
          given: { text: "a\u0000b\ud800 \u2028", list: [1.5, true, null] },
        });
        const started = await store.start(run, { texts: () => null });
        const { given: _, options: __, words: ___, ...kept } = run;
        expect(started).toMatchObject({
          created: true,
          lease: null,
          run: { ...kept, status: "queued", epoch: 0 },
        });
        expect(await store.run(run.runId)).toEqual(started.run);
        expect(started.run).toMatchObject({ given: run.given, options: run.options, result: null });
      }),
    );

    test(
      "of one key are one run, for a graph and a user",
      given(async (store) => {
        const first = newRun({ key: "k" });
        await store.start(first);
        const again = await store.start(newRun({ key: "k", given: { id: 18 } }));
        expect([again.created, again.run.runId, again.run.given]).toEqual([false, first.runId, { id: 17 }]);
        for (const other of [{ graph: "Other" }, { userId: "ada" }, { key: "l" }, { key: null }])
          expect((await store.start(newRun({ key: "k", ...other }))).created).toBe(true);
      }),
    );

    test(
      "repeated with the same id say that they made the run: their acknowledgement was lost",
      given(async (store) => {
        const run = newRun({ key: "k" });
        const first = await store.start(run, { claim: { owner: OWNER } });
        expect(await store.start(run, { claim: { owner: OWNER } })).toEqual(first);
        expect(await store.start(run, { claim: { owner: "another" } })).toEqual({ ...first, lease: null });
      }),
    );

    test(
      "fifty at once with one key make one run",
      given(async (store) => {
        const all = await Promise.all(Array.from({ length: 50 }, () => store.start(newRun({ key: "one" }))));
        expect(all.filter(({ created }) => created)).toHaveLength(1);
        expect(new Set(all.map(({ run }) => run.runId)).size).toBe(1);
      }),
    );

    test(
      "with a claim wait for their turn when the graph is at its limit",
      given(async (store) => {
        const claim = { owner: OWNER, limits: { Orders: 1 } };
        const [one, two] = [await store.start(newRun(), { claim }), await store.start(newRun(), { claim })];
        expect([one.run.status, two.run.status]).toEqual(["running", "queued"]);
        expect([one.lease?.epoch, two.lease]).toEqual([1, null]);
      }),
    );

    test(
      "of a fork bring a journal",
      given(async (store) => {
        const run = newRun();
        const ended = { ending: null, answeredBy: null, endedAt: null };
        await store.start(run, {
          steps: [step(1)],
          waits: [{ ...wait("Ask"), ...ended }],
          events: [told("run_start")],
        });
        expect(await store.steps(run.runId)).toEqual([step(1)]);
        expect(await store.waits(run.runId)).toEqual([{ ...wait("Ask"), ...ended }]);
        expect(await store.events(run.runId)).toEqual([{ ...told("run_start"), n: 1 }]);
      }),
    );
  });

  describe("claims", () => {
    test(
      "take what is due, in order, and raise the epoch",
      given(async (store) => {
        const [late, early, later] = [newRun({ due: 20 }), newRun({ due: 10 }), newRun({ due: 2_000_000 })];
        for (const run of [late, early, later]) await store.start(run);
        const claimed = await store.claim(claiming);
        expect(claimed.map(({ run }) => run.runId)).toEqual([early.runId, late.runId]);
        expect(claimed[0]).toMatchObject({
          lease: { owner: OWNER, epoch: 1 },
          run: { status: "running", owner: OWNER, started: claiming.now, given: { id: 17 } },
        });
        expect(await store.claim(claiming)).toEqual([]);
      }),
    );

    test(
      "keep to graphs, contract, number and one run",
      given(async (store) => {
        const [a, b, c] = [newRun({ graph: "A" }), newRun({ graph: "B" }), newRun({ contract: 2 })];
        for (const run of [a, b, c]) await store.start(run);
        const idsOf = async (more: object): Promise<readonly string[]> =>
          (await store.claim({ ...claiming, ...more })).map(({ run }) => run.runId);
        expect(await idsOf({ graphs: [] })).toEqual([]);
        expect(await idsOf({ runId: c.runId })).toEqual([]);
        expect(await idsOf({ runId: b.runId, now: -1 })).toEqual([]);
        expect(await idsOf({ graphs: ["B", "C"] })).toEqual([b.runId]);
        expect(await idsOf({ contract: 2 })).toEqual([c.runId]);
        expect(await idsOf({ limit: 0 })).toEqual([]);
        expect(await idsOf({ runId: a.runId })).toEqual([a.runId]);
      }),
    );

    test(
      "keep to the limits of graphs, over all workers, and pass the others",
      given(async (store) => {
        for (const graph of ["A", "A", "A", "B", "A", "B"]) await store.start(newRun({ graph }));
        const limits = { A: 2 };
        const first = await store.claim({ ...claiming, limits });
        expect(first.map(({ run }) => run.graph).sort()).toEqual(["A", "A", "B", "B"]);
        expect(await store.claim({ ...claiming, owner: "another", limits })).toEqual([]);
        await store.finish(first.find(({ run }) => run.graph === "A")!.lease, completed());
        expect(await store.claim({ ...claiming, owner: "another", limits })).toHaveLength(1);
      }),
    );

    test(
      "tell which leases an owner still has",
      given(async (store) => {
        const [one, two] = [await atWork(store), await atWork(store)];
        await store.cancel(two.runId, { at: 1, events: [] });
        expect(await store.leasesOf(one.owner)).toEqual([one]);
        expect(await store.leasesOf("x")).toEqual([]);
      }),
    );
  });

  describe("records", () => {
    test(
      "are kept in order, with their events numbered without gaps",
      given(async (store) => {
        const lease = await atWork(store);
        const pure = step(2, { pure: true, result: null, seen: null, writes: null, error: "no" });
        const kept = await Promise.all([
          store.record(lease, { steps: [step(1)], events: [told("a"), told("b")], token: token() }),
          store.record(lease, {
            steps: [pure, step(3, { branch: [0, 2] })],
            events: [told("c")],
            token: token(),
          }),
        ]);
        expect(kept).toEqual(["kept", "kept"]);
        expect(await store.steps(lease.runId)).toEqual([step(1), pure, step(3, { branch: [0, 2] })]);
        expect((await store.events(lease.runId)).map(({ n, type }) => [n, type])).toEqual([
          [1, "a"],
          [2, "b"],
          [3, "c"],
        ]);
        expect((await store.events(lease.runId, { after: 1, limit: 1 })).map(({ n }) => n)).toEqual([2]);
        const lasts = [lease.runId, (await store.start(newRun())).run.runId, "f".repeat(32)].map(
          store.lastEvent,
        );
        expect(await Promise.all(lasts)).toEqual([3, 0, 0]);
      }),
    );

    test(
      "are what a leg goes on from, short and long, whatever signs they hold",
      given(async (store) => {
        const lease = await atWork(store);
        const results = [
          null,
          "x".repeat(5_000),
          { "a\u0000\"'": [1, -0.5, "é🙂"] },
          { long: "é".repeat(4_096) },
          7,
        ];
        const steps = results.map((result, i) => step(i + 1, { id: `N "${i}"|1`, result, pure: i === 0 }));
        for (const one of [...steps].reverse())
          await store.record(lease, { steps: [one], events: [told(`e${one.seq}`)], token: token() });
        await store.openWait(lease, wait("Ask"));
        const journal = await store.journal(lease.runId, { events: true });
        expect(journal).toEqual({
          steps: steps.map(({ id, seq, pure, ended, worked, result }) => ({
            ...{ id, seq, pure, ended, worked, result },
          })),
          waits: await store.waits(lease.runId),
          events: (await store.events(lease.runId)).map(({ event }) => event),
        });
        expect(journal.events).toHaveLength(5);
        expect((await store.journal(lease.runId, { events: false })).events).toEqual([]);
        expect(await store.journal("f".repeat(32), { events: true })).toEqual({
          steps: [],
          waits: [],
          events: [],
        });
      }),
    );

    test(
      "whose acknowledgement was lost are repeated and are no conflict",
      given(async (store) => {
        const lease = await atWork(store);
        const record = { steps: [step(1), step(2)], events: [told("a")], token: token() };
        const event = { steps: [], events: [told("b")], token: token() };
        await store.record(lease, record);
        await store.record(lease, event);
        expect(await store.record(lease, record)).toBe("kept");
        expect(await store.record(lease, event)).toBe("kept");
        expect(await store.events(lease.runId)).toHaveLength(2);
        expect(await store.steps(lease.runId)).toHaveLength(2);
      }),
    );

    test(
      "of the same step with another token fail, and leave the others of their turn alone",
      given(async (store) => {
        const lease = await atWork(store);
        await store.record(lease, { steps: [step(1)], events: [], token: token() });
        const [other, again] = await Promise.allSettled([
          store.record(lease, { steps: [step(2)], events: [], token: token() }),
          store.record(lease, { steps: [step(3), step(1)], events: [told("a")], token: token() }),
        ]);
        expect([other.status, again.status]).toEqual(["fulfilled", "rejected"]);
        expect((await store.steps(lease.runId)).map(({ seq }) => seq)).toEqual([1, 2]);
        expect(await store.events(lease.runId)).toEqual([]);
      }),
    );

    test.each(["record first", "take-over first"])(
      "of an owner that was taken for dead are refused: %s",
      (order) =>
        withStore(kind, async (store) => {
          const lease = await atWork(store);
          const sweep = { isGone: () => true, now: 1, recoveries: 5 };
          const record = { steps: [step(1)], events: [], token: token() };
          // Both orders of commit. In SQLite the calls of one turn share a transaction in the order of the calls.
          const isFirst = order === "record first";
          const swept = isFirst ? null : store.sweep(sweep);
          if (kind === "postgres") await swept;
          const recorded = store.record(lease, record);
          if (kind === "postgres") await recorded;
          await (swept ?? store.sweep(sweep));
          const kept = await recorded;
          expect(kept).toBe(isFirst ? "kept" : "lost");
          const [next] = await store.claim({ ...claiming, owner: "another" });
          expect(await store.steps(lease.runId)).toHaveLength(kept === "kept" ? 1 : 0);
          const late = { steps: [step(2)], events: [told("late")], token: token() };
          expect(await store.record(lease, late)).toBe("lost");
          expect(await store.openWait(lease, wait("Ask"))).toBeNull();
          expect(await store.endWait(lease, "Ask|1", { kind: "over", at: 1 })).toBeNull();
          expect(await store.suspend(lease, { ...legEnd(), seen: SEEN_NOTHING })).toBe("lost");
          expect(await store.finish(lease, completed())).toBe("lost");
          expect(await store.giveBack(lease, { due: 1, held: null, worked: 1 })).toBe("lost");
          expect(await store.record(next!.lease, late)).toBe("kept");
          expect(await store.run(lease.runId)).toMatchObject({
            status: "running",
            owner: "another",
            result: null,
          });
        }),
    );
  });

  describe("ends of legs", () => {
    test(
      "finish a run, once",
      given(async (store) => {
        const lease = await atWork(store);
        const last = step(1, { pure: true });
        await store.record(lease, { steps: [last], events: [], token: token() });
        // A visit that was recorded meanwhile is no conflict.
        const end = completed({ steps: [last, step(2)], events: [told("run_end")] });
        expect(await store.finish(lease, end)).toBe("kept");
        expect(await store.finish(lease, end)).toBe("kept");
        expect(await store.finish(lease, { ...end, status: "failed" })).toBe("lost");
        expect(await store.run(lease.runId)).toMatchObject({
          status: "completed",
          result: { done: true },
          ended: 500,
          worked: 5,
          owner: null,
        });
        expect([(await store.steps(lease.runId)).length, (await store.events(lease.runId)).length]).toEqual([
          2, 1,
        ]);
      }),
    );

    test(
      "may forget a run, or its values",
      given(async (store) => {
        const [forgotten, erased] = [
          await atWork(store, { words: "secret" }),
          await atWork(store, { words: "secret", key: "k" }),
        ];
        await store.record(erased, { steps: [step(1)], events: [told("a")], token: token() });
        await store.openWait(erased, wait("Ask"));
        await store.answer(erased.runId, {
          answers: { Ask: "it" },
          by: "ada",
          at: 3,
          token: "t",
          events: [],
        });
        await store.forget(forgotten.runId);
        expect(await store.run(forgotten.runId)).toMatchObject({ status: "running" });
        await store.finish(forgotten, completed({}));
        await store.forget(forgotten.runId);
        await store.finish(erased, completed({ erase: true }));
        expect(await store.run(forgotten.runId)).toBeNull();
        expect(await store.run(erased.runId)).toMatchObject({
          given: {},
          result: null,
          status: "completed",
          key: "k",
        });
        expect(await store.steps(erased.runId)).toEqual([
          step(1, { result: null, seen: null, writes: null }),
        ]);
        expect((await store.waits(erased.runId))[0]).toMatchObject({
          waiting: { node: "Ask", prompt: "" },
          ending: { kind: "answer", answer: null },
          answeredBy: "ada",
        });
        expect((await store.list({ q: "secret" })).runs).toEqual([]);
        expect((await store.list({ q: erased.runId })).runs).toHaveLength(1);
      }),
    );

    test(
      "give a run back, held or not",
      given(async (store) => {
        const lease = await atWork(store);
        const back = { due: 2_000_000, held: "agent Mail", worked: 7 };
        expect([await store.giveBack(lease, back), await store.giveBack(lease, back)]).toEqual([
          "kept",
          "kept",
        ]);
        expect(await store.run(lease.runId)).toMatchObject({
          status: "queued",
          held: "agent Mail",
          worked: 7,
        });
        expect(await store.claim(claiming)).toEqual([]);
        const [claimed] = await store.claim({ ...claiming, now: 2_000_000 });
        expect([claimed?.run.held, claimed?.lease.epoch]).toEqual([null, 2]);
      }),
    );

    test(
      "put a run to sleep until its first time",
      given(async (store) => {
        const lease = await atWork(store, { deadline: 8_000 });
        for (const [node, until] of Object.entries({ A: 9_000, B: 7_000, C: null }))
          await store.openWait(lease, wait(node, { until }));
        const asleep = { ...legEnd({ result: { waits: 3 } }), seen: SEEN_NOTHING };
        expect([await store.suspend(lease, asleep), await store.suspend(lease, asleep)]).toEqual([
          "kept",
          "kept",
        ]);
        expect(await store.run(lease.runId)).toMatchObject({ status: "waiting", due: 7_000, suspended: 500 });
        expect(await store.claim({ ...claiming, now: 6_999 })).toEqual([]);
        const [awake] = await store.claim({ ...claiming, now: 7_000 });
        const over = await store.endWait(awake!.lease, "B|1", { kind: "over", at: 7_000 });
        expect(over).toMatchObject({ ending: { kind: "over" }, endedAt: 7_000 });
        await store.suspend(awake!.lease, { ...legEnd(), seen: new Set(["B|1"]) });
        expect((await store.run(lease.runId))?.due).toBe(8_000);
      }),
    );

    test(
      "put a run without any time to sleep for good",
      given(async (store) => {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask"));
        await store.suspend(lease, { ...legEnd(), seen: SEEN_NOTHING });
        expect(await store.claim({ ...claiming, now: 8e15 })).toEqual([]);
      }),
    );

    test(
      "queue a run at once when an answer came that the leg has not seen",
      given(async (store) => {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask"));
        await store.answer(lease.runId, { answers: { Ask: 1 }, by: null, at: 2, token: "t", events: [] });
        await store.suspend(lease, { ...legEnd({ at: 3 }), seen: SEEN_NOTHING });
        expect(await store.run(lease.runId)).toMatchObject({ status: "queued", due: 3 });
        const [claimed] = await store.claim(claiming);
        await store.openWait(claimed!.lease, wait("Then"));
        await store.suspend(claimed!.lease, { ...legEnd(), seen: new Set(["Ask|1"]) });
        expect((await store.run(lease.runId))?.status).toBe("waiting");
      }),
    );

    test(
      "keep what a cancelled leg came to, once",
      given(async (store) => {
        const lease = await atWork(store);
        await store.cancel(lease.runId, { at: 9, events: [told("run_cancel")] });
        const end = completed({ status: "cancelled", result: { state: 1 }, worked: 77 });
        expect(await store.finish(lease, end)).toBe("lost");
        expect(await store.finish(lease, { ...end, result: { state: 2 } })).toBe("lost");
        expect(await store.run(lease.runId)).toMatchObject({
          status: "cancelled",
          ended: 9,
          result: { state: 1 },
          worked: 77,
        });
      }),
    );
  });

  describe("waits", () => {
    test(
      "are opened once, and end once",
      given(async (store) => {
        const lease = await atWork(store);
        const opened = await store.openWait(lease, wait("Ask", { until: 200 }));
        expect(opened).toEqual({
          ...wait("Ask", { until: 200 }),
          ending: null,
          answeredBy: null,
          endedAt: null,
        });
        expect(await store.openWait(lease, wait("Ask", { until: 999 }))).toEqual(opened);
        const answer = {
          answers: { Ask: { deep: [1] } },
          by: "ada",
          at: 150,
          token: "t",
          events: [told("run_answer")],
        };
        expect(await store.answer(lease.runId, answer)).toEqual({ kind: "taken" });
        expect(await store.endWait(lease, "Ask|1", { kind: "over", at: 300 })).toMatchObject({
          ending: { kind: "answer", answer: { deep: [1] } },
          answeredBy: "ada",
          endedAt: 150,
        });
        expect(await store.answer(lease.runId, answer)).toEqual({ kind: "taken" });
        expect(await store.answer(lease.runId, { ...answer, token: "u" })).toEqual({
          kind: "already_answered",
          node: "Ask",
        });
        expect(await store.events(lease.runId)).toHaveLength(1);
      }),
    );

    test(
      "two answers at once: one is taken",
      given(async (store) => {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask"));
        await store.suspend(lease, { ...legEnd(), seen: SEEN_NOTHING });
        const answer = (value: number) =>
          store.answer(lease.runId, { answers: { Ask: value }, by: null, at: 5, token: token(), events: [] });
        const kinds = (await Promise.all([answer(1), answer(2)])).map(({ kind }) => kind);
        expect(kinds).toEqual(["taken", "already_answered"]);
        expect(await store.run(lease.runId)).toMatchObject({ status: "queued", due: 5 });
      }),
    );

    test(
      "an answer to one wait is none to a later one of the same node",
      given(async (store) => {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask"));
        await store.endWait(lease, "Ask|1", { kind: "over", at: 1 });
        await store.openWait(lease, { ...wait("Ask"), id: "Ask|2", seq: 3 });
        const answer = (id: string) =>
          store.answer(lease.runId, {
            ...{ answers: { Ask: 1 }, waits: { Ask: id }, by: null, at: 5, token: token(), events: [] },
          });
        expect(await answer("Ask|1")).toEqual({ kind: "already_ended", node: "Ask" });
        expect(await answer("Other|1")).toEqual({ kind: "not_waiting", node: "Ask" });
        expect(await answer("Ask|2")).toEqual({ kind: "taken" });
      }),
    );

    test(
      "all answers are taken, or none",
      given(async (store) => {
        const lease = await atWork(store);
        for (const node of ["A", "B"]) await store.openWait(lease, wait(node));
        await store.endWait(lease, "B|1", { kind: "over", at: 1 });
        const answer = (answers: { readonly [node: string]: number }, runId = lease.runId) =>
          store.answer(runId, { answers, by: null, at: 5, token: token(), events: [told("run_answer")] });
        expect(await answer({ A: 1, B: 2 })).toEqual({ kind: "already_ended", node: "B" });
        expect(await answer({ A: 1, C: 2 })).toEqual({ kind: "not_waiting", node: "C" });
        expect(await answer({ A: 1 }, "0".repeat(32))).toEqual({ kind: "unknown_run" });
        expect(await store.events(lease.runId)).toEqual([]);
        expect((await store.openWaits([lease.runId])).get(lease.runId)?.map(({ id }) => id)).toEqual(["A|1"]);
        await store.cancel(lease.runId, { at: 1, events: [] });
        expect(await answer({ A: 1 })).toEqual({ kind: "already_ended", node: "A" });
        expect((await store.openWaits([lease.runId])).get(lease.runId)).toEqual([]);
      }),
    );

    test(
      "of later visits of a node are answered on their own",
      given(async (store) => {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask"));
        const answer = () =>
          store.answer(lease.runId, { answers: { Ask: 1 }, by: null, at: 5, token: token(), events: [] });
        await answer();
        await store.openWait(lease, wait("Ask", { id: "Ask|2", seq: 1 }));
        expect(await answer()).toEqual({ kind: "taken" });
        expect((await store.waits(lease.runId)).map(({ ending }) => ending?.kind)).toEqual([
          "answer",
          "answer",
        ]);
      }),
    );

    test(
      "are reminded of once a time",
      given(async (store) => {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask", { remindAt: 50, escalateAt: 80 }));
        // Other branches of its run are still at work.
        expect(await store.dueNotices(50, 10)).toHaveLength(1);
        await store.suspend(lease, { ...legEnd(), seen: SEEN_NOTHING });
        expect(await store.dueNotices(49, 10)).toEqual([]);
        const [due] = await store.dueNotices(50, 10);
        expect(due).toMatchObject({
          run: { runId: lease.runId, graph: "Orders" },
          wait: { id: "Ask|1", seq: 0 },
        });
        const next = {
          remindAt: 100,
          escalateAt: 80,
          about: { assignees: ["ada"] },
          events: [told("run_reminder")],
        };
        const given = await Promise.all([store.notice(due!, next), store.notice(due!, next)]);
        expect(given.sort()).toEqual([false, true]);
        expect(await store.dueNotices(79, 10)).toEqual([]);
        const [escalated] = await store.dueNotices(80, 10);
        expect(escalated?.wait.about).toEqual({ assignees: ["ada"] });
        await store.notice(escalated!, { ...next, remindAt: null, escalateAt: null });
        expect(await store.dueNotices(1e9, 10)).toEqual([]);
        expect((await store.events(lease.runId)).map(({ n }) => n)).toEqual([1, 2]);
      }),
    );

    test(
      "are not reminded of when their run has ended meanwhile",
      given(async (store) => {
        const lease = await atWork(store);
        await store.openWait(lease, wait("Ask", { remindAt: 50 }));
        const [due] = await store.dueNotices(50, 10);
        await store.cancel(lease.runId, { at: 60, events: [told("run_end")], erase: true });
        const next = { remindAt: 100, escalateAt: null, about: null, events: [told("run_reminder")] };
        expect(await store.notice(due!, next)).toBe(false);
        expect((await store.events(lease.runId)).map(({ type }) => type)).toEqual(["run_end"]);
      }),
    );
  });

  describe("deaths", () => {
    const sweep = { isGone: (owner: string) => owner === OWNER, now: 70, recoveries: 1 };

    test(
      "leave runs to others, the living keep theirs",
      given(async (store) => {
        const lease = await atWork(store);
        await store.beat({ owner: OWNER, seen: 5, concurrency: 10 });
        await store.beat({ owner: OWNER, seen: 6, concurrency: 11 });
        // A server has a clock of its own, which is the same for all machines.
        const seen = kind === "postgres" ? expect.closeTo(Date.now(), -6) : 6;
        expect(await store.workers()).toEqual([{ owner: OWNER, seen, concurrency: 11 }]);
        const looked: unknown[] = [];
        const alive = { ...sweep, isGone: (...args: unknown[]) => looked.push(args) < 0 };
        expect(await store.sweep(alive)).toEqual({ taken: [], stuck: [] });
        expect(looked).toEqual([[OWNER, seen]]);
        expect(await store.sweep(sweep)).toEqual({ taken: [lease.runId], stuck: [] });
        expect(await store.run(lease.runId)).toMatchObject({
          status: "queued",
          due: 70,
          recoveries: 1,
          owner: null,
        });
        expect(await store.workers()).toEqual([]);
        const recovered = (await store.events(lease.runId)).filter(({ type }) => type === "run_recovered");
        expect(recovered).toMatchObject([{ at: 70, event: { type: "run_recovered" } }]);
      }),
    );

    test(
      "leave all of their runs, however many",
      given(async (store) => {
        const leases = await Promise.all(Array.from({ length: 230 }, () => atWork(store)));
        await store.record(leases[7]!, { steps: [step(3)], events: [told("a")], token: token() });
        const ids = leases.map(({ runId }) => runId).sort();
        expect([...(await store.sweep(sweep)).taken].sort()).toEqual(ids);
        const counted = (await store.events(leases[7]!.runId)).map(({ n, type }) => `${n}${type}`);
        expect(counted).toEqual(["1a", "2run_recovered"]);
        const claimed = await store.claim({ ...claiming, limit: 230 });
        expect(claimed.map(({ lease }) => lease.epoch)).toEqual(ids.map(() => 3));
        expect([...(await store.sweep({ ...sweep, recoveries: 1 })).stuck].sort()).toEqual(ids);
      }),
    );

    test(
      "make a run stuck when there are too many since its last new record; a retry gives it a new life",
      given(async (store) => {
        const { runId } = await atWork(store);
        const die = async (seq: number | null): Promise<string | undefined> => {
          const [claimed] = await store.claim({ ...claiming, runId });
          const lease = claimed?.lease ?? (await leaseOf(runId));
          if (seq !== null) await store.record(lease, { steps: [step(seq)], events: [], token: token() });
          await store.sweep(sweep);
          return (await store.run(runId))?.status;
        };
        const leaseOf = async (id: string) => ({
          runId: id,
          owner: OWNER,
          epoch: (await store.run(id))!.epoch,
        });
        expect([await die(null), await die(1), await die(2), await die(null)]).toEqual([
          ...["queued", "queued", "queued"],
          "stuck",
        ]);
        expect((await store.run(runId))?.recoveries).toBe(4);
        expect(await store.claim(claiming)).toEqual([]);
        const again = { forget: [], after: null, at: 99, events: [told("run_recovered")] };
        expect(await store.retry(runId, again)).toMatchObject({ status: "queued", due: 99 });
        expect(await die(null)).toBe("queued");
      }),
    );

    test(
      "of a worker that leaves are none",
      given(async (store) => {
        await store.beat({ owner: OWNER, seen: 5, concurrency: 10 });
        await store.leave(OWNER);
        expect(await store.workers()).toEqual([]);
      }),
    );
  });

  describe("changes", () => {
    test(
      "cancel what has not ended, with a new epoch",
      given(async (store) => {
        const queued = newRun();
        await store.start(queued);
        const running = await atWork(store);
        const change = { at: 9, events: [told("run_cancel")] };
        for (const runId of [queued.runId, running.runId])
          expect(await store.cancel(runId, change)).toMatchObject({
            status: "cancelled",
            ended: 9,
            owner: null,
          });
        await expect(store.cancel(queued.runId, change)).rejects.toMatchObject({ code: "run_not_open" });
        expect(await store.cancel("0".repeat(32), change)).toBeNull();
        expect(await store.events(queued.runId)).toHaveLength(1);
      }),
    );

    test(
      "retry what has failed, without some steps and later waits",
      given(async (store) => {
        const lease = await atWork(store);
        const again = { forget: ["Node2|1"], after: 1, at: 50, events: [told("run_recovered")] };
        await expect(store.retry(lease.runId, again)).rejects.toMatchObject({ code: "run_not_ended" });
        await store.record(lease, { steps: [step(1), step(2), step(3)], events: [], token: token() });
        await store.openWait(lease, wait("Kept", { seq: 1 }));
        await store.openWait(lease, wait("Gone", { seq: 2 }));
        await store.finish(lease, completed({ status: "failed", errorCode: "agent_failed" }));
        for (const was of [
          { status: "failed", epoch: 0 } as const,
          { status: "cancelled", epoch: 1 } as const,
        ])
          await expect(store.retry(lease.runId, { ...again, was })).rejects.toMatchObject({
            code: "run_not_ended",
          });
        const was = { status: "failed", epoch: 1 } as const;
        expect(await store.retry(lease.runId, { ...again, was })).toMatchObject({
          status: "queued",
          ended: null,
          errorCode: null,
          epoch: 2,
        });
        expect((await store.steps(lease.runId)).map(({ seq }) => seq)).toEqual([1, 3]);
        expect((await store.waits(lease.runId)).map(({ id }) => id)).toEqual(["Kept|1"]);
        const [claimed] = await store.claim(claiming);
        await store.finish(claimed!.lease, completed());
        await expect(store.retry(lease.runId, again)).rejects.toMatchObject({ code: "run_completed" });
        expect(await store.retry("0".repeat(32), again)).toBeNull();
      }),
    );

    test(
      "move what is not at work to another version",
      given(async (store) => {
        const [queued, running] = [newRun(), await atWork(store)];
        await store.start(queued);
        const change = { at: 9, events: [], epoch: 0 };
        const late = { ...change, epoch: 7 };
        const v2 = { version: "v2", graph: "Orders", sheet: null, contract: 1, texts: "new", seen: 9 };
        expect(await store.move(queued.runId, v2, late)).toMatchObject({ version: "v1", epoch: 0 });
        expect(await store.move(queued.runId, v2, change)).toMatchObject({ version: "v2", epoch: 1 });
        expect(await store.move(running.runId, v2, { ...change, epoch: 1 })).toMatchObject({
          version: "v1",
          epoch: 1,
        });
        expect(await store.move("0".repeat(32), v2, change)).toBeNull();
      }),
    );
  });

  describe("time", () => {
    test(
      "a schedule fires once, whoever comes first",
      given(async (store) => {
        const schedule = { name: "nightly", fingerprint: "f", next: 100, paused: false };
        await store.addSchedule(schedule);
        await store.addSchedule({ ...schedule, next: 300 });
        const both = [store.advance(schedule, 200), store.advance(schedule, 200)];
        expect((await Promise.all(both)).sort()).toEqual([false, true]);
        expect(await store.schedules()).toEqual([{ ...schedule, next: 200 }]);
        const other = { ...schedule, fingerprint: "g", paused: true };
        await store.addSchedule(other);
        expect(await store.schedules()).toEqual([{ ...schedule, next: 200 }, other]);
        await store.forgetSchedule(schedule);
        await store.forgetSchedule(other);
        expect(await store.schedules()).toEqual([{ ...schedule, next: 200 }]);
      }),
    );
  });

  describe("keeping", () => {
    test(
      "versions are kept with the run that begins, once, newest first",
      given(async (store) => {
        const begin = async (version: string, created: number, texts: Json): Promise<void> => {
          await store.start(newRun({ version, created }), { texts: () => texts });
        };
        await begin("v1", 1, { "a.csv": "x" });
        await begin("v2", 2, { "a.csv": "y" });
        await begin("v1", 3, { "a.csv": "never made" });
        const about = { graph: "Orders", sheet: "orders.csv", contract: 1 };
        expect(await store.version("v1")).toEqual({
          ...{ ...about, version: "v1", seen: 3 },
          texts: { "a.csv": "x" },
        });
        expect(await store.version("v3")).toBeNull();
        // Graphs of code have no texts; a sheet of the same graph has.
        await begin("v0", 0, null);
        await begin("v0", 0, { "a.csv": "z" });
        expect((await store.version("v0"))?.texts).toEqual({ "a.csv": "z" });
        expect(await versionsOf(store)).toEqual(["v1", "v2", "v0"]);
      }),
    );

    test(
      "a key that has begun its run makes no version the newest",
      given(async (store) => {
        const begin = (version: string, created: number, key: string | null) =>
          store.start(newRun({ version, created, key }), { texts: () => version });
        await begin("v1", 1, "k");
        await begin("v2", 2, null);
        expect((await begin("v1", 3, "k")).created).toBe(false);
        expect(await versionsOf(store)).toEqual(["v2", "v1"]);
        await begin("v1", 4, null);
        expect(await versionsOf(store)).toEqual(["v1", "v2"]);
      }),
    );

    test(
      "texts that are kept are not made again",
      given(async (store) => {
        await store.start(newRun(), { texts: () => "x" });
        const texts = (): Json => {
          throw new Error("made again");
        };
        expect((await store.start(newRun(), { texts })).created).toBe(true);
      }),
    );

    test(
      "versions go with the last run that names them, but for the newest of each graph",
      given(async (store) => {
        const ended = async (version: string, more: Partial<NewRun> = {}): Promise<string> => {
          const lease = await atWork(store, { version, created: Number(version.slice(1)), ...more });
          await store.finish(lease, completed({ at: Number(version.slice(1)) }));
          return lease.runId;
        };
        for (const version of ["v1", "v2", "v2", "v3", "v4"]) await ended(version);
        const other = await ended("v9", { graph: "Other" });
        const open = await atWork(store, { version: "v5", created: 5 });
        await store.start(newRun({ version: "v6", created: 6 }), { texts: () => null });
        expect(await prunedBefore(store, 3)).toBe(3);
        expect(await versionsOf(store)).toEqual(["v6", "v5", "v4", "v3"]);
        expect(await prunedBefore(store, 9)).toBe(2);
        expect(await versionsOf(store)).toEqual(["v6", "v5"]);
        await store.finish(open, completed());
        await store.forget(open.runId);
        expect(await versionsOf(store)).toEqual(["v6"]);
        await store.forget(other);
        expect(await versionsOf(store, "Other")).toEqual(["v9"]);
      }),
    );

    test(
      "whoever names a version that is forgotten at the same moment keeps it",
      given(async (store) => {
        const end = async (version: string): Promise<void> => {
          await store.finish(await atWork(store, { version }, `${version} before`), completed({ at: 1 }));
        };
        for (const version of ["v1", "v2", "v3"]) await end(version);
        await store.start(newRun({ version: "v4" }), { texts: () => null });
        const moved = newRun({ version: "v4" });
        await store.start(moved, { texts: () => null });
        const about = { graph: "Orders", sheet: "orders.csv", contract: 1, texts: "kept", seen: 7 };
        const copy = (await store.copy(moved.runId))!;
        const restored = { ...copy, run: { ...copy.run, runId: "b".repeat(32), version: "v3" } };
        const change = { at: 9, events: [], epoch: 0 };
        await Promise.all([
          prunedBefore(store, 2),
          store.start(newRun({ version: "v1" }), { texts: () => "kept" }),
          store.move(moved.runId, { ...about, version: "v2" }, change),
          store.restore(restored, { ...about, version: "v3" }),
        ]);
        // On a server any of the two comes first.
        for (const version of ["v1", "v2", "v3"])
          expect(["kept", ...(kind === "postgres" ? [`${version} before`] : [])]).toContain(
            (await store.version(version))?.texts,
          );
      }),
    );

    test(
      "a fork has the version of its parent, unless that was forgotten meanwhile",
      given(async (store) => {
        const lease = await atWork(store);
        const parent = { runId: lease.runId, at: "A#1" };
        expect((await store.start(newRun({ parent }))).created).toBe(true);
        await store.finish(lease, completed());
        await store.forget(lease.runId);
        await expect(store.start(newRun({ parent }))).rejects.toMatchObject({ code: "run_not_found" });
      }),
    );

    test(
      "old ended runs are forgotten, and their keys are free",
      given(async (store) => {
        const old = await atWork(store, { key: "k" });
        const [fresh, open] = [await atWork(store), await atWork(store)];
        await store.record(old, { steps: [step(1)], events: [told("a")], token: token() });
        await store.finish(old, completed({ at: 10 }));
        await store.finish(fresh, completed({ at: 20, status: "failed" }));
        const pruning = { endedBefore: 20, statuses: ["completed", "failed"] as const, limit: 500 };
        expect(await store.prune({ ...pruning, dryRun: true })).toBe(1);
        expect(await store.prune({ ...pruning, statuses: ["failed"] })).toBe(0);
        expect([await store.prune(pruning), await store.prune(pruning)]).toEqual([1, 0]);
        for (const left of [store.steps, store.waits, store.events])
          expect(await left(old.runId)).toEqual([]);
        expect((await store.list({})).runs.map(({ runId }) => runId)).toEqual([open.runId, fresh.runId]);
        expect((await store.list({ q: "17" })).runs).toHaveLength(2);
        expect((await store.start(newRun({ key: "k" }))).created).toBe(true);
      }),
    );

    test("a run is taken from one store to another", async () => {
      const [from, to] = [await openAt(await newPlace(kind)), await openAt(await newPlace(kind))];
      const lease = await atWork(from, { key: "k", userId: "ada" });
      await from.record(lease, { steps: [step(1)], events: [told("a"), told("b")], token: token() });
      await from.openWait(lease, wait("Ask"));
      await from.answer(lease.runId, { answers: { Ask: "x" }, by: "ada", at: 4, token: "t", events: [] });
      await from.finish(lease, completed());
      const copy = await from.copy(lease.runId);
      expect(await to.restore(copy!, null)).toBe(true);
      expect(await to.copy(lease.runId)).toEqual(copy);
      expect(await to.restore(copy!, null)).toBe(false);
      const key = { ...copy!, run: { ...copy!.run, runId: "a".repeat(32) } };
      expect(await to.restore(key, null)).toBe(false);
      const running = await atWork(from);
      await to.restore((await from.copy(running.runId))!, null);
      expect(await to.run(running.runId)).toMatchObject({ status: "queued", owner: null });
      expect(await from.copy("0".repeat(32))).toBeNull();
      const named = async (after: number): Promise<readonly (readonly [number, string])[]> =>
        (await from.named(["running", "completed"], { after, limit: 1 })).map(({ n, runId }) => [n, runId]);
      expect([await named(0), await named(1), await named(2)]).toEqual([
        [[1, lease.runId]],
        [[2, running.runId]],
        [],
      ]);
      expect(await from.named(["failed"], { after: 0, limit: 5 })).toEqual([]);
      await Promise.all([from.close(), to.close()]);
    });
  });
});
