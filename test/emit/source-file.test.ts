import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { compilerApi } from "../../compiler/typescript.js";

test("the compiler comes without the rest of ts-morph, and is the one that ts-morph brings", () => {
  const api = compilerApi();
  expect(api).not.toBe(ts);
  expect(api.version).toBe(ts.version);
  expect(api.SyntaxKind).toEqual(ts.SyntaxKind);
});
