import type { Checkpoint, LineData, WaitingFor } from "../contract/contract.js";
import { memoryData } from "../drive/conversations.js";
import { type Asleep, type Line, linesOf } from "../drive/run.js";
import type { Table } from "../link/table.js";
import { pick, snapshot } from "../values/state.js";
import { nameInside } from "./names-inside.js";

/** The open questions of a run, in the order of its path. */
export function waitingIn(root: Line): readonly WaitingFor[] {
  return linesOf(root).flatMap(({ asleep }) => (asleep === null ? [] : waitingAt(asleep)));
}

/** The open questions of a visit: its own, or all of those inside. */
function waitingAt({ waiting, spec: { inside } }: Asleep): readonly WaitingFor[] {
  if (inside === undefined) return [waiting];
  return inside.runs.flatMap(({ index, waiting: inner }) =>
    inner.map((one) => ({ ...one, node: nameInside(waiting.node, index, one.node) })),
  );
}

/** A suspended run as data. Nodes go by name, because their indices change when rows move. */
export function toCheckpoint(root: Line, durationMs: number): Checkpoint {
  const { run } = root;
  const { table, runId, steps, given } = run;
  const visits: { [node: string]: number } = {};
  run.visits.forEach((count, index) => {
    if (count > 0) visits[table.nodes[index]!.name] = count;
  });
  const lines = linesOf(root);
  const places = new Map(lines.map((line, index) => [line, index]));
  const regions = lines.map((line) =>
    lineData(table, line, line.parent === null ? null : places.get(line.parent)!),
  );
  const { name: graph } = table;
  const { fingerprint } = table.definition;
  const ends = run.unhandled ? { unhandled: true as const } : {};
  const carrier = run.caller === null ? (run.observed?.carrier ?? null) : null;
  const traced = carrier === null ? {} : { carrier };
  return {
    version: 1,
    runId,
    graph,
    fingerprint,
    steps,
    durationMs,
    given,
    visits,
    ...ends,
    ...traced,
    regions,
  };
}

function lineData(table: Table, line: Line, parent: number | null): LineData {
  const name = (index: number): string => table.nodes[index]!.name;
  const { asleep, split, start, written } = line;
  return {
    parent,
    state: written === null ? snapshot(line.state) : pick(line.state, written),
    path: line.path,
    heads: (line.heads ?? []).map(name),
    start: start < 0 ? null : name(start),
    arrivals: (line.arrivals ?? []).map(({ node, failure }) => ({ node: name(node), failure })),
    asleep: asleep && {
      node: name(asleep.node),
      visit: asleep.visit,
      ...(asleep.attempt > 1 && { attempt: asleep.attempt }),
      spec: asleep.spec,
      until: asleep.until,
    },
    split: split && { node: name(split.prepared.node), edge: split.prepared.edge },
    ...memoryData(line),
  };
}
