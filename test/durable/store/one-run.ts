import type { NewRun, StepRow } from "../../../runtime/durable/rows.js";

const NOTHING = { key: null, userId: null, startedBy: null, parent: null, deadline: null, options: null };

/** A run as a program of these tests starts it. */
export const oneRun = (runId: string): NewRun => ({
  ...NOTHING,
  ...{ runId, graph: "Orders", sheet: null, version: "v1", contract: 1, given: {}, words: "" },
  ...{ created: 1, due: 0 },
});

/** The step of a visit of its only node. */
export const oneStep = (seq: number, result: string | number): StepRow => ({
  ...{ id: `Node|${seq}`, seq, pure: false, node: "Node", visit: seq, attempt: 1, branch: [] },
  ...{ began: 1, ended: 2, outcome: "success", result, seen: null, writes: null, error: null, worked: 1 },
});

/** The owner that the programs claim for. */
export const CLAIM = { claim: { owner: "0123456789abcdef-1-1" } };
