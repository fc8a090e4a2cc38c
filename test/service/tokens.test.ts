import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TOKEN_TYPES } from "../../compiler/service/tokens/token.js";
import { tokens } from "../../compiler/service/tokens/tokens.js";
import { howMany } from "../how-many.js";
import { awkward } from "./awkward.js";
import { knownView, type OpenSheet, ownSheets } from "./sheets.js";

/** Each token as its type and its text. */
function told(sheet: OpenSheet, range?: { readonly start: number; readonly end: number }): readonly string[] {
  const found = tokens(knownView(sheet), range);
  const said: string[] = [];
  for (let i = 0; i < found.length; i += 3) {
    const [start = 0, length = 0, type = 0] = found.subarray(i, i + 3);
    said.push(`${TOKEN_TYPES[type]} ${sheet.text.slice(start, start + length)}`);
  }
  return said;
}

const sheet = (text: string, tested: string | null = null): OpenSheet => ({
  file: tested === null ? "a.csv" : "a.test.csv",
  text,
  tested,
});

describe("tokens", () => {
  test("each kind of cell has its own", () => {
    const text = `# who
graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,description,context,context.default,#mine
Shop,"A ""x""",B|"C",switch,cost=price.net?:number|note,ok:boolean,"Say ""{cost}"" twice
and {{no}}",Asks,"{""retry"": {""attempts"": 3}, ""cases"": {""a"": ""B""}}",B,me
Shop,B,,,,,file:b.md,,In words,,
`;
    expect(told(sheet(text))).toMatchInlineSnapshot(`
      [
        "comment # who",
        "column graph_name",
        "column node_name",
        "column next_node",
        "column agent_type",
        "column input_fields",
        "column output_field",
        "column prompt",
        "column description",
        "column context",
        "setting context.default",
        "comment #mine",
        "graph Shop",
        "node A ""x""",
        "target B",
        "target "C"",
        "agent switch",
        "field cost=price.net?",
        "type number",
        "field note",
        "field ok",
        "type boolean",
        "text Say """,
        "placeholder {cost}",
        "text "" twice",
        "text and ",
        "text {{no}}",
        "text Asks",
        "setting ""retry""",
        "setting ""attempts""",
        "value 3",
        "setting ""cases""",
        "setting ""a""",
        "target ""B""",
        "target B",
        "comment me",
        "graph Shop",
        "node B",
        "value file:b.md",
        "text In words",
      ]
    `);
  });

  test("test sheets have theirs", () => {
    const text = `graph_name,case,given,mocks,answers,expect_status,expect_path,expect_state,expect_absent,expect_error
G,one,"{""a"": [1, ""x""]}","{""B"": ""hi""}",,completed, A > B,"{""c"": {""$any"": ""string""}}",d|e,
G,two,,,,,"[""A""]",,,"{""node"": ""A""}"
`;
    expect(told(sheet(text, "graph_name,node_name\nG,A\nG,B\n"))).toMatchInlineSnapshot(`
      [
        "column graph_name",
        "column case",
        "column given",
        "column mocks",
        "column answers",
        "column expect_status",
        "column expect_path",
        "column expect_state",
        "column expect_absent",
        "column expect_error",
        "graph G",
        "node one",
        "field ""a""",
        "value 1",
        "value ""x""",
        "target ""B""",
        "value ""hi""",
        "value completed",
        "target A",
        "target B",
        "field ""c""",
        "field ""$any""",
        "value ""string""",
        "field d",
        "field e",
        "graph G",
        "node two",
        "target ""A""",
        "setting ""node""",
        "value ""A""",
      ]
    `);
  });

  const all = [...awkward, ...ownSheets()];

  test("stand in order, apart, each within a line", () => {
    const odd = all.filter((one) => {
      const found = tokens(knownView(one));
      let done = 0;
      for (let i = 0; i < found.length; i += 3) {
        const [start = 0, length = 0, type = 99] = found.subarray(i, i + 3);
        const text = one.text.slice(start, start + length);
        if (start < done || text === "" || TOKEN_TYPES[type] === undefined || /[\r\n]/.test(text))
          return true;
        done = start + length;
      }
      return done > one.text.length;
    });
    expect(odd.map(({ file }) => file)).toEqual([]);
  });

  test("those of a range are among those of the whole text", () => {
    const property = fc.property(fc.constantFrom(...all), fc.nat(100_000), fc.nat(300), (one, at, length) => {
      const start = at % (one.text.length + 1);
      const range = { start, end: start + length };
      const view = knownView(one);
      const inRange = tokens(view, range);
      const whole = tokens(view);
      const keys = (found: Uint32Array): readonly string[] =>
        Array.from({ length: found.length / 3 }, (_, i) => found.subarray(3 * i, 3 * i + 3).join(" "));
      const known = new Set(keys(whole));
      const told = new Set(keys(inRange));
      expect([...told].filter((key) => !known.has(key))).toEqual([]);
      const touching = keys(whole).filter((key) => {
        const [from = 0, size = 0] = key.split(" ").map(Number);
        return from < range.end && from + size > range.start;
      });
      expect(touching.filter((key) => !told.has(key))).toEqual([]);
    });
    fc.assert(property, { numRuns: howMany(1_000, 100) });
  });
});
