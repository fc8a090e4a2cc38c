import type { RunEvent, StateData } from "../../runtime/graph/contract/contract.js";
import type { RunFailure, WorkflowResult } from "../../runtime/runs/result.js";

/** What a run, or a part of one, begins with. */
export interface Beginning {
  readonly runId: string;
  readonly graph: string;
  readonly state: StateData;
  readonly path: readonly string[];
  readonly steps: number;
}

/** What is known of a run from outside while it goes on. */
export interface Account {
  /** Takes an event of a traced run. */
  readonly take: (event: RunEvent) => void;
  /** The node that is being visited; null when there are several, or none. */
  readonly current: () => string | null;
  /** The run as if it had ended here. */
  readonly end: (status: "failed" | "cancelled", why: Omit<RunFailure, "graph">) => WorkflowResult;
}

/** Keeps account of a run, for the case that its driver cannot be asked. */
export function createAccount({ runId, graph, ...begun }: Beginning): Account {
  const state: { [field: string]: StateData[string] } = { ...begun.state };
  const path = [...begun.path];
  let { steps } = begun;
  const open = new Set<string>();
  const began = performance.now();
  return {
    take: (event) => {
      if (event.type === "node_start") {
        // A visit that goes on after its wait has its number already.
        if (event.step > steps) path.push(event.node);
        steps = Math.max(steps, event.step);
        open.add(event.node);
      } else if (event.type === "node_end") {
        open.delete(event.node);
        Object.assign(state, event.writes);
      }
    },
    current: () => (open.size === 1 ? ([...open][0] ?? null) : null),
    end: (status, { code, message, ...place }) => ({
      runId,
      graph,
      status,
      success: false,
      state,
      path,
      steps,
      durationMs: performance.now() - began,
      error: { code, message, graph, ...place },
      waiting: [],
    }),
  };
}
