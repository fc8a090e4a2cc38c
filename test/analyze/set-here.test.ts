import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSetHere } from "../../compiler/2-analyze/fields/set-here.js";
import type { GraphIR } from "../../compiler/ir.js";
import { agentFacts } from "../../runtime/agents/facts.js";
import { CASES, caseFolders } from "../cases/case-folder.js";
import { howMany } from "../how-many.js";
import { toCsv } from "../property/generators/graph-csv.js";
import { graphs } from "../property/generators/graphs.js";
import { understandText } from "../world.js";

/** What is said of the reads of a sheet, beside what the analysis found of them. */
function compare(all: readonly GraphIR[]): {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
} {
  const ours: string[] = [];
  const theirs: string[] = [];
  for (const graph of all) {
    const graphOf = (name: string): GraphIR | null => all.find((one) => one.name === name) ?? null;
    const isSet = findSetHere(graph, { agents: agentFacts, graphOf });
    graph.nodes.forEach(({ reads, name }, v) => {
      for (const { field, sure } of reads) {
        const said = isSet(v)?.has(field) ?? null;
        if (said === null || field.startsWith("$")) continue;
        ours.push(`${graph.name} ${name} ${field} ${said}`);
        theirs.push(`${graph.name} ${name} ${field} ${sure}`);
      }
    });
  }
  return { ours, theirs };
}

describe("fields that are set on every way to a node", () => {
  const sheet = (text: string): ReturnType<typeof findSetHere> => {
    const {
      graphs: [graph],
    } = understandText(
      `graph_name,node_name,agent_type,next_node,next_on_failure,input_fields,output_field\n${text}`,
    );
    return findSetHere(graph as GraphIR, { agents: agentFacts, graphOf: () => null });
  };

  test("also where no node reads them", () => {
    const isSet = sheet(
      "G,A,echo,B,,name,one\nG,B,custom,C,Sorry,,two\nG,C,echo,,,,three\nG,Sorry,echo,,,,\nG,Lost,echo,,,,",
    );
    const said = ["name", "one", "two", "three", "error"].map((field) =>
      [0, 1, 2, 3, 4].map((v) => isSet(v)?.has(field) ?? null),
    );
    expect(said).toEqual([
      [true, true, true, true, null],
      [false, true, true, true, null],
      [false, false, true, false, null],
      [false, false, false, false, null],
      [false, false, false, true, null],
    ]);
  });

  test("one way out of a branch tells more than all of them together", () => {
    const { graphs } = understandText(
      `graph_name,node_name,agent_type,next_node,next_on_success,next_on_failure,input_fields,output_field,context
G,Start,echo,Ask|Other|END,,,,,
G,Ask,branching,Again,,Tell,,x,"{""max_visits"": 1, ""on_limit"": ""Stop""}"
G,Again,echo,Ask,,,,,
G,Stop,branching,,,Again,,,
G,Other,failure,,A|B,,,,
G,A,echo,,,,,,
G,B,switch,C|D,,,,,
G,C,echo,,,Tell,,,
G,D,echo,,,,,,
G,Tell,echo,,,,x,,`,
    );
    const [graph] = graphs;
    expect(graph?.nodes.find(({ name }) => name === "Tell")?.reads).toMatchObject([
      { field: "x", sure: true },
    ]);
    const { ours, theirs } = compare(graphs);
    expect(ours).toEqual(theirs);
  });

  test("branches that begin at a condition that does not hold have no `error`", () => {
    const { graphs } = understandText(
      `graph_name,node_name,agent_type,next_node,next_on_success,next_on_failure,input_fields,output_field,context
G,Start,branching,,Start,Tell|Other,,,"{""merge"": {""x"": ""append""}}"
G,Tell,echo,,,,error,,
G,Other,custom,Start,,Start,,x,`,
    );
    const [graph] = graphs;
    expect(graph?.nodes[1]?.reads).toMatchObject([{ field: "error", sure: false }]);
    const { ours, theirs } = compare(graphs);
    expect(ours).toEqual(theirs);
  });

  test("where nothing fails, `error` is nowhere set, not even behind branches that never end", () => {
    const { graphs } = understandText(
      "graph_name,node_name,agent_type,next_node,input_fields\nG,Start,echo,Loop|Tell,\nG,Loop,echo,Loop,\nG,Tell,echo,,error",
    );
    const [graph] = graphs;
    expect(graph?.nodes[2]?.reads).toMatchObject([{ field: "error", sure: false }]);
    const { ours, theirs } = compare(graphs);
    expect(ours).toEqual(theirs);
  });

  test("the analysis says the same of the sheets of this repository where nodes read", () => {
    const own = readdirSync("examples")
      .filter((name) => name.endsWith(".csv"))
      .map((name) => `examples/${name}`);
    const files = [...own, ...caseFolders().map((folder) => `${CASES}/${folder}/input.csv`)];
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const { graphs, diagnostics } = understandText(readFileSync(file, "utf8"), {}, file);
      // Nobody knows what a row with too many cells reads.
      if (diagnostics.some(({ code }) => code === "long-row")) continue;
      const { ours, theirs } = compare(graphs);
      expect(ours).toEqual(theirs);
    }
  });

  test("the analysis says the same of random graphs where nodes read", () => {
    const property = fc.property(graphs(), (graph) => {
      const { ours, theirs } = compare(understandText(toCsv(graph)).graphs);
      expect(ours).toEqual(theirs);
    });
    fc.assert(property, { numRuns: howMany(2_500, 80) });
  });
});
