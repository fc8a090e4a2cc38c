import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { check, createProject } from "../emit/native.js";
import { request } from "../http/raw.js";
import { authentication, KEYS, startService } from "../http/service.js";
import { bookOf, rowsOf } from "./made.js";

const HEADER = [
  "graph_name",
  "node_name",
  "agent_type",
  "next_node",
  "input_fields",
  "output_field",
  "prompt",
];
const FLOW = [
  HEADER,
  ["Post", "Price", "formula", "Zone", "weight:number", "price", 'LOOKUP(weight, "Tariff", "price", TRUE)'],
  ["Post", "Zone", "formula", "Tax", "weight:number", "zone", 'LOOKUP(weight, "tariff", "zone", TRUE)'],
  [
    "Post",
    "Tax",
    "formula",
    "",
    "price:number|country",
    "gross",
    'ROUND(price * (1 + LOOKUP(country, "Tax", "rate")), 2)',
  ],
];
const TESTS = [
  ["case", "graph_name", "given", "expect_state"],
  ["a letter", "Post", '{"weight": 0.5, "country": "DE"}', '{"price": 4.9, "zone": "letter", "gross": 5.83}'],
];
const number = (name: string, value: number, style = 0): string =>
  `<c r="${name}" s="${style}"><v>${value}</v></c>`;
