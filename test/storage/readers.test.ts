import { describe, expect, test } from "vitest";
import { csvReader } from "../../runtime/agents/data/data-files.js";
import type { Json } from "../../runtime/graph/contract/contract.js";
import { type Act, tiny } from "../runtime/tiny.js";
import { createProject } from "./project.js";

const PEOPLE = "id,name,city,age\n1,Ada,Rome,36\n2,Bob,Oslo,9\n3,Cy,rome,41\n4,Di,,\n";
const LIST = JSON.stringify([
  { id: 1, name: "Ada", address: { city: "Rome" } },
  { id: "b", name: "Bob", address: { city: "Oslo" } },
]);
const MAPPING = JSON.stringify({ ada: { name: "Ada", age: 36 }, bob: { name: "Bob", age: 9 } });

const names = (list: unknown): unknown =>
  Array.isArray(list) ? list.map((one: { name: string }) => one.name) : list;

describe("json_reader", () => {
  test("reads a whole document, which the prompt names", async () => {
    const { out } = createProject({ "config/shop.json": '{"open": true, "tax": 0.2}' });
    const step = { agent: "json_reader", inputs: "what", prompt: "config/{what}.json" };
    expect(await out(step, { what: "shop" })).toEqual({ open: true, tax: 0.2 });
  });

  test("reads the file that collection names, with .json when it has no extension", async () => {
    const { out } = createProject({ "list.json": LIST });
    const settings = { collection: "list" };
    expect(await out({ agent: "json_reader", settings, inputs: "x?", prompt: "not {x} this" })).toEqual(
      JSON.parse(LIST),
    );
  });

  test.each([
    ["a list by id", "list.json", { id: 1 }, { id: 1, name: "Ada", address: { city: "Rome" } }],
    [
      "a list by a number as text",
      "list.json",
      { id: "1" },
      { id: 1, name: "Ada", address: { city: "Rome" } },
    ],
    ["a list by another field", "list.json", { id: "Bob", id_field: "name" }, JSON.parse(LIST)[1]],
    ["a mapping by key", "map.json", { id: "bob" }, { name: "Bob", age: 9 }],
  ])("reads an entry of %s", async (_, collection, settings, expected) => {
    const { out } = createProject({ "list.json": LIST, "map.json": MAPPING });
    expect(await out({ agent: "json_reader", settings: { collection, ...settings } })).toEqual(expected);
  });

  test("takes the id from an input", async () => {
    const { out } = createProject({ "map.json": MAPPING });
    const settings = { collection: "map.json", id_from: "who" };
    const step = { agent: "json_reader", settings, inputs: "who?" };
    expect(await out(step, { who: "ada" })).toEqual({ name: "Ada", age: 36 });
    expect(await out(step)).toBe('the input "who" is to be an id, but it is unset');
    expect(await out(step, { who: "" })).toBe('the input "who" is to be an id, but it is empty');
    expect(await out(step, { who: "__proto__" })).toBe('map.json: there is no entry "__proto__"');
  });

  test("a query gives a list; the entries of a mapping get their key as their id", async () => {
    const { out } = createProject({ "map.json": MAPPING, "list.json": LIST });
    const read = (collection: string, query: object) =>
      out({ agent: "json_reader", settings: { collection, query: query as never } });
    expect(await read("map.json", { filter: { age: "<10" } })).toEqual([{ id: "bob", name: "Bob", age: 9 }]);
    expect(await read("list.json", { filter: { "address.city": "o*" } })).toEqual([JSON.parse(LIST)[1]]);
    expect(await read("list.json", {})).toEqual(JSON.parse(LIST));
  });

  test("a missing file and a missing entry are errors that name the file, or the default", async () => {
    const { out, root } = createProject({ "map.json": MAPPING });
    const read = (settings: object) => out({ agent: "json_reader", settings: settings as never });
    const missing = await read({ collection: "none.json" });
    expect(missing).toBe("none.json: there is no such file in the data folder");
    expect(missing).not.toContain(root);
    expect(await read({ collection: "map.json", id: "cy" })).toBe('map.json: there is no entry "cy"');
    expect(await read({ collection: "none.json", default: [] })).toEqual([]);
    expect(await read({ collection: "deep/none.json", default: null })).toBe(null);
    expect(await read({ collection: "map.json", id: "cy", default: { name: "?" } })).toEqual({ name: "?" });
  });

  test("null is a value, and no missing file", async () => {
    const { out } = createProject({ "null.json": "null", "map.json": '{"a": null}' });
    const settings = { collection: "null.json", default: 1 };
    expect(await out({ agent: "json_reader", settings })).toBe(null);
    expect(await out({ agent: "json_reader", settings: { collection: "map.json", id: "a" } })).toBe(null);
  });

  test("what is no JSON is an error with its place, and the default does not hide it", async () => {
    const { out } = createProject({
      "bad.json": '{"a": 1,\n "b": oops}',
      "empty.json": "",
      "deep.json": "[".repeat(100_000),
    });
    const read = (collection: string) => out({ agent: "json_reader", settings: { collection, default: 1 } });
    expect(await read("bad.json")).toBe("bad.json: it is no valid JSON: line 2, column 7");
    expect(await read("empty.json")).toBe("empty.json: it is empty");
    expect(await read("deep.json")).toBe("deep.json: it is nested more than 200 deep");
  });

  test("reads JSON lines as a list", async () => {
    const { out } = createProject({
      "log.jsonl": '{"id":1,"n":5}\r\n\n{"id":2,"n":7}\n{"id":3,"n":6}',
      "bad.jsonl": "1\n{\n",
    });
    const read = (settings: object) => out({ agent: "json_reader", settings: settings as never });
    expect(await read({ collection: "log.jsonl", id: 2 })).toEqual({ id: 2, n: 7 });
    expect(await read({ collection: "log.jsonl", query: { filter: { n: ">5" }, sort: "n" } })).toEqual([
      { id: 3, n: 6 },
      { id: 2, n: 7 },
    ]);
    expect(await read({ collection: "bad.jsonl" })).toBe("bad.jsonl: line 2 is no valid JSON");
  });

  test("a document of more than 50 MB is refused", async () => {
    const { out } = createProject({ "big.json": Buffer.alloc(50 * 1024 * 1024 + 1, " ") });
    expect(await out({ agent: "json_reader", prompt: "big.json" })).toBe("big.json: it is larger than 50 MB");
  });
});

