import { describe, expect, test } from "vitest";
import type { Json } from "../../runtime/graph/contract/contract.js";
import { understandText } from "../world.js";
import { createProject, sheetOf } from "./project.js";

const reading = (settings: { readonly [name: string]: Json }) => ({
  agent: "csv_reader",
  settings: { collection: "f.csv", ...settings },
});
const read = (csv: string, settings: { readonly [name: string]: Json }) =>
  createProject({ "f.csv": csv }).out(reading(settings));
const fault = (csv: string, settings: { readonly [name: string]: Json }) =>
  createProject({ "f.csv": csv }).out(reading(settings));

describe("types of columns", () => {
  test("numbers, yes and no, dates and text", async () => {
    const csv = "id,net,paid,due,no\n7,12.5,yes,2026-02-01,007\n8,-3,FALSE,2026-02-01T10:00:00Z,8\n";
    const types = { id: "string", net: "number", paid: "boolean", due: "date" };
    expect(await read(csv, { types })).toEqual([
      { id: "7", net: 12.5, paid: true, due: "2026-02-01", no: "007" },
      { id: "8", net: -3, paid: false, due: "2026-02-01T10:00:00Z", no: "8" },
    ]);
  });

  test.each<[string, { readonly [name: string]: Json }, string, number]>([
    ["a comma and points", { decimal: ",", thousands: "." }, "1.200,50", 1200.5],
    ["a comma alone", { decimal: "," }, "1200,5", 1200.5],
    ["points say that decimals have a comma", { thousands: "." }, "1.200.300,5", 1200300.5],
    ["commas between thousands", { thousands: "," }, "1,200.50", 1200.5],
    ["spaces of every width", { decimal: ",", thousands: " " }, "1\u202f200,50", 1200.5],
    ["apostrophes", { thousands: "'" }, "1’200.50", 1200.5],
    ["none between thousands", { decimal: ",", thousands: "." }, "1200,50", 1200.5],
    ["a sign and an exponent", { decimal: "," }, "-1,2E+03", -1200],
  ])("a number with %s", async (_, style, text, net) => {
    expect(await read(`net;x\n"${text}";y\n`, { types: { net: "number" }, ...style })).toEqual([
      { net, x: "y" },
    ]);
  });

  test.each<[string, { readonly [name: string]: Json }, string, string]>([
    ["dd.MM.yyyy", {}, "28.02.2026", "2026-02-28"],
    ["d/M/yy", {}, "3/11/26", "2026-11-03"],
    ["d/M/yy", {}, "3/11/98", "1998-11-03"],
    ["yyyy-MM-dd HH:mm", {}, "2026-02-28 09:30", "2026-02-28T09:30:00"],
  ])("a date as in %s", async (format, _, text, due) => {
    const settings = { types: { due: "date" }, date_format: format };
    expect(await read(`due,x\n${text},y\n`, settings)).toEqual([{ due, x: "y" }]);
  });

  test("an empty cell of a typed column is left out", async () => {
    expect(
      await read("net,due,x\n,  ,a\n1,2026-01-01,\n", { types: { net: "number", due: "date" } }),
    ).toEqual([{ x: "a" }, { net: 1, due: "2026-01-01", x: "" }]);
  });

  test("S01 a long text that does not fit is not shown in part: it may hold a part of a secret", async () => {
    const secret = "hunter2-hunter2-hunter2-hunter2";
    const told = await fault(`net\n${"x".repeat(90)}${secret}\n`, { types: { net: "number" } });
    expect(told).toContain('row 2, column "net": a text of 121 characters is no number');
    expect(told).not.toContain(secret.slice(0, 10));
  });

  test("queries see the values", async () => {
    const csv = 'id;net\n1;"1.200,50"\n2;"90,00"\n3;"700,00"\n';
    const settings = { types: { net: "number" }, decimal: ",", thousands: "." };
    const query = { filter: { net: ">100" }, sort: "net" };
    expect(await read(csv, { ...settings, query })).toEqual([
      { id: "3", net: 700 },
      { id: "1", net: 1200.5 },
    ]);
    expect(await read(csv, { ...settings, id: 2 })).toEqual({ id: "2", net: 90 });
  });
});

