import { describe, expect, test } from "vitest";
import type { InputItem, OutputItem } from "../../compiler/ir.js";
import { applyFix, oneRow, read, textAt } from "./read-sheet.js";

const inputs = (cell: string) => read(oneRow({ input_fields: cell }));
const outputs = (cell: string) => read(oneRow({ output_field: cell }));
/** Items as the grammar writes them, with every part spelt out. */
const written = ({ param, field, path, optional, type }: InputItem): string =>
  `${param}=${[field, ...path].join(".")}${optional ? "?" : ""}${type === null ? "" : `:${JSON.stringify(type)}`}`;
const inputsOf = (cell: string): readonly string[] => (inputs(cell).rows[0]?.inputs ?? []).map(written);
const type = (kind: string): string => `:{"kind":"${kind}"}`;

describe("input_fields", () => {
  test.each<[string, string[]]>([
    ["", []],
    ["question", ["question=question"]],
    [" question ", ["question=question"]],
    ["a|b,c;d\ne\r\nf\rg", ["a=a", "b=b", "c=c", "d=d", "e=e", "f=f", "g=g"]],
    ["a,,b|", ["a=a", "b=b"]],
    ["city=town", ["city=town"]],
    ["city = town", ["city=town"]],
    ["city=order.address.city", ["city=order.address.city"]],
    ["first=items.0", ["first=items.0"]],
    ["order.city", ["order=order.city"]],
    ["a?", ["a=a?"]],
    ["a ? : string", [`a=a?${type("string")}`]],
    ["b=a.x?:number", [`b=a.x?${type("number")}`]],
    [
      "a:string,b:number,c:boolean",
      [`a=a${type("string")}`, `b=b${type("number")}`, `c=c${type("boolean")}`],
    ],
    ["a:object,b:list,c:any", [`a=a${type("object")}`, `b=b${type("list")}`, `c=c${type("any")}`]],
    ["a:string[]", ['a=a:{"kind":"list-of","item":"string"}']],
    ["a:'yes'/'no'", ['a=a:{"kind":"choice","values":["yes","no"]}']],
    ["a: 'a|b' / 'c,d;e' |b", ['a=a:{"kind":"choice","values":["a|b","c,d;e"]}', "b=b"]],
    ["a:'it''s'/'it''s'/''", ['a=a:{"kind":"choice","values":["it\'s",""]}']],
    ["größe,名前,_x,a-b,a1,नाम", ["größe=größe", "名前=名前", "_x=_x", "a-b=a-b", "a1=a1", "नाम=नाम"]],
    ["toString,hasOwnProperty", ["toString=toString", "hasOwnProperty=hasOwnProperty"]],
    ["x".repeat(128), [`${"x".repeat(128)}=${"x".repeat(128)}`]],
    ["\ufeffa\u00a0,\u3000b", ["a=a", "b=b"]],
  ])("%j", (cell, expected) => {
    expect(inputsOf(cell)).toEqual(expected);
    expect(inputs(cell).found).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["1st", "1st", "does not begin with a letter"],
    ["a|customer name", "customer name", 'holds " "'],
    ["a|-b", "-b", "does not begin"],
    ["=a", "=a", "name is empty"],
    ["a=", "a=", "name is empty"],
    ["a|:string", ":string", "name is empty"],
    ["?", "?", "name is empty"],
    ["a=b=c", "a=b=c", 'holds "="'],
    ["a..b", "a..b", "a part of its path is empty"],
    ["a.b c", "a.b c", "a part of its path holds"],
    ["a.1b", "a.1b", "a part of its path does not begin"],
    ["a??", "a??", 'holds "?"'],
    ["a²", "a²", "holds"],
    ["x".repeat(129), "x".repeat(129), "longer than 128"],
    ["C49 x:1}", "C49 x:1}", "holds"],
    ["{a}", "{a}", "does not begin"],
    ["'a'", "'a'", "does not begin"],
  ])("bad-field: %j", (cell, text, why) => {
    const { problems } = inputs(cell);
    expect(problems.map(({ code }) => code)).toEqual(["bad-field"]);
    expect(problems[0]?.message).toContain(why);
    expect(problems[0]).toMatchObject({ column: "input_fields", severity: "error", graph: "G", node: "N" });
    expect(textAt(oneRow({ input_fields: cell }), problems[0] ?? { place: null })).toBe(text);
  });

  test("a bad item is left out, the others stay", () => {
    expect(inputsOf("a|1st|b")).toEqual(["a=a", "b=b"]);
  });

  test.each<[string, string]>([
    ["__proto__", "field"],
    ["constructor=a", "param"],
    ["a=prototype:string", "field"],
    ["a.b.__proto__", "path"],
  ])("reserved-name: C32 C33 C34 %s", (cell, what) => {
    const { problems, rows } = inputs(cell);
    expect(problems.map(({ code, message }) => [code, message.split(" ")[0]])).toEqual([
      ["reserved-name", what],
    ]);
    expect(rows[0]?.inputs).toEqual([]);
  });

  test.each<[string, string[], string[]]>([
    [" a | a ", ["a=a"], ["a"]],
    ["a|b|a:string", ["a=a", "b=b"], ["a:string"]],
    ["x=a|x=b", ["x=a"], ["x=b"]],
    ["a|b=a", ["a=a", "b=a"], []],
    ["order.a|order.b", ["order=order.a"], ["order.b"]],
  ])("duplicate-field: V38 %s", (cell, expected, repeated) => {
    const { problems } = inputs(cell);
    expect(inputsOf(cell)).toEqual(expected);
    expect(problems.map(({ code }) => code)).toEqual(repeated.map(() => "duplicate-field"));
    expect(problems.map((problem) => textAt(oneRow({ input_fields: cell }), problem))).toEqual(repeated);
    expect(problems.every(({ severity }) => severity === "warning")).toBe(true);
  });
});

