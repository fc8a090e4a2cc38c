import { expect, test } from "vitest";
import { type Code, catalogue } from "../../compiler/diagnostics/catalogue.js";
import type { Explanation } from "../../compiler/diagnostics/explanations/explanation.js";
import { explanations } from "../../compiler/diagnostics/explanations/index.js";
import { formatCodes, formatExplanation } from "../../compiler/diagnostics/format-explanation.js";
import { formatReference } from "../../compiler/diagnostics/format-reference.js";

test("a code is explained with its rule, an example and the cure", () => {
  expect(formatExplanation("duplicate-target")).toEqual({
    known: true,
    text: `\
warning duplicate-target: A node is named twice among the targets of one cell.

A list of targets splits the run, one branch for each. The same node twice would
be two branches that do the same, so the second is dropped. It is often a slip
for another node.

Example

  graph_name,node_name,next_node,prompt
  hello,Greet,Bye|Bye,Hello!
  hello,Bye,,See you!

Cure

Remove one of the two, or write the node that was meant.

  graph_name,node_name,next_node,prompt
  hello,Greet,Bye,Hello!
  hello,Bye,,See you!

validate --fix writes the fix that a report shows.
`,
  });
});

test("what an example cannot show is said; a sheet that needs no change is not shown twice", () => {
  const { text } = formatExplanation("not-utf8");
  expect(text).toContain("one byte 0xE9");
  expect(text.match(/graph_name/g)).toHaveLength(1);
  expect(formatExplanation("missing-dependency").text.match(/graph_name/g)).toHaveLength(1);
});

test("prose keeps to the width, in paragraphs", () => {
  for (const width of [40, 80, 120]) {
    const lines = formatExplanation("maybe-unset", { width }).text.split("\n");
    const prose = lines.filter((line) => !line.startsWith("  ")).slice(1);
    expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(width);
  }
  expect(formatExplanation("maybe-unset").text).toContain("\n\nOrdinary sheets");
});

test("a code is found however it is written", () => {
  for (const code of ["Unknown_Node", " UNKNOWN-NODE ", "unknown node"]) {
    expect(formatExplanation(code)).toEqual(formatExplanation("unknown-node"));
  }
});

test("an unknown code gets a suggestion, or the way to all codes; V41: its text is harmless", () => {
  expect(formatExplanation("unknown-nod")).toEqual({
    known: false,
    text: 'there is no diagnostic "unknown-nod": did you mean unknown-node?\n',
  });
  expect(formatExplanation("\x1b[2Jxyz\n").text).toBe(
    'there is no diagnostic "\\x1b[2Jxyz\\n": flowsheet explain lists all codes\n',
  );
  expect(formatExplanation("constructor").known).toBe(false);
});

test("the list of codes has each code once with its severity", () => {
  const listed = [...formatCodes().matchAll(/^ {2}(error|warning) +([a-z0-9-]+) {2,}\S/gm)];
  const expected = Object.entries(catalogue).map(([code, { severity }]) => `${severity} ${code}`);
  expect(listed.map(([, severity, code]) => `${severity} ${code}`).sort()).toEqual(expected.sort());
});

test("colour only when it is asked for", () => {
  expect(formatExplanation("unknown-node").text).not.toContain("\x1b");
  expect(formatExplanation("unknown-node", { color: true }).text).toContain(
    "\x1b[1;31merror unknown-node\x1b[0m",
  );
});

test("the reference has a row and a section for each code, with what is reported", () => {
  const reference = formatReference((code) => `report of ${code}\n`);
  for (const [code, { severity }] of Object.entries(catalogue)) {
    expect(reference).toContain(`| [\`${code}\`](#${code}) | ${severity} | `);
    expect(reference).toContain(`\n### ${code}\n\n*${severity}* · `);
    const { notInCsv }: Explanation = explanations[code as Code];
    const block = `\`\`\`text\nreport of ${code}\n\`\`\`\n`;
    expect(reference.includes(block), code).toBe(notInCsv !== true);
  }
  expect(reference).toMatch(/^# Diagnostics\n\n[\s\S]*[^\n]\n$/);
  expect(reference).not.toMatch(/\n\n\n/);
});
