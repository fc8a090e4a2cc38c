import { expect, test } from "vitest";
import { complete } from "../../../compiler/service/complete/complete.js";
import { SheetDocument, type View } from "../../../compiler/service/document.js";
import { rename } from "../../../compiler/service/rename.js";
import { tokens } from "../../../compiler/service/tokens/tokens.js";
import { about } from "../../../runtime/agents/about.js";
import { processorTime } from "../../processor-time.js";
import { testWorld } from "../../world.js";

const HEAD = "graph_name,node_name,next_node,context,agent_type,input_fields,output_field,prompt";
const SMALL = 400;
const TIMES = 16;
/** What grows with the size takes 16 times as long, what grows with its square 256 times. */
const MOST_GROWTH = 90;

const many = (size: number, one: (i: number) => string, between: string): string =>
  Array.from({ length: size }, (_, i) => one(i)).join(between);
const sheet = (...rows: readonly string[]): string => `${[HEAD, ...rows].join("\n")}\n`;
const fields = (size: number): string => many(size, (i) => `name_${i}`, "|");

interface Growth {
  readonly name: string;
  readonly text: (size: number) => string;
  readonly tested?: (size: number) => string;
  readonly ask: (view: View) => unknown;
}

/** At the only `^` of the text, which stands for the caret. */
const atCaret = (view: View): number => view.text.indexOf("^") + 1;

const growths: readonly Growth[] = [
  {
    name: "completion in a prompt of many inputs",
    text: (n) => sheet(`G,A,,,echo,${fields(n)},x,{^`),
    ask: (view) => complete(view, atCaret(view)),
  },
  {
    name: "completion of outputs of a graph with many fields",
    text: (n) => sheet(`G,A,,"{""graph"": ""Big""}",graph,,${fields(n)}|^,`, `Big,A,,,echo,,${fields(n)},`),
    ask: (view) => complete(view, atCaret(view) - 1),
  },
  {
    name: "completion of many fields that are to be absent",
    text: (n) => `graph_name,case,expect_absent\nG,one,${fields(n)}|^\n`,
    tested: (n) => sheet(`G,A,,,echo,,${many(n, (i) => `other_${i}`, "|")},`),
    ask: (view) => complete(view, atCaret(view) - 1),
  },
  {
    name: "tokens of many inputs with types in a quoted cell",
    text: (n) => sheet(`G,A,,,echo,"${many(n, (i) => `name_${i}:""a""`, "|")}",x,`),
    ask: (view) => tokens(view),
  },
  {
    name: "a rename among many nodes that run graphs",
    text: (n) =>
      sheet(
        many(n, (i) => `G,N${i},,"{""graph"": ""Other""}",graph,,,`, "\n"),
        "Other,A^,,,echo,,,Hi",
      ),
    ask: (view) => rename(view, view.text.indexOf("N0"), "New", [view]),
  },
  {
    name: "a graph of splits whose branches meet at the end alone",
    text: (n) =>
      sheet(
        many(n, (i) => `G,N${i},N${i + 1}|N${i + 2},,echo,,f${i},x`, "\n"),
        `G,N${n},N${n + 1},,echo,,,x`,
        `G,N${n + 1},,,echo,,,x`,
      ),
    ask: ({ text, world }) => SheetDocument.open("a.csv", text, world).view(),
  },
];

function viewOf({ text, tested }: Growth, size: number): View {
  const world = { world: testWorld(), about };
  if (tested === undefined) return SheetDocument.open("a.csv", text(size), world).view();
  const testedGraphs = SheetDocument.open("a.csv", tested(size), world).view().graphs;
  return SheetDocument.open("a.test.csv", text(size), { ...world, testedGraphs }).view();
}

test.each(growths.map((growth) => [growth.name, growth] as const))(
  "%s takes as much longer as there is more",
  (_, growth) => {
    const views = [viewOf(growth, SMALL), viewOf(growth, SMALL * TIMES)] as const;
    const [small, large] = views.map(() => Infinity);
    const least = [small, large] as [number, number];
    // The least of some is what the work takes: other work of the machine only adds to it.
    for (let round = 0; round < 5; round++)
      for (const [i, view] of views.entries()) {
        const before = processorTime();
        expect(growth.ask(view)).not.toBeNull();
        least[i] = Math.min(least[i] as number, processorTime() - before);
      }
    // Less than the clock tells apart is no measure.
    expect(least[1] / Math.max(least[0], 0.5)).toBeLessThan(MOST_GROWTH);
  },
);
