import type { Finish, LegEnd } from "../../../runtime/durable/legs/leg-store.js";
import type { Lease, NewRun, NewWait, StepRow } from "../../../runtime/durable/rows.js";
import type { DurableStore } from "../../../runtime/durable/store.js";
import type { Json } from "../../../runtime/graph/contract/contract.js";

let runs = 0;

export function newRun(more: Partial<NewRun> = {}): NewRun {
  runs += 1;
  const runId = runs.toString(16).padStart(32, "0");
  return {
    runId,
    graph: "Orders",
    sheet: "orders.csv",
    version: "v1",
    contract: 1,
    given: { id: 17 },
    options: null,
    key: null,
    userId: null,
    startedBy: null,
    parent: null,
    words: "Orders 17",
    created: 1_000 + runs,
    due: 0,
    deadline: null,
    ...more,
  };
}

export const step = (seq: number, more: Partial<StepRow> = {}): StepRow => ({
  id: `Node${seq}|1`,
  seq,
  pure: false,
  node: `Node${seq}`,
  visit: 1,
  attempt: 1,
  branch: [],
  began: 10,
  ended: 20,
  outcome: "success",
  result: { value: seq },
  seen: { inputs: { a: 1 } },
  writes: { b: 2 },
  error: null,
  worked: 10 * seq,
  ...more,
});

export const wait = (node: string, more: Partial<NewWait> = {}): NewWait => ({
  id: `${node}|1`,
  seq: 0,
  waiting: { node, field: "verdict", prompt: "Well?", options: null, type: null },
  spec: { prompt: "Well?" },
  about: null,
  opened: 100,
  until: null,
  remindAt: null,
  escalateAt: null,
  ...more,
});

export const legEnd = (more: Partial<LegEnd> = {}): LegEnd => ({
  at: 500,
  result: null,
  steps: [],
  events: [],
  worked: 5,
  ...more,
});

export const completed = (more: Partial<LegEnd & Finish> = {}): LegEnd & Finish => ({
  ...legEnd(),
  status: "completed",
  errorCode: null,
  result: { done: true },
  ...more,
});

export const OWNER = "0123456789abcdef-1-1";

/** Starts a run and claims it. */
export async function atWork(
  store: DurableStore,
  more: Partial<NewRun> = {},
  texts: Json = null,
): Promise<Lease> {
  const { lease } = await store.start(newRun(more), { texts: () => texts, claim: { owner: OWNER } });
  if (lease === null) throw new Error("the run was not claimed");
  return lease;
}

export const claiming = { owner: OWNER, now: 1_000_000, limit: 10, contract: 1 };

let tokens = 0;
export const token = (): string => `token-${++tokens}`;

export const told = (type: string, at = 1): { at: number; type: string; event: { type: string } } => ({
  at,
  type,
  event: { type },
});
