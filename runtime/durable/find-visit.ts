import type { StepRow } from "./rows.js";

/** The first record of a node's last visit, or of the visit that is named: `Node#2`. */
export function findVisit(steps: readonly StepRow[], from: string): StepRow | null {
  const [, node = from, number] = /^(.+)#(\d{1,9})$/.exec(from) ?? [];
  const ofNode = steps.filter((step) => step.node === node);
  const visit = number === undefined ? ofNode.at(-1)?.visit : Number(number);
  return ofNode.find((step) => step.visit === visit) ?? null;
}
