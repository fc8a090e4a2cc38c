import { open } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../runtime/durable/postgres/store.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { openAt } from "../durable/open-at.js";
import { newPlace } from "../durable/places.js";
import { atWork, completed, newRun, step, token, told, wait } from "../durable/store/stores.js";
import { HAS_POSTGRES } from "./asked.js";
import { query, startServer } from "./server.js";

const pruning = { endedBefore: 1_000, statuses: ["completed"], limit: 10_000 } as const;

/** Two workers on one store. */
async function two(): Promise<readonly [DurableStore, DurableStore]> {
  const place = await newPlace("postgres");
  const one = await openAt(place);
  const other = await openAt(place);
  onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => {}));
  return [one, other];
}

describe.skipIf(!HAS_POSTGRES)("runs in PostgreSQL", () => {
  test("are forgotten once, by several at a time, with all that belongs to them", async () => {
    const [one, other] = await two();
    for (let i = 0; i < 250; i++) {
      const lease = await atWork(one);
      await one.record(lease, { steps: [step(1)], events: [told("a")], token: token() });
      await one.finish(lease, completed());
    }
    const kept = await atWork(one);
    const pruned = await Promise.all([one.prune(pruning), other.prune(pruning)]);
    expect(pruned[0] + pruned[1]).toBe(250);
    expect((await one.list({})).runs.map(({ runId }) => runId)).toEqual([kept.runId]);
    expect(await one.prune(pruning)).toBe(0);
  });

  test("are copied as they were at one moment, while they are at work", async () => {
    const [one, other] = await two();
    const lease = await atWork(one);
    const write = async (): Promise<void> => {
      for (let seq = 1; seq <= 40; seq++)
        await one.record(lease, { steps: [step(seq)], events: [told("a")], token: token() });
    };
    let isDone = false;
    const written = write().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const copy = await other.copy(lease.runId);
      expect(copy?.events).toHaveLength(copy?.steps.length ?? -1);
    }
    await written;
  });

  test("that are damaged are told of, and whole ones are not", async () => {
    const server = await startServer();
    onTestFinished(() => server.remove());
    const store = await openPostgresStore(server.url);
    for (let i = 0; i < 20; i++) await store.start(newRun({ given: { text: "x".repeat(2_000) } }));
    const lease = await atWork(store);
    await store.openWait(lease, wait("Ask"));
    await store.check();
    const [row] = await query(server.url, "SELECT pg_relation_filepath('flowsheet.run_values') AS path");
    await store.close();
    await server.stop();
    const file = await open(join(server.folder, "data", String(row?.["path"])), "r+");
    // The beginning of its first page.
    await file.write(Buffer.alloc(64, 0xff), 0, 64, 0);
    await file.close();
    await server.start();
    const again = await openPostgresStore(server.url);
    onTestFinished(() => again.close());
    await expect(again.check()).rejects.toMatchObject({ code: "store_damaged" });
    // So much is not read at once.
    await again.check(1_000);
  });

  test("cannot be written where nothing may be: a probe says so", async () => {
    const server = await startServer();
    onTestFinished(() => server.remove());
    const store = await openPostgresStore(server.url);
    onTestFinished(() => store.close());
    await store.probe();
    await query(server.url, "ALTER SYSTEM SET default_transaction_read_only = on");
    await query(server.url, "SELECT pg_reload_conf()");
    await expect
      .poll(
        () =>
          store.probe().then(
            () => "",
            (error: { readonly code: string }) => error.code,
          ),
        { timeout: 60_000 },
      )
      .toBe("store_unwritable");
  });
});
