import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue } from "../../compiler/diagnostics/catalogue.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { formatGithub } from "../../compiler/diagnostics/format-github.js";
import { formatText } from "../../compiler/diagnostics/format-text.js";
import { columnsOf } from "../../compiler/diagnostics/layout.js";
import { formatJson } from "../../compiler/diagnostics/report.js";
import { clip, visible } from "../../compiler/diagnostics/visible.js";
import { diagnostic, FILE } from "./samples.js";

const hostile = fc.constantFrom(
  "\x1b[2J",
  "\x1b]8;;http://x\x07",
  "\x9b31m",
  "\x00",
  "\x7f",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u200d",
  "\ufeff",
  "\ud800",
  "\udc00",
  "\u2028",
  "\u{e0041}",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "e\u0301",
  "漢字",
  "👨‍👩‍👧",
  "🇩🇪",
  "❤️",
  "]]>",
);
const anyText = fc
  .array(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 8 }), fc.string({ maxLength: 30 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const count = fc.integer({ min: 1, max: 60 });
const place = fc.record({
  file: fc.constant(FILE),
  line: count,
  column: count,
  endLine: count,
  endColumn: count,
  cell: orNull(anyText),
});
const edit = fc.record({ start: fc.nat(80), end: fc.nat(80), text: anyText });
const anyDiagnostic: fc.Arbitrary<Diagnostic> = fc
  .record({
    code: fc.constantFrom("bad-quote" as const, "maybe-unset" as const),
    severity: fc.constantFrom("error" as const, "warning" as const),
    span: fc.constant(null),
    message: anyText,
    file: fc.oneof(fc.constant(FILE), anyText),
    place: orNull(place),
    graph: orNull(anyText),
    node: orNull(anyText),
    label: orNull(anyText),
    help: orNull(anyText),
    fix: orNull(fc.record({ title: anyText, safe: fc.boolean(), edits: fc.array(edit, { maxLength: 3 }) })),
  })
  .map(diagnostic);

const CONTROL = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

test("V41, I08: whatever the sheet and the messages hold, text output has no character that a terminal obeys", () => {
  fc.assert(
    fc.property(
      fc.array(anyDiagnostic, { maxLength: 4 }),
      anyText,
      fc.integer({ min: 0, max: 150 }),
      (found, text, width) => {
        const shown = formatText(found, new Map([[FILE, text]]), { width });
        expect(shown).not.toMatch(CONTROL);
        const colored = formatText(found, new Map([[FILE, text]]), { width, color: true });
        expect(colored.replace(/\x1b\[[0-9;]*m/g, "")).toBe(shown);
      },
    ),
  );
});

test("V41: JSON and GitHub output are harmless, too, and JSON loses nothing", () => {
  fc.assert(
    fc.property(fc.array(anyDiagnostic, { maxLength: 4 }), anyText, (found, text) => {
      const sources = new Map([[FILE, text]]);
      const json = formatJson(found, sources, []);
      expect(json).not.toMatch(CONTROL);
      const messages = JSON.parse(json).diagnostics.map((one: { message: string }) => one.message);
      expect(messages.sort()).toEqual(found.map(({ message }) => message).sort());
      const github = formatGithub(found, sources);
      expect(github).not.toMatch(CONTROL);
      expect(github.split("\n")).toHaveLength(found.length + 1);
    }),
  );
});

test("no source line is wider than it may be", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.integer({ min: 60, max: 150 }), (before, after, width) => {
      const text = `${before}HERE${after}`;
      const at = { line: text.slice(0, before.length).split(/\r\n|\n|\r/).length, file: FILE };
      const column = before.length - Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r"));
      const found = diagnostic({
        place: { ...at, column, endLine: at.line, endColumn: column + 4, cell: null },
      });
      const lines = formatText([found], new Map([[FILE, text]]), { width }).split("\n");
      const [source = "", carets = ""] = lines.slice(2, 4);
      expect(columnsOf(source)).toBeLessThanOrEqual(width);
      // The carets stand exactly under the text they mark.
      expect(columnsOf(source.slice(0, source.indexOf("HERE") + 4)) - 4).toBe(carets.indexOf("^"));
      expect(carets.trimStart().slice(1).trim()).toBe("^^^^");
    }),
  );
});

test("joiners that belong to a word or an emoji stay, others are shown", () => {
  expect(visible("نمی\u200cخواهم 👨‍👩‍👧 ❤️ 1️⃣")).toBe("نمی\u200cخواهم 👨‍👩‍👧 ❤️ 1️⃣");
  expect(visible("a\u200d ,\u200c\u200b\ufeffx\u00ad")).toBe("a\\u200d ,\\u200c\\u200b\\ufeffx\\xad");
  expect(visible("\ud83d|\u{e0041}|\u3164")).toBe("\\ud83d|\\u{e0041}|\\u3164");
});

test("clipping never cuts a character in two", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
      expect(clip(text, limit).length).toBeLessThanOrEqual(limit);
      if (!/\p{Cs}/u.test(text)) expect(clip(text, limit)).not.toMatch(/\p{Cs}/u);
    }),
  );
});

test("V41: names in messages are quoted harmlessly and stay short", () => {
  const name = `\x1b[2J\u202e${"x".repeat(1_000_000)}`;
  const params = { name, graph: name, where: "next_node", row: null, suggestion: null };
  const texts = [catalogue["unknown-node"].message(params), catalogue["unknown-node"].help(params) ?? ""];
  const placeholder = { placeholder: name, inputs: [], suggestion: null };
  texts.push(
    catalogue["unknown-placeholder"].message(placeholder),
    catalogue["unknown-placeholder"].help(placeholder) ?? "",
  );
  for (const text of texts) {
    expect(text).not.toMatch(CONTROL);
    expect(text.length).toBeLessThan(400);
  }
});
