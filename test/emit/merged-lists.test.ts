import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emitFiles } from "../../compiler/emit-files.js";
import type { GraphIR, Json } from "../../compiler/ir.js";
import { AgentRegistry } from "../../runtime/agents/registry.js";
import type { AnyAgent } from "../../runtime/graph/contract/contract.js";
import { fingerprintOf } from "../../runtime/graph/link/fingerprint.js";
import { link } from "../../runtime/graph/link/link.js";
import { understandText } from "../world.js";
import { moduleOf, modulesOf } from "./emitted.js";
import { check, createProject } from "./native.js";

const HEADER = "node_name,next_node,agent_type,next_on_failure,output_field,prompt,input_fields,context";
const APPEND = '"{""merge"": {""parts"": ""append""}}"';

/** Sheets that append to `parts`, each with the type that the field should have. */
const sheets: { readonly [name: string]: { readonly rows: readonly string[]; readonly type: string } } = {
  TwoInARow: {
    rows: [
      `S,A|B,echo,,,,,${APPEND}`,
      "A,T,echo,,parts,a,,",
      "B,T,echo,,parts,b,,",
      `T,C|D,echo,,,,,${APPEND}`,
      "C,,num,,n=parts,,,",
      "D,,num,,n=parts,,,",
    ],
    type: 'readonly (string | Output<typeof num, "n">)[]',
  },
  ToldFirst: {
    rows: ["P,S,names,,parts,,,", `S,A|B,echo,,,,,${APPEND}`, "A,,echo,,parts,a,,", "B,,echo,,parts,b,,"],
    type: 'Output<typeof names, "parts"> | readonly (string | Item<Output<typeof names, "parts">>)[]',
  },
  HeldList: {
    rows: [
      "P,S,names,,parts:string[],,,",
      `S,A|B,echo,,,,,${APPEND}`,
      "A,,num,,n=parts:number,,,",
      "B,,num,,n=parts:number,,,",
    ],
    type: "readonly (string | number)[]",
  },
  HeldValue: {
    rows: [
      "P,S,echo,,parts,first,,",
      `S,A|B,echo,,,,,${APPEND}`,
      "A,,num,,n=parts:number,,,",
      "B,,num,,n=parts:number,,,",
    ],
    type: "string | readonly (string | number)[]",
  },
  // Of the lists of more splits than are followed it is only said that they are lists.
  Seventy: {
    rows: [
      ...Array.from({ length: 70 }, (_, i) => [
        `S${i},A${i}|B${i},echo,,,,,${APPEND}`,
        `A${i},S${i + 1},echo,,parts,a,,`,
        `B${i},S${i + 1},num,,n=parts,,,`,
      ]).flat(),
      "S70,,echo,,last,j,,",
    ],
    type: 'string | number | Output<typeof num, "n"> | readonly unknown[]',
  },
  // Nor is it said how deep they lie in each other.
  SeventyDeep: {
    rows: [
      ...Array.from({ length: 70 }, (_, i) => [
        `S${i},S${i + 1}|A${i},echo,,,,,${APPEND}`,
        `A${i},,echo,,parts,a,,`,
      ]).flat(),
      "S70,E,echo,,parts,b,,",
      "E,,echo,,last,{parts},parts,",
    ],
    type: "string | number | readonly unknown[]",
  },
  InnerHolds: {
    rows: [
      `S,A|B,echo,,,,,${APPEND}`,
      `A,C|D,echo,,parts,a,,${APPEND}`,
      "C,M,num,,n=parts:number,,,",
      "D,M,num,,n=parts:number,,,",
      "M,J,echo,,more,m,,",
      "B,J,flag,,parts:boolean,,,",
      "J,,echo,,last,j,,",
    ],
    type: "readonly (string | boolean | readonly (string | number)[])[]",
  },
  OtherBranch: {
    rows: [
      `S,A|B,echo,,,,,${APPEND}`,
      `A,C|D,echo,,,,,${APPEND}`,
      "C,J,num,,n=parts:number,,,",
      "D,J,num,,n=parts:number,,,",
      "B,J,echo,,parts,b,,",
      "J,,echo,,last,j,,",
    ],
    type: "readonly (string | readonly number[])[]",
  },
  Rounds: {
    rows: [
      `S,A|B,echo,,,,,${APPEND}`,
      "A,T,names,,parts:string[],,,",
      "B,T,echo,,parts,b,,",
      `T,C|D,echo,,,,,${APPEND}`,
      "C,J,num,,n=parts:number,,,",
      "D,J,num,,n=parts:number,,,",
      'J,S,echo,,last,j,,"{""max_visits"": 2}"',
    ],
    type: "readonly (string | number | readonly string[])[]",
  },
  NestedRounds: {
    rows: [
      `S,A|B,echo,,,,,${APPEND}`,
      `A,C|D,echo,,,,,${APPEND}`,
      "C,M,num,,n=parts:number,,,",
      "D,M,num,,n=parts:number,,,",
      "M,J,echo,,more,m,,",
      "B,J,echo,,parts,b,,",
      'J,S,echo,,last,j,,"{""max_visits"": 3}"',
    ],
    type: "readonly (string | readonly (string | number | readonly unknown[])[])[]",
  },
  Entered: {
    rows: [
      `A,S,names,,parts:string[],,,`,
      `S,A|B,echo,,,,,"{""merge"": {""parts"": ""append""}, ""max_visits"": 2}"`,
      "B,,num,,n=parts:number,,,",
    ],
    type: "readonly (string | number | readonly string[])[]",
  },
  Circle: {
    rows: [
      "P,Call,echo,,parts,first,,",
      'Call,S,graph,,parts,,,"{""graph"": ""Circle""}"',
      `S,A|B,echo,,,,,${APPEND}`,
      "A,,num,,n=parts:number,,,",
      "B,,num,,n=parts:number,,,",
    ],
    type: "string | readonly unknown[]",
  },
  Given: {
    rows: [
      `S,A|B,echo,,,,parts,${APPEND}`,
      "A,T,echo,,parts,a,,",
      "B,T,echo,,parts,b,,",
      `T,C|D,echo,,,,,${APPEND}`,
      "C,,num,,n=parts:number,,,",
      "D,,num,,n=parts:number,,,",
    ],
    type: "readonly (string | number)[]",
  },
};

