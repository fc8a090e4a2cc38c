import { expect, test } from "vitest";
import { cellTextAt, rangeOf, rangeOfRecord, rowAt, spotAt } from "../../compiler/service/spot.js";
import { open } from "./sheet-pairs.js";

const TEXT =
  'graph_name;node_name;next_node;prompt\r\n# a comment\r\nG;Ask;"Tell\r\nEND";"Say ""hi"", {name} 漢字"\r\nG;Tell;;\r\n';
const { sheet } = open(TEXT);
if (sheet === null) throw new Error("no sheet");
const page = sheet;

test("every offset of the file has a cell, and the cell's text leads back to it", () => {
  for (let offset = 0; offset <= TEXT.length; offset++) {
    const spot = spotAt(page, offset);
    if (spot === null) throw new Error(`no cell at ${offset}`);
    const { start } = rangeOf(page, { ...spot, start: spot.offset, end: spot.offset });
    const text = cellTextAt(page, spot.record, spot.column);
    expect(spot.offset).toBeLessThanOrEqual(text.length);
    // Only quotes around a cell, the second of two quotes, and line ends between records are no places in a cell.
    if (start !== offset)
      expect(TEXT.slice(Math.min(start, offset), Math.max(start, offset))).toMatch(/^["\r\n]{1,2}$/);
  }
});

test("a stretch behind doubled quotes is found in a cell of several lines", () => {
  const spot = spotAt(page, TEXT.indexOf("name} 漢"));
  expect(spot).toEqual({ record: 2, column: 3, offset: 'Say "hi", {'.length });
  const range = rangeOf(page, { record: 2, column: 3, start: 4, end: 8 });
  expect(TEXT.slice(range.start, range.end)).toBe('""hi""');
});

test("a record is found with its row; a comment has none", () => {
  expect(rowAt(page.rows, 2)?.node.name).toBe("Ask");
  expect(rowAt(page.rows, 1)).toBeNull();
  const { start, end } = rangeOfRecord(page, 3);
  expect(TEXT.slice(start, end)).toBe("G;Tell;;");
});

test("a cell that is not there ends where its record ends", () => {
  const short = open("graph_name,node_name,prompt\nG,Ask\n").sheet;
  if (short === null) throw new Error("no sheet");
  const end = "graph_name,node_name,prompt\nG,Ask".length;
  expect(rangeOf(short, { record: 1, column: 2, start: 0, end: 3 })).toEqual({ start: end, end });
});
