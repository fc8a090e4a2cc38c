import type { Code } from "../catalogue.js";

type Fixable = "safe" | "unsafe" | "either";

/** The codes whose reports may carry a fix. A test compares them with the fixes of all cases. */
const FIXABLE: { readonly [C in Code]?: Fixable } = {
  "not-csv": "safe",
  "missing-column": "safe",
  "long-row": "safe",
  "short-row": "safe",
  "missing-name": "safe",
  "stray-row": "unsafe",
  "unknown-node": "either",
  "unknown-graph": "either",
  "unknown-output": "either",
  "unknown-input": "either",
  "unknown-agent": "unsafe",
  "missing-prompt": "unsafe",
  "missing-input": "unsafe",
  "unused-input": "unsafe",
  "bad-type": "either",
  "bad-setting": "either",
  "unknown-placeholder": "either",
  "bad-formula": "unsafe",
  "bad-table": "unsafe",
  "unknown-function": "unsafe",
  "formula-type": "unsafe",
  "maybe-unset": "unsafe",
  "unknown-column": "unsafe",
  "unknown-setting": "unsafe",
  "almost-placeholder": "unsafe",
  "misspelt-field": "unsafe",
  "foreign-name": "safe",
  "python-literal": "safe",
  "duplicate-field": "either",
  "duplicate-target": "safe",
  "unused-edge": "either",
  "untyped-input": "safe",
  "bad-case": "either",
  "unknown-field": "either",
};

const SAID: { readonly [F in Fixable]: string } = {
  safe: "`validate --fix` writes the fix that a report shows.",
  unsafe: "`validate --fix=unsafe` writes the fix that a report shows; it may not be what is meant.",
  either:
    "`validate --fix` writes the fix that a report shows where it is sure, `--fix=unsafe` also where it may not be what is meant.",
};

/** What `--fix` does for a code, in a sentence; null where no report of it carries a fix. */
export function fixingOf(code: Code): string | null {
  const fixable = FIXABLE[code];
  return fixable === undefined ? null : SAID[fixable];
}

/** Whether a fix of a code may be safe, or unsafe. */
export const mayBe = (code: Code, safe: boolean): boolean =>
  FIXABLE[code] === "either" || FIXABLE[code] === (safe ? "safe" : "unsafe");
