import fc from "fast-check";
import type { GraphIR } from "../../compiler/ir.js";
import { HEADER } from "../parse/read-sheet.js";
import { toCsv } from "../property/generators/graph-csv.js";
import { graphs } from "../property/generators/random-graphs.js";
import { understandText } from "../world.js";

const WORDS = [
  "Check",
  "Order",
  "is",
  "very",
  "large",
  "approval",
  "of",
  "the",
  "customer's",
  "WWWMMM",
  "報告書",
  "🚀",
  "x_y_z",
  "Über-Prüfung",
];

const name = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6, size: "max" })
  .map((words) => words.join(" "));

/** The one graph of a sheet; sheets that give none are left out. */
const read = (sheets: fc.Arbitrary<string>): fc.Arbitrary<GraphIR> =>
  sheets
    .map((sheet) => understandText(sheet).graphs)
    .filter((found) => found.length === 1)
    .map(([graph]) => graph as GraphIR);

/** Graphs of any shape with as many nodes as asked for at most. */
export function randomGraphs(maxNodes: number): fc.Arbitrary<GraphIR> {
  const names = fc.array(name, { minLength: maxNodes, maxLength: maxNodes });
  const sheets = fc.record({ graph: graphs({ maxNodes }), names });
  return read(
    sheets.map(({ graph, names }) => toCsv(graph, { names: names.map((each, i) => `${each} ${i}`) })),
  );
}

/** Graphs as people write them, of exactly so many nodes: mostly forward, with handlers, loops, splits and choices. */
export function flows(nodes: number): fc.Arbitrary<GraphIR> {
  const kind = fc.constantFrom(
    "plain",
    "plain",
    "plain",
    "handled",
    "handled",
    "branch",
    "loop",
    "split",
    "choice",
    "end",
  );
  const row = fc.record({ name, kind, far: fc.nat(6), about: fc.boolean() });
  const rows = fc.array(row, { minLength: nodes, maxLength: nodes, size: "max" });
  return read(
    rows.map((list) => {
      const names = list.map((each, i) => `${each.name} ${i}`);
      const at = (i: number): string => names[i] ?? "END";
      const lines = list.map(({ kind, far, about }, i) => {
        const [near, other, past] = [at(i + 1), at(i + 2 + far), at(Math.max(0, i - far))];
        const columns: { readonly [K in typeof kind]: readonly string[] } = {
          plain: [near, "", "echo", "", ""],
          handled: ["", "", "llm", near, other],
          branch: ["", "", "branching", near, other],
          loop: ["", '{"max_visits": 3, "on_limit": "END"}', "human", near, past],
          split: [`${near}|${at(i + 2)}`, "", "echo", "", ""],
          choice: [`${near}|${other}`, "", "switch", "", ""],
          end: ["", "", "echo", near, "END"],
        };
        const [next = "", context = "", agent = "", success = "", failure = ""] = columns[kind];
        const description = about ? `${at(i)} is what happens here` : "";
        return ["Flow", at(i), next, context, agent, success, failure, "given", "", "Say it", description];
      });
      const quoted = lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","));
      return [`${HEADER},description`, ...quoted].join("\n");
    }),
  );
}
