import { expect, test } from "vitest";
import { interpreted } from "../emit/play.js";
import { understandText } from "../world.js";

const SHEET = `graph_name,node_name,next_node,agent_type,next_on_failure,input_fields,output_field,prompt
L,Show,Ask,echo,,ready,shown,Ready: {ready}
L,Ask,Check,input,,,ready,Are you ready?
L,Check,,branching,Show,ready,done,
`;

test("a value that a node has read is still the answer of the first question, and of no other", async () => {
  const [ir] = understandText(SHEET).graphs;
  const graph = interpreted(ir!);
  const first = await graph.run({ ready: "no" });
  if (first.status !== "suspended") throw new Error(`it ended as ${first.status}`);
  expect(first.path).toEqual(["Show", "Ask", "Check", "Show", "Ask"]);
  expect(first.waiting.map(({ node }) => node)).toEqual(["Ask"]);
  const last = await graph.resume(first.checkpoint, { Ask: "yes" });
  expect(last).toMatchObject({ status: "completed", state: { ready: "yes", shown: "Ready: no" } });
});
