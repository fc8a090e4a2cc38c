import { human, subgraph } from "flowsheet/agents";
import { afterEach, describe, expect, vi } from "vitest";
import type { DurableExecutor } from "../../runtime/durable/executor.js";
import type { Answered, DurableStore } from "../../runtime/durable/store.js";
import type { AnyGraph, StateData, Suspended } from "../../runtime/graph/contract/contract.js";
import { type Act, type Tiny, tiny } from "../runtime/tiny.js";
import { onEachStore, open, request } from "./executors.js";

const HOUR = 3_600_000;
const approval: Tiny = {
  agent: human as Act,
  settings: { interaction: "approval", default_action: "reject" },
  prompt: () => "Right?",
  writes: ["verdict"],
};
const inside = tiny({ Ask: approval });
/** The wait has a time of its own, has it inside a node, or ends with the time of the node around it. */
const GRAPHS: readonly [string, AnyGraph, string][] = [
  ["a wait", tiny({ Ask: { ...approval, timeoutMs: HOUR } }), "Ask"],
  [
    "a wait inside",
    tiny({
      Call: {
        agent: subgraph(() => tiny({ Ask: { ...approval, timeoutMs: HOUR } })) as unknown as Act,
        writes: ["verdict"],
      },
    }),
    "Call/Ask",
  ],
  [
    "the wait of a node with a time",
    tiny({
      Call: {
        agent: subgraph(() => inside) as unknown as Act,
        writes: ["verdict"],
        timeoutMs: HOUR,
        failure: "Late",
      },
      Late: { agent: () => "reject", writes: ["verdict"] },
    }),
    "Call/Ask",
  ],
];

afterEach(() => {
  vi.useRealTimers();
});

interface Asleep {
  readonly executor: DurableExecutor;
  readonly runId: string;
  /** When its wait is over. */
  readonly until: number;
  /** What the run comes to when a leg drives it. */
  readonly state: () => Promise<StateData>;
}

interface Hooks {
  /** Called when a leg has read the waits. */
  readonly read?: (asleep: Asleep) => Promise<unknown>;
  /** Called when a leg has looked which of them are over. */
  readonly looked?: (asleep: Asleep) => Promise<unknown>;
}

/** A run that was driven in memory, and waits in the store for an hour. */
async function asleep(graph: AnyGraph, hooks: Hooks = {}): Promise<Asleep> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const { checkpoint, waiting } = (await graph.run({})) as Suspended<StateData>;
  const { runId } = checkpoint;
  const hooked = Object.assign(Object.create(graph) as AnyGraph, {
    resume: async (...given: Parameters<AnyGraph["resume"]>) => {
      await hooks.looked?.(one);
      return graph.resume(...given);
    },
  });
  const wrap = (store: DurableStore): DurableStore => ({
    ...store,
    journal: async (...about) => {
      const journal = await store.journal(...about);
      await hooks.read?.(one);
      return journal;
    },
  });
  const executor = await open([hooked], { wrap });
  const state = async (): Promise<StateData> => {
    const followed = await executor.follow(runId, {});
    return followed.kind === "result" ? followed.result.state : {};
  };
  const one = { executor, runId, until: Date.now() + HOUR, state };
  await executor.keepAsleep(request(graph), { checkpoint, waiting, result: {}, worked: 1 });
  return one;
}

/** A leg of another worker, which dies. The run is due again at once, before its time. */
async function otherLeg({ executor: { store }, runId, until }: Asleep, endsWait: boolean): Promise<void> {
  const { contract } = (await store.run(runId))!;
  const [claimed] = await store.claim({ owner: "other", limit: 1, contract, now: until });
  const { lease } = claimed!;
  const [wait] = await store.waits(runId);
  if (endsWait) await store.endWait(lease, wait!.id, { kind: "over", at: until });
  await store.giveBack(lease, { due: Date.now(), held: null, worked: 1 });
}

const answer = ({ executor: { store }, runId }: Asleep, node: string, at: number): Promise<Answered> =>
  store.answer(runId, { answers: { [node]: "approve" }, by: "ada", at, token: "t", events: [] });

describe.each(GRAPHS)("a run that waits without a history: %s", (_, graph, node) => {
  onEachStore(
    "an answer that was taken in time counts, although the leg had read its waits before",
    async () => {
      const taken: Answered[] = [];
      const one = await asleep(graph, {
        read: async (at) => taken.length > 0 || taken.push(await answer(at, node, at.until - 1)),
      });
      vi.setSystemTime(one.until);
      expect(await one.state()).toEqual({ verdict: "approve" });
      expect(taken).toEqual([{ kind: "taken" }]);
    },
  );

  onEachStore("so does one that comes when the leg has looked, while the time runs out", async () => {
    const taken: Answered[] = [];
    const one = await asleep(graph, {
      looked: async (at) => {
        vi.setSystemTime(at.until);
        if (taken.length === 0) taken.push(await answer(at, node, at.until - 1));
      },
    });
    await otherLeg(one, false);
    expect(await one.state()).toEqual({ verdict: "approve" });
    expect(taken).toEqual([{ kind: "taken" }]);
  });

  onEachStore("a time-out that was written counts, also when the clock was set back since then", async () => {
    const one = await asleep(graph);
    await otherLeg(one, true);
    expect(await answer(one, node, Date.now())).toMatchObject({ kind: "already_ended" });
    expect(await one.state()).toMatchObject({ verdict: "reject" });
  });
});
