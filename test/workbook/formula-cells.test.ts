import { describe, expect, test } from "vitest";
import { odsFormula, withNames } from "../../compiler/1-parse/workbook/formula-text.js";
import { type Understanding, understandSheet } from "../../compiler/compile.js";
import { linkCompute } from "../../runtime/graph/link/compute.js";
import { sourceOf } from "../../runtime/workflows/read-sheet.js";
import { asSheet } from "../../runtime/workflows/workbooks.js";
import { moduleOf } from "../emit/emitted.js";
import { howMany } from "../how-many.js";
import { WANTED } from "../property/generators/formula-sheets.js";
import { brokenFormula, chanceOf, formula, hostileFormula, INPUTS } from "../property/generators/formulas.js";
import { firstSeed } from "../seed.js";
import { testWorld } from "../world.js";
import { bookOf, rowsOf } from "./made.js";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", "&#10;");
const text = (name: string, value: string): string =>
  `<c r="${name}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
const HEADER = [
  "graph_name",
  "node_name",
  "agent_type",
  "next_node",
  "input_fields",
  "output_field",
  "prompt",
];

/** A workbook whose nodes have these cells as their prompts. */
function bookOfCells(cells: readonly string[], inputs: string): Uint8Array {
  const header = HEADER.map((word, i) => text(`${"ABCDEFG"[i]}1`, word)).join("");
  const rows = cells.map((cell, i) => {
    const row = i + 2;
    const next = i + 1 < cells.length ? `N${i + 1}` : "";
    const before = ["g", `N${i}`, "formula", next, inputs, `x${i}`].map((one, column) =>
      text(`${"ABCDEF"[column]}${row}`, one),
    );
    return `<row r="${row}">${before.join("")}${cell.replace("<c ", `<c r="G${row}" `)}</row>`;
  });
  return bookOf({
    styles: '<xf numFmtId="14"/><xf numFmtId="9"/>',
    sheets: [{ name: "Flow", data: `<row r="1">${header}</row>${rows.join("")}` }],
  });
}

const understood = (cells: readonly string[], inputs: string): Understanding =>
  understoodBook(bookOfCells(cells, inputs));

function understoodBook(bytes: Uint8Array): Understanding {
  const opened = asSheet({ kind: "bytes", bytes });
  if (opened.kind !== "bytes") throw new Error("the workbook was not read");
  return understandSheet(sourceOf({ shown: "book.xlsx", encoding: null }, opened), testWorld());
}

const GIVEN = { net: 100, VatRate: 0.19, vat19: 3, größe: 2, note: "x" };
const DECLARED = "net:number|VatRate:number|vat19:number|größe:number|note:string";

/** The value of a formula in a cell, or what is said of it. */
function valueIn(cell: string): unknown {
  const { graphs, diagnostics } = understood([cell], DECLARED);
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  if (first !== undefined) return `${first.code} ${first.place?.cell}: ${first.message} (${first.help})`;
  return linkCompute(graphs[0]?.nodes[0]?.compute?.tree as never)(GIVEN, {});
}

const inF = (formula: string, value = "#NAME?"): string =>
  `<c t="e"><f>${escaped(formula)}</f><v>${value}</v></c>`;
const inText = (formula: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escaped(formula)}</t></is></c>`;
const NO_CELLS = "a formula knows fields, no cells of the spreadsheet: write the name of an input";

