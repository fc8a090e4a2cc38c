import { expect, test } from "vitest";
import { readSheet } from "../../compiler/1-parse/sheet.js";
import type { Keep } from "../../compiler/2-analyze/keep.js";
import { SheetAnalysis } from "../../compiler/2-analyze/sheet-analysis.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import { testWorld } from "../world.js";

/** Lets everything go at once, as a collection of the memory may do. */
class Memory {
  #round = 0;
  readonly keep: Keep = (value, remake) => {
    let held = { value, round: this.#round };
    return () => {
      if (held.round !== this.#round) held = { value: remake(), round: this.#round };
      return held.value;
    };
  };
  letGo(): void {
    this.#round++;
  }
}

/** Each graph runs the next one, and takes a field of it. */
const chain = (length: number): string =>
  [
    "graph_name,node_name,context,agent_type,input_fields,output_field",
    ...Array.from({ length: length - 1 }, (_, i) => `G${i},A,"{""graph"": ""G${i + 1}""}",graph,x,y`),
    `G${length - 1},A,,echo,x,y:text`,
  ].join("\n");

test("what was let go of a long chain of calls is made again without filling the stack", () => {
  const memory = new Memory();
  const sheet = readSheet({ file: "a.csv", text: chain(4_000) }, new Problems("a.csv"))?.sheet;
  if (sheet === undefined) throw new Error("it is a sheet");
  const analysis = new SheetAnalysis(sheet, testWorld(), memory.keep);
  const graphs = analysis.analyze(sheet);
  const before = graphs.map(({ fields }) => JSON.stringify(fields));
  for (const first of [0, 2_000, 3_999]) {
    memory.letGo();
    const again = [...graphs.slice(first), ...graphs.slice(0, first)].map(({ fields }) =>
      JSON.stringify(fields),
    );
    expect(again).toEqual([...before.slice(first), ...before.slice(0, first)]);
  }
});
