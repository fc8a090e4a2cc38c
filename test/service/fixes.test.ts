import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SheetDocument } from "../../compiler/service/document.js";
import { edited } from "../../compiler/service/fix-rounds.js";
import { editsBetween, fixAll, fixes } from "../../compiler/service/fixes.js";
import { EDITOR_LIMITS } from "../../compiler/service/limits.js";
import { caseFolders, understandCase } from "../cases/case-folder.js";
import { processorTime } from "../processor-time.js";
import { testWorld } from "../world.js";

const open = (text: string, file = "a.csv") => SheetDocument.open(file, text, { world: testWorld() });

const HEADER = "graph_name,node_name,agent_type,next_node,input_fields,output_field,prompt";
const SLIPS = [
  HEADER,
  "S,Ask,input,answer,,customer,Who?",
  'S,Answer,echo,"Ask, End",customr,reply,"Hi\n{customr}"',
  "",
].join("\r\n");

describe("the fixes of a range", () => {
  const view = open(SLIPS).view();
  const titles = (start: number, end = start) => fixes(view, { start, end }).map(({ title }) => title);

  test("are those of the diagnostics that touch it", () => {
    const at = SLIPS.indexOf("answer,,");
    expect(titles(at)).toEqual(['write "Answer"']);
    expect(titles(at + "answer".length)).toEqual(['write "Answer"']);
    expect(titles(at - 1)).toEqual([]);
    expect(titles(0, SLIPS.length)).toEqual(['write "Answer"', 'write "Ask|END"', 'write "customer"']);
  });

  test("say what they mend, and whether they are safe", () => {
    const [one] = fixes(view, { start: SLIPS.indexOf("customr"), end: SLIPS.indexOf("customr") });
    expect(one).toMatchObject({ safe: false, diagnostic: { code: "misspelt-field" } });
    expect(edited(SLIPS, one?.edits ?? [])).toBe(SLIPS.replaceAll("customr", "customer"));
  });
});

test("the fixes of a row that has very many are found in the time of its text", () => {
  const names = Array.from({ length: 12_000 }, (_, i) => i);
  const [inputs, prompt] = [
    names.map((i) => `name_${i}`).join("|"),
    names.map((i) => `{nam_${i}}`).join(" "),
  ];
  const text = `graph_name,node_name,agent_type,input_fields,prompt\nG,A,echo,${inputs},${prompt}\n`;
  const view = open(text).view();
  const started = processorTime();
  expect(fixes(view, { start: 0, end: text.length }).length).toBe(EDITOR_LIMITS.problems);
  expect(processorTime() - started).toBeLessThan(5_000);
});

describe("all safe fixes", () => {
  test("are small edits, also of several rounds", () => {
    const edits = fixAll(open(SLIPS).view());
    expect(edited(SLIPS, edits)).toBe(
      SLIPS.replace(",answer,", ",Answer,").replace('"Ask, End"', '"Ask|END"'),
    );
    expect(edits).toEqual([
      { start: SLIPS.indexOf("answer,,"), end: SLIPS.indexOf("answer,,") + 1, text: "A" },
      { start: SLIPS.indexOf(", End"), end: SLIPS.indexOf(", End") + 5, text: "|END" },
    ]);
  });

  test("mend test sheets, too", () => {
    const text = "case,expect_path\nlong,\nshort\n";
    expect(edited(text, fixAll(open(text, "a.test.csv").view()))).toBe("case,expect_path\nlong,\nshort,\n");
  });

  test.each(caseFolders().filter((folder) => folder.startsWith("diagnostics/")))(
    "%s: nothing safe is left, and once more changes nothing",
    (folder) => {
      const { text } = understandCase(folder, "input.csv");
      const mended = edited(text, fixAll(open(text).view()));
      const again = open(mended).view();
      expect(again.diagnostics.filter(({ fix }) => fix?.safe === true)).toEqual([]);
      expect(fixAll(again)).toEqual([]);
    },
  );
});

test("edits between two texts make one of the other", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "é", "😀", "\n", "\r\n", ",", '"'))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(edited(before, editsBetween(before, after))).toBe(after);
    }),
    { numRuns: 500 },
  );
});
