import { expect, test } from "vitest";
import { understandText } from "../world.js";

const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context.graph";

/** The problems of a code, and whether --fix mends them. */
const found = (rows: string, code: string): readonly (boolean | undefined)[] =>
  understandText(`${HEADER}\n${rows}\n`)
    .diagnostics.filter((one) => one.code === code)
    .map(({ fix }) => fix?.safe);

test("a name that breaks a rule is never written once more", () => {
  expect(found("S,A,Wave,echo,,a,x,\nS,Wavee,,echo,,b,x,", "unknown-node")).toEqual([true]);
  expect(found("S,A,Wave,echo,,a,x,\nS,\0ave,,echo,,b,x,", "unknown-node")).toEqual([false]);
});

test("the outputs of a graph that runs itself are not turned round and round", () => {
  const inner = "Inner,Add,,echo,n,total,{n},";
  expect(found(`Outer,Each,,graph,n,mine=total,,Inner\n${inner}`, "unknown-output")).toEqual([true]);
  expect(found("Self,Again,,graph,n,mine=total,,Self", "unknown-output")).toEqual([undefined]);
});
