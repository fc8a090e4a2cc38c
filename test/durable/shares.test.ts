import { expect } from "vitest";
import type { AnyGraph } from "../../runtime/graph/contract/contract.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { none, onEachStore, open, placeOf, request, until } from "./executors.js";

const SLOTS = 4;

onEachStore(
  "three workers with equal slots have equal shares, and none takes more than it has room for",
  async () => {
    const place = await placeOf();
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const slow = defineGraph()({
      name: "Slow",
      entry: "Work",
      nodes: { Work: { agent: () => gate.then(() => "done"), inputs: none, writes: "done" } },
      routes: { Work: {} },
      fingerprint: "slow",
    }) as unknown as AnyGraph;
    const executors = await Promise.all([1, 2, 3].map(() => open([slow], { place })));
    const [one] = executors;
    const total = SLOTS * executors.length;
    for (let i = 0; i < 2 * total; i++) await one!.start(request(slow));
    for (const executor of executors) executor.work({ concurrency: SLOTS });
    const counts = () => one!.store.counts({});
    await until(async () => (await counts()).running === total);
    const { runs } = await one!.list({ status: ["running"], limit: 200 });
    const shares = new Map<string, number>();
    for (const { owner } of runs) shares.set(owner ?? "", (shares.get(owner ?? "") ?? 0) + 1);
    expect([...shares.values()]).toEqual([SLOTS, SLOTS, SLOTS]);
    expect(await counts()).toEqual({ running: total, queued: total });
    letGo();
    await until(async () => (await counts()).completed === 2 * total);
  },
);
