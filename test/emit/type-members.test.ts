import { expect, test } from "vitest";
import type { FieldType } from "../../compiler/types/field-type.js";
import { typeMembers } from "../../compiler/types/typescript.js";

const items = (...members: readonly FieldType[]): FieldType => ({
  kind: "items",
  of: { kind: "union", members },
});
const said = (...members: readonly FieldType[]): readonly string[] =>
  typeMembers({ kind: "union", members }, { literal: JSON.stringify });

test("of lists of the same items in another order one stays", () => {
  const [object, nothing, string]: readonly FieldType[] = [
    { kind: "object" },
    { kind: "null" },
    { kind: "string" },
  ];
  const one = "readonly (null | { readonly [key: string]: unknown })[]";
  expect(said(items(object!, nothing!), items(nothing!, object!))).toEqual([one]);
  expect(said(items(object!, nothing!), items(nothing!, object!, string!))).toEqual([
    "readonly (string | null | { readonly [key: string]: unknown })[]",
  ]);
});