describe("csv_reader", () => {
  const read = (
    settings: object,
    files: { [name: string]: string | Uint8Array } = { "people.csv": PEOPLE },
  ) => createProject(files).out({ agent: "csv_reader", settings: { collection: "people", ...settings } });

  test("reads rows as mappings; every cell is text", async () => {
    expect(await read({ id: 1 })).toEqual({ id: "1", name: "Ada", city: "Rome", age: "36" });
    expect(names(await read({}))).toEqual(["Ada", "Bob", "Cy", "Di"]);
  });

  test.each([
    ["filter", { filter: { city: "rome" } }, ["Ada", "Cy"]],
    ["filter with an operator", { filter: { age: ">=36", city: "<>" } }, ["Ada", "Cy"]],
    ["filter with a pattern", { filter: { name: "?*b" } }, ["Bob"]],
    ["filter with a list", { filter: { name: ["Ada", "Di"] } }, ["Ada", "Di"]],
    ["sort: numbers by size, empty last", { sort: "age" }, ["Bob", "Ada", "Cy", "Di"]],
    ["order", { sort: "age", order: "desc" }, ["Cy", "Ada", "Bob", "Di"]],
    ["several sort fields", { sort: ["city", "name"], order: ["asc", "desc"] }, ["Bob", "Cy", "Ada", "Di"]],
    ["limit", { limit: 2 }, ["Ada", "Bob"]],
    ["limit 0", { limit: 0 }, []],
    ["offset", { offset: 3 }, ["Di"]],
    ["sort, offset and limit", { sort: "name", order: "desc", offset: 1, limit: 2 }, ["Cy", "Bob"]],
  ])("query: %s", async (_, query, expected) => {
    expect(names(await read({ query }))).toEqual(expected);
  });

  test("a filter takes the value of an input, in which * means itself", async () => {
    const { out } = createProject({ "people.csv": `${PEOPLE}5,*,Bonn,1\n` });
    const find = (name: string, is?: string) => {
      const criterion = is === undefined ? { input: "who" } : { input: "who", is };
      const settings = { collection: "people", query: { filter: { name: criterion } } };
      return out({ agent: "csv_reader", settings, inputs: "who" }, { who: name });
    };
    expect(names(await find("ada"))).toEqual(["Ada"]);
    expect(names(await find("*"))).toEqual(["*"]);
    expect(names(await find(">A"))).toEqual([]);
    expect(names(await find("Bob", "<>"))).toEqual(["Ada", "Cy", "Di", "*"]);
    expect(names(await find("C", ">"))).toEqual(["Cy", "Di"]);
  });

  test("a text that an input gives is compared as a text, and each digit of a long one counts", async () => {
    const { out } = createProject({ "cards.csv": "nr\n007\n7\n1e3\n9007199254740993\n9007199254740992\n" });
    const find = (criterion: Json, given: { readonly who?: Json } = {}) =>
      out(
        {
          agent: "csv_reader",
          settings: { collection: "cards", query: { filter: { nr: criterion } } },
          inputs: "who?",
        },
        given,
      );
    const byInput = (who: Json, is = "=") => find({ input: "who", is }, { who });
    expect(await byInput("7")).toEqual([{ nr: "7" }]);
    expect(await byInput(7)).toEqual([{ nr: "007" }, { nr: "7" }]);
    expect(await byInput("1000")).toEqual([]);
    expect(await byInput(["1e3", "~"])).toEqual([{ nr: "1e3" }]);
    expect(await byInput("9007199254740993")).toEqual([{ nr: "9007199254740993" }]);
    expect(await byInput("9007199254740993", "<>")).toHaveLength(4);
    expect(await find("9007199254740993")).toEqual([{ nr: "9007199254740993" }]);
    expect(await byInput(" 7 ")).toEqual([{ nr: "7" }]);
    expect(await find([{ input: "who" }, "7"], { who: "007" })).toEqual([{ nr: "007" }, { nr: "7" }]);
    expect(await find("0x7")).toEqual([]);
    expect(await find("~007")).toEqual([{ nr: "007" }]);
    expect(await find("<>~007")).toHaveLength(4);
    expect(await find("1000")).toEqual([{ nr: "1e3" }]);
  });

  test.each([
    [
      "an id beside it",
      { query: {}, id: 1 },
      "only one of id, id_from and query can say which entries are meant",
    ],
    [
      "a column that is no id",
      { id: 1, id_field: "nr" },
      'people.csv: there is no column "nr" among id, name, city, age; name the one that holds the ids with "id_field"',
    ],
    [
      "a column that is not there",
      { query: { filter: { towm: "<>Rome" } } },
      'people.csv: there is no column "towm" among id, name, city, age',
    ],
    [
      "a column that is not there to sort by",
      { query: { sort: ["age", "nme"] } },
      'people.csv: there is no column "nme" among id, name, city, age',
    ],
  ])("refuses a query with %s", async (_, settings, message) => {
    expect(await read(settings)).toBe(message);
  });

  test.each([
    [{ fliter: {} }, '"query" has no "fliter"; it has filter, sort, order, limit, offset'],
    [{ filter: [] }, '"filter" must be a mapping from fields to criteria'],
    [{ filter: { a: { is: "=" } } }, /a criterion is a value, or /],
    [{ filter: { a: { input: "q", op: ">" } } }, /a criterion is a value, or /],
    [{ filter: { a: { input: "q" } } }, 'the settings name "q", which is no input of this node'],
    [{ limit: -1 }, '"limit" must be a whole number, 0 or more'],
    [{ sort: [""] }, '"sort" must be a field\'s name, or a list of them'],
    [{ order: "up" }, '"order" must be "asc" or "desc", or a list of them'],
  ])("refuses the query %j also in a graph that no sheet was read for", async (query, message) => {
    const agent: Act = (inputs, context) => csvReader(inputs, context);
    const { error } = await tiny({ Find: { agent, settings: { query }, prompt: () => "t" } }).run({});
    if (typeof message === "string") expect(error?.message).toBe(message);
    else expect(error?.message).toMatch(message);
  });

  test.each([
    ["semicolons", "a;b\n1;2,5\n"],
    ["tabs, CRLF and a byte order mark", "\ufeffa\tb\r\n1\t2,5\r\n"],
    ["a sep= line", "sep=;\na;b\n1;2,5\n"],
    ["UTF-16", Buffer.from("\ufeffa;b\n1;2,5\n", "utf16le")],
    ["old line ends, and none at the end", "a;b\r1;2,5"],
    ["empty lines", "a;b\n\n1;2,5\n\n"],
    ["surplus empty cells", "a;b\n1;2,5;;\n"],
  ])("reads files with %s", async (_, content) => {
    expect(await read({}, { "people.csv": content })).toEqual([{ a: "1", b: "2,5" }]);
  });

  test("finds the delimiter although a name of the header has others in it", async () => {
    const content = '"a;b;c",d\n1,2\n';
    expect(await read({}, { "people.csv": content })).toEqual([{ "a;b;c": "1", d: "2" }]);
  });

  test("reads quoted cells, and takes the guard of formulas off", async () => {
    const content = `a,b,c\n"x ""y""\nz","'=1+1",'s\n'-5,''=1,5" pipe\n`;
    expect(await read({}, { "people.csv": content })).toEqual([
      { a: 'x "y"\nz', b: "=1+1", c: "'s" },
      { a: "-5", b: "'=1", c: '5" pipe' },
    ]);
  });

  test.each([
    ["two columns of one name", "a,a\n", 'people.csv: two columns are named "a"'],
    ["a reserved name", "a,__proto__\n", 'people.csv: a column cannot be named "__proto__"'],
    ["a long row", "a,b\n1,2\n1,2,3\n", "people.csv: row 3 has 3 cells, the header has 2"],
    ["an open quote", 'a,b\n1,2\n"1,2\n', "people.csv: row 3: a quote is not closed"],
    [
      "a stray quote",
      'a\n"1"2\n',
      'people.csv: row 2: there is text after a closing quote; a quote in a quoted cell is written ""',
    ],
    [
      "bytes that are no text",
      Buffer.from([0x61, 0x0a, 0xe9, 0x0a]),
      'people.csv: it is not UTF-8 text; in a spreadsheet program, save it as "CSV UTF-8"',
    ],
  ])("refuses a file with %s", async (_, content, message) => {
    expect(await read({}, { "people.csv": content })).toBe(message);
  });

  test("an empty file has no rows, a short row has empty cells", async () => {
    expect(await read({}, { "people.csv": "" })).toEqual([]);
    expect(await read({}, { "people.csv": "a,b\n1\n" })).toEqual([{ a: "1", b: "" }]);
  });

  test("a result that no field can hold is refused, with what to do", async () => {
    const content = `a\n${`${"x".repeat(1000)}\n`.repeat(11_000)}`;
    const message =
      'people.csv: more than 10000000 characters are meant; narrow it with "query" (filter, limit)';
    expect(await read({}, { "people.csv": content })).toBe(message);
    expect(await read({ query: { sort: "a", limit: 2 } }, { "people.csv": content })).toHaveLength(2);
  });
});