const text = (name: string, value: string): string =>
  `<c r="${name}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** With a title above, an empty row below it, and an empty column before it. */
const TARIFF = `<row r="1">${text("B1", "Prices of 2026")}</row>
<row r="3">${text("B3", "weight")}${text("C3", "price")}${text("D3", "zone")}</row>
<row r="4">${number("B4", 0)}${number("C4", 4.9)}${text("D4", "letter")}</row>
<row r="5">${number("B5", 2)}${number("C5", 9.5)}${text("D5", "parcel")}</row>
<row r="6">${number("B6", 10)}${number("C6", 19)}${text("D6", "freight")}</row>`;
const TAX = `<row r="1">${text("A1", "country")}${text("B1", "rate")}</row>
<row r="2">${text("A2", "DE")}${number("B2", 0.19, 1)}</row>
<row r="3">${text("A3", "CH")}${number("B3", 0.081, 1)}</row>`;

const book = (tariff = TARIFF, flow = FLOW): Uint8Array =>
  bookOf({
    styles: '<xf numFmtId="9"/>',
    sheets: [
      { name: "Flow", data: rowsOf(flow) },
      { name: "Tests", data: rowsOf(TESTS) },
      { name: "Tariff", data: tariff },
      { name: "Tax", data: TAX },
    ],
  });

const projectOf = (workbook = book()): string =>
  createFolder({ "flowsheet.yaml": "", "workflows/post.xlsx": workbook });
const state = { weight: 3.5, country: "CH", price: 9.5, zone: "parcel", gross: 10.27 };
const inputs = ["--input", "weight=3.5", "--input", "country=CH"];

describe("a worksheet as the table of LOOKUP", () => {
  test("is found by validate, run and test, without a data folder", async () => {
    const cwd = projectOf();
    expect(await flowsheet(["validate"], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no problems"),
    });
    const ran = await flowsheet(["run", "--graph", "Post", ...inputs, "--json"], { cwd });
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", state });
    expect(await flowsheet(["test"], { cwd })).toMatchObject({ code: 0 });
  });

  test("becomes a part of the module, which TypeScript takes, and which runs without the workbook", async () => {
    const cwd = projectOf();
    expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
    const module = readFileSync(join(cwd, "generated/post.gen.ts"), "utf8");
    expect(module).toContain('[[0, 4.9], [2, 9.5], [10, 19]], "Tariff", weight, true)');
    expect(module).not.toContain("tables");
    const checked = createProject({ module: "nodenext", types: [], skipLibCheck: true });
    writeFileSync(join(checked, "post.gen.ts"), module);
    expect(await check(checked)).toBe("");
    const ran = await flowsheet(["run", "--graph", "Post", "--generated", ...inputs, "--json"], { cwd });
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", state });
    rmSync(join(cwd, "workflows/post.xlsx"));
    const service = await startService({
      config: authentication(),
      files: {
        "generated/post.gen.ts": module,
        "generated/index.gen.ts": readFileSync(join(cwd, "generated/index.gen.ts"), "utf8"),
      },
    });
    onTestFinished(() => service.stop());
    expect(await execute(service.port)).toMatchObject({ status: 200, json: { state } });
  });

  test("is served, and read again when the workbook is saved", async () => {
    const folder = projectOf();
    const service = await startService({ folder, config: authentication() });
    onTestFinished(() => service.stop());
    expect(await execute(service.port)).toMatchObject({ status: 200, json: { state } });
    writeFileSync(join(folder, "workflows/post.xlsx"), book(TARIFF.replace("<v>9.5</v>", "<v>12</v>")));
    expect(await execute(service.port)).toMatchObject({ status: 200, json: { state: { price: 12 } } });
  });

  test("that does not ascend, is not there or has another column is told at its place", async () => {
    const falling = TARIFF.replace("<v>10</v>", "<v>1</v>");
    const flow = FLOW.map((row) =>
      row.map((cell) => cell.replace('"Tax", "rate"', '"Taxs", "rate"').replace('"zone", TRUE', '"zoen"')),
    );
    const cwd = projectOf(book(falling, flow));
    const { code, stdout } = await flowsheet(["validate", "--format", "json"], { cwd });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; message: string; help: string; cell: string }[];
    };
    expect(code).toBe(1);
    expect(diagnostics.map(({ code, message, help, cell }) => [code, cell, message, help])).toEqual([
      [
        "bad-table",
        "G2",
        "row 6 of Tariff: 1 comes after 2",
        "with TRUE, rows must ascend by their first column",
      ],
      ["bad-table", "G3", "tariff has no column zoen", 'did you mean "zone"?'],
      ["bad-table", "G4", "Taxs is no table: there is no such file", 'did you mean "Tax"?'],
    ]);
  });

  test("that is hidden is not read, and a value without a row fails the run, also within IFBLANK", async () => {
    const sheets = [
      {
        name: "Flow",
        data: rowsOf([HEADER, ["T", "A", "formula", "", "c", "x", 'IFBLANK(LOOKUP(c, "Tax", "rate"), 0)']]),
      },
      { name: "Tax", data: TAX },
    ];
    const cwd = createFolder({
      "open.xlsx": bookOf({ sheets }),
      "hidden.xlsx": bookOf({
        sheets: sheets.map((one) => (one.name === "Tax" ? { ...one, state: "hidden" as const } : one)),
      }),
    });
    expect((await flowsheet(["run", "open.xlsx", "--input", "c=FR"], { cwd })).stderr).toContain(
      'Tax has no row for "FR"',
    );
    const hidden = await flowsheet(["validate", "hidden.xlsx"], { cwd });
    expect([hidden.code, hidden.stdout]).toEqual([
      1,
      expect.stringContaining("Tax is no table: the worksheet is hidden"),
    ]);
  });
});

test.each([
  [
    '<c r="C5"><f>4+5</f></c>',
    "Tariff is no table: the formula in its cell C5 has no value: open and save it in Excel",
  ],
  ['<c r="C5" t="e"><f>1/0</f><v>#DIV/0!</v></c>', "row 5 of Tariff holds the error #DIV/0!"],
])("a table with a cell that has no value is none: %s", async (cell, message) => {
  const cwd = projectOf(book(TARIFF.replace(number("C5", 9.5), cell)));
  const { code, stdout } = await flowsheet(["validate"], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining(`error bad-table: ${message}\n`)]);
});

test("standard input holds no worksheets beside a sheet, and says so", async () => {
  const cwd = createFolder({ "flowsheet.yaml": "" });
  const { code, stdout } = await flowsheet(["validate", "-"], { cwd, input: Buffer.from(book()) });
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(
      "Tariff is no table: there is no such file; worksheets beside it are found when the file itself is given",
    ),
  ]);
});

describe("columns of digits", () => {
  const flowOf = (...formulas: readonly (readonly [inputs: string, formula: string])[]) =>
    formulas.map(([given, formula], i) => [`G${i}`, "A", "formula", "", given, "found", formula]);
  const places = rowsOf([
    ["code", "town"],
    ["01067", "Dresden"],
    ["10115", "Berlin"],
  ]);
  const folderOf = (
    flow: readonly (readonly string[])[],
    tables: readonly { name: string; data: string }[],
  ) =>
    createFolder({
      "book.xlsx": bookOf({ sheets: [{ name: "Flow", data: rowsOf([HEADER, ...flow]) }, ...tables] }),
    });

  test("postcodes are text: they are found by a text, and give their zeros", async () => {
    const plain = rowsOf([
      ["code", "zone"],
      ["101", "1"],
      ["202", "2"],
    ]);
    const flow = flowOf(
      ["code:string", 'LOOKUP(code, "Places", "town")'],
      ["code", 'LOOKUP(code, "Places", "town")'],
      ["code", 'LOOKUP("01067", "Places", "code") & LOOKUP(code, "Places", "code")'],
      ["code:string", 'LOOKUP(code, "Plain", "zone")'],
    );
    const cwd = folderOf(flow, [
      { name: "Places", data: places },
      { name: "Plain", data: plain },
    ]);
    const found = async (graph: string, code: string): Promise<unknown> => {
      const args = ["run", "book.xlsx", "--graph", graph, "--input", `code=${code}`, "--json"];
      return JSON.parse((await flowsheet(args, { cwd })).stdout).state.found;
    };
    expect(await found("G0", "01067")).toBe("Dresden");
    expect(await found("G1", "01067")).toBe("Dresden");
    expect(await found("G2", "01067")).toBe("0106701067");
    expect(await found("G3", "202")).toBe(2);
  });

  test("one cell that is no number is named where the column is computed with", async () => {
    const flow = flowOf(
      ["code:number", 'LOOKUP(code, "Places", "town")'],
      ["art:string", 'LOOKUP(art, "Prices", "price") * 2'],
    );
    const prices = rowsOf([
      ["art", "price"],
      ["a", "4.90"],
      ["b", "9,50"],
    ]);
    const cwd = folderOf(flow, [
      { name: "Places", data: places },
      { name: "Prices", data: prices },
    ]);
    const { stdout } = await flowsheet(["validate", "--format", "json"], { cwd });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { message: string; help: string }[] };
    expect(diagnostics.map(({ message, help }) => [message, help])).toEqual([
      [
        "code is a number, the column code of Places holds text",
        'write code & "", since row 2 of Places holds "01067"',
      ],
      [
        'LOOKUP(art, "Prices", "price") is text, * needs a number',
        'row 3 of Prices holds "9,50": write numbers in all of its cells, with a point',
      ],
    ]);
  });
});

const execute = (port: number) =>
  request(
    port,
    "POST /execute",
    [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
    JSON.stringify({ graph_name: "Post", initial_state: { weight: 3.5, country: "CH" } }),
  );

describe("a file as the table of LOOKUP", () => {
  const SHEET = `graph_name,node_name,agent_type,input_fields,output_field,prompt
