import type { Json, NodeEnd } from "./contract.js";
import { branchOf, tell } from "./run.js";
import type { Visit } from "./visit.js";

interface VisitFacts {
  readonly runId: string;
  readonly node: string;
  readonly visit: number;
  readonly branch: readonly number[];
}

function factsOf({ run, region, node, number }: Visit): VisitFacts {
  return { runId: run.runId, node: node.name, visit: number, branch: branchOf(region) };
}

export function tellStart(visit: Visit): void {
  tell(visit.run, { type: "node_start", ...factsOf(visit), step: visit.step });
}

export function tellRetry(visit: Visit, error: string, delayMs: number): void {
  tell(visit.run, { type: "node_retry", ...factsOf(visit), attempt: visit.attempt, error, delayMs });
}

export function tellEnd(visit: Visit, outcome: NodeEnd["outcome"]): void {
  const { run, step, attempt, error, began } = visit;
  const end = { step, outcome, attempts: attempt, ms: performance.now() - began, error };
  tell(run, {
    type: "node_end",
    ...factsOf(visit),
    ...end,
    ...(run.options.trace === true ? traced(visit) : {}),
  });
}

function traced({ node, inputs, writes, region }: Visit): Pick<NodeEnd, "inputs" | "prompt" | "writes"> {
  const prompt =
    node.prompt === null ? null : node.prompt(inputs, region.state as { readonly [field: string]: Json });
  return { inputs, prompt, writes: writes ?? {} };
}
