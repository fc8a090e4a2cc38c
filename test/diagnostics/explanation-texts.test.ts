import { expect, test } from "vitest";
import { type Code, catalogue } from "../../compiler/diagnostics/catalogue.js";
import { chapters, explanations } from "../../compiler/diagnostics/explanations/index.js";

const codes = Object.keys(catalogue) as Code[];

test("every code is in one chapter of the reference", () => {
  expect(chapters.flatMap((chapter) => chapter.codes).sort()).toEqual([...codes].sort());
});

test.each(codes)("%s is explained in whole sentences", (code) => {
  const { summary, rule, cure, note } = explanations[code];
  for (const text of [summary, ...rule, cure, note ?? "None."]) {
    expect(text).toMatch(/^[A-Z`][^\u2013\u2014]*[.]$/u);
    expect(text).not.toMatch(/ {2}|\n/);
    expect(text.split("`").length % 2, "backticks come in pairs").toBe(1);
  }
  expect(summary.length).toBeLessThan(90);
});
