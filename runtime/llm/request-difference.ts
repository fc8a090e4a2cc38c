import type { RecordedCall } from "./cassette-file.js";
import { PARTS, type Part, type RecordedRequest } from "./recorded-request.js";

const BEFORE = 20;
const AFTER = 50;
const MOST = 3;
/** Half of a surrogate pair, after a cut. */
const LONE = /[\ud800-\udfff]/gu;

/** A request and the node that asked, as `Graph/Node`. */
export interface Asked {
  readonly askedBy: string;
  readonly request: RecordedRequest;
}

/** The nearest is of the same node, then has the fewest different parts, then the most similar text. */
export function describeDifference(asked: Asked, recorded: Iterable<RecordedCall>): string | null {
  const [nearest] = [...recorded]
    .map((call) => comparison(asked, call))
    .sort(({ distance: a }, { distance: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return nearest === undefined ? null : sentence(asked, nearest);
}

function comparison({ askedBy, request: now }: Asked, { askedBy: nodes, request }: RecordedCall) {
  const parts = PARTS.filter((part) => textOf(request, part) !== textOf(now, part));
  // The number of equal characters at both ends of the different parts.
  const shared = parts.map((part) => alike(textOf(request, part) ?? "", textOf(now, part) ?? ""));
  const same = shared.reduce((sum, one) => sum + one, 0);
  return { request, parts, distance: [nodes.includes(askedBy) ? 0 : 1, parts.length, -same] as const };
}

function textOf(request: RecordedRequest, part: Part): string | null {
  const value = request[part];
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function alike(a: string, b: string): number {
  const start = sharedStart(a, b);
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return start + end;
}

/** The parts whose usual name is another. */
const NAMES: { readonly [P in Part]?: string } = {
  plain: "format",
  system: "system text",
  history: "conversation",
  schema: "outputs",
};

function sentence(
  { askedBy, request }: Asked,
  { request: recorded, parts }: ReturnType<typeof comparison>,
): string {
  const node = askedBy.slice(askedBy.indexOf("/") + 1);
  const told = parts.slice(0, MOST).map((part) => {
    const [then, now] = [textOf(recorded, part), textOf(request, part)];
    const [from, to] = excerpts(then, now);
    return `the ${NAMES[part] ?? part} of ${node} changed: recorded ${from}, now ${to}`;
  });
  const more = parts.length - told.length;
  return told.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** Both texts around their first difference. */
function excerpts(then: string | null, now: string | null): readonly [string, string] {
  const at = sharedStart(then ?? "", now ?? "");
  const excerpt = (text: string | null): string => {
    if (text === null) return "none";
    const from = at <= BEFORE + 5 ? 0 : at - BEFORE;
    const to = at + AFTER >= text.length - 5 ? text.length : at + AFTER;
    const cut = text.slice(from, to).replace(LONE, "");
    return JSON.stringify(`${from > 0 ? "…" : ""}${cut}${to < text.length ? "…" : ""}`);
  };
  return [excerpt(then), excerpt(now)];
}
