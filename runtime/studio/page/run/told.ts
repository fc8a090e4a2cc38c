import type { StreamedEvent } from "../connection/event-stream.js";
import { working } from "../counted-time.js";
import type { Run, Step } from "./run-state.js";

/** The run as it is after an event of its stream. */
export function withEvent(run: Run, { type, data }: StreamedEvent): Run {
  if (type !== "node_start" && type !== "node_end") return run;
  const told = data as unknown as ToldStep;
  // A visit that waits ends without an outcome.
  return withStep(run, type === "node_start" ? told : { ...told, outcome: told.outcome ?? "waiting" });
}

export const keyOf = ({ node, visit, branch }: Pick<ToldStep, "node" | "visit" | "branch">): string =>
  `${node} ${visit} ${branch.join(".")}`;

/** Times of events and of records are rounded. */
const ROUNDED_MS = 2;

const isOver = ({ outcome }: Step): boolean => outcome !== null && outcome !== "waiting";

/** A stream that is joined later tells again what the record has told already. */
function withStep(run: Run, told: ToldStep): Run {
  const { node, visit, at_ms, ms = null, outcome = null, error = null } = told;
  const key = keyOf(told);
  const known = run.steps.find((step) => step.key === key);
  if (known !== undefined && isOver(known) && (at_ms ?? 0) <= known.atMs + (known.ms ?? 0) + ROUNDED_MS)
    return run;
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

/** Shorter waits are those of the machine. */
const WORTH_SAYING_MS = 1_000;

/** How long a run took in all, and how much of that it worked: the rest it waited. */
export function timesOf({ durationMs: worked, tookMs: took = null }: Run): string {
  if (worked === null) return took === null ? "" : ` · took ${working(took)}`;
  if (took === null) return ` · worked ${working(worked)}`;
  return took - worked < WORTH_SAYING_MS
    ? ` · took ${working(took)}`
    : ` · took ${working(took)}, worked ${working(worked)}`;
}
