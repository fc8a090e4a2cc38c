import { expect, test } from "vitest";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { formatText, type TextOptions } from "../../compiler/diagnostics/format-text.js";
import { diagnostic, FILE, misspeltTarget, placeOf, SUPPORT } from "./samples.js";

const show = (found: readonly Diagnostic[], text: string, options?: TextOptions): string =>
  formatText(found, new Map([[FILE, text]]), options);

/** The marked lines alone: from the first gutter to the last. */
function frameOf(
  text: string,
  needle: string,
  given: Partial<Diagnostic> = {},
  options?: TextOptions,
): string {
  const lines = show([diagnostic({ place: placeOf(text, needle), ...given })], text, options).split("\n");
  return lines.filter((line) => line.startsWith("   ") || line.startsWith(" ...")).join("\n");
}

test("a misspelt target is marked in its line, with the cure under it", () => {
  expect(show([misspeltTarget()], SUPPORT)).toBe(`\
error unknown-node: next_on_success names a node that graph "triage" does not have
  --> support.csv:5:38   cell F5 · graph triage · node Classify
   5 | triage,Classify,,Sort the ticket,llm,Anwser,Oops,question,Is this urgent? {question}
     |                                      ^^^^^^ did you mean "Answer" (row 6)?
  = fix: write "Answer" (--fix)

1 error in support.csv
`);
});

test("a label stands under the mark, a long help below; a fix by hand says so", () => {
  const found = diagnostic({
    severity: "warning",
    code: "maybe-unset",
    place: placeOf(SUPPORT, "{question}"),
    label: "may be unset",
    help: "it is written by a node that some way passes by, so it may be unset when it is read",
    fix: { title: "write question?", safe: false, edits: [] },
  });
  expect(show([found], SUPPORT)).toBe(
    `\
warning maybe-unset: something is wrong
  --> support.csv:3:39
   3 | triage,Read,Classify,,echo,,,question,{question}
     |                                       ^^^^^^^^^^ may be unset
  = help: it is written by a node that some way passes by, so it may be unset when it is read
  = fix: write question? (--fix=unsafe: it may not be what is meant)

1 warning in support.csv
`,
  );
});

test("a diagnostic without a place, or in a file nobody has read, needs no frame", () => {
  const empty = diagnostic({ code: "empty-sheet", help: "write a row" });
  const elsewhere = diagnostic({
    file: "other.csv",
    place: { ...placeOf("ab", "b"), file: "other.csv" },
    label: "here",
  });
  expect(show([elsewhere, empty], "")).toBe(`\
error empty-sheet: something is wrong
  --> support.csv
  = help: write a row

error unknown-node: something is wrong
  --> other.csv:1:2
  = note: here

2 errors in 2 files
`);
});

test("a place of several lines shows where it begins and where it ends", () => {
  const text = 'a,"{\n""retry"":\n 3';
  const place = { ...placeOf(text, '"{\n""retry"":\n 3'), cell: "B1" };
  expect(show([diagnostic({ place, label: "not closed" })], text)).toBe(`\
error unknown-node: something is wrong
  --> support.csv:1:3   cell B1
   1 | a,"{
     |   ^^ not closed
 ... |
   3 |  3
     |  ^ to here

1 error in support.csv
`);
});

test("a place that ends with its line's break needs no second line", () => {
  expect(frameOf("ab,c\r\nd", "c\r\n")).toBe("   1 | ab,c\n     |    ^");
});

test("an empty place and a place behind the line's end get one caret", () => {
  const at = (column: number) => ({ ...placeOf("ab", "a"), column, endColumn: column });
  expect(frameOf("ab", "a", { place: at(2) })).toBe("   1 | ab\n     |  ^");
  expect(frameOf("ab", "a", { place: at(3) })).toBe("   1 | ab\n     |   ^");
  expect(frameOf("ab", "a", { place: at(99) })).toBe("   1 | ab\n     |   ^");
});

test("tabs become spaces and the carets still stand under the text", () => {
  expect(frameOf("a\tbc\tHERE\tx", "HERE")).toBe("   1 | a   bc  HERE    x\n     |         ^^^^");
});

test("wide characters count two columns, combining ones none", () => {
  expect(frameOf("工程,답변,HERE", "HERE")).toBe("   1 | 工程,답변,HERE\n     |           ^^^^");
  expect(frameOf("工程,答え", "答え")).toBe("   1 | 工程,答え\n     |      ^^^^");
  expect(frameOf("cafe\u0301,HERE", "HERE")).toBe("   1 | cafe\u0301,HERE\n     |      ^^^^");
  expect(frameOf("👍🏽,👨‍👩‍👧,🇩🇪,❤️,HERE", "HERE")).toBe(
    "   1 | 👍🏽,👨‍👩‍👧,🇩🇪,❤️,HERE\n     |             ^^^^",
  );
});

