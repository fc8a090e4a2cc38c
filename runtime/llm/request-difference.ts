import type { RecordedCall } from "./cassette-file.js";
import { PARTS, type Part, type RecordedRequest } from "./recorded-request.js";

const BEFORE = 20;
const AFTER = 50;
const MOST = 3;
/** Half a character, where a text was cut. */
const LONE = /[\ud800-\udfff]/gu;

/** A request that was asked, and by whom: `Graph/Node`. */
export interface Asked {
  readonly askedBy: string;
  readonly request: RecordedRequest;
}

/** What differs from the nearest recorded request; null when nothing is recorded. Same node first, fewest parts, then the likest text. */
export function describeDifference(asked: Asked, recorded: Iterable<RecordedCall>): string | null {
  let nearest: Candidate | null = null;
  for (const call of recorded) {
    const candidate = candidateOf(asked, call);
    if (nearest === null || isNearer(candidate, nearest)) nearest = candidate;
  }
  return nearest === null ? null : sentence(asked, nearest);
}

interface Candidate {
  readonly request: RecordedRequest;
  readonly isSameNode: boolean;
  readonly parts: readonly Part[];
  /** How many characters of the parts that differ are the same at both ends. */
  readonly alike: number;
}

function candidateOf({ askedBy, request }: Asked, call: RecordedCall): Candidate {
  const parts = PARTS.filter((part) => textOf(call.request, part) !== textOf(request, part));
  const shared = parts.map((part) => alike(textOf(call.request, part) ?? "", textOf(request, part) ?? ""));
  return {
    request: call.request,
    isSameNode: call.askedBy.includes(askedBy),
    parts,
    alike: shared.reduce((sum, one) => sum + one, 0),
  };
}

function isNearer(a: Candidate, b: Candidate): boolean {
  if (a.isSameNode !== b.isSameNode) return a.isSameNode;
  if (a.parts.length !== b.parts.length) return a.parts.length < b.parts.length;
  return a.alike > b.alike;
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

const NAMES: { readonly [P in Part]: string } = {
  provider: "provider",
  model: "model",
  temperature: "temperature",
  max_tokens: "max_tokens",
  fallback: "fallback",
  plain: "format",
  system: "system text",
  history: "conversation",
  choices: "choices",
  schema: "outputs",
  prompt: "prompt",
};

function sentence({ askedBy, request }: Asked, { request: recorded, parts }: Candidate): string {
  const node = askedBy.slice(askedBy.indexOf("/") + 1);
  const told = parts.slice(0, MOST).map((part) => {
    const [then, now] = [textOf(recorded, part), textOf(request, part)];
    const [from, to] = excerpts(then, now);
    return `the ${NAMES[part]} of ${node} changed: recorded ${from}, now ${to}`;
  });
  const more = parts.length - told.length;
  return told.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** Both texts around the place where they begin to differ. */
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
