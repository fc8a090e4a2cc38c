// One of several processes that all do the same to one store: node race.mjs <place> <what> <name> <at>
import { setTimeout as pause } from "node:timers/promises";
import type { DurableStore } from "../../../runtime/durable/store.js";
import { openAt } from "../open-at.js";
import { oneRun } from "./one-run.js";

const [place = "", what = "", name = "", at = "0"] = process.argv.slice(2);

const start = (store: DurableStore, i: number) =>
  store.start({ ...oneRun(`${name}${String(i).padStart(2, "0")}`.padEnd(32, "0")), key: "one" });

/** Claims until nothing is left, a few at a time; records a step of each run and ends it. */
async function work(store: DurableStore): Promise<readonly string[]> {
  const taken: string[] = [];
  for (;;) {
    const limits = { Limited: 1 };
    const claimed = await store.claim({ owner: name, now: 10, limit: 3, contract: 1, limits });
    if (claimed.length === 0 && (await store.stats(10)).counts.queued === undefined) return taken;
    for (const { lease } of claimed) {
      taken.push(lease.runId);
      const kept = await store.record(lease, {
        steps: [],
        events: [{ at: 1, type: name, event: {} }],
        token: name,
      });
      const end = { at: 20, result: name, steps: [], events: [], worked: 1, errorCode: null };
      const ended = await store.finish(lease, { ...end, status: "completed" });
      if (kept !== "kept" || ended !== "kept") throw new Error(`${lease.runId} was lost`);
    }
  }
}

const races: { readonly [what: string]: (store: DurableStore) => Promise<unknown> } = {
  open: async (store) => (await store.stats(0)).due,
  work,
  start: async (store) => {
    const all = await Promise.all(Array.from({ length: 25 }, (_, i) => start(store, i)));
    return all.map(({ created, run }) => [created, run.runId]);
  },
  answer: async (store) => {
    const answer = { answers: { Ask: name }, by: name, at: 5, token: name, events: [] };
    return (await store.answer("f".repeat(32), answer)).kind;
  },
};

// All begin at one moment, the opening of the file included where that is the race.
const opened = what === "open" ? null : await openAt(place);
await pause(Math.max(0, Number(at) - Date.now()));
const store = opened ?? (await openAt(place));
console.log(JSON.stringify(await races[what]!(store)));
await store.close();
