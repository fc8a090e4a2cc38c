import type { Row } from "../read-rows.js";
import type { NewEvent } from "../rows.js";

/** What becomes of a run whose worker died. */
export interface Death {
  readonly isStuck: boolean;
  readonly deaths: number;
}

/** Deaths count from the last new record: a long run that gets on is not stuck. `seq` is that of its last record. */
export function deathOf(run: Row, recoveries: number): Death {
  const deaths = Number(run["seq"]) > Number(run["died_at"]) ? 1 : Number(run["deaths"]) + 1;
  return { isStuck: deaths > recoveries, deaths };
}

/** Tells that another worker goes on with the run. */
export const recoveredAt = (at: number): NewEvent => ({
  ...{ at, type: "run_recovered" },
  event: { type: "run_recovered" },
});

/** Among so many events what was at work is found, without reading all of a long run. */
export const LATE_EVENTS = 1_000;

/** Beginnings and ends of nodes, the latest first. */
export interface NodeEvent {
  readonly type: unknown;
  readonly node: unknown;
  readonly visit: unknown;
}

/** Why a run is stuck: with the nodes that had begun and not ended. */
export function stuckAt(deaths: number, events: readonly NodeEvent[]): string {
  const open = new Map<string, string>();
  for (const { type, node, visit } of [...events].reverse()) {
    const key = `${node}|${visit}`;
    if (type === "node_start") open.set(key, String(node));
    else open.delete(key);
  }
  const times = deaths === 1 ? "" : ` ${deaths} times in a row`;
  const place = open.size === 0 ? "" : ` at ${[...new Set(open.values())].join(", ")}`;
  return `its worker died${times}${place}`;
}
