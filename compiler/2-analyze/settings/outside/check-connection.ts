import { suggest } from "../../../diagnostics/suggest.js";
import type { Checked } from "../checked.js";
import { writeSetting } from "../setting-fix.js";

/** Reports a connection that the configuration lacks, and one of a kind that the agent cannot use. */
export function checkConnection({ draft, node, item, spot, bad }: Checked): void {
  const { connections } = draft.analysis.world;
  const kinds = node.facts?.connects;
  const { value } = spot;
  if (!connections || kinds === undefined || typeof value !== "string") return;
  const kind = connections.get(value);
  if (kind !== undefined && kinds.includes(kind)) return;
  const fitting = [...connections].flatMap(([name, one]) => (kinds.includes(one) ? [name] : []));
  const near = suggest(value, fitting);
  const named = near === null ? fitting : [near];
  const what = `a connection of flowsheet.yaml of kind ${kinds.join(" or ")}`;
  const known = named.slice(0, MOST_NAMED).map((name) => JSON.stringify(name));
  const expected = known.length === 0 ? `${what}, which has none` : `${what}: ${known.join(" or ")}`;
  const found = `${JSON.stringify(value)}, which ${kind === undefined ? "it lacks" : `is of kind ${kind}`}`;
  bad(expected, { found, fix: near === null ? null : writeSetting(draft, item, spot, near, false) });
}

const MOST_NAMED = 8;
