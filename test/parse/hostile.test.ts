import { describe, expect, test } from "vitest";
import { HEADER, oneRow, read } from "./read-sheet.js";

const COLUMNS = HEADER.split(",");

/** Texts that try to become code, or to break what prints them. */
const HOSTILE: readonly [string, string][] = [
  ["C01", "*/ globalThis.PWN=1; /*"],
  ["C02", "*/ interface Z {} globalThis.PWN=1; /**"],
  ["C03", "`;globalThis.PWN=1;`"],
  ["C04", "$" + "{globalThis.PWN=1}"],
  ["C05", '"; globalThis.PWN=1; "'],
  ["C06", "'; globalThis.PWN=1; '"],
  ["C07", '\\"; globalThis.PWN=1 //'],
  ["C08", "\\`$" + "{1}`"],
  ["C09", "a\nglobalThis.PWN=1"],
  ["C10", "a\rglobalThis.PWN=1"],
  ["C11", "a\r\nglobalThis.PWN=1"],
  ["C12", "a\u2028globalThis.PWN=1"],
  ["C13", "a\u2029globalThis.PWN=1"],
  ["C14", "a\u0085globalThis.PWN=1"],
  ["C18", "a\0b"],
  ["C19", "a\ufeff b"],
  ["C20", "a\u202eb"],
  ["C21", "a\u200b b"],
  ["C23", "// @ts-nocheck"],
  ["C24", '/// <reference path="/etc/passwd"/>'],
  ["C25", "//# sourceMappingURL=http://169.254.169.254/"],
  ["C26", "#!/usr/bin/env x"],
  ["C27", "'use strict'"],
  ["C28", "{{constructor.constructor}}"],
  ["C29", "{{{this}}}"],
  ["C30", "{{> x}}{{*d}}"],
  ["V30", "=cmd|' /C calc'!A0"],
  ["V41", "\x1b[2J\x1b]8;;http://x\x07"],
];

describe.each(COLUMNS)("in %s", (column) => {
  test.each(HOSTILE)("%s is text or a report, and the prompt keeps every byte", (_, value) => {
    const { sheet, problems } = read(oneRow({ other: "x", [column]: value }).replace("other", "#other"));
    expect(problems.every(({ code }) => !["bad-quote", "long-row", "short-row"].includes(code))).toBe(true);
    if (column === "graph_name" && value.startsWith("//")) return expect(sheet).toBeNull();
    const [row] = sheet?.rows ?? [];
    expect(row).toBeDefined();
    if (column === "prompt") expect(row?.prompt?.text).toBe(value);
    if (column === "agent_type") expect(row?.agent.name).toBe(value.trim());
    if (column === "context" && !value.startsWith("{")) expect(row?.description).toBe(value.trim());
    if (column === "graph_name") expect(row?.graph.name).toBe(value.trim());
    if (column === "node_name") expect(row?.node.name).toBe(value.trim());
    expect("PWN" in globalThis).toBe(false);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

test("V31 a NUL is refused in names and kept in prompts", () => {
  const { found, rows } = read("graph,node,prompt\nG\0,N,a\0b\n");
  expect(found).toEqual(["bad-name 2:1 A2"]);
  expect(rows[0]?.prompt?.text).toBe("a\0b");
});

test("a NUL after a closing quote is a bad quote, not the end of the text", () => {
  expect(read('graph,node,prompt\nG,N,"a"\0b\nG,M,x\n').found).toEqual(["bad-quote 2:7 C2"]);
  expect(read('graph,node,prompt\nG,N,"a"\0b\nG,M,x\n').rows).toHaveLength(2);
});
