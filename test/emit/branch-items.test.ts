import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emitFiles } from "../../compiler/emit-files.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import { link } from "../../runtime/graph/link/link.js";
import { understandText } from "../world.js";
import { modulesOf } from "./emitted.js";
import { check, createProject } from "./native.js";

const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,context";
const APPEND = '"{""merge"": {""parts"": ""append""}}"';
const sheet = (...rows: readonly string[]): string => [HEADER, ...rows].join("\n");

/** `parts` holds a list at the split; A reads that list, and C the item that B has written. */
const HELD = [
  "G,P,S,names,,parts:string[],",
  `G,S,A|B,echo,,go,${APPEND}`,
  "G,A,J,longest,list=parts,parts,",
  "G,B,C,name,,parts,",
  "G,C,J,upper,one=parts,shout,",
  "G,J,,names,,last,",
];

const AGENTS = `
export const names = (): string[] => ["x", "yy"];
export const longest = ({ list }: { list: readonly string[] }): string => list.join("+");
export const name = (): string => "z";
export const upper = ({ one }: { one: string }): string => one.toUpperCase();
`;

const agents: { readonly [type: string]: (inputs: never) => unknown } = {
  names: () => ["x", "yy"],
  longest: ({ list }: { readonly list: readonly string[] }) => list.join("+"),
  name: () => "z",
  upper: ({ one }: { readonly one: string }) => one.toUpperCase(),
};

test("an agent in a branch reads what was held at the split, and what the branch has written as an item", async () => {
  const [graph] = understandText(sheet(...HELD)).graphs;
  if (graph === undefined) throw new Error("there is a graph");
  const { state } = await link(graph, { find: (type) => agents[type] ?? (() => "go") }).run({}, {});
  expect(state).toMatchObject({ parts: ["x", "yy", "x+yy", "z"], shout: "Z" });

  const files = emitFiles([{ graph, fingerprint: fingerprintOf(graph) }], {
    findAgent: ({ agent }) => ({ from: "./agents.js", name: agent.type }),
    extension: ".js",
    modules: modulesOf([graph]),
  });
  const folder = createProject({ module: "nodenext" });
  writeFileSync(join(folder, "agents.ts"), AGENTS);
  for (const [path, text] of files) writeFileSync(join(folder, path), text);
  expect(await check(folder)).toBe("");
  writeFileSync(join(folder, "agents.ts"), AGENTS.replace("list: readonly string[]", "list: number[]"));
  expect(await check(folder)).toContain("string[]");
});

const mismatches = (...rows: readonly string[]): readonly string[] =>
  understandText(sheet(...rows)).diagnostics.flatMap(({ code, place, message }) =>
    code === "type-mismatch" ? [`${place?.cell}: ${message}`] : [],
  );

const annotated = (inA: string, inC: string): readonly string[] =>
  HELD.map((row) =>
    row
      .replace("list=parts", `list=parts:${inA}`)
      .replace("one=parts", `one=parts:${inC}`)
      .replace("name,,parts,", "name,,parts:string,"),
  );

test("an annotation in a branch is compared with what the node reads there", () => {
  expect(mismatches(...annotated("string[]", "string"))).toEqual([]);
  expect(mismatches(...annotated("string[]", "number"))).toEqual([
    'E6: "parts" is written as string by "B", read as number by "C"',
  ]);
  expect(mismatches(...annotated("number", "string"))).toHaveLength(1);
});

test("behind the meeting, and in a loop around the split, it is the list", () => {
  const behind = (type: string): readonly string[] =>
    mismatches(
      `G,S,A|B,echo,,go,${APPEND}`,
      "G,A,J,name,,parts:string,",
      "G,B,J,name,,parts:string,",
      `G,J,S,upper,one=parts:${type},last,"{""max_visits"": 2}"`,
    );
  expect(behind("string[]")).toEqual([]);
  expect(behind("string")).toHaveLength(1);
});

test("an inner meeting makes a list, which is one item to the branch around it", () => {
  const inner = (type: string): readonly string[] =>
    mismatches(
      `G,S,A|B,echo,,go,${APPEND}`,
      `G,A,C|D,echo,,more,${APPEND}`,
      "G,C,E,name,,parts:string,",
      `G,E,M,upper,one=parts:${type},loud,`,
      "G,D,M,name,,parts:string,",
      "G,M,J,longest,list=parts:string[],most,",
      "G,B,J,name,,parts:string,",
      "G,J,,names,,last,",
    );
  expect(inner("string")).toEqual([]);
  expect(inner("boolean")).toHaveLength(1);
});
