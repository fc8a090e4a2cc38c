import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import type { Lease } from "../../runtime/durable/rows.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { StoreError } from "../../runtime/durable/store-error.js";
import { StoreTrouble } from "../../runtime/durable/trouble.js";
import { atWork, step, token, told } from "../durable/store/stores.js";
import { HAS_POSTGRES } from "./asked.js";
import { type PostgresServer, query, startServer } from "./server.js";

describe.skipIf(!HAS_POSTGRES)("a server that goes away under runs at work", () => {
  let server: PostgresServer;
  let store: DurableStore;
  const warned: string[] = [];
  beforeAll(async () => {
    server = await startServer();
    const trouble = new StoreTrouble({ warn: (text) => void warned.push(text) });
    store = await openPostgresStore(server.url, { trouble });
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });

  /** Records until it is told to stop, as a leg does; notes the numbers of those that were kept. */
  async function records(lease: Lease, kept: number[], isOver: () => boolean): Promise<void> {
    for (let seq = 1; !isOver(); seq++) {
      const record = { steps: [step(seq)], events: [told("a"), told("b")], token: token() };
      for (let isKept = false; !isKept && !isOver(); ) {
        isKept = await store.record(lease, record).then(
          (is) => is === "kept",
          (error: unknown) => {
            expect(error).toBeInstanceOf(StoreError);
            expect((error as StoreError).code).toBe("store_unwritable");
            return false;
          },
        );
        if (isKept) kept.push(seq);
      }
    }
  }

  test("is told of once, and once when it is back", async () => {
    const lease = await atWork(store);
    warned.length = 0;
    await server.stop();
    const record = { steps: [step(1)], events: [], token: token() };
    const refused = await Promise.allSettled([store.record(lease, record), store.workers(), store.probe()]);
    expect(refused.map((one) => (one.status === "rejected" ? one.reason.code : null))).toEqual([
      ...["store_unwritable", "store_unwritable", "store_unwritable"],
    ]);
    await server.start();
    expect(await store.record(lease, record)).toBe("kept");
    await store.probe();
    const place = `127.0.0.1:${server.port}/postgres`;
    expect(warned).toEqual([
      expect.stringContaining(`the run store ${place} cannot be reached: `),
      "the run store can be written again: runs go on",
    ]);
  });

  test.each([
    ["its connections are ended", 5],
    ["it is stopped in order and comes again", 2],
    ["it crashes and comes again", 2],
  ])("%s: nothing that was kept is lost, and nothing is there twice", async (what, times) => {
    let isOver = false;
    const leases = await Promise.all(Array.from({ length: 8 }, () => atWork(store)));
    const all = leases.map((): number[] => []);
    const working = leases.map((lease, i) => records(lease, all[i] ?? [], () => isOver));
    const goOn = async (): Promise<void> => {
      const before = all.map(({ length }) => length);
      while (all.some(({ length }, i) => length < (before[i] ?? 0) + 2)) await pause(5);
    };
    for (let i = 0; i < times; i++) {
      await goOn();
      if (what.startsWith("its connections")) await endConnections(server);
      else {
        await server.stop(what.includes("crashes") ? "immediate" : "fast");
        await server.start();
      }
    }
    await goOn();
    isOver = true;
    await Promise.all(working);
    for (const [i, kept] of all.entries()) {
      const { runId } = leases[i] as Lease;
      const seqs = (await store.steps(runId)).map(({ seq }) => seq);
      expect(seqs.slice(0, kept.length)).toEqual(kept);
      // The last one may have been kept although nobody waits for it any more.
      expect(seqs.length - kept.length).toBeLessThanOrEqual(1);
      const events = await store.events(runId);
      expect(events.map(({ n }) => n)).toEqual(seqs.flatMap((seq) => [2 * seq - 1, 2 * seq]));
    }
  });
});

const endConnections = ({ url }: PostgresServer) =>
  query(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
  );