describe("what people type into the cell of a formula", () => {
  test.each([
    // Cells of formulas, as programs save them.
    ["a formula cell", inF("net*1.19"), 119],
    ["with a value that the program found", "<c><f>1+1</f><v>2</v></c>", 2],
    ["whose name is a cell to the program", "<c><f>VAT19*2</f><v>0</v></c>", 6],
    ["in small letters", inF("round(net*vatrate,0)"), 19],
    ["with the prefix of a newer function", inF('_xlfn.IFS(net>1,"a",TRUE,"b")'), "a"],
    ["with semicolons", inF('IF(net>1;"a";"b")'), "a"],
    ["with a sign before it", inF("+net"), 100],
    ["with TRUE()", inF("IF(TRUE(),net,0)"), 100],
    ["with a text that has a prefix in it", inF('"_xlfn.IFS(A1)"&note'), "_xlfn.IFS(A1)x"],
    ["with an umlaut", inF("größe*2"), 4],
    // The same as text.
    ["a text cell", inText("net*1.19"), 119],
    ["with an equals sign", inText("=net*1.19"), 119],
    ["with an apostrophe in front", inText("'=net*1.19"), 119],
    ["with blanks around", inText("  = net * 1.19 "), 119],
    ["with hard blanks and line breaks", inText("=net\u00a0*\n1.19"), 119],
    ["with a number before a percent sign", inText("=net*19 %"), 19],
    // Cells that are values.
    ["a number", "<c><v>1.5</v></c>", 1.5],
    ["a percentage", '<c s="2"><v>0.19</v></c>', 0.19],
    ["TRUE", '<c t="b"><v>1</v></c>', true],
    // What is no formula here.
    [
      "a comma before a fraction",
      inText("=net*1,19"),
      "bad-formula G2: , stands between the values of a function (the fraction of a number is written with a point: 1.5)",
    ],
    [
      "a comma between semicolons",
      inText("=ROUND(net*1,19;2)"),
      "bad-formula G2: , and ; stand between the values of one function (the fraction of a number is written with a point: 1.5)",
    ],
    ["smart quotes", inText("=note=“x”"), 'bad-formula G2: text stands in straight quotes (write "x")'],
    ["a dash", inText("=net–1"), "bad-formula G2: a formula has no – (write the sign - of the keyboard)"],
    ["a currency", inText("=net*2€"), "bad-formula G2: a formula has no € (write the number alone)"],
    [
      "a function in German",
      inText("=RUNDEN(net;2)"),
      "unknown-function G2: there is no function RUNDEN (did you mean ROUND?)",
    ],
    [
      "what lies between",
      inText("=100<net<500"),
      "formula-type G2: 100<net is TRUE or FALSE, < compares numbers or texts (write AND(100<net, net < 500))",
    ],
    [
      "a function without brackets",
      inText("=Today & note"),
      "unknown-placeholder G2: Today names no input of this node (it is a function: write TODAY())",
    ],
    ["a cell", inF("B7*2"), `unknown-placeholder G2: B7 names no input of this node (${NO_CELLS})`],
    ["a fixed cell", inF("$B$7*2"), `bad-formula G2: a formula has no $B$7 (${NO_CELLS})`],
    ["a range", inF("SUM(B2:B9)"), `bad-formula G2: a formula has no B2:B9 (${NO_CELLS})`],
    ["a column", inF("SUM(B:B)"), `bad-formula G2: a formula has no B:B (${NO_CELLS})`],
    [
      "another worksheet",
      inF("Tariff!B2*2"),
      'bad-formula G2: a formula has no Tariff!B2 (a worksheet is read by LOOKUP(value, "Tariff", "column"))',
    ],
    ["a cell that is gone", inF("#REF!*2", "#REF!"), `bad-formula G2: a formula has no #REF! (${NO_CELLS})`],
    ["the name before @", inF("@net"), "bad-formula G2: a formula has no @ (leave it out)"],
    [
      "columns of another worksheet",
      inF("VLOOKUP(net,'My ''tariff'''!$A:$B,2)"),
      "bad-formula G2: a formula has no 'My ''tariff'''!$A:$B (a worksheet is read by LOOKUP(value, \"My 'tariff'\", \"column\"))",
    ],
    [
      "VLOOKUP in German",
      inText("=SVERWEIS(note;vatRate;2;FALSCH)"),
      'unknown-function G2: there is no function SVERWEIS (write LOOKUP(value, "table.csv", "column"))',
    ],
    [
      "ISBLANK in German",
      inText("=ISTLEER(note)"),
      "unknown-function G2: there is no function ISTLEER (did you mean ISBLANK?)",
    ],
    [
      "a function that another one is spelt like",
      inF("SQRT(net)"),
      "unknown-function G2: there is no function SQRT (write number ^ 0.5)",
    ],
    [
      "a word between two conditions",
      inText("=net>1 und net<5"),
      "bad-formula G2: a sign is missing before und (write AND(one, other))",
    ],
    [
      "days after a date",
      inF("TODAY()+30"),
      'formula-type G2: TODAY() is text, + needs a number (write DATEADD(TODAY(), 30, "D"))',
    ],
    [
      "days before a date",
      inF("TODAY()-net^2"),
      'formula-type G2: TODAY() is text, - needs a number (write DATEADD(TODAY(), -(net^2), "D"))',
    ],
    [
      "days between a field and a date",
      inF("TODAY()-note"),
      'formula-type G2: TODAY() is text, - needs a number (write DATEDIF(note, TODAY(), "D"))',
    ],
    [
      "a number after a text",
      inF("note+7"),
      'formula-type G2: note is text, + needs a number (write VALUE(note) for text that is a number, DATEADD(note, 7, "D") for a date)',
    ],
    [
      "a format of numbers in German",
      inText('=TEXT(net;"#.##0,00")'),
      'bad-formula G2: "#.##0,00" is not meant here (write "#,##0.00")',
    ],
    [
      "a format of dates in German",
      inText('=TEXT(note;"TT.MM.JJJJ")'),
      'bad-formula G2: "TT.MM.JJJJ" is not meant here (write "dd.mm.yyyy")',
    ],
    [
      "a format with a currency",
      inF('TEXT(net,"#,##0.00 €")'),
      'bad-formula G2: "#,##0.00 €" is not meant here (write "#,##0.00", and join what follows with &)',
    ],
    [
      "a bracket that is open where the next value begins",
      inF("ROUND((net+1,2)"),
      "bad-formula G2: this bracket is never closed (write ) where it ends)",
    ],
    [
      "a fraction in brackets",
      inText("=(net*1,19)"),
      "bad-formula G2: , stands between the values of a function (the fraction of a number is written with a point: 1.5)",
    ],
    [
      "% for what is left",
      inText("=net % 3"),
      "bad-formula G2: a sign is missing before 3 (% is a hundredth: write MOD(one, other) for what is left)",
    ],
    [
      "a column of a table",
      inF("[@net]*2"),
      "bad-formula G2: a formula knows no columns of a table (write net)",
    ],
    [
      "null",
      inText("=note=null"),
      "unknown-placeholder G2: null names no input of this node (write ISBLANK(name) to ask whether a field is not set)",
    ],
    [
      "the short name of a function",
      inText("=RND(net)"),
      "unknown-function G2: there is no function RND (did you mean ROUND?)",
    ],
    [
      "a function of SQL",
      inText("=COALESCE(note,1)"),
      "unknown-function G2: there is no function COALESCE (did you mean IFBLANK?)",
    ],
    [
      "one value of many, as newer programs save it",
      inF("_xlfn.SINGLE(net)*2"),
      "unknown-function G2: there is no function SINGLE (write what stands in its brackets alone)",
    ],
    [
      "a number that is too long",
      inText(`=${"9".repeat(400)}`),
      `bad-formula G2: ${"9".repeat(37)}... is too large for a number (null)`,
    ],
    [
      "VLOOKUP",
      inF("VLOOKUP(net,note,2)"),
      'unknown-function G2: there is no function VLOOKUP (write LOOKUP(value, "table.csv", "column"))',
    ],
  ])("%s", (_what, cell, wanted) => {
    expect(valueIn(cell)).toEqual(wanted);
  });

  test("a date is text, and no subtraction", () => {
    expect(valueIn('<c s="1"><v>46348</v></c>')).toBe("2026-11-22");
  });
});

