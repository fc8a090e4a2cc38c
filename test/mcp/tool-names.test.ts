import { expect, test } from "vitest";
import { isNameMoved, toolNames } from "../../runtime/mcp/tool-names.js";
import type { Workflow } from "../../runtime/workflows/catalogue.js";

/** Workflows of `sheet::graph`. */
const workflows = (...names: readonly string[]): readonly Workflow[] =>
  names.map((name) => {
    const [group, graphName] = name.split("::");
    return { name, group, graphName } as Workflow;
  });

const namesOf = (...names: readonly string[]): readonly (readonly [string, string])[] =>
  [...toolNames(workflows(...names))].map(([name, workflow]) => [name, workflow.name]);

test("the name is that of the graph in snake case", () => {
  expect(namesOf("a::Pay Out", "a::Größe", "a::flowsheet_run")).toEqual([
    ["gro_e", "a::Größe"],
    ["pay_out", "a::Pay Out"],
    ["workflow_flowsheet_run", "a::flowsheet_run"],
  ]);
});

test("graphs that come to the same name are numbered by the order of their sheets", () => {
  expect(namesOf("b::Pay Out", "c::pay-out", "a::PAY OUT", "b::pay_out")).toEqual([
    ["pay_out", "a::PAY OUT"],
    ["pay_out_2", "b::Pay Out"],
    ["pay_out_3", "b::pay_out"],
    ["pay_out_4", "c::pay-out"],
  ]);
});

test("a number that is the name of another graph is left to it", () => {
  expect(new Map(namesOf("a::Pay", "b::Pay", "c::Pay 2"))).toEqual(
    new Map([
      ["pay", "a::Pay"],
      ["pay_3", "b::Pay"],
      ["pay_2", "c::Pay 2"],
    ]),
  );
});

test.each<[boolean, readonly string[], readonly string[]]>([
  [true, ["b::Pay"], ["a::pay", "b::Pay"]],
  [false, ["b::Pay"], ["b::Pay", "c::Pay"]],
  [true, ["a::Pay", "b::Pay"], ["b::Pay"]],
  [false, ["a::Pay", "b::Other"], ["b::Other"]],
  [true, ["a::Pay", "b::Pay"], ["a::Pay", "b::Pay", "b::Pay 2"]],
])("a name is moved: %s, from %j to %j", (isMoved, before, after) => {
  expect(isNameMoved(workflows(...before), workflows(...after))).toBe(isMoved);
});

test("names have at most 64 characters, also of long graphs that differ at their ends", () => {
  const long = "x".repeat(80);
  const names = namesOf(`a::${long}1`, `a::${long}2`).map(([name]) => name);
  expect(names.map(({ length }) => length)).toEqual([64, 64]);
  expect(new Set(names).size).toBe(2);
});
