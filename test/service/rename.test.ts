import { describe, expect, test } from "vitest";
import type { Edit } from "../../compiler/diagnostics/diagnostic.js";
import type { View } from "../../compiler/service/document.js";
import { SheetDocument } from "../../compiler/service/document.js";
import { occurrences } from "../../compiler/service/names.js";
import { declarations, definition } from "../../compiler/service/navigate.js";
import { prepareRename, rename } from "../../compiler/service/rename.js";
import { testWorld } from "../world.js";
import { open } from "./sheet-pairs.js";

const applied = (text: string, edits: readonly Edit[]): string =>
  edits.reduceRight((done, { start, end, text: by }) => done.slice(0, start) + by + done.slice(end), text);

/** The view's text after a rename at the first place of a word, or why it is refused. */
function renamed(view: View, word: string, to: string, beside: readonly View[] = []): string {
  const made = rename(view, view.text.indexOf(word), to, beside);
  if (made.kind === "refused") return `refused: ${made.why}`;
  return applied(view.text, made.files.find(({ file }) => file === view.file)?.edits ?? []);
}

const HEAD = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,context\n";

describe("who goes on to know an input by its old name", () => {
  test.each([
    ["the prompt is all that knows it", "echo,customer,x,Hi {customer},", "echo,client,x,Hi {client},"],
    [
      "a prompt may know an input by its field",
      "echo,c=customer,x,{c} {customer},",
      "echo,c=client,x,{c} {client},",
    ],
    [
      "so may a setting",
      "branching,customer,x,,{success_field: customer}",
      "branching,client,x,,{success_field: client}",
    ],
    ["code of the project", "mailer,customer,x,Hi {customer},", "mailer,customer=client,x,Hi {customer},"],
    ["a path of it", "mailer,customer.name?:string,x,,", "mailer,customer=client.name?:string,x,,"],
    [
      "another graph",
      'graph,customer,x,,"{""graph"": ""H""}"',
      'graph,customer=client,x,,"{""graph"": ""H""}"',
    ],
    ["a prompt in a file", "echo,customer,x,file:a.md,", "echo,customer=client,x,file:a.md,"],
    ["several inputs as a mapping", "echo,customer|b,x,,", "echo,customer=client|b,x,,"],
    [
      "the new name is another input's",
      "echo,customer|client=b,x,{customer},",
      "echo,customer=client|client=b,x,{customer},",
    ],
    [
      "a summary with names",
      "summary,customer,x,,{include_keys: true}",
      "summary,customer=client,x,,{include_keys: true}",
    ],
  ])("%s", (_, before, after) => {
    const view = open(`${HEAD}G,A,,${before}\nH,B,,echo,customer,x,{customer},\n`);
    const end = "\nH,B,,echo,customer,x,{customer},\n";
    expect(renamed(view, "customer", "client")).toBe(`${HEAD}G,A,,${after}${end}`);
    const back = open(`${HEAD}G,A,,${after}${end}`);
    const at = after.includes("=client") ? "=client" : "client";
    const made = rename(back, back.text.indexOf(at) + at.length - 3, "customer");
    expect(made.kind === "edits" && applied(back.text, made.files[0]?.edits ?? [])).toBe(view.text);
  });
});

describe("who goes on to know an output by its old name", () => {
  test.each([
    ["an agent with one value", "echo,a,customer,Hi,", "echo,a,client,Hi,"],
    ["code of the project", "mailer,a,customer,,", "mailer,a,customer=client,,"],
    ["a model that is asked for data", "llm,a,customer:number,{a},", "llm,a,customer=client:number,{a},"],
    ["several outputs", "human,a,customer|comment,{a},", "human,a,customer=client|comment,{a},"],
  ])("%s", (_, before, after) => {
    expect(renamed(open(`${HEAD}G,A,,${before}\n`), "customer", "client")).toBe(`${HEAD}G,A,,${after}\n`);
  });
});

