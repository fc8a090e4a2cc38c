import type { Json, StateData, StopView } from "../contract/contract.js";
import type { PreparedNode } from "../link/table.js";
import { put } from "../values/state.js";
import { dataOf } from "../values/values.js";
import { branchOf } from "./run.js";
import { extraOf, type Visit } from "./visit.js";

/** Whether a debugger has to let the visit go before its agent is called. */
export const isPaused = ({ line, extra }: Visit): boolean =>
  line.run.options.pause !== undefined && extra?.isReleased !== true;

/** Holds a visit until the debugger lets it go; its attempts and what follows an answer are not held again. */
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

function look({ line, prepared }: Visit): StopView {
  const state: { [field: string]: Json } = {};
  // Also what a branch of a large graph only shows through.
  for (const field in line.state) {
    const value = line.state[field];
    if (value !== undefined) state[field] = value;
  }
  // As the node takes them: one that does not fit its type is shown all the same.
  const reader = line.run.table.definition.nodes[prepared.name]?.inputs as PreparedNode["inputs"];
  const inputs = reader(line.state as StateData);
  return { inputs, prompt: prepared.prompt?.(inputs, line.state as StateData) ?? null, state };
}