const AGENTS = {
  num: ["(): { n: number } => ({ n: 3 })", () => ({ n: 3 })],
  flag: ["(): boolean => true", () => true],
  names: ['(): string[] => ["x", "y"]', () => ["x", "y"]],
} as const;

function graphOf(name: string): GraphIR {
  const rows = (sheets[name]?.rows ?? []).map((row) => `${name},${row}\n`);
  const { graphs, diagnostics } = understandText(`graph_name,${HEADER}\n${rows.join("")}`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return graphs[0]!;
}

async function endOf(graph: GraphIR): Promise<Json | undefined> {
  const registry = new AgentRegistry();
  // A graph that runs itself has some end.
  const own = new Map<string, AnyAgent>(Object.entries(AGENTS).map(([name, [, agent]]) => [name, agent]));
  const find = (type: string): AnyAgent | undefined =>
    registry.find(type) ?? own.get(type) ?? (() => ({ parts: ["first", 3] }));
  const isGiven = graph.fields.some(({ name, input }) => name === "parts" && input !== null);
  const { state } = await link(graph, { find }).run(isGiven ? { parts: [7] } : {}, {});
  return (state as { readonly parts?: Json }).parts;
}

test("what runs leave in a field that branches append to is of the type that the module says", async () => {
  const folder = createProject({ module: "nodenext", noUncheckedIndexedAccess: true });
  const agents = Object.entries(AGENTS).map(([name, [code]]) => `export const ${name} = ${code};\n`);
  writeFileSync(join(folder, "agents.ts"), agents.join(""));
  const said: { [name: string]: string | undefined } = {};
  for (const name of Object.keys(sheets)) {
    const graph = graphOf(name);
    const files = emitFiles([{ graph, fingerprint: fingerprintOf(graph) }], {
      findAgent: ({ agent }) => ({ from: "./agents.js", name: agent.type }),
      extension: ".js",
      modules: modulesOf([graph]),
    });
    const [file = "", text = ""] = [...files].find(([path]) => path !== "index.gen.ts") ?? [];
    writeFileSync(join(folder, file), text);
    said[name] = /^ {2}parts\??:\s+([^;]*);/m.exec(text)?.[1];
    const value = JSON.stringify(await endOf(graph));
    const module = JSON.stringify(`./${file.replace(/ts$/, "js")}`);
    writeFileSync(
      join(folder, `${name}.check.ts`),
      `import type { ${name}State } from ${module};\nexport const end: ${name}State["parts"] = ${value};\n`,
    );
  }
  expect(await check(folder)).toBe("");
  expect(said).toEqual(Object.fromEntries(Object.entries(sheets).map(([name, { type }]) => [name, type])));
});

test("C51 merges that nest deep make a module that grows as the sheet does", () => {
  const lengthOf = (depth: number): number => {
    const rows = Array.from({ length: depth }, (_, i) => [
      `S${i},S${i + 1}|A${i},echo,,,,,${APPEND}`,
      `A${i},,echo,,parts,a,,`,
    ]);
    const sheet = ["graph_name,node_name,next_node,agent_type,output_field,context"];
    sheet.push(
      ...rows.flat().map((row) => `G,${row.replace(",,parts,a,,", ",parts,").replace(",,,,,", ",,")}`),
    );
    const { graphs } = understandText(`${[...sheet, `G,S${depth},,echo,parts,`].join("\n")}\n`);
    const [graph] = graphs;
    if (graph === undefined) throw new Error("no graph");
    expect(graph.splits).toHaveLength(depth);
    return moduleOf(graph).length;
  };
  expect(lengthOf(400) / lengthOf(100)).toBeLessThan(5);
});
