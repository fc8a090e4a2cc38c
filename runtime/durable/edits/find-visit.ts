import type { WorkflowResult } from "../../runs/result.js";
import type { EventRow, FullRun, StepRow } from "../rows.js";

/** A visit as `retry` and `fork` begin with it. */
export interface FoundVisit {
  /** The id of its first call. */
  readonly id: string;
  /** The whole name: `Call/Ask`, `Each[2]/Ask`. */
  readonly node: string;
  readonly visit: number;
  /** How many steps were recorded before its first record, or before the first one inside it. */
  readonly after: number;
  /** When that was recorded; null while nothing is. */
  readonly recorded: number | null;
}

/** Late time-outs and clocks of visits have rows of their own, which only a replay reads. */
export const isCall = ({ id }: Pick<StepRow, "id">): boolean => !/\|(?:late\d*|clock)$/.test(id);

/** `Items|1[0]/Say|1|2`, the second call of a visit, is of the visit `Items|1[0]/Say|1`. */
export function visitIdOf(id: string): string {
  const cut = id.lastIndexOf("/") + 1;
  return id.slice(0, cut) + id.slice(cut).split("|").slice(0, 2).join("|");
}

/** Whether an id is of this visit: one of its calls, or anything that it ran. */
export const isOfVisit = (id: string, visit: string): boolean =>
  id === visit || (id.startsWith(visit) && /[|/[]/.test(id.charAt(visit.length)));

/** A node's last visit, or the one that is named: `Node#2`. With the events, also a visit that is at work. */
export function findVisit(
  steps: readonly StepRow[],
  from: string,
  events: readonly EventRow[] = [],
): FoundVisit | null {
  const recorded = steps.filter(isCall).map(({ id, node, visit }) => ({ id: visitIdOf(id), node, visit }));
  const known = [...recorded, ...visitsAtWork(events)];
  const [, node = from, number] = /^(.+)#(\d{1,9})$/.exec(from) ?? [];
  // A name may end with "#2" itself.
  const found =
    known.findLast((one) => one.node === from) ??
    known.findLast((one) => one.node === node && one.visit === Number(number));
  if (found === undefined) return null;
  const first = steps.find(({ id }) => isOfVisit(id, found.id));
  const after = first === undefined ? (steps.at(-1)?.seq ?? 0) : first.seq - 1;
  return { ...found, after, recorded: first?.ended ?? null };
}

type Named = Pick<FoundVisit, "id" | "node" | "visit">;

/** Visits of the run's own graph that have begun and not ended, since it was tried again. */
function visitsAtWork(events: readonly EventRow[]): readonly Named[] {
  const open = new Map<string, Named>();
  for (const { type, event } of events) {
    const { node, visit } = event as { readonly node?: string; readonly visit?: number };
    if (type === "run_retry") open.clear();
    if (node === undefined || visit === undefined) continue;
    const id = `${node}|${visit}`;
    if (type === "node_start") open.set(id, { id, node, visit });
    if (type === "node_end") open.delete(id);
  }
  return [...open.values()];
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
