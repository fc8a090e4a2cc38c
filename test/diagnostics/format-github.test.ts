import { expect, test } from "vitest";
import { formatGithub } from "../../compiler/diagnostics/format-github.js";
import { diagnostic, FILE, misspeltTarget, placeOf, SUPPORT } from "./samples.js";

const sources = new Map([[FILE, SUPPORT]]);

test("an annotation stands on its place and holds message, cure and cell", () => {
  expect(formatGithub([misspeltTarget()], sources)).toBe(
    "::error file=support.csv,line=5,endLine=5,col=38,endColumn=44,title=unknown-node::" +
      'next_on_success names a node that graph "triage" does not have%0A' +
      'did you mean "Answer" (row 6)?%0Acell F5 · graph triage · node Classify\n',
  );
});

test("without a place an annotation belongs to the file; columns are for single lines", () => {
  expect(formatGithub([diagnostic({ severity: "warning", code: "short-row" })], sources)).toBe(
    "::warning file=support.csv,title=short-row::something is wrong\n",
  );
  const place = { ...placeOf(SUPPORT, "Anwser"), endLine: 6 };
  expect(formatGithub([diagnostic({ place })], sources)).toBe(
    "::error file=support.csv,line=5,endLine=6,title=unknown-node::something is wrong\n",
  );
});

test("V41: no text ends its command, adds a property, or begins a command of its own", () => {
  const found = diagnostic({ file: "a,b:c%0A\n.csv", message: "50%\n::error::fake\r::stop", help: "x%3A" });
  expect(formatGithub([found], sources)).toBe(
    "::error file=a%2Cb%3Ac%250A\\n.csv,title=unknown-node::50%25\\n::error::fake\\r::stop%0Ax%253A\n",
  );
});

test("what is left out of the list is said in a notice", () => {
  const lines = formatGithub(
    Array.from({ length: 201 }, () => diagnostic()),
    sources,
  ).split("\n");
  expect(lines).toHaveLength(202);
  expect(lines[200]).toBe("::notice title=flowsheet::201 errors; the first 200 are shown");
});
