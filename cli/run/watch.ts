import type { NodeEnd, RunEvent } from "../../runtime/graph/contract/contract.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { createProgress, describeVisit } from "./progress.js";

/** What a command shows and keeps of a run at work. */
export interface Watched {
  readonly json: boolean;
  readonly trace: boolean;
  readonly on: (event: RunEvent) => void;
  /** The visits so far in their order; null unless they are asked for. */
  readonly visits: () => readonly object[] | null;
}

/** Shows progress, and keeps the visits for a trace. `asks`: a person is asked here. */
export function watchRun(context: Context, given: Given, asks: boolean): Watched {
  const json = given.flag("json");
  const trace = given.flag("trace");
  const visits: NodeEnd[] = [];
  const show = context.quiet ? null : createProgress(context, trace && !json);
  const on = (event: RunEvent): void => {
    if (trace && event.type === "node_end") visits.push(event);
    // The question itself says that the run waits.
    if (!(asks && event.type === "node_end" && event.outcome === "waiting")) show?.(event);
  };
  const inOrder = (): readonly object[] => visits.sort((a, b) => a.step - b.step).map(describeVisit);
  return { json, trace, on, visits: () => (trace ? inOrder() : null) };
}