describe("a rename is refused, with the row in the way", () => {
  const view = open(
    `${HEAD}G,A,B|C,echo,x,y,{x},\nG,B,,echo,y|error?,z,,\nG,C,,graph,list,w,,"{""graph"": ""H"", ""over"": ""list""}"\nH,D,,echo,item,o,,\n`,
  );
  test.each([
    ["A,B|C", "B", '"B" is taken: row 3 of sheet.csv has it'],
    ["A,B|C", "B|X", "the name holds a |, which parts the names of a list"],
    ["A,B|C", " \t", "a name cannot be empty"],
    ["A,B|C", "END", '"END" is a reserved name'],
    ["A,B|C", "__proto__", '"__proto__" is a reserved name'],
    ["A,B|C", "#REF!", '"#REF!" is an error of a spreadsheet'],
    ["A,B|C", "C/x", 'in tests "C/x" would mean a node inside "C" (row 2 of sheet.csv)'],
    ["G,A", "H", '"H" is taken: row 5 of sheet.csv has it'],
    ["G,A", "a::b", "the name holds ::, which parts a graph's name from its sheet's"],
    ["G,A", "# G", "row 2 of sheet.csv would become a comment"],
    ["x,y", "y", '"y" is taken: row 2 of sheet.csv has it'],
    ["x,y", "1x", "the name does not begin with a letter or _"],
    ["x,y", "error", '"error" is set by the run itself'],
    ["error?", "mistake", '"error" is set by the run itself'],
    [
      "item",
      "one",
      'a loop without the setting "as" gives its items under the name "item" (row 4 of sheet.csv)',
    ],
    ["echo,x", "other", "agents are named by their code (row 2 of sheet.csv)"],
    ["over", "other", "settings belong to their agents (row 4 of sheet.csv)"],
    ["node_name", "other", "no name stands here"],
  ])("%s to %s", (word, to, why) => {
    expect(renamed(view, word, to)).toBe(`refused: ${why}`);
  });

  test("what no row defines, and what another file defines", () => {
    expect(renamed(open(`${HEAD}G,A,Beta,echo,,,,\n`), "Beta", "C")).toBe(
      'refused: no row of sheet.csv has "Beta"',
    );
    const tests = SheetDocument.open("sheet.test.csv", 'graph_name,case,given\nG,one,"{""x"": 1}"\n', {
      world: testWorld(),
      testedGraphs: view.graphs,
    }).view();
    expect(renamed(tests, 'x""', "neu")).toBe("refused: sheet.csv is needed, where the name is defined");
    expect(renamed(tests, 'x""', "neu", [view])).toBe('graph_name,case,given\nG,one,"{""neu"": 1}"\n');
    const parts = "graph_name,case,given.x,expect_state . x,mocks.A\nG,one,1,x,\nG,two,2,,x\n";
    const columns = SheetDocument.open("sheet.test.csv", parts, {
      world: testWorld(),
      testedGraphs: view.graphs,
    }).view();
    expect(renamed(columns, "x,expect", "neu", [view])).toBe(
      parts.replace("given.x", "given.neu").replace(". x", ". neu"),
    );
  });

  test("a setting's own column cannot hold what looks like JSON", () => {
    const one = open("graph_name,node_name,agent_type,context.default\nG,A,switch,B\nG,B,,\n");
    expect(renamed(one, "B\n", "12")).toBe('refused: row 2 of sheet.csv cannot hold "12" as a text');
    expect(renamed(one, "B\n", "B 12")).toBe(
      one.text.replace("switch,B", "switch,B 12").replace("G,B", "G,B 12"),
    );
  });
});

