import type { WorkflowResult } from "../runs/result.js";
import type { FullRun, StepRow } from "./rows.js";

/** The first record of a node's last visit, or of the visit that is named: `Node#2`. */
export function findVisit(steps: readonly StepRow[], from: string): StepRow | null {
  const [, node = from, number] = /^(.+)#(\d{1,9})$/.exec(from) ?? [];
  const ofNode = steps.filter((step) => step.node === node);
  const visit = number === undefined ? ofNode.at(-1)?.visit : Number(number);
  return ofNode.find((step) => step.visit === visit) ?? null;
}

/** The last recorded throw of the node that made the run fail, or of a node inside it. Throws that were handled stay. */
export function unhandledThrow({ status, result }: FullRun, steps: readonly StepRow[]): readonly string[] {
  const node = status === "failed" ? ((result as WorkflowResult | null)?.error?.node ?? null) : null;
  if (node === null) return [];
  const isInside = (name: string): boolean =>
    name === node || name.startsWith(`${node}/`) || name.startsWith(`${node}[`);
  const last = steps.findLast((step) => !step.pure && step.outcome === "thrown" && isInside(step.node));
  return last === undefined ? [] : [last.id];
}
