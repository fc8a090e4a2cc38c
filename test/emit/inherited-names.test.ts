import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { GraphIR } from "../../compiler/ir.js";
import type { StandIns } from "../../runtime/graph/contract/contract.js";
import { understandText } from "../world.js";
import { emitted, graphIn, importModules, moduleOf } from "./emitted.js";
import { check, createProject } from "./native.js";
import { interpreted } from "./play.js";

const folder = mkdtempSync(join(tmpdir(), "flowsheet-inherited-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that objects inherit, but for the names that no field may have. */
const NAMES = Object.getOwnPropertyNames(Object.prototype).filter(
  (name) => name !== "constructor" && name !== "__proto__",
);
const HEADER =
  "graph_name,node_name,next_node,agent_type,next_on_failure,input_fields,output_field,prompt,context";

/** A field of each name in every place of a sheet. */
const rowsOf = (name: string, i: number): readonly string[] => [
  `Given${i},A,B,echo,,${name},x,{${name}},`,
  `Given${i},B,,echo,,${name}=x,y,{${name}},`,
  `Typed${i},A,,custom,,${name}:number,${name}2,,`,
  `Written${i},A,B,echo,,seed,${name},,`,
  `Written${i},B,C,branching,,${name},,,"{""when"": {""${name}"": ""<>""}}"`,
  `Written${i},C,,custom,,p=${name}.${name}?:string,q,,`,
  `Maybe${i},A,B,custom,,${name}?,out,,`,
  `Maybe${i},B,,custom,,,${name},,`,
  `Asked${i},A,,input,,,${name},{{${name}}}?,`,
  `Two${i},A,B,custom,,seed,${name}:string|other=z:string,,`,
  `Two${i},B,,echo,,${name}|z,done,{${name}} {z},`,
  `Merged${i},S,L|R,echo,,seed,,go,"{""merge"": {""${name}"": ""append""}}"`,
  `Merged${i},L,M,echo,,seed,${name},l,`,
  `Merged${i},R,M,echo,,seed,${name},r,`,
  `Merged${i},M,,echo,,${name},all,{${name}},`,
  `Summed${i},S,L|R,echo,,seed,,go,"{""merge"": {""${name}"": ""sum""}}"`,
  `Summed${i},L,,custom,,seed,${name}:number,,`,
  `Summed${i},R,,custom,,seed,${name}:number,,`,
  `Calls${i},A,B,graph,,${name},${name}=${name}2,,"{""graph"": ""Child${i}""}"`,
  `Calls${i},B,,graph,,list,${name}=all|errors,,"{""graph"": ""Child${i}"", ""over"": ""list"", ""as"": ""${name}"", ""on_error"": ""collect""}"`,
  `Child${i},A,,echo,,${name},${name},{${name}}!,`,
  `Over${i},A,,graph,,${name},x=all,,"{""graph"": ""Inner${i}"", ""over"": ""${name}""}"`,
  `Inner${i},A,,echo,,item,x,{item},`,
];

const understood = understandText(`${HEADER}\n${NAMES.flatMap(rowsOf).join("\n")}\n`);

test("fields of all names that objects inherit are understood", () => {
  expect(understood.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("their modules type-check", async () => {
  const project = createProject({ module: "nodenext" });
  writeFileSync(
    join(project, "custom.ts"),
    "export function Custom(_inputs: object): any {\n  return null;\n}\n",
  );
  for (const [name, text] of emitted(understood.graphs))
    writeFileSync(join(project, name), text.replaceAll("../agents/custom.js", "./custom.js"));
  expect(await check(project)).toBe("");
});

test("and run like the sheets", async () => {
  const alone = understood.graphs.filter(({ nodes }) => nodes.every(({ agent }) => agent.type !== "graph"));
  const modules = await importModules(alone.map(moduleOf), folder);
  const answer = ({ nodes }: GraphIR): StandIns<object> =>
    Object.fromEntries(
      nodes.flatMap(({ name, agent, writes }) =>
        agent.builtin
          ? []
          : [
              [
                name,
                () =>
                  Object.fromEntries(
                    writes.map(({ key, type }) => [key, type?.kind === "number" ? 7 : "text"]),
                  ),
              ],
            ],
      ),
    );
  for (const [i, ir] of alone.entries()) {
    const given = Object.fromEntries(
      ir.fields
        .filter(({ input }) => input === "required")
        .map(({ name, checks }) => [name, checks[0]?.kind === "number" ? 3 : "given"]),
    );
    const ends = [interpreted(ir), graphIn(modules[i]!)].map(async (graph) => {
      const { status, state, path, error } = await graph.run(given, { nodes: answer(ir) });
      return JSON.stringify([status, Object.entries(state), path, error]);
    });
    const [one, other] = await Promise.all(ends);
    expect(other, ir.name).toBe(one);
    expect(one, ir.name).not.toContain('"failed"');
  }
});