describe("several sheets", () => {
  const tax = open(`${HEAD}Tax,Rate,,rates,net,gross,,\n`, "other.csv");
  const [Tax] = tax.graphs;
  const world = {
    otherGraphs: new Set(["Tax", "other::Tax"]),
    otherGraph: (name: string) => (name === "Tax" || name === "other::Tax" ? (Tax ?? null) : null),
  };
  const shop = open(
    `${HEAD}Shop,A,B,graph,net=price,gross,,"{""graph"": ""Tax""}"\nShop,B,,graph,net,total=gross,,"{""graph"": ""other::Tax""}"\n`,
    "shop.csv",
    world,
  );

  test("a graph is found in another sheet, with its fields", () => {
    const [found] = definition(shop, shop.text.indexOf("Tax"));
    expect(found).toMatchObject({ kind: "name", name: { kind: "graph", name: "Tax", file: "other.csv" } });
    if (found?.kind !== "name") throw new Error("no name");
    expect(declarations(tax, found.name)).toMatchObject([{ cell: "A2", role: "declares" }]);
    const [field] = definition(shop, shop.text.indexOf("net="));
    if (field?.kind !== "name") throw new Error("no name");
    expect(occurrences(tax, field.name)).toMatchObject([{ cell: "E2", role: "reads" }]);
  });

  test("its name is exchanged where it is run", () => {
    expect(renamed(shop, "Tax", "Duty", [tax])).toBe(shop.text.replaceAll("Tax", "Duty"));
    expect(renamed(shop, "Tax", "Shop", [tax])).toBe('refused: "Shop" is taken: row 2 of shop.csv has it');
  });

  test("a field of it is exchanged on the caller's other side", () => {
    const made = rename(tax, tax.text.indexOf("net"), "base", [shop]);
    if (made.kind === "refused") throw new Error(made.why);
    const edits = (file: string): readonly Edit[] => made.files.find((one) => one.file === file)?.edits ?? [];
    expect(applied(tax.text, edits("other.csv"))).toBe(tax.text.replace("net", "net=base"));
    expect(applied(shop.text, edits("shop.csv"))).toBe(
      shop.text.replace("net=price", "base=price").replace("net,total", "base=net,total"),
    );
  });
});

test("of the rows that name a taken name, the one that has it is told", () => {
  const before = `${HEAD}G,A,Tell,echo,,,,\n`;
  expect(renamed(open(`${before}G,Tell,,echo,,,,\n`), "A", "Tell")).toBe(
    'refused: "Tell" is taken: row 3 of sheet.csv has it',
  );
  expect(renamed(open(before), "A", "Tell")).toBe(
    'refused: "Tell" is taken: row 2 of sheet.csv names it already',
  );
});

test("a stand-in is found by a node of a graph in another sheet", () => {
  const other = open(`${HEAD}Inner,Ask,,human,,answer,,\n`, "other.csv");
  const [Inner] = other.graphs;
  const world = {
    otherGraphs: new Set(["Inner", "other::Inner"]),
    otherGraph: (name: string) => (name === "Inner" ? (Inner ?? null) : null),
  };
  const shop = open(`${HEAD}Shop,Call,,graph,,answer,,"{""graph"": ""Inner""}"\n`, "shop.csv", world);
  const tests = SheetDocument.open("shop.test.csv", 'case,mocks\none,"{""Call/Ask"": {""return"": 1}}"\n', {
    world: testWorld(world),
    testedGraphs: shop.graphs,
  }).view();
  const made = rename(other, other.text.indexOf("Ask"), "Wait", [shop, tests]);
  if (made.kind === "refused") throw new Error(made.why);
  const edits = made.files.find(({ file }) => file === "shop.test.csv")?.edits ?? [];
  expect(applied(tests.text, edits)).toBe(tests.text.replace("Call/Ask", "Call/Wait"));
});

test("what is renamed is shown without its quotes", () => {
  const view = open('graph_name,node_name,next_node\nG,A,"B, c"\nG,"B, c",\n');
  const name = prepareRename(view, view.text.indexOf("B, c") + 2);
  if ("why" in name) throw new Error(name.why);
  expect(view.text.slice(name.range.start, name.range.end)).toBe("B, c");
});

test("a switch finds nodes by values of a run: that is told", () => {
  const view = open(`${HEAD}G,A,Pay|Go,switch,kind,,,\nG,Pay,,echo,,,,\nG,Go,,echo,,,,\n`);
  const made = rename(view, view.text.indexOf("Pay"), "Refund");
  expect(made.kind === "edits" && made.notes).toEqual([
    'row 2: "A" finds its targets by their names: values that say "Pay" no longer lead there',
  ]);
});
