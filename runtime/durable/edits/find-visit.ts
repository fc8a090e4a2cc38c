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

/** The visit that ran the graph of this one; empty for a visit of the run's own graph. */
export const callerIdOf = (visit: string): string => visitIdOf(STEM.exec(visit)?.[1] ?? "");

/** What stands before the visit itself. A name may hold a `/`, but no `|`. */
const STEM = /^(.*\|\d+)(?:\[\d+\])?\//s;

/** Whether an id is of this visit: one of its calls, or anything that it ran. */
export const isOfVisit = (id: string, visit: string): boolean =>
  id === visit || (id.startsWith(visit) && /[|/[]/.test(id.charAt(visit.length)));

/** A node's last visit, or the one that is named: `Node#2`. With the events, also a visit that is at work. */
export function findVisit(
  steps: readonly StepRow[],
  from: string,
  events: readonly EventRow[] = [],
): FoundVisit | null {
  const known = [...recordedVisits(steps), ...visitsAtWork(events)];
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

/** A node that runs a graph is recorded when that has ended. Before, its visit is known by those inside. */
export const recordedVisits = (steps: readonly StepRow[]): readonly Named[] =>
  steps.filter(isCall).flatMap(({ id, node, visit }) => {
    const named = { id: visitIdOf(id), node, visit };
    return [...callersOf(named), named];
  });

/** The visits around this one, outermost first. */
export function callersOf({ id, node }: Named): readonly Named[] {
  const caller = callerIdOf(id);
  if (caller === "") return [];
  const own = id.replace(STEM, "/").replace(/\|\d+$/, "");
  const name = node.slice(0, -own.length).replace(/\[\d+\]$/, "");
  const named = { id: caller, node: name, visit: Number(caller.split("|").at(-1)) };
  return [...callersOf(named), named];
}

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