describe("bad-type", () => {
  test.each<[string, string, boolean | null]>([
    ["a:strng", "a:string", true],
    ["a:String", "a:string", true],
    ["a:NUMBER[]", "a:number[]", true],
    ["a:sting[]", "a:string[]", true],
    ["a:stirng", "a:string", true],
    ["p=a.b? : bolean", "p=a.b? : boolean", true],
    ["a:string?", "a?:string", true],
    ["b=a.x:number?", "b=a.x?:number", true],
    ["a:‘yes’/’no’", "a:'yes'/'no'", true],
    ['a:"yes"/"no"', "a:'yes'/'no'", true],
    ["a:int", "a:number", true],
    ["a:bool[]", "a:boolean[]", true],
    ["a:dict", "a:object", true],
    ["order:customer", "customer=order", true],
    ["order.city:town", "town=order.city", true],
    ["due:datetime", "datetime=due", false],
    ["a:integer", "a:number", false],
    ["p=a:whatever", "p=a:whatever", null],
    ["a:'yes", "a:'yes", null],
    ["a:'yes'/no", "a:'yes'/no", null],
    ["a:", "a:", null],
    ["a:number[][]", "a:number[][]", null],
    ["a:__proto__", "a:__proto__", null],
    ["a:1 2", "a:1 2", null],
  ])("%s", (cell, cured, safe) => {
    const text = oneRow({ input_fields: cell });
    const problem = read(text).problems.find(({ code }) => code === "bad-type");
    expect(read(text).problems).toEqual([problem]);
    expect(textAt(text, problem ?? { place: null })).toBe(cell.replaceAll('"', '""'));
    expect(problem?.fix?.safe ?? null).toBe(safe);
    expect(applyFix(text, problem?.fix)).toBe(oneRow({ input_fields: cured }));
    if (safe !== null) expect(read(oneRow({ input_fields: cured })).found).toEqual([]);
  });

  test.each<[string, string]>([
    ["a:strng", `a=a${type("string")}`],
    ["a:int", `a=a${type("number")}`],
    ["a:integer", "a=a"],
    ["order:customer", "customer=order"],
    ["a:string?", `a=a?${type("string")}`],
    ["p=a:whatever", "p=a"],
  ])("the field of %s stays", (cell, expected) => {
    expect(inputsOf(cell)).toEqual([expected]);
  });

  test("says what is meant", () => {
    expect(inputs("a:strng").problems[0]?.help).toBe('did you mean "string"?');
    expect(inputs("order:customer").problems[0]?.help).toBe('did you mean "customer=order"?');
  });
});

describe("output_field", () => {
  const outputsOf = (cell: string): readonly string[] =>
    (outputs(cell).rows[0]?.outputs ?? []).map(
      ({ key, field, type }: OutputItem) => `${key}=${field}${type === null ? "" : `:${type.kind}`}`,
    );

  test.each<[string, string[]]>([
    ["", []],
    ["answer", ["answer=answer"]],
    ["answer, score:number", ["answer=answer", "score=score:number"]],
    ["text=answer:string", ["text=answer:string"]],
    ["a=x|a=y", ["a=x", "a=y"]],
  ])("%j", (cell, expected) => {
    expect(outputsOf(cell)).toEqual(expected);
    expect(outputs(cell).found).toEqual([]);
  });

  test.each<[string, string]>([
    ["a.b", "bad-field"],
    ["a?", "bad-field"],
    ["a?:string", "bad-field"],
    ["a:string?", "bad-type"],
    ["1", "bad-field"],
    ["a|x=a", "duplicate-field"],
    ["x=__proto__", "reserved-name"],
    ["order:total", "bad-type"],
  ])("%s is %s", (cell, code) => {
    expect(outputs(cell).problems.map((problem) => [problem.code, problem.column])).toEqual([
      [code, "output_field"],
    ]);
  });
});

describe("places of items", () => {
  test.each<[string, string, string[]]>([
    [
      "in a plain cell",
      "graph_name,node_name,inputs\nG,N, a | 1st|b;2nd \n",
      ["bad-field 2:10 C2", "bad-field 2:16 C2"],
    ],
    [
      "in a quoted cell of several lines",
      'graph_name,node_name,inputs\r\nG,N,"a\r\n1st,b\r\n 2nd"\r\n',
      ["bad-field 3:1 C2", "bad-field 4:2 C2"],
    ],
    [
      "behind doubled quotes",
      'graph_name,node_name,inputs\nG,N,"a ""b"" | 2nd"\n',
      ["bad-field 2:6 C2", "bad-field 2:16 C2"],
    ],
    ["on a line that CR ends", 'graph_name,node_name,inputs\rG,N,"a\r1st"\r', ["bad-field 3:1 C2"]],
    ["below a sep line", "sep=;\ngraph_name;node_name;inputs\nG;N;1st\n", ["bad-field 3:5 C2"]],
  ])("%s", (_, text, expected) => {
    expect(read(text).found).toEqual(expected);
  });

  test("equal cells of many rows each have their own places", () => {
    const { rows, found } = read("graph_name,node_name,inputs\nG,A,x|1st\nG,B,x|1st\n");
    expect(found).toEqual(["bad-field 2:7 C2", "bad-field 3:7 C3"]);
    expect(rows.map(({ inputs: [first] }) => first?.at.row)).toEqual([0, 1]);
  });
});
