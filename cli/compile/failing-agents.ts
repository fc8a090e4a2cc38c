import { readFileSync } from "node:fs";
import { declaredFailures } from "../../compiler/3-emit/declared-failures.js";
import type { FoundAgent } from "../../runtime/agents/custom/find.js";

/** The types of the agents whose declared result includes a failure. Only files that speak of one are parsed. */
export function failingAgents(found: readonly FoundAgent[]): ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  const failuresIn = (file: string): ReadonlySet<string> => {
    let failures = known.get(file);
    if (failures === undefined) {
      const text = readFileSync(file, "utf8");
      failures = /\b(?:fail|Failure)\b/.test(text) ? declaredFailures(text) : NONE;
      known.set(file, failures);
    }
    return failures;
  };
  const failing = found.filter((agent) => failuresIn(agent.file).has(agent.export));
  return new Set(failing.map(({ type }) => type));
}

const NONE: ReadonlySet<string> = new Set();