describe("a cell that does not fit", () => {
  test.each<[string, string, { readonly [name: string]: Json }, string]>([
    ["number", "net\n1\nabc\n", {}, 'f.csv: row 3, column "net": "abc" is no number as in 1234.5'],
    [
      "number",
      'net\n"1,200.50"\n',
      { decimal: ",", thousands: "." },
      '"1,200.50" is no number as in 1.234,5',
    ],
    ["number", "net\n1.20.50\n", { thousands: "." }, "is no number"],
    ["number", "net\n12345678901234567890\n", {}, "too long for a number: read the column as string"],
    ["boolean", "net\nmaybe\n", {}, '"maybe" is neither yes nor no'],
    ["date", "net\n01.02.2026\n", {}, "no date as in 2026-01-31"],
    ["date", "net\n2026-02-29\n", {}, "no date"],
    ["date", "net\n31.02.2026\n", { date_format: "dd.MM.yyyy" }, '"31.02.2026" is no date as in dd.MM.yyyy'],
    ["date", "net\n1.2.2026\n", { date_format: "dd.MM.yyyy" }, "no date"],
  ])("%s: %j", async (type, csv, style, why) => {
    expect(await fault(csv, { types: { net: type }, ...style })).toContain(why);
  });

  test("rows count as a spreadsheet counts: the header is row 1, empty lines count, a line sep=; does not", async () => {
    expect(await fault("sep=;\nnet;x\n\n;\nabc;1\n", { types: { net: "number" } })).toContain(
      "row 4, column",
    );
  });

  test("a column that is not there is told of", async () => {
    expect(await fault("a,b\n1,2\n", { types: { net: "number" } })).toContain(
      'there is no column "net" among a, b',
    );
  });
});

test("agents may be called with the suffix that other tools give them", async () => {
  const { out } = createProject({ "f.csv": "a\n1\n" });
  expect(await out({ agent: "CSVReaderAgent", prompt: "f.csv" })).toEqual([{ a: "1" }]);
});

describe("lines of nothing but delimiters", () => {
  test("are no rows", async () => {
    expect(await read("a,b\n,\n1,2\n,,,\n\n", {})).toEqual([{ a: "1", b: "2" }]);
  });

  test("a row of empty cells is written so that it is one when it is read", async () => {
    const { run } = createProject({});
    const settings = { collection: "f.csv" };
    const result = await run(
      {
        rows: [
          { a: "", b: "" },
          { a: "1", b: "" },
        ],
      },
      { agent: "csv_writer", settings, inputs: "rows" },
      { agent: "csv_reader", settings, output: "back" },
    );
    expect(result.state["back"]).toEqual([
      { a: "", b: "" },
      { a: "1", b: "" },
    ]);
  });
});

describe("what a sheet says of columns is checked", () => {
  const problems = (settings: { readonly [name: string]: Json }): readonly string[] =>
    understandText(sheetOf({ ...reading(settings), output: "rows" })).diagnostics.map(
      ({ message, fix }) => `${message} [${fix?.title ?? ""}]`,
    );

  test.each<[{ readonly [name: string]: Json }, string]>([
    [{ types: { net: "nubmer" } }, 'not "nubmer"; did you mean "number"? [write "number"]'],
    [{ types: { net: "int" } }, 'did you mean "number"?'],
    [
      { types: { net: "whatever" } },
      'setting "types.net" must be "string", "number", "boolean" or "date", not',
    ],
    [{ types: { net: 1 } }, 'setting "types.net" must be'],
    [{ types: "number" }, 'setting "types" must be an object'],
    [{ decimal: ";" }, 'setting "decimal" must be "." or ","'],
    [{ decimal: ",", thousands: "," }, "another sign than decimal"],
    [{ types: { due: "date" }, date_format: "DD.MM.YYYY" }, 'did you mean "dd.MM.yyyy"?'],
    [{ types: { due: "date" }, date_format: "MM.dd" }, "made of yyyy, MM and dd"],
  ])("%j", (settings, message) => {
    expect(problems(settings)).toEqual([expect.stringContaining(message)]);
  });

  test("what is right is silent", () => {
    const settings = { types: { net: "number" }, decimal: ",", thousands: ".", date_format: "dd.MM.yyyy" };
    expect(problems(settings)).toEqual([]);
  });
});
