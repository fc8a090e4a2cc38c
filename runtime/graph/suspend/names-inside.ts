import type { AsleepData, Checkpoint, InsideData } from "../contract/contract.js";

/** The name of a run inside a node: `Call`, or `Each[2]` for an item. */
export const placeInside = (node: string, index: number | null): string =>
  index === null ? node : `${node}[${index}]`;

/** The name of a node inside a node: `Call/Ask`, or `Each[2]/Ask` for an item. */
export const nameInside = (node: string, index: number | null, inner: string): string =>
  `${placeInside(node, index)}/${inner}`;

/** A waiting visit of a suspended run, with the id of its wait as a journal has it. */
export interface Sleeping extends AsleepData {
  readonly id: string;
}

/** The waiting visits of a suspended run, in the order of its path. Those inside a node have their whole name. */
export function asleepIn({ regions }: Checkpoint): readonly Sleeping[] {
  return regions.flatMap(({ asleep }) => (asleep === null ? [] : asleepAt(asleep)));
}

function asleepAt(asleep: AsleepData): readonly Sleeping[] {
  const { node, visit, attempt = 1, until, spec } = asleep;
  const id = `${node}|${visit}`;
  if (spec.inside === undefined) return [{ ...asleep, id }];
  const stem = attempt > 1 ? `${id}|${attempt}` : id;
  return spec.inside.runs.flatMap(({ index, checkpoint }) =>
    asleepIn(checkpoint).map((inner) => ({
      ...inner,
      node: nameInside(node, index, inner.node),
      id: nameInside(stem, index, inner.id),
      until: earlier(until, inner.until),
    })),
  );
}

/** The time of a node ends the waits inside, too. */
const earlier = (outer: number | null, inner: number | null): number | null =>
  outer === null || inner === null ? (outer ?? inner) : Math.min(outer, inner);

/** True when a wait inside has timed out: its node continues without an answer. */
export function isDueInside({ runs }: InsideData, now: number): boolean {
  return runs.some(({ checkpoint }) =>
    asleepIn(checkpoint).some(({ until }) => until !== null && now >= until),
  );
}
