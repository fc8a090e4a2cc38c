import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FieldType } from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
import { parseType } from "../../compiler/types/parse-type.js";

const simple = fc
  .constantFrom("string", "number", "boolean", "object", "list", "any")
  .map((kind) => ({ kind }) as FieldType);
const list = fc
  .constantFrom("string", "number", "boolean", "object")
  .map((item) => ({ kind: "list-of", item }) as FieldType);
const choice = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 })
  .map((values): FieldType => ({ kind: "choice", values }));

describe("a type in text", () => {
  test("is read back as it was", () => {
    fc.assert(
      fc.property(fc.oneof(simple, list, choice), (type) => {
        expect(parseType(formatType(type))).toEqual(type);
      }),
    );
  });

  test.each<readonly [string, FieldType]>([
    ["string[]", { kind: "list-of", item: "string" }],
    ["'yes'/'it''s'", { kind: "choice", values: ["yes", "it's"] }],
    ["unknown", { kind: "unknown" }],
    ["unknown", { kind: "union", members: [] }],
    ["string | number", { kind: "union", members: [{ kind: "string" }, { kind: "number" }] }],
    [
      "string | 'a'/'b' | number",
      {
        kind: "union",
        members: [
          { kind: "string" },
          { kind: "union", members: [{ kind: "choice", values: ["a", "b"] }, { kind: "string" }] },
          { kind: "number" },
        ],
      },
    ],
  ])("%s", (text, type) => {
    expect(formatType(type)).toBe(text);
  });

  test("may be nested as deep as it likes", () => {
    let type: FieldType = { kind: "string" };
    for (let i = 0; i < 100_000; i++) type = { kind: "union", members: [type] };
    expect(formatType(type)).toBe("string");
  });
});
