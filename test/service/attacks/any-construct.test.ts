import fc from "fast-check";
import { expect, test } from "vitest";
import { howMany, inCi } from "../../how-many.js";
import { processorTime } from "../../processor-time.js";
import { requestsOf } from "./every-request.js";

/** So much text of one kind, at most: what costs more than its length shows long before the limit. */
const MOST = inCi ? 60_000 : 8_000;
/** What grew with the square of the size would take minutes in the long form. */
const MOST_MS = 10_000;

const HEAD = "graph_name,node_name,next_node,context,agent_type,input_fields,output_field,prompt";
const TEST_HEAD = "graph_name,case,given,mocks,answers,expect_path,expect_state,expect_absent";
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** One piece of each construct of the grammar; `i` tells it from the others, or does not. */
const PIECES: readonly ((i: number) => string)[] = [
  (i) => `name_${i}`,
  (i) => `name_${i}?`,
  (i) => `theirs_${i}=mine_${i}`,
  (i) => `name_${i}:number`,
  (i) => `name_${i}:int`,
  (i) => `name_${i}:'a'/'b'`,
  (i) => `name.part_${i}.part`,
  (i) => `{name_${i}}`,
  (i) => `{{name_${i}}}`,
  (i) => `{nxme_${i}.a.b}`,
  (i) => `'v${i}'`,
  (i) => `Node ${i}`,
  () => "END",
  (i) => `"k${i}": "v"`,
  (i) => `'k${i}': True`,
  (i) => `"k${i}": {"a": [1, null, {"b": "{name_${i}}"}]}`,
  (i) => `"merge": {"f${i}": "append"}`,
  (i) => `"Node ${i}": {"return": {"answer": ${i}}}`,
  (i) => `name_${i} * 2`,
  (i) => `IF(name_${i} > 1, "a", 'b')`,
  (i) => `SUM(list_${i})`,
  () => '"',
  () => '""',
  () => "((",
  () => "))",
  () => "漢👩‍👩‍👧",
  () => "\\",
  () => "\r\n",
  () => "# ",
];
const BETWEEN = ["|", ", ", " ", "/", " > ", " + ", "\n", ":", ""];
const AROUND: readonly (readonly [string, string])[] = [
  ["", ""],
  ["{", "}"],
  ['{"when": {', "}}"],
  ['{"cases": {', '}, "default": "A"}'],
  ['{"choices": [', "]}"],
  ["name:", ""],
  ["=", ""],
  ['"', ""],
];
const AGENTS = ["echo", "llm", "branching", "switch", "formula", "graph", "failure", "json_reader", "nobody"];

const cell = fc.record({
  piece: fc.constantFrom(...PIECES),
  between: fc.constantFrom(...BETWEEN),
  around: fc.constantFrom(...AROUND),
  isQuoted: fc.boolean(),
  areEqual: fc.boolean(),
});

type Cell = typeof cell extends fc.Arbitrary<infer T> ? T : never;

/** So many pieces as the length allows. */
function written(
  { piece, between, around: [before, after], isQuoted, areEqual }: Cell,
  length: number,
): string {
  const parts: string[] = [];
  for (let left = length, i = 0; left > 0; i++) {
    const part = piece(areEqual ? 1 : i);
    parts.push(part);
    left -= part.length + between.length;
  }
  const text = `${before}${parts.join(between)}${after}`;
  return isQuoted ? quoted(text) : text;
}

const short = fc.constantFrom("", "A", "B", "name", "{name}", "{}", '{"retry": 3}', "x|y");
const large = fc.record({
  isTest: fc.boolean(),
  rows: fc.constantFrom(1, 2, 5, 40, 400, 4_000),
  columns: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 2 }),
  cells: fc.tuple(cell, cell),
  others: fc.array(short, { minLength: 7, maxLength: 7 }),
  agent: fc.constantFrom(...AGENTS),
  areOneGraph: fc.boolean(),
});

const text = large.map(({ isTest, rows, columns, cells, others, agent, areOneGraph }) => {
  const count = Math.min(rows, Math.ceil(MOST / 60));
  const length = Math.floor(MOST / count / columns.length);
  const lines = Array.from({ length: count }, (_, row) => {
    const own = others.map((other, i) => {
      const at = columns.indexOf(i);
      const filled = at < 0 ? other : written(cells[at] as Cell, length);
      return !isTest && i === 3 && at < 0 ? agent : filled;
    });
    return [areOneGraph ? "G" : `G${row >> 3}`, ...own].join(",");
  });
  return { isTest, text: `${isTest ? TEST_HEAD : HEAD}\n${lines.join("\n")}\n` };
});

const TESTED = `${HEAD}\nG,A,B,,echo,name,answer,Hi {name}\nG,B,,,echo,answer,last,{answer}\n`;

test("any construct as often as there is room for: every request is answered in time", async () => {
  const property = fc.asyncProperty(text, async ({ isTest, text: large }) => {
    const attack = { name: "any", most: 1, text: () => large, ...(isTest ? { tested: () => TESTED } : {}) };
    for (const [name, ask] of requestsOf(attack, 1)) {
      const before = processorTime();
      await ask();
      expect(processorTime() - before, name).toBeLessThan(MOST_MS);
    }
  });
  await fc.assert(property, { numRuns: howMany(15, 6) });
});
