import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../../runtime/studio/edits/apply.js";
import type { SheetEdit } from "../../../runtime/studio/edits/edit.js";
import { SheetRecords } from "../../../runtime/studio/edits/records.js";
import { cellEdits } from "../../../runtime/studio/page/editing/text/cell-edits.js";
import {
  OWN_CELLS,
  pastedBlock,
  readBlock,
  writeBlock,
} from "../../../runtime/studio/page/editing/text/clipboard.js";
import { withOwnEnds, withPlainEnds } from "../../../runtime/studio/page/editing/text/line-ends.js";
import { OwnEdits } from "../../../runtime/studio/page/editing/text/own-edits.js";
import {
  blockEdits,
  copyOf,
  moveOf,
  newRowBelow,
  newRowIn,
  removalOf,
} from "../../../runtime/studio/page/editing/text/row-edits.js";
import { editsTo } from "../../../runtime/studio/page/editing/text/text-edits.js";
import { howMany } from "../../how-many.js";

const SHEET = `graph,node,next,prompt,notes
G,A,B,"one, two",x
G,B,C,plain,
# a comment
G,C,,,z
,D,,,
H,A,,other,
`;
const RUNS = { numRuns: howMany(2_000, 120) };
const records = (text = SHEET): SheetRecords => new SheetRecords(text);
const after = (edits: readonly SheetEdit[], text = SHEET): string => {
  const { text: made, conflicts } = applyEdits(text, edits);
  expect(conflicts).toEqual([]);
  return made;
};

describe("cells", () => {
  test("are written by the names of their rows, others by their records", () => {
    expect(cellEdits(records(), [{ record: 2, column: 3, text: "new" }])).toEqual([
      { op: "set", graph: "G", node: "B", column: "prompt", from: "plain", to: "new" },
    ]);
    expect(cellEdits(records(), [{ record: 2, column: 4, text: "n" }])).toEqual([
      { op: "raw", record: 2, from: "G,B,C,plain,", to: "G,B,C,plain,n" },
    ]);
    expect(cellEdits(records(), [{ record: 3, column: 0, text: "# other" }])).toEqual([
      { op: "raw", record: 3, from: "# a comment", to: "# other" },
    ]);
    expect(cellEdits(records(), [{ record: 2, column: 3, text: "plain" }])).toEqual([]);
  });

  test("a row may get a name and other cells in one step", () => {
    const cells = [
      { record: 2, column: 1, text: "Two" },
      { record: 2, column: 3, text: "p" },
    ];
    expect(after(cellEdits(records(), cells))).toBe(SHEET.replace("G,B,C,plain,", "G,Two,C,p,"));
  });

  test("names may change places", () => {
    const cells = [
      { record: 1, column: 1, text: "B" },
      { record: 2, column: 1, text: "A" },
    ];
    expect(after(cellEdits(records(), cells))).toContain('G,B,B,"one, two",x\nG,A,C,plain,\n');
  });

  test("a name that others have, too, is written, and taken back", () => {
    const own = new OwnEdits({ text: SHEET, etag: "1" });
    own.change(cellEdits(own.records, [{ record: 2, column: 1, text: "A" }]));
    own.change(cellEdits(own.records, [{ record: 2, column: 3, text: "x" }]));
    expect(own.records.text).toContain("G,A,C,x,\n");
    own.undo();
    own.undo();
    expect(own.records.text).toBe(SHEET);
  });
});

test("200 steps are taken back and made again, and no more", () => {
  const own = new OwnEdits({ text: "graph,node,next\nG,A,0\n", etag: "1" });
  const next = (): string => own.records.cells(1)[2] ?? "";
  for (let step = 1; step <= 205; step++)
    own.change(cellEdits(own.records, [{ record: 1, column: 2, text: `${step}` }]));
  let undone = 0;
  for (; own.canUndo; undone++) own.undo();
  expect([undone, next()]).toEqual([200, "5"]);
  for (; own.canRedo; undone--) own.redo();
  expect([undone, next()]).toEqual([0, "205"]);
});

describe("rows", () => {
  test("new ones have a name and stand below", () => {
    expect(after([newRowBelow(records(), 2, {}).edit])).toContain("plain,\nG,Step,,,\n# a");
    const leaving = newRowBelow(records(), 5, { prompt: "p" });
    expect(leaving.name).toEqual({ graph: "G", node: "Step" });
    expect(after([leaving.edit])).toContain(",D,,,\n,Step,,p,\n");
    expect(after([newRowIn(records(), "H", { node_name: "B" }).edit])).toContain("other,\nH,B,,,\n");
    expect(after([newRowIn(records("graph,node\n"), "G", {}).edit], "graph,node\n")).toBe(
      "graph,node\nG,Step\n",
    );
  });

  test("that go leave their graph's name to the row below", () => {
    expect(after(removalOf(records(), [4]))).toContain("# a comment\nG,D,,,\nH,");
    expect(after(removalOf(records(), [1, 2, 4, 5, 6]))).toBe("graph,node,next,prompt,notes\n# a comment\n");
    expect(after(removalOf(records(), [3]))).toContain("plain,\n\nG,C");
  });

  test("are copied with all that they hold", () => {
    const copy = copyOf(records(), 1);
    expect(copy?.name).toEqual({ graph: "G", node: "A2" });
    expect(after(copy === null ? [] : [copy.edit])).toContain('two",x\nG,A2,B,"one, two",x\nG,B');
    expect(copyOf(records(), 3)).toBeNull();
  });

  test("move by one row, past comments", () => {
    expect(after(moveOf(records(), 2, 1))).toContain("# a comment\nG,C,,,z\nG,B,C,plain,\n");
    expect(after(moveOf(records(), 2, -1))).toContain('notes\nG,B,C,plain,\nG,A,B,"one, two",x\n');
    expect(moveOf(records(), 1, -1)).toEqual([]);
    expect(moveOf(records(), 6, 1)).toEqual([]);
  });

  test("a block is written over cells, and makes the rows that lack", () => {
    const at = { rows: [5, 6], columns: [1, 2] };
    const text = after(
      blockEdits(records(), at, [
        ["D", "E"],
        ["E", ""],
        ["F", "D"],
        ["", "F"],
      ]),
    );
    expect(text).toContain(",D,E,,\nH,E,,other,\nH,F,D,,\nH,Step,F,,\n");
  });
});

