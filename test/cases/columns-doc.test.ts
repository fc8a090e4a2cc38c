import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { columnNamed } from "../../compiler/1-parse/header/column-names.js";
import { COLUMNS } from "../../compiler/ir.js";
import { understandText } from "../world.js";
import { problemText } from "./case-folder.js";

const text = readFileSync("docs/columns.md", "utf8");

describe("docs/columns.md", () => {
  const sheets = [...text.matchAll(/^```csv\n(.*?)^```$/gms)].map(([, sheet = ""]) => sheet);

  test("has examples", () => {
    expect(sheets.length).toBeGreaterThan(5);
  });

  test.each(sheets)("this example has no problems:\n%s", (sheet) => {
    expect(problemText({ ...understandText(sheet), text: sheet })).toBe("no problems\n");
  });

  const table = text.slice(text.indexOf("## Columns"), text.indexOf("## The file"));
  const rows = [...table.matchAll(/^\| `(\w+)` \| ([^|`]+) \|/gm)].map(([, name = "", others = ""]) => ({
    name,
    others,
  }));

  test("names every column", () => {
    expect(rows.map(({ name }) => name)).toEqual([...COLUMNS]);
  });

  test.each(rows)("names what $name may also be called", ({ name, others }) => {
    expect(others.split(", ").map(columnNamed)).toEqual(others.split(", ").map(() => name));
  });
});