describe("file_reader", () => {
  const read = (settings: object) =>
    createProject({ "note.txt": "\ufeffone\nTwo\r\nthree 3\n" }).out({
      agent: "file_reader",
      settings: { collection: "note.txt", ...settings },
    });

  test("reads a text as it is", async () => {
    expect(await read({})).toBe("one\nTwo\r\nthree 3\n");
  });

  test("reads a line by its number, and lines by a query", async () => {
    expect(await read({ id: 2 })).toBe("Two");
    expect(await read({ id: 4 })).toBe("note.txt: there is no line 4");
    expect(await read({ query: { filter: { line: "t*" } } })).toEqual(["Two", "three 3"]);
    expect(await read({ query: { filter: { text: "<>x" } } })).toMatch(/"line" and "number", and no "text"/);
    expect(await read({ query: { sort: "number", order: "desc", limit: 1 } })).toEqual(["three 3"]);
  });

  test("without a file's name it says where to put one", async () => {
    const { out } = createProject();
    const message = 'no file is named: the prompt names it, or the setting "collection"';
    expect(await out({ agent: "file_reader" })).toBe(message);
    expect(await out({ agent: "file_reader", inputs: "f?", prompt: "{f}" })).toBe(message);
  });
});

test("a failing reader takes the failure edge, and its message is the field error", async () => {
  const { run } = createProject();
  const result = await run(
    {},
    { agent: "csv_reader", output: "rows", prompt: "none.csv", failure: "N3" },
    { agent: "echo", inputs: "rows", output: "out" },
    { agent: "echo", inputs: "error", output: "why" },
  );
  expect(result.state).toMatchObject({ why: "none.csv: there is no such file in the data folder" });
  expect(result.state).not.toHaveProperty("rows");
});
