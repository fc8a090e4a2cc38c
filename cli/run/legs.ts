import type { AnyGraph, Result, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import type { Context } from "../process/context.js";
import { type Asker, canAsk, createAsker } from "./ask.js";
import type { Leash } from "./leash.js";

/** Somebody to ask while a run goes on; null where there is nobody. */
export const askerFor = (context: Context): Asker | null => (canAsk(context) ? createAsker(context) : null);

/** Runs a graph; where a person is there to ask, what it waits for is asked at once. */
export async function runWithAnswers(
  graph: AnyGraph,
  state: StateData,
  {
    options,
    asker,
    leash,
  }: { readonly options: RunOptions; readonly asker: Asker | null; readonly leash: Leash },
): Promise<Result<StateData>> {
  let result = await graph.run(state, options);
  while (result.status === "suspended" && asker !== null) {
    const answers = await asker.ask(result.checkpoint, {}, leash.signal);
    if (answers === null) break;
    result = await graph.resume(result.checkpoint, answers, options);
  }
  return stopped(result, leash);
}

/** A run that was stopped from outside, in the words that are true of it. */
export function stopped(result: Result<StateData>, leash: Leash): Result<StateData> {
  const { status, graph } = result;
  const node = result.error?.node ?? null;
  if (leash.isStuck() && status === "cancelled") {
    const message = "an agent never finished, and nothing is left that it could wait for";
    return { ...result, status: "failed", error: { code: "agent_failed", message, graph, node } };
  }
  if (!leash.isInterrupted() || status !== "suspended") return result;
  const { checkpoint: _, ...rest } = result;
  const error = { code: "cancelled", message: "the run was cancelled", graph, node } as const;
  return { ...rest, status: "cancelled", error, waiting: [] };
}
