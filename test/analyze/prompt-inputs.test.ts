import { expect, test } from "vitest";
import { problemsOf, understandText } from "../world.js";

const HEADER = "graph_name,node_name,next_node,context,agent_type,input_fields,output_field,prompt\n";

/** Whether --fix adds the field that the prompt of the second node names to its inputs. */
function isAdded(node: string): boolean {
  const { diagnostics } = understandText(`${HEADER}G,A,B,,echo,name,x,Hi {name}\n${node}\n`);
  const found = diagnostics.find(({ code }) => code === "unknown-placeholder");
  expect(found?.fix?.title).toBe('add "name" to input_fields');
  return found?.fix?.safe === true;
}

test.each([
  "G,B,,,echo,x,y,{x} {name}",
  "G,B,,,llm,x,y,{x} {name}",
  "G,B,,,csv_reader,x,y,{name}.csv",
  'G,B,,"{""value"": ""x""}",csv_writer,x,,{name}.csv',
  "G,B,,,of_the_project,x,y,{x} {name}",
])("a field that the prompt names becomes an input: %s", (node) => {
  expect(isAdded(node)).toBe(true);
});

test.each([
  "G,B,,,csv_writer,x,,{name}.csv",
  "G,B,,,json_writer,x,,{name}.json",
  'G,B,,"{""llm"": true}",summary,x,y,{name}',
  'G,B,,"{""graph"": ""H""}",graph,x,y,{name}\nH,C,,,echo,x,y,{x}',
  "G,B,C|D,,orchestrator,x,y,{name}\nG,C,,,echo,,,c\nG,D,,,echo,,,d",
])("but not of an agent that works on all its inputs: %s", (node) => {
  expect(isAdded(node)).toBe(false);
});

test("nothing is said of the inputs and prompts of a row that is too long", () => {
  const sheet = `${HEADER}G,A,,,echo,n,m,x,Hello {n} {m}\nG,B,,,branching,n,m,x,which,of,these\n`;
  expect(problemsOf(sheet).filter((one) => /^unused-(input|prompt)/.test(one))).toEqual([]);
});