describe("a text is made of another", () => {
  test("by the cells that differ", () => {
    const text = SHEET.replace("plain", "a, b")
      .replace("# a comment", "# other")
      .replace('"one, two"', '"one, two!"');
    const edits = editsTo(records(), SHEET.replace("plain", '"a, b"').replace("one, two", "one, two!"));
    expect(edits?.map(({ op }) => op)).toEqual(["set", "set"]);
    expect(editsTo(records(), text)).not.toBeNull();
    expect(editsTo(records(), SHEET.replace("G,B,C,plain,\n", ""))).toBeNull();
  });
});

describe("the clipboard", () => {
  const cell = fc.oneof(
    fc.constantFrom("", "a", 'say "x"', '"', "two\nlines", "a\tb", "\r\n", "=1"),
    fc.string({ maxLength: 5 }),
  );
  const block = fc
    .tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    )
    .map(([width, rows]) => rows.map((row) => row.slice(0, width)));

  test("what is copied is what is pasted", () => {
    fc.assert(
      fc.property(block, (cells) => {
        const isNothing = cells.length === 1 && cells[0]?.join("") === "";
        const hasBareQuote = cells.flat().some((text) => /^"/.test(text) && !/[\t\r\n]/.test(text));
        if (isNothing || hasBareQuote) return;
        const written = writeBlock(cells);
        if (cells.at(-1)?.length === 1 && cells.at(-1)?.[0] === "") return;
        expect(readBlock(written)).toEqual(cells);
      }),
      RUNS,
    );
  });

  test.each([
    [
      "a\tb\r\nc\td\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ['"two\nlines"\tb\n', [["two\nlines", "b"]]],
    ['say "x"\t"y" z', [['say "x"', '"y" z']]],
    ['"open\tb', [['"open', "b"]]],
    ["", [[""]]],
  ])("%j", (text, cells) => {
    expect(readBlock(text)).toEqual(cells);
  });
});

describe("what is pasted", () => {
  const pasted = (texts: { readonly [type: string]: string }, delimiter: "," | ";" | "\t" = ",") =>
    pastedBlock({ getData: (type) => texts[type] ?? "" }, delimiter);
  const plain = (text: string, delimiter: "," | ";" | "\t" = ",") =>
    pasted({ "text/plain": text }, delimiter);
  const TABLE = [
    ["a", "b"],
    ["c,\nd", 'e "f"'],
  ];

  test("from an editor of CSV is a table", () => {
    expect(plain('a,b\r\n"c,\nd","e ""f"""\r\n')).toEqual(TABLE);
    expect(plain('a,b\n"c,\nd","e ""f"""\n\n')).toEqual(TABLE);
    expect(plain("a;b\nc,d;e", ";")).toEqual([
      ["a", "b"],
      ["c,d", "e"],
    ]);
  });

  test.each([
    ["one line", "Ada,Bob"],
    ["prose", "Dear Ada, thank you\nDear Bob, thank you"],
    ["lines of other lengths", "a,b\nc"],
    ["bad quotes", 'a,"b"x\nc,d'],
  ])("%s is text", (_, text) => {
    expect(plain(text)).toEqual(readBlock(text));
  });

  test("from a spreadsheet or the grid has no commas between cells", () => {
    const decimals = "1,5\r\n2,7";
    const column = [["1,5"], ["2,7"]];
    expect(pasted({ "text/plain": decimals, "text/html": "<table><tr><td>1,5" })).toEqual(column);
    expect(pasted({ "text/plain": decimals, [OWN_CELLS]: "1" })).toEqual(column);
    expect(plain("a,b\tc\nd,e\tf")).toEqual([
      ["a,b", "c"],
      ["d,e", "f"],
    ]);
  });
});

test("line ends outside of a change stay, new ones are the sheet's", () => {
  expect(withOwnEnds("a\r\nb", "a\nb\nc", "\r\n")).toBe("a\r\nb\r\nc");
  expect(withOwnEnds("a", "a\nb", "\r\n")).toBe("a\r\nb");
  expect(withOwnEnds("a\nb\r\nc", "a\nb\nd", "\r\n")).toBe("a\nb\r\nd");
  const text = fc
    .array(fc.constantFrom("a", "b", "\n", "\r\n"), { maxLength: 8 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, fc.constantFrom("\n", "\r\n"), (before, changed, lineEnd) => {
      const made = withOwnEnds(before, withPlainEnds(changed), lineEnd);
      expect(withPlainEnds(made)).toBe(withPlainEnds(changed));
      expect(withOwnEnds(before, withPlainEnds(before), lineEnd)).toBe(before);
    }),
    RUNS,
  );
});