Post,Price,formula,weight:number,price,"LOOKUP(weight, ""tariff.csv"", ""price"", TRUE)"
`;
  const files = { "flowsheet.yaml": "", "workflows/post.csv": SHEET };

  test("is read by the module at each run", async () => {
    const cwd = createFolder({ ...files, "data/tariff.csv": "weight,price\n0,4.90\n2,9.50\n" });
    expect(await flowsheet(["compile"], { cwd })).toMatchObject({ code: 0 });
    const run = async (): Promise<unknown> => {
      const args = ["run", "--graph", "Post", "--generated", "--input", "weight=3", "--json"];
      return JSON.parse((await flowsheet(args, { cwd })).stdout).state.price;
    };
    expect(await run()).toBe(9.5);
    writeFileSync(join(cwd, "data/tariff.csv"), "weight,price\n0,4.90\n2,12\n");
    expect(await run()).toBe(12);
  });

  test("counts as it was when the node was run: an answer that comes later finds the same value", async () => {
    const sheet = `graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt
Post,Price,formula,Ask,weight:number,price,"LOOKUP(weight, ""tariff.csv"", ""price"", TRUE)"
Post,Ask,human,Bill,price,verdict,Is {price} right?
Post,Bill,formula,,price:number|verdict,bill,"price & "" "" & verdict"
`;
    const tariff = "weight,price\n0,4.90\n2,9.50\n";
    const cwd = createFolder({ ...files, "workflows/post.csv": sheet, "data/tariff.csv": tariff });
    const begun = ["run", "--graph", "Post", "--input", "weight=3", "--detach", "--quiet"];
    const id = (await flowsheet(begun, { cwd })).stdout.slice(0, 32);
    expect((await flowsheet(["work", "--drain"], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, "data/tariff.csv"), "weight,price\n0,4.90\n2,12\n");
    const ended = await flowsheet(["resume", id, "--answer", "Ask=yes", "--json"], { cwd });
    expect(JSON.parse(ended.stdout)).toMatchObject({ state: { price: 9.5, bill: "9.5 yes" } });
  });

  test.each(["file", "worksheet"])(
    "a run that waits goes on when the %s has become another one",
    async (kind) => {
      const flow = [
        HEADER,
        ["Post", "Ask", "human", "Price", "weight:number", "verdict", "Right?"],
        ["Post", "Price", "formula", "", "weight:number", "price", 'LOOKUP(weight, "Tariff", "price", TRUE)'],
      ];
      const before = kind === "file" ? { "data/Tariff.csv": "weight,price\n0,4.90\n2,9.50\n" } : {};
      const sheet = flow
        .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
        .join("\n");
      const after = TARIFF.replace("price", "cost");
      const place = kind === "file" ? "workflows/post.csv" : "workflows/post.xlsx";
      const cwd = createFolder({
        "flowsheet.yaml": "",
        [place]: kind === "file" ? sheet : book(TARIFF, flow),
        ...before,
      });
      const asked = await flowsheet(["run", "--graph", "Post", "--input", "weight=3", "--json"], { cwd });
      if (kind === "worksheet") writeFileSync(join(cwd, place), book(after, flow));
      else writeFileSync(join(cwd, "data/Tariff.csv"), "weight,price,note\n0,4.90,x\n2,12,y\n");
      const id = JSON.parse(asked.stdout).run_id;
      const ended = await flowsheet(["resume", id, "--answer", "Ask=approve", "--json"], { cwd });
      expect(JSON.parse(ended.stdout)).toMatchObject({ state: { price: kind === "file" ? 12 : 9.5 } });
    },
  );

  test("is not looked at where a sheet is checked for others: what the data folder holds is not told", async () => {
    const service = await startService({
      config: authentication(),
      files: { "data/tariff.csv": "weight,price\n5,4.90\n2,9.50\n" },
    });
    onTestFinished(() => service.stop());
    const headers = [`X-API-Key: ${KEYS.readonly}`, "Content-Type: text/csv"];
    const { status, json } = await request(service.port, "POST /validation/csv", headers, SHEET);
    expect([status, json]).toEqual([200, expect.objectContaining({ valid: true, diagnostics: [] })]);
  });

  test("names the row that a spreadsheet shows, also below blank ones", async () => {
    const cwd = createFolder({ ...files, "data/tariff.csv": "\n\nweight,price\n0,4.90\n,\n5,9.50\n2,12\n" });
    const { stdout } = await flowsheet(["validate"], { cwd });
    expect(stdout).toContain("row 7 of tariff.csv: 2 comes after 5");
  });

  test("is cut as the run cuts it: at the delimiter of its first row", async () => {
    const cwd = createFolder({ ...files, "data/tariff.csv": 'sep=;\n"weight";price\n0;4.90\n2;9.50\n' });
    const { stdout } = await flowsheet(["run", "--graph", "Post", "--input", "weight=3", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ state: { price: 9.5 } });
  });
});
