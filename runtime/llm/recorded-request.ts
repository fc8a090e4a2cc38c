import { createHash } from "node:crypto";
import type { Json } from "../graph/contract/contract.js";
import type { ModelRequest, Turn } from "../graph/contract/services.js";
import { isMapping } from "../graph/values/values.js";

/** The placeholder that the redactor writes for a secret. */
export const BLANK = "[redacted]";

/** A request in a cassette: all parts that decide the answer. */
export interface RecordedRequest {
  readonly provider?: string;
  readonly model?: string;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly fallback?: readonly string[];
  readonly plain?: boolean;
  readonly system?: string;
  readonly history?: readonly Turn[];
  readonly choices?: readonly string[];
  readonly schema?: { readonly [key: string]: Json };
  readonly prompt: string;
}

/** The order for writing, comparing and hashing. */
export const PARTS = [
  "provider",
  "model",
  "temperature",
  "max_tokens",
  "fallback",
  "plain",
  "system",
  "history",
  "choices",
  "schema",
  "prompt",
] as const satisfies readonly (keyof RecordedRequest)[];
export type Part = (typeof PARTS)[number];

/** The request in recorded form. Empty lists and missing parts are left out. */
export function recordedRequest({ maxTokens, ...request }: ModelRequest): RecordedRequest {
  return ordered({ ...request, max_tokens: maxTokens }) as RecordedRequest;
}

export function ordered(given: { readonly [part: string]: unknown }): Partial<Record<Part, unknown>> {
  const filled = PARTS.filter((part) => !isNothing(given[part]));
  return Object.fromEntries(filled.map((part) => [part, given[part]]));
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Equal requests have equal keys, on every machine and in every version with the same parts. */
export const keyOf = (request: RecordedRequest): string =>
  createHash("sha256")
    .update(JSON.stringify(PARTS.map((part) => request[part] ?? null)))
    .digest("hex")
    .slice(0, 16);

/** True when a recorded value fits the present one. A blank stands for any text. */
export function fits(recorded: unknown, now: unknown): boolean {
  if (typeof recorded === "string") return typeof now === "string" && fitsText(recorded, now);
  if (Array.isArray(recorded))
    return (
      Array.isArray(now) && now.length === recorded.length && recorded.every((one, i) => fits(one, now[i]))
    );
  if (!isMapping(recorded) || !isMapping(now)) return recorded === now;
  const names = Object.keys(recorded);
  return (
    names.length === Object.keys(now).length &&
    names.every((name) => Object.hasOwn(now, name) && fits(recorded[name], now[name]))
  );
}

/** True when the pieces between blanks occur in order. It never backtracks. */
function fitsText(recorded: string, now: string): boolean {
  const [first = "", ...rest] = recorded.split(BLANK);
  const last = rest.pop();
  if (last === undefined) return recorded === now;
  if (!now.startsWith(first)) return false;
  let from = first.length;
  for (const piece of rest) {
    const at = now.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return now.length - last.length >= from && now.endsWith(last);
}