test("a long line is cut around the place", () => {
  const long = `${"a".repeat(500)}NEEDLE${"z".repeat(500)}`;
  expect(frameOf(long, "NEEDLE", {}, { width: 60 })).toBe(
    `   1 | …${"a".repeat(24)}NEEDLE${"z".repeat(21)}…\n     | ${" ".repeat(25)}^^^^^^`,
  );
  expect(frameOf(`${"x".repeat(30)}END`, "END", {}, { width: 60 })).toContain("   1 | xxx");
  expect(frameOf(`${"x".repeat(300)}END`, "END", {}, { width: 60 })).toBe(
    `   1 | …${"x".repeat(49)}END\n     | ${" ".repeat(50)}^^^`,
  );
});

test("a mark longer than the line that fits is underlined as far as it is shown", () => {
  const text = `ab,${"m".repeat(300)}`;
  expect(frameOf(text, "m".repeat(300), {}, { width: 60 })).toBe(
    `   1 | ab,${"m".repeat(49)}…\n     |    ${"^".repeat(49)}`,
  );
});

test("V41: escapes in the sheet and in names are shown, not obeyed", () => {
  const text = "g\x1b[2J,\u202eevil,\x9b31m,HERE\u0007";
  const place = placeOf(text, "HERE");
  const found = diagnostic({
    place,
    message: "a\x1b]8;;http://x\x07b\nerror fake",
    graph: "g\x1b[2J",
    node: "n\u2066",
  });
  expect(show([{ ...found, place: { ...place, cell: "A1" } }], text)).toBe(`\
error unknown-node: a\\x1b]8;;http://x\\x07b\\nerror fake
  --> support.csv:1:18   cell A1 · graph g\\x1b[2J · node n\\u2066
   1 | g\\x1b[2J,\\u202eevil,\\x9b31m,HERE\\x07
     |                             ^^^^

1 error in support.csv
`);
});

test("colour comes only when it is asked for, and is switched off after each piece", () => {
  const colored = show([misspeltTarget()], SUPPORT, { color: true });
  expect(colored).toContain("\x1b[1;31merror unknown-node\x1b[0m");
  expect(colored.replace(/\x1b\[[0-9;]*m/g, "")).toBe(show([misspeltTarget()], SUPPORT));
});

test("files follow in the order of the sources, places within a file; the totals count all", () => {
  const at = (file: string, line: number): Diagnostic =>
    diagnostic({
      file,
      message: `${file} ${line}`,
      place: { ...placeOf("a", "a"), file, line, endLine: line },
    });
  const sources = new Map([
    ["b.csv", "1\n2\n3"],
    ["a.csv", "1\n2\n3"],
  ]);
  const text = formatText([at("a.csv", 2), at("b.csv", 3), at("b.csv", 1)], sources);
  expect(text.match(/--> .*/g)).toEqual(["--> b.csv:1:1", "--> b.csv:3:1", "--> a.csv:2:1"]);
  expect(text).toMatch(/\n3 errors in 2 files\n$/);
});

test("at most 200 are listed, the totals stay true", () => {
  const many = Array.from({ length: 345 }, (_, index) =>
    diagnostic({ severity: index === 344 ? "warning" : "error", place: placeOf("a", "a") }),
  );
  const text = show(many, "a");
  expect(text.match(/-->/g)).toHaveLength(200);
  expect(text).toMatch(/\n344 errors, 1 warning in support\.csv; the first 200 are shown\n$/);
});

test("a clean sheet says so", () => {
  expect(show([], SUPPORT)).toBe("no problems in support.csv\n");
});

test("200 diagnostics at the end of a file of 50 MB take no seconds", () => {
  const row = `${"x".repeat(498)}\r\n`;
  const text = row.repeat(100_000);
  const found = Array.from({ length: 200 }, (_, index) => {
    const line = 99_000 + index * 5;
    return diagnostic({ place: { ...placeOf("a", "a"), line, endLine: line, column: 490, endColumn: 499 } });
  });
  const start = performance.now();
  const shown = show(found, text);
  expect(shown).toContain("99995 | …");
  expect(performance.now() - start).toBeLessThan(10_000);
});
