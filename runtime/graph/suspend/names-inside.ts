import type { AsleepData, Checkpoint, InsideData } from "../contract/contract.js";

/** The name of a run inside a node: `Call`, or `Each[2]` for an item. */
export const placeInside = (node: string, index: number | null): string =>
  index === null ? node : `${node}[${index}]`;

/** The name of a node inside a node: `Call/Ask`, or `Each[2]/Ask` for an item. */
export const nameInside = (node: string, index: number | null, inner: string): string =>
  `${placeInside(node, index)}/${inner}`;

/** The waiting visits of a suspended run, in the order of its path. Those inside a node have their whole name. */
export function asleepIn({ regions }: Checkpoint): readonly AsleepData[] {
  return regions.flatMap(({ asleep }) => (asleep === null ? [] : asleepAt(asleep)));
}

function asleepAt(asleep: AsleepData): readonly AsleepData[] {
  const { inside } = asleep.spec;
  if (inside === undefined) return [asleep];
  return inside.runs.flatMap(({ index, checkpoint }) =>
    asleepIn(checkpoint).map((inner) => ({ ...inner, node: nameInside(asleep.node, index, inner.node) })),
  );
}

/** True when a wait inside has timed out: its node continues without an answer. */
export function isDueInside({ runs }: InsideData): boolean {
  const now = Date.now();
  return runs.some(({ checkpoint }) =>
    asleepIn(checkpoint).some(({ until }) => until !== null && now >= until),
  );
}
