import type { Json, StateData, StopView } from "../contract/contract.js";
import { branchOf } from "../drive/run.js";
import type { PreparedNode } from "../drive/table.js";
import { extraOf, type Visit } from "../drive/visit.js";
import { put } from "../values/state.js";
import { dataOf } from "../values/values.js";

/** Whether a debugger has to let the visit go before its agent is called. */
export const isPaused = ({ region, extra }: Visit): boolean =>
  region.run.options.pause !== undefined && extra?.isReleased !== true;

/** Holds a visit until the debugger lets it go; its attempts and what follows an answer are not held again. */
export async function pause(visit: Visit): Promise<void> {
  const { region, node, visit: number, notes } = visit;
  const { run } = region;
  extraOf(visit).isReleased = true;
  await run.options.pause?.({
    graph: run.table.definition,
    node,
    name: node,
    visit: number,
    step: notes?.step ?? run.steps,
    branch: branchOf(region),
    look: () => look(visit),
    set: (field, value) => put(region, field, dataOf(value) as Json),
  });
}

function look({ region, prepared }: Visit): StopView {
  const state: { [field: string]: Json } = {};
  // Also what a branch of a large graph only shows through.
  for (const field in region.state) {
    const value = region.state[field];
    if (value !== undefined) state[field] = value;
  }
  // As the node takes them: one that does not fit its type is shown all the same.
  const reader = region.run.table.definition.nodes[prepared.name]?.inputs as PreparedNode["inputs"];
  const inputs = reader(region.state as StateData);
  return { inputs, prompt: prepared.prompt?.(inputs, region.state as StateData) ?? null, state };
}
