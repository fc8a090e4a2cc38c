import { describe, expect, test } from "vitest";
import { fixSheet } from "../../cli/fix/fix-sheet.js";
import { understandSheet } from "../../compiler/compile.js";
import { problemsOf, testWorld, understandText } from "../world.js";
import { read } from "./read-sheet.js";

const SHEET = "graph_name,node_name,prompt\nShop,Greet,Hello\nShop,Bye,Bye\n";
const message = (bytes: Uint8Array): string =>
  read(bytes)
    .problems.map((one) => one.message)
    .join();
const mended = (bytes: Uint8Array): string => {
  const understand = (text: Uint8Array) => understandSheet({ file: "a.csv", bytes: text }, testWorld());
  const fixed = fixSheet({ bytes, encoding: null, understand });
  return "refused" in fixed ? fixed.refused : fixed.after;
};

describe("workbooks", () => {
  test.each<[string, readonly number[] | string, string]>([
    ["an old Excel", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 1], "an older Excel"],
    ["Excel", "PK\u0003\u0004....[Content_Types].xml....xl/workbook.xml", "an Excel workbook"],
    ["LibreOffice", "PK\u0003\u0004...mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK", ".ods"],
    ["an archive", "PK\u0003\u0004...readme.txt", "a ZIP archive"],
  ])("%s", (_, content, says) => {
    const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : Uint8Array.from(content);
    expect(read(bytes).found).toEqual(["not-csv 1:1 A1"]);
    expect(message(bytes)).toContain(says);
    expect(mended(bytes)).toContain("it is a workbook or an archive");
  });
});

describe("UTF-16 without a mark", () => {
  const little = Buffer.from(SHEET, "utf16le");
  const big = Buffer.from(SHEET, "utf16le").swap16();

  test.each([
    ["little", little, "utf-16le"],
    ["big", big, "utf-16be"],
  ])("%s endian is told of, read when it is named, and converted", (_, bytes, name) => {
    expect(read(bytes).found).toEqual(["not-utf8 1:1 A1"]);
    expect(read(bytes).problems[0]?.help).toContain(`--encoding ${name}`);
    expect(read(bytes, name).found).toEqual([]);
    expect(mended(bytes)).toBe(SHEET);
  });

  test("a single NUL is no UTF-16", () => {
    expect(problemsOf(SHEET.replace("Hello", "Hel\u0000lo"))).not.toContain("not-utf8 1:1 A1");
  });
});

describe("tables in another form", () => {
  const quoted = SHEET.replace(/.+/g, (line) => `"${line.replaceAll('"', '""')}"`);

  test("lines that stand in quotes as a whole", () => {
    expect(problemsOf(quoted)).toEqual(["not-csv 1:1 A1"]);
    expect(mended(Buffer.from(quoted))).toBe(SHEET);
  });

  test.each([
    ["a web page", "<!DOCTYPE html>\n<html><body>Sign in</body></html>", "a web page (HTML)"],
    [
      "a table that a program calls .xls",
      "<html><table><tr><td>graph_name</td></tr></table></html>",
      "a web page",
    ],
    ["the same without more", '\ufeff\n<table border="1">\n<tr><td>graph_name</td></tr>', "a web page"],
    ["a page that is XML", '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html/>', "a web page"],
    ["XML", '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>', "a table in XML"],
  ])("%s", (_, text, says) => {
    expect(read(Buffer.from(text)).found).toEqual(["not-csv 1:1 A1"]);
    expect(message(Buffer.from(text))).toContain(says);
  });

  test("a header that only begins like one", () => {
    expect(problemsOf("<b>,x\n1,2\n")).toContain("missing-column 1:1 A1");
  });

  test("a table in Markdown", () => {
    const table =
      "|graph_name|node_name|next_node|prompt|\n|-|-|-|-|\n|Shop|Greet|A\\|B|Hello, you<br>there|\n|Shop|A|||\n|Shop|B||x|\n";
    expect(problemsOf(table)).toEqual(["not-csv 1:1 A1"]);
    expect(mended(Buffer.from(table))).toBe(
      'graph_name,node_name,next_node,prompt\nShop,Greet,A|B,"Hello, you\nthere"\nShop,A,,\nShop,B,,x\n',
    );
  });

  test("a table in Markdown whose rows have not as many cells is told of and left", () => {
    const table = "|graph_name|node_name|next_node|\n|-|-|-|\n|Shop|Greet|A|B|\n";
    expect(understandText(table).diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
      ["not-csv", null],
    ]);
  });
});
