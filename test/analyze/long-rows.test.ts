import { expect, test } from "vitest";
import { processorTime } from "../processor-time.js";
import { understandText } from "../world.js";

const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt";

test("a row is mended where only one way makes every cell fit", () => {
  const row = "G,A,,echo,,name,out,Hello {name}";
  const [problem] = understandText(`${HEADER}\n${row}\n`).diagnostics.filter(
    ({ code }) => code === "long-row",
  );
  expect(problem?.fix?.edits.map(({ start, end, text }) => [end - start, text])).toEqual([[1, ""]]);
});

test("a type of another tool beside it hides no repair", () => {
  const text = `${HEADER}\nG,A,,echo,name: str,out,Hello, {name}\n`;
  const [problem] = understandText(text).diagnostics.filter(({ code }) => code === "long-row");
  expect(problem?.fix?.title).toBe("put the prompt in quotes");
});

test("a row that could be mended in two ways is left", () => {
  const text = `${HEADER}\nG,A,,,echo,,,,Hello,x\n`;
  const [problem] = understandText(text).diagnostics.filter(({ code }) => code === "long-row");
  expect(problem?.fix ?? null).toBe(null);
});

test("very many long rows cost no more than their cells", () => {
  const columns = Array.from({ length: 150 }, (_, i) => `#${i}`).join(",");
  const cells = Array.from({ length: 160 }, (_, i) => (i % 2 === 0 ? "x" : "")).join(",");
  const rows = Array.from({ length: 4000 }, (_, i) => `G,N${i},,echo,,,${cells}`).join("\n");
  const started = processorTime();
  const { diagnostics } = understandText(`${HEADER},${columns}\n${rows}\n`);
  expect(diagnostics.filter(({ code }) => code === "long-row").length).toBe(4000);
  expect(processorTime() - started).toBeLessThan(20_000);
});
