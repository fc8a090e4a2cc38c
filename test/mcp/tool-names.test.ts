import { expect, test } from "vitest";
import { toolNames } from "../../runtime/mcp/tool-names.js";
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

test.each([
  ["in another spelling", "z::PAY OUT"],
  ["with the very name", "a::pay_out"],
  ["in another sheet, before it", "a::Pay Out"],
])("a graph that is added %s takes over no name", (_how, added) => {
  const before = namesOf("b::Pay Out");
  const after = namesOf("b::Pay Out", added);
  expect(before).toEqual([["pay_out", "b::Pay Out"]]);
  expect(after).toHaveLength(2);
  for (const [name] of after) expect(name).toMatch(/^pay_out_[0-9a-f]{8}$/);
  const third = namesOf("b::Pay Out", added, "0::PAY_OUT");
  expect(third).toEqual(expect.arrayContaining([...after]));
});

test("a graph that is called as the name of another one does not get it", () => {
  const [first] = namesOf("a::Pay", "b::Pay");
  const [name = "", workflow] = first ?? [];
  const all = new Map(namesOf("a::Pay", "b::Pay", `0::${name}`));
  expect([all.size, all.get(name)]).toEqual([3, workflow]);
});

test("names have at most 64 characters, also of long graphs that differ at their ends", () => {
  const long = "x".repeat(80);
  const names = namesOf(`a::${long}1`, `a::${long}2`).map(([name]) => name);
  expect(names.map(({ length }) => length)).toEqual([64, 64]);
  expect(new Set(names).size).toBe(2);
});
