import { expect, test } from "vitest";
import { ToldEvents } from "../../runtime/durable/legs/told-events.js";
import type { Json, RunEvent } from "../../runtime/graph/contract/contract.js";

type VisitEvent = Exclude<RunEvent, { readonly type: "run_end" }>;

const AT = { runId: "run", branch: [], step: 1 };
const start = (node: string, visit = 1): VisitEvent => ({ type: "node_start", node, visit, ...AT });
const end = (node: string, outcome: "success" | "waiting" = "success"): VisitEvent => ({
  ...{ type: "node_end", node, visit: 1, ...AT },
  ...{ outcome, attempts: 1, ms: 0, error: null },
});
const retry = (node: string, attempt: number): VisitEvent => ({
  ...{ type: "node_retry", node, visit: 1, attempt, runId: "run", branch: [] },
  ...{ error: "no", delayMs: 1 },
});

/** What is new, for whoever listens, and what is kept of it. */
function toldAfter(
  earlier: readonly (VisitEvent | { readonly type: string })[],
  events: readonly VisitEvent[],
) {
  const told = new ToldEvents(earlier as unknown as readonly Json[]);
  const heard = events.filter((event) => told.take(event));
  return { heard, kept: told.flush().map(({ event }) => event) };
}

test("a replay in the same order tells only what follows", () => {
  const earlier = [start("A"), end("A"), start("B")];
  expect(toldAfter([{ type: "run_start" }, ...earlier], [...earlier, end("B")]).heard).toEqual([end("B")]);
});

test("branches that are replayed in another order tell nothing twice", () => {
  const earlier = [start("A"), start("B"), end("B"), end("A"), start("Meet")];
  const again = [start("A"), end("A"), start("B"), end("B"), start("Meet"), start("Meet", 2)];
  expect(toldAfter(earlier, again).heard).toEqual([start("Meet", 2)]);
});

test("an end with the answer is told beside the end that only fell asleep", () => {
  const earlier = [start("Ask"), end("Ask", "waiting"), { type: "run_wait" }, { type: "run_answer" }];
  expect(toldAfter(earlier, [start("Ask"), end("Ask"), start("B")]).heard).toEqual([end("Ask"), start("B")]);
  expect(toldAfter(earlier, [start("Ask"), end("Ask", "waiting")]).heard).toEqual([]);
});

test("what was told once is told again when it happens once more", () => {
  const earlier = [start("A"), retry("A", 1)];
  const events = [start("A"), retry("A", 1), retry("A", 2), retry("A", 1)];
  expect(toldAfter(earlier, events).heard).toEqual([retry("A", 2), retry("A", 1)]);
});

test("events of a sub-graph are told in each leg, and never kept", () => {
  const inside: VisitEvent = { ...start("Call/Ask"), parent: "Call" };
  const earlier = [start("Call"), end("Call")];
  const { heard, kept } = toldAfter(earlier, [start("Call"), inside, end("Call"), start("B")]);
  expect(heard).toEqual([inside, start("B")]);
  expect(kept).toEqual([{ type: "node_start", node: "B", visit: 1, branch: [], step: 1 }]);
});
