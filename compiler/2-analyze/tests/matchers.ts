import type { Json, JsonSpot } from "../../ir.js";
import type { CaseReporter, Stretch } from "./case-report.js";

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
  const fault = faultOf(only.key, only.spot, report);
  if (fault === null) return;
  const { start, end } = fault.ofKey === true ? only : only.spot;
  const { slip } = fault;
  const { suggestion, fix } =
    slip === undefined
      ? NOTHING_MEANT
      : report.meant({ ...at, start, end, text: slip.text, isJson: true }, "bad-case", () => slip.names);
  const cure = suggestion === null ? fault.cure : `did you mean ${JSON.stringify(suggestion)}?`;
  report.bad({ ...at, start, end }, fault.why, cure, fix);
}

const NOTHING_MEANT = { suggestion: null, fix: null };

interface Fault {
  readonly why: string;
  /** The cure where no name is similar. */
  readonly cure: string;
  readonly ofKey?: boolean;
  /** A word that may be misspelt, and the words that it may be. */
  readonly slip?: { readonly text: string; readonly names: readonly string[] };
}

function faultOf(key: string, { value }: JsonSpot, report: CaseReporter): Fault | null {
  if (key === "$any") return kindFault(value);
  if (key === "$match") return patternFault(value, report);
  const slip = { text: key, names: ["$any", "$match"] };
  const cure = 'matchers are {"$any": "string"} and {"$match": "regex"}';
  return { why: `there is no matcher ${JSON.stringify(key)}`, cure, ofKey: true, slip };
}

function kindFault(value: Json): Fault | null {
  if (ANY_KINDS.some((kind) => kind === value)) return null;
  const why = `"$any" knows no ${JSON.stringify(value)}`;
  const slip = { text: typeof value === "string" ? value : "", names: ANY_KINDS };
  return { why, cure: `it is one of ${ANY_KINDS.join(", ")}`, slip };
}

function patternFault(value: Json, report: CaseReporter): Fault | null {
  if (typeof value !== "string")
    return { why: '"$match" must be a regular expression as text', cure: 'write {"$match": "^Dear "}' };
  const why = report.patternFault(value);
  const cure = "it takes regular expressions without look-around and back-references";
  return why === null ? null : { why: `"$match" cannot be used: ${why}`, cure };
}
