import type { Checkpoint, RegionData, WaitingFor } from "../contract/contract.js";
import { type Asleep, linesOf, type Region } from "../drive/run.js";
import type { Table } from "../drive/table.js";
import { pick, snapshot } from "../values/state.js";
import { nameInside } from "./asleep.js";
import { memoryData } from "./memory.js";

/** What a run waits for, in the order of its path. */
export function waitingIn(root: Region): readonly WaitingFor[] {
  return linesOf(root).flatMap(({ asleep }) => (asleep === null ? [] : waitingAt(asleep)));
}

/** What a visit waits for: its own answer, or those of all that wait inside. */
function waitingAt({ waiting, spec: { inside } }: Asleep): readonly WaitingFor[] {
  if (inside === undefined) return [waiting];
  return inside.runs.flatMap(({ index, waiting: inner }) =>
    inner.map((one) => ({ ...one, node: nameInside(waiting.node, index, one.node) })),
  );
}

/** A suspended run as data. Nodes go by name: their numbers change when rows change places. */
export function toCheckpoint(root: Region, durationMs: number): Checkpoint {
  const { run } = root;
  const { table, runId, steps, given } = run;
  const visits: { [node: string]: number } = {};
  run.visits.forEach((count, index) => {
    if (count > 0) visits[table.nodes[index]!.name] = count;
  });
  const lines = linesOf(root);
  const places = new Map(lines.map((line, index) => [line, index]));
  const regions = lines.map((line) =>
    regionData(table, line, line.parent === null ? null : places.get(line.parent)!),
  );
  const { name: graph } = table;
  const { fingerprint } = table.definition;
  const ends = run.unhandled ? { unhandled: true as const } : {};
  return { version: 1, runId, graph, fingerprint, steps, durationMs, given, visits, ...ends, regions };
}

function regionData(table: Table, region: Region, parent: number | null): RegionData {
  const name = (index: number): string => table.nodes[index]!.name;
  const { asleep, split, start, written } = region;
  return {
    parent,
    state: written === null ? snapshot(region.state) : pick(region.state, written),
    path: region.path,
    heads: (region.heads ?? []).map(name),
    start: start < 0 ? null : name(start),
    arrivals: (region.arrivals ?? []).map(({ node, failure }) => ({ node: name(node), failure })),
    asleep: asleep && {
      node: name(asleep.node),
      visit: asleep.visit,
      spec: asleep.spec,
      until: asleep.until,
    },
    split: split && { node: name(split.prepared.node), edge: split.prepared.edge },
    ...memoryData(region),
  };
}
