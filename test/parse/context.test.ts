import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../compiler/1-parse/cells/json-spots.js";
import type { JsonSpot, SettingItem } from "../../compiler/ir.js";
import { howMany } from "../how-many.js";
import { applyFix, oneRow, read, textAt } from "./read-sheet.js";

const context = (cell: string) => read(oneRow({ context: cell }));
const valuesOf = (settings: readonly SettingItem[] | undefined): unknown =>
  JSON.parse(
    JSON.stringify(Object.fromEntries((settings ?? []).map(({ name, spot }) => [name, spot.value]))),
  );

describe("free text", () => {
  test.each([
    ["Sorts the ticket", "Sorts the ticket"],
    ["  Sorts it \n", "Sorts it"],
    ["[draft]", "[draft]"],
    ['"quoted"', '"quoted"'],
    ["", ""],
  ])("%j describes the node", (cell, description) => {
    const { rows, found } = context(cell);
    expect(found).toEqual([]);
    expect(rows[0]).toMatchObject({ description, settings: [] });
  });

  test.each<[string, { [column: string]: string }, string]>([
    ["the column beats the setting", { description: " one ", context: '{"description": "two"}' }, "one"],
    ["the setting counts", { description: " ", context: '{"description": "two"}' }, "two"],
    [
      "a setting's column beats the key",
      { context: '{"description": "two"}', "context.description": "three" },
      "three",
    ],
    ["a setting's column beats free text", { context: "two", "context.description": "three" }, "three"],
    ["a setting that is no text is none", { context: '{"description": 2}' }, ""],
  ])("%s", (_, cells, description) => {
    expect(read(oneRow(cells)).rows[0]?.description).toBe(description);
  });
});

