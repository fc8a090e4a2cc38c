import { expect, test } from "vitest";
import { SheetDocument } from "../../compiler/service/document.js";
import { hints } from "../../compiler/service/hints.js";
import { testWorld } from "../world.js";

test("the types of a node that writes very many fields are found in the time of its text", () => {
  const fields = Array.from({ length: 30_000 }, (_, i) => `field_${i}`);
  const text = `graph_name,node_name,agent_type,output_field,prompt\nG,A,echo,${fields.join("|")},Hello\n`;
  const view = SheetDocument.open("a.csv", text, { world: testWorld() }).view();
  const started = performance.now();
  const found = hints(view, { start: 0, end: text.length });
  expect(found.map(({ label }) => label)).toEqual(fields.map(() => ": string"));
  expect(performance.now() - started).toBeLessThan(10_000);
});
