import { expect, test } from "vitest";
import { parseTests } from "../../compiler/1-parse/test-sheet.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import { understandText } from "../world.js";

test("a setting's column may have white space in its name: an agent of the project gets `_` for it", () => {
  const header = "graph_name,node_name,agent_type,context.Max Visits,context.my  own limit,context.other-one";
  const { graphs, diagnostics } = understandText(`${header}\nG,A,robot,3,5,x\n`, {
    customAgents: new Set(["robot"]),
  });
  expect(diagnostics).toEqual([]);
  expect(graphs[0]?.nodes[0]).toMatchObject({
    maxVisits: 3,
    settings: { my_own_limit: 5, "other-one": "x" },
  });
});

test("a header cell of a test sheet that is a spreadsheet's error is told of, and not private", () => {
  const problems = new Problems("a.test.csv");
  const text = "graph_name,case,#REF!,# mine\nG,one,x,y\n";
  parseTests({ file: "a.test.csv", text }, problems);
  expect(problems.sorted().map(({ code, place }) => `${code} ${place?.cell}`)).toEqual([
    "spreadsheet-error C1",
  ]);
});