describe("JSON", () => {
  test.each([
    "{}",
    '{"retry": 3}',
    ' {"retry": {"attempts": 3, "delay_ms": 1.5e3}, "cases": {"a": "B"}}\n',
    '{"a": [1, -2.5, 0, 1E+2, true, false, null, "x", [], {}]}',
    '{"a": "é 😀 \\u00e9 \\n \\" \\\\ \\/ \\ud83d\\ude00"}',
    '{\r\n\t"a" : [ 1 ,2 ] }',
    '{"curly": "he said “hi”", "single": "it\'s"}',
    '{"a": "\\ud800"}',
    '{"toString": 1, "hasOwnProperty": 2}',
  ])("%s is read as JSON.parse reads it", (cell) => {
    const { rows, found } = context(cell);
    expect(found).toEqual([]);
    expect(valuesOf(rows[0]?.settings)).toEqual(JSON.parse(cell));
  });

  test("of two entries with one key the last counts", () => {
    expect(valuesOf(context('{"a": 1, "b": 2, "a": 3}').rows[0]?.settings)).toEqual({ a: 3, b: 2 });
  });

  test("every part has its place", () => {
    const cell = '{"retry": {"attempts": 3}, "list": [1, "x"]}';
    const [retry, list] = context(cell).rows[0]?.settings ?? [];
    const at = (span: { start: number; end: number } | undefined) => cell.slice(span?.start, span?.end);
    expect(at(retry?.nameAt)).toBe('"retry"');
    expect(at(retry?.spot)).toBe('{"attempts": 3}');
    expect(at(retry?.spot.entries?.[0])).toBe('"attempts"');
    expect(at(retry?.spot.entries?.[0]?.spot)).toBe("3");
    expect(list?.spot.items?.map(at)).toEqual(["1", '"x"']);
    expect(list?.cell).toEqual({ row: 0, column: 2, start: 0, end: cell.length });
  });

  test("objects have no prototype", () => {
    const value = context('{"a": {"b": 1}}').rows[0]?.settings[0]?.spot.value;
    expect(Object.getPrototypeOf(value)).toBeNull();
  });

  test.each<[string, string, string]>([
    ['{"__proto__": {"x": 1}, "a": 1}', '"__proto__"', "a"],
    ['{"a": 1, "constructor": 2}', '"constructor"', "a"],
    ['{"a": {"cases": {"prototype": "B"}}}', '"prototype"', "a"],
    ['{"a": 1, "\\u005f_proto__": 2}', '"\\u005f_proto__"', "a"],
  ])("reserved-name: %s", (cell, text, left) => {
    const { problems, rows } = context(cell);
    expect(problems.map(({ code, column }) => [code, column])).toEqual([["reserved-name", "context"]]);
    expect(textAt(oneRow({ context: cell }), problems[0] ?? { place: null })).toBe(
      text.replaceAll('"', '""'),
    );
    expect(rows[0]?.settings.map(({ name }) => name)).toEqual([left]);
    expect(JSON.stringify(rows[0]?.settings)).not.toContain("prototype");
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("bad-context", () => {
  /** The fault stands where the arrow does; the arrow is taken out. */
  test.each<[string, string]>([
    ['{"a" →1}', '":" after the key'],
    ['{"a": →}', "a value"],
    ["{→a 1}", "a key must stand in quotes"],
    ["{→a}", "a key must stand in quotes"],
    ["{a: →b c: d}", "text must stand in quotes"],
    ["{a=→b c=d}", "text must stand in quotes"],
    ["{a: →}", "a value"],
    ['{"a": →abc}', "text must stand in quotes"],
    ['{"a": →tru}', "text must stand in quotes"],
    ['{"a": →01}', "no number"],
    ['{"a": →1.}', "no number"],
    ['{"a": →.5}', "no number"],
    ['{"a": →+1}', "no number"],
    ['{"a": →1e999}', "no number"],
    ['{"a": →NaN}', "text must stand in quotes"],
    ['{"a": 1,→, "b": 2}', "a key must stand in quotes"],
    ['{"a": [1,→,2]}', "a value"],
    ['{"a": [→,]}', "a value"],
    ["{→,}", "a key must stand in quotes"],
    ['{"a": 1 →"b": 2}', '"," or "}"'],
    ['{"a": 1→', "the end of the cell"],
    ['{"a": [1→', '"," or "]"'],
    ["{→", "the end of the cell"],
    ['{"a": 1} →x', "the end after the last bracket"],
    ['{"a": 1}→}', "the end after the last bracket"],
    ['{"a": →"b}', "never ends"],
    ['{→"a: 1}', "never ends"],
    ['{"a": "b→\nc"}', "line break"],
    ['{"a": "b→\tc"}', "tab"],
    ['{"a": "→\\x41"}', "must be followed by"],
    ['{"a": "→\\u12g4"}', "must be followed by"],
    ["{'a': 'it'→s x'}", '"," or "}"'],
    ["{→name} is asked", "a key must stand in quotes"],
    [`{"a": ${"[".repeat(39)}→[1`, "nested more than 40 deep"],
  ])("%s", (marked, why) => {
    const cell = marked.replace("→", "");
    const text = `node_name,graph_name,context\nN,G,"${cell.replaceAll('"', '""')}"\n`;
    const { problems, rows } = read(text);
    expect(problems.map(({ code }) => code)).toEqual(["bad-context"]);
    expect(problems[0]?.message).toContain(why);
    const [before = ""] = marked.split("→");
    const lines = `N,G,"${before.replaceAll('"', '""')}`.split("\n");
    expect(problems[0]?.place).toMatchObject({
      line: 1 + lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
      cell: "C2",
    });
    expect(rows[0]).toMatchObject({ settings: [], description: "" });
  });

  test("40 deep is fine, and no depth overflows the stack", () => {
    const nested = (depth: number): string => `{"a":${"[".repeat(depth - 1)}1${"]".repeat(depth - 1)}}`;
    expect(context(nested(40)).found).toEqual([]);
    expect(context(nested(41)).problems.map(({ code }) => code)).toEqual(["bad-context"]);
    expect(context(nested(100_000)).problems.map(({ code }) => code)).toEqual(["bad-context"]);
  });
});

describe("python-literal", () => {
  test.each<[string, string, string, unknown]>([
    ["{'a': 'b'}", '{"a": "b"}', "'a'", { a: "b" }],
    [
      '{"a": True, "b": False, "c": None}',
      '{"a": true, "b": false, "c": null}',
      "True",
      { a: true, b: false, c: null },
    ],
    ['{"a": [1, 2,],}', '{"a": [1, 2]}', ",", { a: [1, 2] }],
    ["{“a”: “b”}", '{"a": "b"}', "“a”", { a: "b" }],
    ["{‘a’: ‘it’s’}", '{"a": "it’s"}', "‘a’", { a: "it’s" }],
    ['{„a“: “say "x" or ”}', '{"a": "say \\"x\\" or "}', "„a“", { a: 'say "x" or ' }],
    ["{'a': 'it\\'s \"x\"'}", '{"a": "it\'s \\"x\\""}', "'a'", { a: 'it\'s "x"' }],
    ['{"a":\u00a01}', '{"a": 1}', "\u00a0", { a: 1 }],
    [" {'retry' : 3 , } ", ' {"retry" : 3  } ', "'retry'", { retry: 3 }],
    ["{'a': True}", '{"a": true}', "'a'", { a: true }],
    ["{a: 1}", '{"a": 1}', "a", { a: 1 }],
    [
      "{a: gpt-4, b: 0.2, c: None}",
      '{"a": "gpt-4", "b": 0.2, "c": null}',
      "a",
      { a: "gpt-4", b: 0.2, c: null },
    ],
    ["{a=b c, d = true}", '{"a":"b c", "d" : true}', "a", { a: "b c", d: true }],
    ["{a: [Yes, No]}", '{"a": ["Yes", "No"]}', "a", { a: ["Yes", "No"] }],
    [
      "{url=http://x/y, at: 10:30}",
      '{"url":"http://x/y", "at": "10:30"}',
      "url",
      { url: "http://x/y", at: "10:30" },
    ],
    ["{a=1; b=x;y}", '{"a":1, "b":"x;y"}', "a", { a: 1, b: "x;y" }],
    ["{a: 007}", '{"a": "007"}', "a", { a: "007" }],
    ["{größe: 'M'}", '{"größe": "M"}', "größe", { größe: "M" }],
  ])("%s", (cell, cured, first, value) => {
    const text = oneRow({ context: cell });
    const { problems, rows } = read(text);
    expect(problems.map(({ code, severity, column }) => [code, severity, column])).toEqual([
      ["python-literal", "warning", "context"],
    ]);
    expect(textAt(text, problems[0] ?? { place: null })).toBe(first);
    expect(valuesOf(rows[0]?.settings)).toEqual(value);
    expect(problems[0]?.fix?.safe).toBe(true);
    expect(applyFix(text, problems[0]?.fix)).toBe(oneRow({ context: cured }));
    const again = context(cured);
    expect(again.found).toEqual([]);
    expect(valuesOf(again.rows[0]?.settings)).toEqual(value);
  });

  test("in a cell without quotes of its own, the fix puts it in quotes", () => {
    const text = "graph_name,node_name,context,prompt\nG,N,{'retry': 3},x\n";
    const { problems, found } = read(text);
    expect(found).toEqual(["python-literal 2:6 C2"]);
    expect(applyFix(text, problems[0]?.fix)).toBe(
      'graph_name,node_name,context,prompt\nG,N,"{""retry"": 3}",x\n',
    );
  });

  test("a word alone needs no quotes", () => {
    const text = "graph_name;node_name;context\nG;N;{'a': 1}\n".replace("'a'", "“a”");
    const { problems } = read(text);
    expect(read(applyFix(text, problems[0]?.fix)).found).toEqual([]);
    const plain = "graph_name;node_name;context.x\nG;N;[True]\n";
    expect(applyFix(plain, read(plain).problems[0]?.fix)).toBe(
      "graph_name;node_name;context.x\nG;N;[true]\n",
    );
  });
});

describe("context.<setting>", () => {
  test.each<[string, unknown]>([
    ["3", 3],
    [" -2.5e1 ", -25],
    ["true", true],
    ["FALSE", false],
    ["True", true],
    ["[1, 2]", [1, 2]],
    ['{"a": 1}', { a: 1 }],
    ["007", "007"],
    ["1,5", "1,5"],
    ["+1", "+1"],
    ["1e999", "1e999"],
    ["null", "null"],
    ["None", "None"],
    [" some text ", "some text"],
    ['"x"', '"x"'],
    ["[draft] text", "[draft] text"],
    ["{name} asks", "{name} asks"],
  ])("%j", (cell, value) => {
    const { rows, found } = read(oneRow({ "context.it": cell }));
    expect(found).toEqual([]);
    expect(valuesOf(rows[0]?.settings)).toEqual({ it: value });
    const { spot } = rows[0]?.settings[0] ?? {};
    expect(cell.slice(spot?.start, spot?.end)).toBe(cell.trim());
  });

  test("an empty cell gives nothing, a filled one beats the context", () => {
    const { rows } = read(
      'graph,node,context.a,context,context.b\nG,N, ,"{""a"": 1, ""b"": 2, ""c"": 3}",x\n',
    );
    expect(valuesOf(rows[0]?.settings)).toEqual({ a: 1, b: "x", c: 3 });
    expect(rows[0]?.settings.find(({ name }) => name === "b")).toMatchObject({
      nameAt: { row: -1, column: 4, start: 8, end: 9 },
      cell: { row: 0, column: 4, start: 0, end: 1 },
    });
  });

  test("faults have their places", () => {
    expect(read("graph,node,context.a\nG,N,[1;]\n").found).toEqual(["bad-context 2:6 C2"]);
    expect(read("graph,node,context.a\nG,N,[True]\n").found).toEqual(["python-literal 2:6 C2"]);
    expect(read('graph,node,context.a\nG,N,"{""__proto__"":1}"\n').found).toEqual(["reserved-name 2:7 C2"]);
  });
});

describe("properties", () => {
  const whole = (text: string) => readJson(text, { start: 0, end: text.length });
  const spots = ({ entries = [], items = [], ...spot }: JsonSpot): readonly JsonSpot[] => [
    spot,
    ...entries.flatMap((entry) => spots(entry.spot)),
    ...items.flatMap(spots),
  ];
  const safe = fc.json().filter((text) => !/__proto__|constructor|prototype/.test(text));

  test("JSON is read as JSON.parse reads it, and each spot is its own text", () => {
    fc.assert(
      fc.property(safe, (text) => {
        const { spot, fault, lenient } = whole(text);
        if (spot === null) throw new Error(fault?.why);
        expect(lenient).toEqual([]);
        expect(JSON.parse(JSON.stringify(spot.value))).toEqual(JSON.parse(text));
        for (const { value, start, end } of spots(spot)) {
          expect(JSON.parse(text.slice(start, end))).toEqual(JSON.parse(JSON.stringify(value)));
        }
      }),
    );
  });

  test("any text is read or has a fault inside it; what is read is JSON after the fix", () => {
    const piece = fc.constantFrom(
      ..."{}[]:,'\"“”‘’\\ \n\u00a0a1",
      "True",
      "None",
      '"a":',
      "{'b': ",
      "\\u00e9",
    );
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => `{${pieces.join("")}`);
    fc.assert(
      fc.property(text, (cell) => {
        const { spot, fault, lenient } = whole(cell);
        if (fault !== null) {
          expect(spot).toBeNull();
          expect(fault.start).toBeLessThanOrEqual(fault.end);
          expect(fault.end).toBeLessThanOrEqual(cell.length);
          expect(() => JSON.parse(cell)).toThrow();
          return;
        }
        const fixed = [...lenient]
          .reverse()
          .reduce((result, { start, end, json }) => result.slice(0, start) + json + result.slice(end), cell);
        expect(JSON.parse(fixed)).toEqual(JSON.parse(JSON.stringify(spot?.value)));
      }),
      { numRuns: howMany(2_000, 500) },
    );
  });
});
