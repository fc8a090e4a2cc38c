import type { CaseCell } from "../../1-parse/index.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { JsonSpot } from "../../ir.js";
import type { CaseReporter } from "./case-report.js";
import { readPattern } from "./pattern.js";

/** What `{"$any": …}` may name. */
const ANY_KINDS = ["string", "number", "boolean", "object", "list", "null", "any"] as const;

/** Checks the matchers in a value: `{"$any": "string"}` and `{"$match": "regex"}`. */
export function checkMatchers(spot: JsonSpot, cell: CaseCell, report: CaseReporter): void {
  for (const item of spot.items ?? []) checkMatchers(item, cell, report);
  const { entries = [] } = spot;
  const [only] = entries;
  if (only === undefined || entries.length > 1 || !only.key.startsWith("$")) {
    for (const entry of entries) checkMatchers(entry.spot, cell, report);
    return;
  }
  const fault = faultOf(only.key, only.spot);
  const { start, end } = fault?.ofKey === true ? only : only.spot;
  if (fault !== null) report.at({ ...cell, start, end }, "bad-case", fault);
}

interface Fault {
  readonly why: string;
  readonly cure: string;
  readonly ofKey: boolean;
}

function faultOf(key: string, { value }: JsonSpot): Fault | null {
  if (key === "$any") {
    if (ANY_KINDS.some((kind) => kind === value)) return null;
    const near = typeof value === "string" ? suggest(value, ANY_KINDS) : null;
    const cure =
      near === null ? `it is one of ${ANY_KINDS.join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
    return { why: `"$any" knows no ${JSON.stringify(value)}`, cure, ofKey: false };
  }
  if (key === "$match") {
    if (typeof value !== "string")
      return {
        why: '"$match" must be a regular expression as text',
        cure: 'write {"$match": "^Dear "}',
        ofKey: false,
      };
    const reading = readPattern(value);
    return "pattern" in reading
      ? null
      : {
          why: `"$match" cannot be used: ${reading.why}`,
          cure: "it takes regular expressions without look-around and back-references",
          ofKey: false,
        };
  }
  const meant = suggest(key, ["$any", "$match"]);
  return {
    why: `there is no matcher ${JSON.stringify(key)}`,
    cure:
      meant === null
        ? 'matchers are {"$any": "string"} and {"$match": "regex"}'
        : `did you mean ${JSON.stringify(meant)}?`,
    ofKey: true,
  };
}
