import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Opened, openFile } from "../../runtime/workflows/open-file.js";
import { openSheet, worksheetsBeside } from "../../runtime/workflows/workbooks.js";
import { bookOf, rowsOf } from "./made.js";

const folder = mkdtempSync(join(tmpdir(), "flowsheet-kept-books-"));
const paths = ["a", "b", "c", "d", "e"].map((name) => join(folder, `${name}.xlsx`));
const bookWith = (graph: string): Uint8Array =>
  bookOf({
    sheets: [
      {
        name: "S",
        data: rowsOf([
          ["graph_name", "node_name"],
          [graph, "Greet"],
        ]),
      },
    ],
  });
const worksheetOf = (opened: Opened): object | null =>
  opened.kind === "bytes" && opened.book?.kind === "worksheet" ? opened.book.worksheet : null;
const opened = (): readonly (object | null)[] => paths.map((path) => worksheetOf(openSheet(path)));

beforeAll(() => {
  for (const path of paths) writeFileSync(path, bookWith("Hello"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("small workbooks are read once, and again when their files change", () => {
  const first = opened();
  expect(first).not.toContain(null);
  for (const [i, worksheet] of opened().entries()) expect(worksheet).toBe(first[i]);
  const [path = ""] = paths;
  writeFileSync(path, bookWith("Other"));
  expect(worksheetsBeside(path).map(({ page }) => page)).toEqual([expect.stringContaining("Other")]);
});

test("formulas count as what is kept: of two workbooks that hold very many, only the last one is", () => {
  const row = `<row>${"<c><f>a+1</f><v>1</v></c>".repeat(200)}</row>`;
  const data = row.repeat(425);
  const large = ["f.xlsx", "g.xlsx"].map((name) => join(folder, name));
  for (const path of large) writeFileSync(path, bookOf({ sheets: [{ name: "S", data }] }));
  const read = (path = ""): object | undefined => worksheetsBeside(path)[0];
  const [first, last] = large.map(read);
  expect(first).toBeDefined();
  expect(read(large[1])).toBe(last);
  expect(read(large[0])).not.toBe(first);
});

test("what is gone, or has become a text, is no workbook any more", () => {
  const [, path = "", gone = ""] = paths;
  opened();
  writeFileSync(path, "graph_name,node_name\nHello,Greet\n");
  rmSync(gone);
  expect(openSheet(path)).toEqual(openFile(path));
  expect(openSheet(gone)).toMatchObject({ kind: "failed", missing: true });
  expect(worksheetsBeside(gone)).toEqual([]);
});
