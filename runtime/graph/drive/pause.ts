import type { Json, StateData, StopView } from "../contract/contract.js";
import type { PreparedNode } from "../link/table.js";
import { put } from "../values/state.js";
import { dataOf } from "../values/values.js";
import { branchOf } from "./run.js";
import { extraOf, type Visit } from "./visit.js";

/** True when a debugger must release the visit before its agent is called. */
export const isPaused = ({ line, extra }: Visit): boolean =>
  line.run.options.pause !== undefined && extra?.isReleased !== true;

/** Holds a visit until the debugger releases it. Later attempts, and the call after an answer, are not held again. */
export async function pause(visit: Visit): Promise<void> {
  const { line, node, visit: number, notes } = visit;
  const { run } = line;
  extraOf(visit).isReleased = true;
  await run.options.pause?.({
    graph: run.table.definition,
    node,
    name: node,
    visit: number,
    step: notes?.step ?? run.steps,
    branch: branchOf(line),
    look: () => look(visit),
    set: (field, value) => put(line, field, dataOf(value) as Json),
  });
}

function look(visit: Visit): StopView {
  const { line, prepared } = visit;
  const state: { [field: string]: Json } = {};
  // `for in` also finds fields that a large state inherits from the split.
  for (const field in line.state) {
    const value = line.state[field];
    if (value !== undefined) state[field] = value;
  }
  // The reader before the type checks, so that a value of a wrong type is shown, too.
  const reader = line.run.table.definition.nodes[prepared.name]?.inputs as PreparedNode["inputs"];
  const inputs = reader(line.state as StateData, visit);
  return { inputs, prompt: prepared.prompt?.(inputs, line.state as StateData) ?? null, state };
}
