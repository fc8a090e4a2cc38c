import { suggest } from "../../diagnostics/suggest.js";
import type { Json, JsonSpot } from "../../ir.js";
import type { CaseReporter, Stretch } from "./case-report.js";
import { readPattern } from "./pattern.js";

/** The kinds that `{"$any": …}` may name. */
export const ANY_KINDS = ["string", "number", "boolean", "object", "list", "null", "any"] as const;

/** Checks the matchers in a value: `{"$any": "string"}` and `{"$match": "regex"}`. */
export function checkMatchers(spot: JsonSpot, at: Stretch, report: CaseReporter): void {
  for (const item of spot.items ?? []) checkMatchers(item, at, report);
  const { entries = [] } = spot;
  const [only] = entries;
  if (only === undefined || entries.length > 1 || !only.key.startsWith("$")) {
    for (const entry of entries) checkMatchers(entry.spot, at, report);
    return;
  }
  const fault = faultOf(only.key, only.spot);
  const { start, end } = fault?.ofKey === true ? only : only.spot;
  if (fault !== null) report.bad({ ...at, start, end }, fault.why, fault.cure);
}

interface Fault {
  readonly why: string;
  readonly cure: string;
  readonly ofKey?: boolean;
}

function faultOf(key: string, { value }: JsonSpot): Fault | null {
  if (key === "$any") return kindFault(value);
  if (key === "$match") return patternFault(value);
  const near = suggest(key, ["$any", "$match"]);
  const cure = near === null ? 'matchers are {"$any": "string"} and {"$match": "regex"}' : didYouMean(near);
  return { why: `there is no matcher ${JSON.stringify(key)}`, cure, ofKey: true };
}

const didYouMean = (word: string): string => `did you mean ${JSON.stringify(word)}?`;

function kindFault(value: Json): Fault | null {
  if (ANY_KINDS.some((kind) => kind === value)) return null;
  const near = typeof value === "string" ? suggest(value, ANY_KINDS) : null;
  const cure = near === null ? `it is one of ${ANY_KINDS.join(", ")}` : didYouMean(near);
  return { why: `"$any" knows no ${JSON.stringify(value)}`, cure };
}

function patternFault(value: Json): Fault | null {
  if (typeof value !== "string")
    return { why: '"$match" must be a regular expression as text', cure: 'write {"$match": "^Dear "}' };
  const reading = readPattern(value);
  const cure = "it takes regular expressions without look-around and back-references";
  return "pattern" in reading ? null : { why: `"$match" cannot be used: ${reading.why}`, cure };
}
