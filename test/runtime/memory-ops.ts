import {
  type Journal,
  type KeptStep,
  type NewStep,
  openJournal,
} from "../../runtime/durable/legs/journal.js";
import type { Json, Ops, WaitEnd } from "../../runtime/graph/contract/contract.js";

/** What a durable engine keeps of one run, through JSON as a store would. */
export interface Kept {
  readonly steps: NewStep[];
  readonly ends: Map<string, WaitEnd>;
  /** Open waits: the node by the id of the wait. */
  readonly open: Map<string, { readonly node: string; readonly until: number | null }>;
}

export const nothingKept = (): Kept => ({ steps: [], ends: new Map(), open: new Map() });

export interface LegOptions {
  /** Called before each record. What it throws ends the leg, as the death of a worker would. */
  readonly before?: (step: NewStep) => void | Promise<void>;
  readonly now?: () => number;
}

/** One leg of a run: a journal over what is kept. */
export function openLeg(kept: Kept, { before, now = Date.now }: LegOptions = {}): Journal {
  let isDead = false;
  return openJournal({
    steps: JSON.parse(JSON.stringify(kept.steps)) as readonly KeptStep[],
    ends: new Map(kept.ends),
    now,
    record: async (steps) => {
      if (isDead) throw new Error("KILLED");
      try {
        await before?.(steps.at(-1)!);
      } catch (thrown) {
        isDead = true;
        throw thrown;
      }
      if (isDead) throw new Error("KILLED");
      kept.steps.push(...(JSON.parse(JSON.stringify(steps)) as readonly NewStep[]));
    },
    openWait: async (id, { waiting, timeoutMs }) => {
      if (isDead) throw new Error("KILLED");
      const ended = kept.ends.get(id);
      if (ended !== undefined) return ended;
      const opened = kept.open.get(id) ?? {
        node: waiting.node,
        until: timeoutMs === null ? null : now() + timeoutMs,
      };
      kept.open.set(id, opened);
      if (opened.until === null || now() < opened.until) return { kind: "open", until: opened.until };
      return end(kept, id, { kind: "over" });
    },
  });
}

function end(kept: Kept, id: string, ending: WaitEnd): WaitEnd {
  kept.open.delete(id);
  kept.ends.set(id, ending);
  return ending;
}

/** Answers every open wait of the nodes that are named. */
export function answer(kept: Kept, answers: { readonly [node: string]: Json }): void {
  for (const [id, { node }] of [...kept.open]) {
    const given = answers[node];
    if (given !== undefined) end(kept, id, { kind: "answer", answer: given });
  }
}

/** The recorded calls, without the visits that are only shown. */
export const recordedIds = ({ steps }: Kept): readonly string[] =>
  steps.flatMap(({ id, pure }) => (pure ? [] : [id]));

/** An engine that keeps calls in a map and has no waits: the least that `ops` must do. */
export function mapOps(kept: Map<string, Json>): Ops {
  return {
    step: async (id, work) => {
      const done = kept.get(id) ?? (JSON.parse(JSON.stringify(await work())) as Json);
      kept.set(id, done);
      return done;
    },
    wait: () => Promise.reject(new Error("nobody waits")),
    sleep: async () => {},
    known: (id) => kept.get(id),
    told: () => {},
  };
}
