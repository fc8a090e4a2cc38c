import { expect, test } from "vitest";
import { formatType } from "../../compiler/types/format-type.js";
import { understandText } from "../world.js";

/** The types of the inputs that a formula without annotations asks of the caller. */
function asked(inputs: string, formula: string): readonly string[] {
  const cell = `"${formula.replaceAll('"', '""')}"`;
  const { graphs, diagnostics } = understandText(
    `graph_name,node_name,agent_type,input_fields,output_field,prompt\ng,A,formula,${inputs},x,${cell}\n`,
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return (graphs[0]?.fields ?? [])
    .filter(({ input }) => input !== null)
    .map(({ name, checks }) => `${name} ${checks.map(formatType).join(" & ")}`.trim());
}

test.each([
  ["a|b", "a * b", ["a number", "b number"]],
  ["a", "a > 1000", ["a number"]],
  ["n=a", "ROUND(n, 2)", ["a number"]],
  ["a?", "IFBLANK(a, 0)", ["a number"]],
  ["vip|a", "IF(vip, a * 2, 0)", ["vip boolean", "a number"]],
  ["t", "LEFT(t, 2)", ["t string"]],
  ["a|b?", "MIN(a, IFBLANK(b, 0))", ["a number", "b number"]],
  ["l", "COUNT(SORT(l))", ["l list"]],
  // Nothing is asked of what may be anything, or is used in two ways.
  ["c", 'c = "DE"', ["c"]],
  ["c", "c & c", ["c"]],
  ["l", "SUM(l)", ["l"]],
  ["c|l", "COUNT(c, l)", ["c", "l"]],
  ["a", 'IF(ISNUMBER(a), a * 2, LEN(a & ""))', ["a number"]],
  ["o", "o.total * 2", ["o"]],
  ["a", "IF(a > 1, 1, LEN(a))", ["a"]],
] as const)("%s in %s", (inputs, formula, wanted) => {
  expect(asked(inputs, formula)).toEqual(wanted);
});

test("two formulas that need two types of one input ask for none", () => {
  const { graphs, diagnostics } = understandText(
    "graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt\ng,A,formula,B,v,x,v * 2\ng,B,formula,,v,y,LEN(v)\n",
  );
  expect(diagnostics).toEqual([]);
  expect(graphs[0]?.fields.find(({ name }) => name === "v")?.checks).toEqual([]);
});
