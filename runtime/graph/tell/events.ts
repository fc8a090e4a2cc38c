import type { NodeEnd, StateData } from "../contract/contract.js";
import { branchOf, tell } from "../drive/run.js";
import type { Notes, Visit } from "../drive/visit.js";
import { SPLIT } from "../link/routing.js";
import { redactData } from "./redact.js";

interface VisitFacts {
  readonly runId: string;
  readonly node: string;
  readonly visit: number;
  readonly branch: readonly number[];
}

function factsOf({ runId, line, node, visit }: Visit): VisitFacts {
  return { runId, node, visit, branch: branchOf(line) };
}

export function tellStart(visit: Visit, { step }: Notes): void {
  tell(visit.line.run, { type: "node_start", ...factsOf(visit), step });
}

export function tellRetry(visit: Visit, error: string, delayMs: number): void {
  tell(visit.line.run, { type: "node_retry", ...factsOf(visit), attempt: visit.attempt, error, delayMs });
}

/** Emits the end of a visit with its target; null when the line does not continue. */
export function tellEnd(visit: Visit, outcome: NodeEnd["outcome"], target: number | null): void {
  if (visit.notes === null) return;
  const { step, began, error, writes } = visit.notes;
  const usage = visit.extra?.usage ?? null;
  const spent = usage === null ? {} : { usage };
  const end = { step, outcome, attempts: visit.attempt, ms: performance.now() - began, error, ...spent };
  const traced = writes === null ? {} : { ...trace(visit, writes), ...nextOf(visit, target) };
  tell(visit.line.run, { type: "node_end", ...factsOf(visit), ...end, ...traced });
}

function nextOf(
  {
    line: {
      run: { table },
    },
  }: Visit,
  target: number | null,
): Pick<NodeEnd, "next"> {
  if (target === null) return {};
  const targets = target <= SPLIT ? table.splits[SPLIT - target]!.targets : [target];
  return { next: targets.map((one) => table.nodes[one]?.name ?? null) };
}

function trace(
  { prompt, inputs, line }: Visit,
  writes: StateData,
): Pick<NodeEnd, "inputs" | "prompt" | "writes"> {
  const { redact } = line.run.options;
  if (redact === undefined) return { inputs, prompt: prompt ?? null, writes };
  const safe = (value: unknown): unknown => redactData(value, redact);
  return {
    inputs: safe(inputs),
    prompt: prompt === undefined ? null : redact(prompt),
    writes: safe(writes) as StateData,
  };
}
