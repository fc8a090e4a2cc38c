import { createHash } from "node:crypto";
import type { Json } from "../graph/contract/contract.js";
import type { ModelRequest, Turn } from "../graph/contract/services.js";
import { isMapping } from "../graph/values/values.js";

/** What stands in the place of a secret, as the redactor writes it. */
export const BLANK = "[redacted]";

/** A request as a cassette keeps it: all that decides the answer, and nothing that is left out. */
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

/** In the order in which they are written, compared and hashed. */
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

/** The request as it is kept. Empty lists and what is not said are the same as nothing. */
export function recordedRequest({ maxTokens, ...request }: ModelRequest): RecordedRequest {
  return ordered({ ...request, max_tokens: maxTokens }) as RecordedRequest;
}

/** Only the known parts that hold something, in their order. */
export function ordered(given: { readonly [part: string]: unknown }): Partial<Record<Part, unknown>> {
  const filled = PARTS.filter((part) => !isNothing(given[part]));
  return Object.fromEntries(filled.map((part) => [part, given[part]]));
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** The same for the same request, on every machine and in every version that has the same parts. */
export const keyOf = (request: RecordedRequest): string =>
  createHash("sha256")
    .update(JSON.stringify(PARTS.map((part) => request[part] ?? null)))
    .digest("hex")
    .slice(0, 16);

/** Whether a recorded value is the present one, where blanks of the recorded one stand for any text. */
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

/** The pieces between the blanks occur one after the other. No text takes long. */
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
