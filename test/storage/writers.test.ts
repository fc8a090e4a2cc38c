import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../runtime/graph/contract/contract.js";
import { howMany } from "../how-many.js";
import { createProject, type Project, type Step } from "./project.js";

type Settings = NonNullable<Step["settings"]>;
type Files = { readonly [path: string]: string };

/** Runs one writer over the input `v`, and gives its receipt or the message of its error. */
function write(project: Project, agent: string, settings: Settings, v?: unknown): Promise<unknown> {
  const inputs = v === undefined ? "" : "v";
  return project.out({ agent, settings, inputs }, v === undefined ? {} : { v: v as never });
}

const receipt = (file: string, mode: string, count: number) => ({ file, mode, count });

describe("json_writer", () => {
  const LIST = '[{"id":1,"n":"a","k":1},{"id":2,"n":"b"}]';
  const MAPPING = '{"ada":{"n":1,"k":1},"bob":{"n":2}}';

  const after = async (
    settings: Settings,
    v?: unknown,
    files: Files = { "list.json": LIST, "map.json": MAPPING },
  ) => {
    const project = createProject(files);
    const answer = await write(project, "json_writer", settings, v);
    const text = project.text(String(settings["collection"]));
    return { answer, now: text === null ? null : (JSON.parse(text) as unknown), text };
  };

  test("write replaces the document, and makes the folders it needs", async () => {
    const { answer, text } = await after({ collection: "a/b/new.json" }, { x: [1, "é"] });
    expect(answer).toEqual(receipt("a/b/new.json", "write", 1));
    expect(text).toBe('{\n  "x": [\n    1,\n    "é"\n  ]\n}\n');
    expect((await after({ collection: "list.json" }, 5)).now).toBe(5);
  });

  test("several inputs are written as a mapping; value names those that count", async () => {
    const project = createProject();
    const inputs = "day|name=who|age?";
    const state = { day: "mon", who: "Ada" };
    await project.out({ agent: "json_writer", inputs, prompt: "{day}" }, state);
    expect(JSON.parse(project.text("mon.json") ?? "")).toEqual({ day: "mon", name: "Ada" });
    await project.out(
      { agent: "json_writer", inputs, prompt: "{day}", settings: { value: ["name"] } },
      state,
    );
    expect(JSON.parse(project.text("mon.json") ?? "")).toEqual({ name: "Ada" });
    await project.out({ agent: "json_writer", inputs, prompt: "{day}", settings: { value: "name" } }, state);
    expect(JSON.parse(project.text("mon.json") ?? "")).toBe("Ada");
  });

  test("the receipt goes into the outputs that name its entries", async () => {
    const project = createProject();
    const { run } = project;
    const step = { agent: "json_writer", inputs: "v", output: "file|count=written", prompt: "x.json" };
    const { state } = await run({ v: [1, 2] }, step);
    expect(state).toMatchObject({ file: "x.json", written: 2 });
    expect(project.notes).toEqual([]);
  });

  test.each<[string, Settings, unknown, unknown]>([
    [
      "write with an id replaces an entry",
      { mode: "write", id: 1 },
      { n: "z" },
      [
        { id: 1, n: "z" },
        { id: 2, n: "b" },
      ],
    ],
    ["write with an id adds an entry", { id: 3 }, { n: "z" }, [...JSON.parse(LIST), { id: 3, n: "z" }]],
    ["append adds an item", { mode: "append" }, { id: 3 }, [...JSON.parse(LIST), { id: 3 }]],
    ["append adds each item of a list", { mode: "append" }, [7, [8]], [...JSON.parse(LIST), 7, [8]]],
    ["append with an id", { mode: "append", id: 9 }, { n: "z" }, [...JSON.parse(LIST), { id: 9, n: "z" }]],
    [
      "update merges into an entry",
      { mode: "update", id: 1 },
      { n: "z" },
      [
        { id: 1, n: "z", k: 1 },
        { id: 2, n: "b" },
      ],
    ],
    [
      "update by the values' own ids",
      { mode: "update" },
      [{ id: 2, x: 1 }],
      [JSON.parse(LIST)[0], { id: 2, n: "b", x: 1 }],
    ],
    [
      "update of all that a query chooses",
      { mode: "update", query: { filter: { n: "*" } } },
      { k: 0 },
      [
        { id: 1, n: "a", k: 0 },
        { id: 2, n: "b", k: 0 },
      ],
    ],
    [
      "update with upsert",
      { mode: "update", id: 3, upsert: true },
      { n: "z" },
      [...JSON.parse(LIST), { id: 3, n: "z" }],
    ],
    ["delete by id", { mode: "delete", id: 1 }, undefined, [{ id: 2, n: "b" }]],
    ["delete by another field", { mode: "delete", id: "b", id_field: "n" }, undefined, [JSON.parse(LIST)[0]]],
    ["delete by query", { mode: "delete", query: { filter: { k: "" } } }, undefined, [JSON.parse(LIST)[0]]],
    ["delete of what is not there", { mode: "delete", id: 7 }, undefined, JSON.parse(LIST)],
  ])("a list: %s", async (_, settings, v, expected) => {
    const { now } = await after({ collection: "list.json", ...settings }, v);
    expect(now).toEqual(expected);
  });

  test.each<[string, Settings, unknown, unknown]>([
    ["write with an id", { id: "cy" }, 5, { ...JSON.parse(MAPPING), cy: 5 }],
    [
      "update merges into an entry",
      { mode: "update", id: "ada" },
      { n: 9 },
      { ada: { n: 9, k: 1 }, bob: { n: 2 } },
    ],
    ["update merges into the whole", { mode: "update" }, { bob: 0 }, { ada: { n: 1, k: 1 }, bob: 0 }],
    [
      "update by query",
      { mode: "update", query: { filter: { n: ">1" } } },
      { k: 2 },
      { ada: { n: 1, k: 1 }, bob: { n: 2, k: 2 } },
    ],
    ["delete by id", { mode: "delete", id: "ada" }, undefined, { bob: { n: 2 } }],
    ["delete by query", { mode: "delete", query: { filter: { id: "ada" } } }, undefined, { bob: { n: 2 } }],
  ])("a mapping: %s", async (_, settings, v, expected) => {
    const { now } = await after({ collection: "map.json", ...settings }, v);
    expect(now).toEqual(expected);
  });

  test("the id may be an input, which is then no part of what is written", async () => {
    const project = createProject({ "map.json": MAPPING });
    const settings = { collection: "map.json", id_from: "who" };
    await project.out({ agent: "json_writer", settings, inputs: "who|v" }, { who: "cy", v: { n: 3 } });
    expect(JSON.parse(project.text("map.json") ?? "")).toEqual({ ...JSON.parse(MAPPING), cy: { n: 3 } });
    const remove = { agent: "json_writer", settings: { ...settings, mode: "delete" }, inputs: "who?" };
    expect(await project.out(remove)).toBe('the input "who" is to be an id, but it is unset');
    expect(await project.out(remove, { who: "cy" })).toEqual(receipt("map.json", "delete", 1));
    expect(JSON.parse(project.text("map.json") ?? "")).toEqual(JSON.parse(MAPPING));
  });

  describe("what would change more than is meant changes nothing", () => {
    const refused = async (settings: Settings, given: { readonly [field: string]: Json } = {}) => {
      const project = createProject({
        "list.json": LIST,
        "list.jsonl": LIST.slice(1, -1).replace("},{", "}\n{"),
      });
      const lines = project.text("list.jsonl");
      const answers: unknown[] = [];
      for (const collection of ["list.json", "list.jsonl"]) {
        const step = { agent: "json_writer", settings: { collection, ...settings }, inputs: "v?|q?" };
        answers.push(await project.out(step, { v: { n: "x" }, ...given }));
      }
      expect([project.text("list.json"), project.text("list.jsonl")]).toEqual([LIST, lines]);
      expect(String(answers[0]).replace("list.json", "")).toBe(String(answers[1]).replace("list.jsonl", ""));
      return answers[0];
    };

    test.each<[Settings, string]>([
      [{ mode: "delete", qurey: { filter: { id: 1 } } }, 'json files are not written with a setting "qurey"'],
      [{ mdoe: "append" }, 'json files are not written with a setting "mdoe"'],
      [
        { mode: "append", query: { filter: { id: 1 } } },
        '"query" chooses entries to update or to delete; the mode is "append"',
      ],
      [
        { query: { filter: { id: 1 } } },
        '"query" chooses entries to update or to delete; the mode is "write"',
      ],
      [{ mode: "delete", id: "" }, "the id is empty"],
      [
        { mode: "delete", id: 1, id_from: "q" },
        "only one of id, id_from and query can say which entries are meant",
      ],
      [
        { mode: "delete", query: { filter: { idd: "<>1" } } },
        'list.json: no entry has a field "idd"; nothing was changed',
      ],
      [
        { mode: "update", query: { filter: { idd: "<>1" } } },
        'list.json: no entry has a field "idd"; nothing was changed',
      ],
    ])("%j", async (settings, message) => {
      expect(await refused(settings)).toBe(message);
    });

    test.each(["", "  ", null])("a query that compares with %j", async (q) => {
      const message = 'the input "q" is empty, and would mean every entry without that field';
      expect(await refused({ mode: "delete", query: { filter: { k: { input: "q" } } } }, { q })).toBe(
        message,
      );
      const several = { mode: "delete", query: { filter: { k: [{ input: "q" }, "7"] } } };
      expect(await refused(several, { q: [1, q] })).toBe(message);
    });

    test("entries of a mapping", async () => {
      const { answer, text } = await after({
        collection: "map.json",
        mode: "delete",
        query: { filter: { m: "<>1" } },
      });
      expect([answer, text]).toEqual(['map.json: no entry has a field "m"; nothing was changed', MAPPING]);
    });
  });

  test("an entry keeps its id, and values for one entry are merged one after the other", async () => {
    const collection = "list.json";
    expect((await after({ collection, mode: "update", id: 2 }, { id: 9, n: "c" })).now).toMatchObject([
      { id: 1 },
      { id: 2, n: "c" },
    ]);
    const twice = [
      { id: 2, k: 6 },
      { id: 2, n: "c" },
    ];
    expect((await after({ collection, mode: "update" }, twice)).now).toMatchObject([
      { id: 1 },
      { id: 2, k: 6, n: "c" },
    ]);
  });

  test.each<[string, string, Settings, unknown, string]>([
    [
      "an entry that is not there",
      "list.json",
      { mode: "update", id: 7 },
      { n: 1 },
      "list.json: there is no entry whose id is 7",
    ],
    [
      "a key that is not there",
      "map.json",
      { mode: "update", id: "x" },
      { n: 1 },
      'map.json: there is no entry whose key is "x"',
    ],
    [
      "a file that is not there",
      "none.json",
      { mode: "update", id: 7 },
      { n: 1 },
      "none.json: there is no such file in the data folder",
    ],
    [
      "an id that is there",
      "list.json",
      { mode: "append", id: 1 },
      {},
      "list.json: there is an entry whose id is 1 already",
    ],
    [
      "a mapping",
      "map.json",
      { mode: "append" },
      1,
      "map.json: append needs a list; the file holds a mapping",
    ],
    [
      "no mapping",
      "list.json",
      { mode: "update", id: 1 },
      "z",
      'list.json: update of an entry needs a mapping, not a string; the setting "value" with a list of inputs makes one of them',
    ],
    [
      "values without ids",
      "list.json",
      { mode: "update" },
      [{ n: 1 }],
      'list.json: which entry is to be updated? The value has no "id"; name it with "id", or choose entries with "query"',
    ],
    ["a reserved key", "map.json", { id: "__proto__" }, 1, 'map.json: "__proto__" can be no id'],
    ["nothing to write", "list.json", {}, undefined, "there is nothing to write: the node has no input"],
  ])("refuses %s, and leaves the file as it was", async (_, collection, settings, v, message) => {
    const { answer, text } = await after({ collection, ...settings }, v);
    expect(answer).toBe(message);
    expect(text).toBe({ "list.json": LIST, "map.json": MAPPING }[collection] ?? null);
  });

  test("delete without id and query removes the file; twice is no error", async () => {
    const project = createProject({ "list.json": LIST });
    const remove = () => write(project, "json_writer", { collection: "list", mode: "delete" });
    expect(await remove()).toEqual(receipt("list.json", "delete", 1));
    expect(project.text("list.json")).toBe(null);
    expect(await remove()).toEqual(receipt("list.json", "delete", 0));
  });

  test("JSON lines: append, update, delete leave the other lines as they stand", async () => {
    const project = createProject({ "log.jsonl": '{"id": 1}\n{"id":2}' });
    const step = (settings: Settings, v?: unknown) =>
      write(project, "json_writer", { collection: "log.jsonl", ...settings }, v);
    await step({ mode: "append" }, [{ id: 3 }, "x"]);
    await step({ mode: "update", id: 2 }, { n: "\n" });
    await step({ mode: "delete", query: { filter: { id: 3 } } });
    expect(project.text("log.jsonl")).toBe('{"id": 1}\n{"id":2,"n":"\\n"}\n"x"\n');
    await step({}, [1, 2]);
    expect(project.text("log.jsonl")).toBe("1\n2\n");
  });
});