test("a cell that was filled from one that names cells: one problem", () => {
  const filled = '<c><f t="shared" si="0"/><v>0</v></c>';
  const { diagnostics } = understood(
    ['<c><f t="shared" ref="G2:G4" si="0">B2*2</f><v>0</v></c>', filled, filled],
    DECLARED,
  );
  expect(diagnostics.map(({ code, place, help }) => `${code} ${place?.cell}: ${help}`)).toEqual([
    `unknown-placeholder G2: ${NO_CELLS}`,
    "bad-formula G3: write it in each row, with the names of inputs",
    "bad-formula G4: write it in each row, with the names of inputs",
  ]);
});

test("settings that a formula of the spreadsheet joins are looked at, also where it was filled from another cell", () => {
  const header = ["graph_name", "node_name", "agent_type", "next_on_success", "input_fields", "context"];
  const condition = '{"if": "amount > "}';
  const joined = `t="str"><f t="shared" si="0"/><v>${escaped(condition)}</v></c>`;
  const rows = [2, 3].map((row) => {
    const before = ["g", `N${row}`, "branching", row === 2 ? "N3" : "END", "amount:number"];
    const cells = before.map((one, column) => text(`${"ABCDE"[column]}${row}`, one)).join("");
    const own = joined.replace("<f", '<f ref="F2:F3"').replace("/>", ">Z2</f>");
    return `<row r="${row}">${cells}<c r="F${row}" ${row === 2 ? own : joined}</row>`;
  });
  const head = header.map((word, i) => text(`${"ABCDEF"[i]}1`, word)).join("");
  const data = `<row r="1">${head}</row>${rows.join("")}`;
  const { diagnostics } = understoodBook(bookOf({ sheets: [{ name: "Flow", data }] }));
  const found = diagnostics.filter(({ code }) => code === "bad-formula");
  expect(found.map(({ place }) => place?.cell)).toEqual(["F2", "F3"]);
});

