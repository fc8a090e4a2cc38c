import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import type { Lease } from "../../runtime/durable/rows.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { claiming, completed, legEnd, newRun, OWNER, step, told, wait } from "../durable/store/stores.js";
import { HAS_POSTGRES, newDatabase } from "./asked.js";
import { type LosingProxy, losingProxy } from "./losing-proxy.js";

const TEXTS = { texts: () => ({ "orders.csv": "x" }) };
const CHANGE = { at: 9, events: [told("changed")] };
/** More than one of these calls gets. */
const MOST = 20;

/** What is made before, and the call whose answers are lost. */
interface Case {
  readonly before?: (store: DurableStore, lease: Lease) => Promise<unknown>;
  readonly call: (store: DurableStore, lease: Lease) => Promise<unknown>;
}

const asleep = { ...legEnd({ steps: [step(5)], events: [told("asleep")] }), seen: new Set<string>() };
const ended = completed({ steps: [step(5)], events: [told("run_end")] });
const openAsk = (store: DurableStore, lease: Lease) => store.openWait(lease, wait("Ask"));
const cancelled = (store: DurableStore, { runId }: Lease) => store.cancel(runId, CHANGE);

const CASES: { readonly [name: string]: Case } = {
  record: {
    call: (store, lease) =>
      store.record(lease, { steps: [step(1), step(2)], events: [told("a"), told("b")], token: "r1" }),
  },
  "record of events alone": {
    call: (store, lease) => store.record(lease, { steps: [], events: [told("a")], token: "r2" }),
  },
  "records together": {
    call: (store, lease) =>
      Promise.all(
        [1, 2, 3, 4].map((n) =>
          store.record(lease, {
            steps: n === 3 ? [] : [step(n)],
            events: [told(`a${n}`), told(`b${n}`)],
            token: `r${n}`,
          }),
        ),
      ),
  },
  openWait: { call: openAsk },
  endWait: {
    before: openAsk,
    call: (store, lease) => store.endWait(lease, "Ask|1", { kind: "over", at: 3 }),
  },
  suspend: { before: openAsk, call: (store, lease) => store.suspend(lease, asleep) },
  finish: { call: (store, lease) => store.finish(lease, ended) },
  "finish with erasing": {
    before: openAsk,
    call: (store, lease) => store.finish(lease, { ...ended, erase: true }),
  },
  "finish of a cancelled run": {
    before: cancelled,
    call: (store, lease) => store.finish(lease, { ...ended, status: "cancelled" }),
  },
  giveBack: { call: (store, lease) => store.giveBack(lease, { due: 7, held: "held", worked: 3 }) },
  answer: {
    before: async (store, lease) => {
      await openAsk(store, lease);
      await store.suspend(lease, asleep);
    },
    call: (store, { runId }) =>
      store.answer(runId, { answers: { Ask: 1 }, by: "ada", token: "answer", ...CHANGE }),
  },
  cancel: { call: cancelled },
  retry: {
    before: cancelled,
    call: (store, { runId }) => store.retry(runId, { ...CHANGE, forget: [], after: null }),
  },
  move: {
    before: (store, lease) => store.giveBack(lease, { due: 7, held: null, worked: 3 }),
    call: (store, { runId }) => {
      const version = { version: "v2", graph: "Orders", sheet: null, contract: 1, texts: "x", seen: 5 };
      return store.move(runId, version, { ...CHANGE, epoch: 1 });
    },
  },
  sweep: {
    call: async (store, { runId }) => {
      await store.sweep({ isGone: () => true, now: 5, recoveries: 1 });
      return (await store.run(runId))?.recoveries;
    },
  },
};

describe.skipIf(!HAS_POSTGRES)("an answer of the server that is lost", () => {
  let proxy: LosingProxy;
  let store: DurableStore;
  beforeAll(async () => {
    proxy = await losingProxy(await newDatabase());
    store = await openPostgresStore(proxy.url, { connections: 1 });
  });
  afterAll(async () => {
    await store.close();
    await proxy.close();
  });

  /** What the call gives, and what is kept then. Whether the answer of this number was lost. */
  async function done({ before, call }: Case, lost: number): Promise<readonly [unknown, boolean]> {
    const run = newRun({ runId: "f".repeat(32), created: 1 });
    const { lease } = await store.start(run, { ...TEXTS, claim: { owner: OWNER } });
    if (lease === null) throw new Error("the run was not claimed");
    await before?.(store, lease);
    proxy.lose(lost);
    const given = await call(store, lease);
    const hasLost = proxy.hasLost();
    const { runId } = run;
    const kept = [await store.run(runId), await store.steps(runId), await store.waits(runId)];
    const all = [given, ...kept, await store.events(runId)];
    await forget(runId);
    return [all, hasLost];
  }

  async function forget(runId: string): Promise<void> {
    const status = (await store.run(runId))?.status ?? "";
    if (!["completed", "failed", "cancelled"].includes(status))
      await store.cancel(runId, { at: 1, events: [] });
    await store.forget(runId);
  }

  test.each(Object.keys(CASES))("makes no difference: %s", async (name) => {
    const one = CASES[name] as Case;
    const [expected] = await done(one, MOST + 1);
    for (let lost = 1; lost <= MOST; lost++) {
      const [found, hasLost] = await done(one, lost);
      expect(found).toEqual(expected);
      if (!hasLost) return;
    }
    throw new Error("the call has more answers than are tried");
  });

  test("makes no difference: start", async () => {
    for (let lost = 1; lost <= MOST; lost++) {
      const run = newRun({ key: `key ${lost}` });
      proxy.lose(lost);
      const started = await store.start(run, { ...TEXTS, claim: { owner: OWNER }, events: [told("a")] });
      const hasLost = proxy.hasLost();
      expect(started).toMatchObject({ created: true, lease: { runId: run.runId, owner: OWNER, epoch: 1 } });
      expect(await store.events(run.runId)).toHaveLength(1);
      await forget(run.runId);
      if (!hasLost) return;
    }
  });

  test("of a claim leaves the run to its owner, who is told of it", async () => {
    const run = newRun();
    await store.start(run, TEXTS);
    proxy.lose(1);
    const claimed = await store.claim(claiming);
    expect(proxy.hasLost()).toBe(true);
    expect(claimed).toEqual([]);
    expect(await store.leasesOf(OWNER)).toEqual([{ runId: run.runId, owner: OWNER, epoch: 1 }]);
    await forget(run.runId);
  });
});