describe("csv_writer", () => {
  const FILE = "id,name,sum\n1,Ada,5\n2,Bob,-7\n";

  const after = async (settings: Settings, v?: unknown, before: string | null = FILE) => {
    const project = createProject(before === null ? {} : { "t.csv": before });
    const answer = await write(project, "csv_writer", { collection: "t", ...settings }, v);
    return { answer, text: project.text("t.csv") };
  };

  test.each<[string, Settings, unknown, string]>([
    ["a row", {}, { a: 1, b: "x" }, "a,b\n1,x\n"],
    ["rows, with the union of their columns", {}, [{ a: 1 }, { b: 2, a: null }], "a,b\n1,\n,2\n"],
    ["a text is a row of one column", {}, "x", "v\nx\n"],
    ["a number updates one column", { mode: "update", id: 2 }, 8, "id,name,sum,v\n1,Ada,5,\n2,Bob,-7,8\n"],
    ["null in a list, as a loop leaves it, is no row", {}, [null, { a: 1 }, null], "a\n1\n"],
    [
      "lists, mappings, truths and nothing",
      {},
      { a: [1], b: { c: 2 }, d: true, e: null },
      'a,b,d,e\n[1],"{""c"":2}",true,\n',
    ],
    ["no rows: the header stays", {}, [], "id,name,sum\n"],
    ["another delimiter", { delimiter: ";" }, { a: "1,5", b: "x;y" }, 'a;b\n1,5;"x;y"\n'],
    ["one empty cell", {}, { a: "" }, 'a\n""\n'],
    ["a header that has delimiters in it", {}, { "a;b;c": 1, d: 2 }, '"a;b;c",d\n1,2\n'],
    ["append", { mode: "append" }, { sum: 1, id: 3 }, `${FILE}3,,1\n`],
    [
      "append with a new column",
      { mode: "append" },
      [{ id: 3, x: "y" }],
      "id,name,sum,x\n1,Ada,5,\n2,Bob,-7,\n3,,,y\n",
    ],
    ["write with an id", { id: 2 }, { name: "Cy" }, "id,name,sum\n1,Ada,5\n2,Cy,\n"],
    ["write with a new id", { id: 3 }, { name: "Cy" }, `${FILE}3,Cy,\n`],
    ["update by id", { mode: "update", id: "2" }, { sum: 8, x: 1 }, "id,name,sum,x\n1,Ada,5,\n2,Bob,8,1\n"],
    [
      "update by own ids",
      { mode: "update", id_field: "name" },
      { name: "Ada", sum: 0 },
      "id,name,sum\n1,Ada,0\n2,Bob,-7\n",
    ],
    [
      "update by query",
      { mode: "update", query: { filter: { sum: "<0" } } },
      { sum: 0 },
      "id,name,sum\n1,Ada,5\n2,Bob,0\n",
    ],
    ["update with upsert", { mode: "update", upsert: true }, [{ id: 3, name: "Cy" }], `${FILE}3,Cy,\n`],
    ["delete by id", { mode: "delete", id: 1 }, undefined, "id,name,sum\n2,Bob,-7\n"],
    [
      "delete by query",
      { mode: "delete", query: { filter: { name: "*b" } } },
      undefined,
      "id,name,sum\n1,Ada,5\n",
    ],
  ])("writes %s", async (_, settings, v, expected) => {
    const { answer, text } = await after(settings, v);
    expect(text).toBe(expected);
    expect(answer).toMatchObject({ file: "t.csv", mode: settings["mode"] ?? "write" });
  });

  test("the file's own style is kept: delimiter, line ends, mark, rows that stay", async () => {
    const before = '\ufeffsep=;\r\nid;n\r\n1;" a"\r\n2;b';
    expect((await after({ mode: "append" }, { id: 3 }, before)).text).toBe(`${before}\r\n3;\r\n`);
    const updated = '\ufeffsep=;\r\nid;n\r\n1;" a"\r\n2;c\r\n';
    expect((await after({ mode: "update", id: 2 }, { n: "c" }, before)).text).toBe(updated);
  });

  test.each<[unknown, string]>([
    ["=1+1", "'=1+1"],
    ["+1+1", "'+1+1"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", '"\'\tx"'],
    ["\rx", '"\'\rx"'],
    ["'=1", "''=1"],
    ['=a"b,c', '"\'=a""b,c"'],
    [-5, "-5"],
    ["-5", "-5"],
    ["it's", "it's"],
  ])("guards what a spreadsheet would run: %j", async (value, cell) => {
    expect((await after({}, { v: value }, null)).text).toBe(`v\n${cell}\n`);
    expect((await after({ mode: "append" }, { v: value }, "v\n1\n")).text).toBe(`v\n1\n${cell}\n`);
  });

  test("a column's name is guarded too", async () => {
    expect((await after({}, { "=x": 1 }, null)).text).toBe("'=x\n1\n");
  });

  test.each<[string, Settings, unknown, string]>([
    ["what is no row", {}, ["x"], "t.csv: a row is a mapping from columns to values, not a string"],
    [
      "a column of ids that is not there",
      { mode: "update", id: 1, id_field: "nr" },
      { name: "x" },
      't.csv: there is no column "nr" among id, name, sum; name the one that holds the ids with "id_field"',
    ],
    [
      "an id that is not there",
      { mode: "update", id: 9 },
      { name: "x" },
      "t.csv: there is no entry whose id is 9",
    ],
    [
      "to delete by a column that is not there",
      { mode: "delete", query: { filter: { nme: "<>Ada" } } },
      undefined,
      't.csv: there is no column "nme" among id, name, sum',
    ],
    ...[{}, { mode: "append" }, { mode: "update", id: 1 }].flatMap(
      (settings): [string, Settings, unknown, string][] => [
        [
          `a name that would be read as another (${JSON.stringify(settings)})`,
          settings,
          { " name": "x" },
          't.csv: a column cannot be named " name": space around a name would be lost',
        ],
        [
          `a value without a name (${JSON.stringify(settings)})`,
          settings,
          { "": "x" },
          't.csv: a column cannot be named ""',
        ],
        [
          `a reserved name (${JSON.stringify(settings)})`,
          settings,
          { constructor: "x" },
          't.csv: a column cannot be named "constructor"',
        ],
      ],
    ),
  ])("refuses %s, and leaves the file as it was", async (_, settings, v, message) => {
    expect(await after(settings, v)).toEqual({ answer: message, text: FILE });
  });

  test("any texts come back the same, whatever is done to the rows beside them", async () => {
    const column = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }).filter((name) => {
      return name.trim() === name && !["__proto__", "prototype", "constructor", "id"].includes(name);
    });
    const cell = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 8 }),
      fc.stringMatching(/^[=+\-@'",;\t\r\n a1]{0,6}$/),
    );
    const rows = fc
      .uniqueArray(column, { minLength: 1, maxLength: 4 })
      .chain((names) =>
        fc
          .array(fc.tuple(...names.map(() => cell)), { minLength: 1, maxLength: 5 })
          .map((lines) =>
            lines.map((line, i) =>
              Object.fromEntries([["id", `r${i}`], ...names.map((name, k) => [name, line[k]])]),
            ),
          ),
      );
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(",", ";", "\t"), async (value, delimiter) => {
        const project = createProject();
        const { error, state } = await project.run(
          { value: value as never, last: { id: "last" } },
          { agent: "csv_writer", settings: { delimiter }, inputs: "value", prompt: "t" },
          { agent: "csv_writer", settings: { mode: "append" }, inputs: "last", prompt: "t" },
          { agent: "csv_writer", settings: { mode: "update", id: "last" }, inputs: "last", prompt: "t" },
          { agent: "csv_writer", settings: { mode: "delete", id: "last" }, prompt: "t" },
          { agent: "csv_reader", output: "back", prompt: "t" },
        );
        expect(error).toBe(null);
        expect(state["back"]).toEqual(value);
      }),
      { numRuns: howMany(40, 8) },
    );
  });
});

