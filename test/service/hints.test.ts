import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SheetDocument } from "../../compiler/service/document.js";
import { folding } from "../../compiler/service/folding.js";
import { hints } from "../../compiler/service/hints.js";
import { howMany } from "../how-many.js";
import { awkward } from "./awkward.js";
import { serviceWorld } from "./complete/at-caret.js";
import { knownView, ownSheets, viewOf } from "./sheets.js";

const viewOfText = (text: string) => SheetDocument.open("sheet.csv", text, serviceWorld()).view();

/** The text with its hints in angle brackets. */
function withHints(text: string, range = { start: 0, end: text.length }): string {
  return [...hints(viewOfText(text), range)]
    .reverse()
    .reduce((shown, { offset, label }) => `${shown.slice(0, offset)}<${label}>${shown.slice(offset)}`, text);
}

const HEAD = "graph_name,node_name,agent_type,next_node,next_on_failure,input_fields,output_field,prompt\n";

describe("hints", () => {
  const rows = [
    "Shop,Ask,human,Price,Price,,ok|comment,Fine?",
    'Shop,Price,own,Tell,Sorry,"comment, comment2=comment?",price|size:string,',
    "Shop,Tell,branching,Sorry,,price:number|ok,done,",
    "Shop,Sorry,echo,,,price : number|error|ok,text,Hi",
  ];

  test("outputs without a type get the one that is inferred, inputs that may be unset a ?", () => {
    expect(withHints(HEAD + rows.join("\n"))).toMatchInlineSnapshot(`
      "graph_name,node_name,agent_type,next_node,next_on_failure,input_fields,output_field,prompt
      Shop,Ask,human,Price,Price,,ok<: string>|comment<: string>,Fine?
      Shop,Price,own,Tell,Sorry,"comment<?>, comment2=comment?",price|size:string,
      Shop,Tell,branching,Sorry,,price:number|ok,done<: boolean>,
      Shop,Sorry,echo,,,price<?> : number|error<?>|ok,text<: string>,Hi"
    `);
  });

  test("only the rows of the range are told", () => {
    const text = HEAD + rows.join("\n");
    const start = text.indexOf("Shop,Tell");
    const end = text.indexOf("Shop,Sorry") - 1;
    const told = withHints(text, { start, end });
    expect(told.slice(0, start)).toBe(text.slice(0, start));
    expect(told).toContain("done<: boolean>");
    expect(told.endsWith(text.slice(end))).toBe(true);
  });
});

describe("folding", () => {
  const folds = (text: string): readonly string[] =>
    folding(viewOfText(text)).map(
      ({ kind, start, end }) => `${kind} ${JSON.stringify(text.slice(start, end))}`,
    );

  test("rows of a graph that stand together, comments, and cells of several lines", () => {
    const text = `# one\n// two\n${HEAD}A,X,,,,,,\r\n# alone\nA,Y,,,,,,"Hi\nyou"\n\nB,X,,,,,,\nA,Z,,,,,,\nA,Q,,,,,,\n`;
    expect(folds(text)).toMatchInlineSnapshot(`
      [
        "comment "# one\\n// two"",
        "graph "A,X,,,,,,\\r\\n# alone\\nA,Y,,,,,,\\"Hi\\nyou\\""",
        "cell "\\"Hi\\nyou\\""",
        "graph "A,Z,,,,,,\\nA,Q,,,,,,"",
      ]
    `);
  });

  test("one row, one comment and one line are no fold", () => {
    expect(folds(`# one\n${HEAD}A,X,,,,,,"Hi"\nB,X,,,,,,\n`)).toEqual([]);
  });
});

test("neither throws for any text", () => {
  const all = [...awkward, ...ownSheets()];
  for (const sheet of all.slice(0, 60)) {
    const view = knownView(sheet);
    const whole = { start: 0, end: view.text.length };
    for (const { offset } of hints(view, whole)) expect(offset).toBeLessThanOrEqual(whole.end);
    for (const { start, end } of folding(view)) expect(view.text.slice(start, end)).toMatch(/[\r\n]/);
  }
  const signs = fc.constantFrom('"', ",", ";", "\n", "\r\n", "|", "#", " ", "🚚");
  const property = fc.property(
    fc.constantFrom(...all),
    fc.nat(100_000),
    signs,
    fc.nat(5),
    (sheet, at, sign, gone) => {
      const from = at % (sheet.text.length + 1);
      const text = sheet.text.slice(0, from) + sign + sheet.text.slice(from + gone);
      const view = viewOf({ ...sheet, text });
      folding(view);
      hints(view, { start: from, end: from + 100 });
    },
  );
  fc.assert(property, { numRuns: howMany(1_000, 80) });
});