test("a cell that was filled from one without a formula: one problem that says so", () => {
  const { diagnostics } = understood(['<c><f t="shared" si="0"/><v>0</v></c>'], DECLARED);
  expect(
    diagnostics.map(({ code, place, message, help }) => ({ code, cell: place?.cell, message, help })),
  ).toEqual([
    {
      code: "bad-formula",
      cell: "G2",
      message: expect.stringContaining("whose formula is not there any more"),
      help: "write it in this cell",
    },
  ]);
});

test("a formula that very many cells share, and a name that very many rows do, are too large", () => {
  const formula = `"${"a".repeat(60_000)}"`;
  const filled = Array.from({ length: 1_000 }, () => '<c><f t="shared" si="0"/><v>0</v></c>');
  const shared = `<c><f t="shared" ref="G2:G1002" si="0">${formula}</f><v>0</v></c>`;
  const text = "the formulas and names of its rows are more than 50 MB of text";
  const [found] = understood([shared, ...filled], DECLARED).diagnostics;
  expect(found).toMatchObject({ code: "sheet-too-large", message: expect.stringContaining(text) });
  const rows = Array.from({ length: 200 }, (_, i) => [i === 0 ? "g".repeat(300_000) : "", `N${i}`]);
  const merged = bookOf({
    sheets: [
      {
        name: "Flow",
        data: rowsOf([["graph_name", "node_name"], ...rows]),
        after: '<mergeCells><mergeCell ref="A2:A999"/></mergeCells>',
      },
    ],
  });
  expect(understoodBook(merged).diagnostics[0]?.message).toContain(text);
});

test.each([
  ["of:=round([.B2];2)", "round(B2;2)"],
  ["of:=SUM([.A1:.A3])", "SUM(A1:A3)"],
  ["of:=[$Tariff.A1]*2", "Tariff!A1*2"],
  [
    'of:=COM.MICROSOFT.IFS(a>1;"[.A1]";TRUE();"COM.MICROSOFT.IFS")',
    'IFS(a>1;"[.A1]";TRUE();"COM.MICROSOFT.IFS")',
  ],
  ["msoxl:=a+1", "a+1"],
])("%s of an .ods file is %s", (written, meant) => {
  expect(odsFormula(written)).toBe(meant);
});

test("names are those of the inputs, but for those of functions and what is text", () => {
  expect(withNames('ordered&"ordered"&left(Left,2)&LEFT', "Ordered:string|left:string")).toBe(
    'Ordered&"ordered"&left(left,2)&left',
  );
  expect(withNames("number*level", "Number: number |Level:'level|s'/'vip'")).toBe("Number*Level");
});

const RUNS = howMany(10_000, 200, "FORMULA_RUNS");
const BATCH = 1_000;

test(`R28: ${RUNS} hostile formulas of cells are refused with a place, or make a module that the gate takes`, {
  timeout: 600_000,
}, () => {
  const chance = chanceOf(firstSeed + 7);
  let refused = 0;
  for (let seen = 0; seen < RUNS; seen += BATCH) {
    const made = Array.from(
      { length: BATCH },
      () =>
        chance.below(2) === 0
          ? hostileFormula(chance)
          : brokenFormula(chance, formula(chance, chance.pick(WANTED), 3)),
      // XML has no such signs.
    ).map((one) => one.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, "?"));
    const errors = understood(
      made.map((one) => inF(one)),
      INPUTS,
    ).diagnostics.filter(({ severity }) => severity === "error");
    for (const { place, column } of errors)
      expect([place?.cell?.slice(0, 1), column]).toEqual(["G", "prompt"]);
    const bad = new Set(errors.map(({ node }) => node));
    refused += bad.size;
    const right = made.filter((_, i) => !bad.has(`N${i}`)).map((one) => inF(one));
    const [graph] = understood(right, INPUTS).graphs;
    if (graph !== undefined) moduleOf(graph);
  }
  expect(refused).toBeGreaterThan(RUNS / 3);
});