describe("file_writer", () => {
  test("nothing is appended by an empty list or text", async () => {
    const project = createProject({ "log.txt": "one" });
    for (const v of [[], ""])
      await project.out(
        { agent: "file_writer", settings: { collection: "log.txt", mode: "append" }, inputs: "v" },
        { v },
      );
    expect(project.text("log.txt")).toBe("one");
  });

  test("writes the prompt when a setting names the file, else the inputs", async () => {
    const project = createProject();
    const settings = { collection: "letters/{a}.txt".replace("{a}", "ada") };
    await project.out(
      { agent: "file_writer", settings, inputs: "name", prompt: "Dear {name},\n" },
      { name: "Ada" },
    );
    expect(project.text("letters/ada.txt")).toBe("Dear Ada,\n");
    await project.out({ agent: "file_writer", inputs: "v", prompt: "v.txt" }, { v: { a: 1 } });
    expect(project.text("v.txt")).toBe('{"a":1}');
    await project.out({ agent: "file_writer", inputs: "v", prompt: "v.txt" }, { v: ["a", 2] });
    expect(project.text("v.txt")).toBe("a\n2\n");
  });

  test("append puts text on lines of its own; update needs the file; delete removes it", async () => {
    const project = createProject({ "log.txt": "one" });
    const step = (mode: string, v?: string, file = "log.txt") =>
      write(project, "file_writer", { mode, collection: file }, v);
    await step("append", "two");
    await step("append", "three\n");
    expect(project.text("log.txt")).toBe("one\ntwo\nthree\n");
    await step("append", "first", "new.txt");
    expect(project.text("new.txt")).toBe("first\n");
    expect(await step("update", "x")).toEqual(receipt("log.txt", "update", 1));
    expect(project.text("log.txt")).toBe("x");
    expect(await step("update", "x", "none.txt")).toBe("none.txt: there is no such file in the data folder");
    expect(await step("delete")).toEqual(receipt("log.txt", "delete", 1));
    expect(project.text("log.txt")).toBe(null);
  });
});

test("a file keeps its mode, and one that may not be written is not replaced", async () => {
  const project = createProject({ "a.txt": "old", "b.txt": "old" });
  chmodSync(join(project.data, "a.txt"), 0o640);
  await write(project, "file_writer", { collection: "a.txt" }, "new");
  expect(statSync(join(project.data, "a.txt")).mode & 0o777).toBe(0o640);
  expect(project.text("a.txt")).toBe("new");
  expect(readdirSync(project.data).sort()).toEqual([".locks", "a.txt", "b.txt"]);
});

test("a folder in the place of a file is told as such", async () => {
  const project = createProject();
  mkdirSync(join(project.data, "d.txt"), { recursive: true });
  expect(await write(project, "file_writer", { collection: "d.txt" }, "x")).toBe("d.txt: it is a folder");
  expect(await project.out({ agent: "file_reader", prompt: "d.txt" })).toBe("d.txt: it is a folder");
  await write(project, "file_writer", { collection: "f.txt" }, "x");
  const below = await write(project, "file_writer", { collection: "f.txt/x.txt" }, "x");
  expect(below).toBe("f.txt/x.txt: a part of its path is no folder");
});
