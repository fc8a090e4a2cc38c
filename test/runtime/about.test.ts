import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GENERAL } from "../../compiler/2-analyze/settings/settings.js";
import { COLUMNS, TEST_COLUMNS } from "../../compiler/ir.js";
import { RUN_VALUES } from "../../compiler/types/run-values.js";
import { about } from "../../runtime/agents/about.js";
import { agentFacts } from "../../runtime/agents/facts.js";

const docs = readFileSync("docs/agents.md", "utf8");

const sorted = (names: object | readonly string[]): readonly string[] =>
  [...(Array.isArray(names) ? names : Object.keys(names))].sort();

const lines = [
  ...Object.values(about.agents).flatMap(({ line, settings }) => [line, ...Object.values(settings)]),
  ...[about.everyNode, about.columns, about.runValues, about.testColumns].flatMap((table) =>
    Object.values(table),
  ),
];

describe("what editors say of agents, settings and columns", () => {
  test("every built-in agent has its line, and no other", () => {
    expect(sorted(about.agents)).toEqual(sorted(agentFacts.map(({ type }) => type)));
  });

  test.each(agentFacts)("$type: every setting has its line, and no other", ({ type, settings }) => {
    expect(sorted(about.agents[type]?.settings ?? {})).toEqual(sorted(settings));
  });

  test("so have the settings of every node, the columns, and the values of the run", () => {
    expect(sorted(about.everyNode)).toEqual(sorted(GENERAL));
    expect(sorted(about.columns)).toEqual(sorted(COLUMNS));
    expect(sorted(about.runValues)).toEqual(sorted(RUN_VALUES));
    expect(sorted(about.testColumns)).toEqual(sorted(TEST_COLUMNS));
  });

  test("a line is one sentence that ends, short enough for a list", () => {
    const odd = lines.filter((line) => !/^[A-Z][^\n]*\.$/.test(line) || line.length > 110);
    expect(odd).toEqual([]);
  });

  test("docs/agents.md speaks of each agent and of each setting", () => {
    const titles = [...docs.matchAll(/^## (.*)$/gm)].map(([, title]) => title).join(" ");
    const missing = Object.keys(about.agents).filter((type) => !titles.includes(`\`${type}\``));
    expect(missing).toEqual([]);
    const settings = [
      ...Object.values(about.agents).flatMap((one) => Object.keys(one.settings)),
      ...Object.keys(about.everyNode),
    ];
    expect(settings.filter((name) => !docs.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
