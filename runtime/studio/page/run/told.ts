import type { StreamedEvent } from "../connection/event-stream.js";
import type { Question, Run, Step } from "./run-state.js";

/** The run as it is after an event of its stream. */
export function withEvent(run: Run, { type, data }: StreamedEvent): Run {
  const id = data["run_id"];
  const known = typeof id === "string" ? { ...run, id } : run;
  if (type === "node_start" || type === "node_end") return withStep(known, data as unknown as ToldStep);
  return type === "run_end" ? withEnd(known, data["result"] as EndedRun) : known;
}

export const keyOf = ({ node, visit, branch }: Pick<ToldStep, "node" | "visit" | "branch">): string =>
  `${node} ${visit} ${branch.join(".")}`;

function withStep(run: Run, told: ToldStep): Run {
  const { node, visit, at_ms, ms = null, outcome = null, error = null } = told;
  const key = keyOf(told);
  const known = run.steps.find((step) => step.key === key);
  // A stream that is joined later tells again what is known already.
  const isOld =
    known !== undefined && outcome === null && known.outcome !== null && known.atMs >= (at_ms ?? 0);
  if (isOld) return run;
  const step: Step = {
    ...{ key, node, visit, ms, outcome, answered: known?.answered ?? null },
    attempts: told.attempts ?? known?.attempts ?? 1,
    inputs: told.inputs ?? known?.inputs,
    prompt: told.prompt ?? known?.prompt,
    writes: told.writes ?? known?.writes,
    atMs: outcome === null ? (at_ms ?? 0) : (known?.atMs ?? at_ms ?? 0),
    error: typeof error === "string" || error === null ? error : error.message,
  };
  const steps =
    known === undefined ? [...run.steps, step] : run.steps.map((one) => (one === known ? step : one));
  return { ...run, steps };
}

function withEnd(run: Run, { status, waiting, error, duration_ms: durationMs }: EndedRun): Run {
  const errors = error === null ? [] : [error.message];
  return { ...run, status, errors, durationMs, questions: status === "suspended" ? waiting : [] };
}

interface ToldStep {
  readonly node: string;
  readonly visit: number;
  readonly branch: readonly number[];
  readonly at_ms?: number;
  readonly ms?: number;
  readonly outcome?: string | null;
  readonly attempts?: number;
  readonly error?: string | { readonly message: string } | null;
  readonly inputs?: unknown;
  readonly prompt?: unknown;
  readonly writes?: unknown;
}

interface EndedRun {
  readonly status: "completed" | "failed" | "suspended" | "cancelled";
  readonly duration_ms: number;
  readonly error: { readonly message: string } | null;
  readonly waiting: readonly Question[];
}
