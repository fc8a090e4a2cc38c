import { expect, test } from "vitest";
import { applyFixes } from "../../compiler/service/fix-rounds.js";
import { problemsOf, understandText } from "../world.js";

const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt";
const mended = (text: string): string => applyFixes(text, understandText(text).diagnostics).text;

test("columns of other tools' settings are read as what they are called here, and written so by --fix", () => {
  const sheet = (columns: string, cells: string): string =>
    `${HEADER},${columns}\nG,A,B,human,n,x,{n}?,${cells}\nG,B,,echo,x,y,{x},,\n`;
  const text = sheet("context.interaction_type,context.timeout_seconds", "text_input,1.5");
  expect(problemsOf(text)).toEqual(["foreign-name 1:84 H1", "foreign-name 1:109 I1"]);
  const { settings, timeoutMs } = understandText(text).graphs[0]!.nodes[0]!;
  expect([settings["interaction"], timeoutMs]).toEqual(["text", 1500]);
  const after = mended(text);
  expect(after).toBe(sheet("context.interaction,context.timeout_ms", "text,1500"));
  expect(problemsOf(after)).toEqual([]);
});

test("a graph may be named by a column of another tool", () => {
  const text = `${HEADER},context.workflow\nG,A,,graph,x,y,,L\nL,B,,echo,x,y,,\n`;
  expect(mended(text)).toContain("prompt,context.graph\n");
  expect(problemsOf(mended(text))).toEqual([]);
});

test.each([
  ["an agent of the project has it as its own", "context.workflow", "G,A,,graph,x,y,,L\nG,B,,mine,x,y,,L"],
  ["a cell cannot be kept", "context.timeout_seconds", "G,A,,echo,x,y,,soon"],
  ["the setting is there", "context.workflow,context.graph", "G,A,,graph,x,y,,K,G"],
  ["two columns name a graph", "context.workflow,context.subgraph_name", "G,A,,graph,x,y,,G,G"],
])("and stay as they are where %s", (_, columns, rows) => {
  const text = `${HEADER},${columns}\n${rows}\n`;
  expect(problemsOf(text).filter((one) => one.startsWith("foreign-name"))).toEqual([]);
});
