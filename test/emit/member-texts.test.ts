import { expect, test } from "vitest";
import { listMember, memberTexts } from "../../compiler/3-emit/merges.js";

test("of lists of the same items in another order one stays", () => {
  const items = ["{ readonly a: string }", "null"];
  const written = { text: `readonly (${items.join(" | ")})[]`, items };
  expect(memberTexts([written, listMember(items)])).toEqual([written.text]);
  expect(memberTexts([written, listMember([...items, "string"])])).toEqual([
    listMember([...items, "string"]).text,
  ]);
});
