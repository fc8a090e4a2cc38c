import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePromptText } from "../../compiler/1-parse/cells/prompt.js";
import { howMany } from "../how-many.js";
import { processorTime } from "../processor-time.js";
import { oneRow, read } from "./read-sheet.js";

/** Text as it is, a placeholder as `<path>`. */
const shown = (text: string): string =>
  parsePromptText(text)
    .parts.map((part) => (part.kind === "text" ? part.text : `<${part.path.join("/")}>`))
    .join("");

describe("placeholders", () => {
  test.each([
    ["Hello {name}!", "Hello <name>!"],
    ["{a}{b}", "<a><b>"],
    ["{ name }", "<name>"],
    ["{\n\tname\u00a0}", "<name>"],
    ["{order.address.city}", "<order/address/city>"],
    ["{items.0.name}", "<items/0/name>"],
    ["{größe} {名前} {_x} {a-b}", "<größe> <名前> <_x> <a-b>"],
    ["{𝒳}", "<𝒳>"],
    ["{{name}}", "{name}"],
    ["{{ order.id }}", "{ order.id }"],
    ["{{{name}}}", "{{name}}"],
    ["{{name}", "{<name>"],
    ["{name}}", "<name>}"],
    ["{{name} }", "{<name> }"],
    ["{}", "{}"],
    ["{ }", "{ }"],
    ["{{}}", "{{}}"],
    ["{a b}", "{a b}"],
    ["{a.}", "{a.}"],
    ["{.a}", "{.a}"],
    ["{a..b}", "{a..b}"],
    ["{a.1b}", "{a.1b}"],
    ["{1}", "{1}"],
    ["{a", "{a"],
    ["a}", "a}"],
    ["{a|upper}", "{a|upper}"],
    ["$" + "{a}", "$<a>"],
    ["{a!r}", "{a!r}"],
    ["{'a'}", "{'a'}"],
    ['{"key": "{value}", "n": {"x": 1}}', '{"key": "<value>", "n": {"x": 1}}'],
    ["I04 {__proto__} {constructor}", "I04 <__proto__> <constructor>"],
    ["C28 {{constructor.constructor}}", "C28 {constructor.constructor}"],
    ["C29 {{{this}}}", "C29 {{this}}"],
    ["C30 {{> x}}{{*d}}", "C30 {{> x}}{{*d}}"],
    [`{${"x".repeat(128)}}`, `<${"x".repeat(128)}>`],
    [`{${"x".repeat(129)}}`, `{${"x".repeat(129)}}`],
  ])("%j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test("parts have their places in the cell", () => {
    expect(parsePromptText("Hi {a}, {{b}}").parts).toEqual([
      { kind: "text", text: "Hi ", start: 0, end: 3 },
      { kind: "field", path: ["a"], start: 3, end: 6 },
      { kind: "text", text: ", ", start: 6, end: 8 },
      { kind: "text", text: "{b}", start: 8, end: 13 },
    ]);
  });

  test("any text is covered by its parts, in order and without gaps", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "{{",
      "}}",
      "a",
      "b.c",
      " ",
      "\n",
      ".",
      "0",
      "é",
      "😀",
      "{a}",
      "{{a}}",
      "-",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (prompt) => {
        const { parts } = parsePromptText(prompt);
        expect(parts.map(({ start, end }) => prompt.slice(start, end)).join("")).toBe(prompt);
        let at = 0;
        for (const part of parts) {
          expect(part.start).toBe(at);
          at = part.end;
          const raw = prompt.slice(part.start, part.end);
          if (part.kind === "field") expect(raw.replace(/[\s\u0085{}]/g, "")).toBe(part.path.join("."));
          else expect([raw, raw.slice(1, -1)]).toContain(part.text);
        }
        expect(at).toBe(prompt.length);
      }),
      { numRuns: howMany(2_000, 500) },
    );
  });

  test.each([
    ["I03 braces", "{".repeat(1 << 20)],
    ["braces and white space", `{ ${" ".repeat(1 << 20)}`],
    ["braces around a long word", `{${"a".repeat(1 << 20)}`],
    ["braces around a long word of other letters", `{${"é".repeat(1 << 20)}`],
    ["many openings", "{a ".repeat(1 << 18)],
    ["many double openings", "{{a".repeat(1 << 18)],
    ["many dots", `{a${".a".repeat(1 << 18)}`],
  ])("1 MB of %s is harmless", (_, text) => {
    const start = processorTime();
    expect(
      parsePromptText(text)
        .parts.map(({ start, end }) => text.slice(start, end))
        .join(""),
    ).toBe(text);
    expect(processorTime() - start).toBeLessThan(10_000);
  });
});

describe("a prompt's cell", () => {
  test.each([" padded \r\n text ", "a\rb\u2028c\0d\x1b[2J", "{{x}} {y}", "\ufefftext"])(
    "%j is kept to the byte",
    (prompt) => {
      expect(read(oneRow({ prompt })).rows[0]?.prompt?.text).toBe(prompt);
    },
  );

  test.each(["", " ", "\u00a0\ufeff\n\u0085\u3000"])("%j is empty", (prompt) => {
    expect(read(oneRow({ prompt, next_node: "x" })).rows[0]?.prompt).toBeNull();
  });

  test.each<[string, unknown]>([
    ["file:greeting.md", { kind: "file", name: "greeting.md" }],
    [" file:my prompts/a.md\n", { kind: "file", name: "my prompts/a.md" }],
    ["prompt:greeting", { kind: "prompt", name: "greeting" }],
    ["file:", null],
    ["file: see below", null],
    ["prompt:a\nb", null],
    ["see file:a.md", null],
    ["File:a.md", null],
  ])("%j refers to %j", (prompt, reference) => {
    expect(read(oneRow({ prompt })).rows[0]?.prompt?.reference).toEqual(reference);
  });
});
