import { expect, test } from "vitest";
import { readLarge } from "../bench/large-files.js";
import { createFolder } from "../cli/folder.js";

test.each([
  ["csv", 1_000_000],
  ["jsonl", 500_000],
] as const)("a %s file of %d rows is read with a filter in less than 300 MB", (kind, rows) => {
  const { rss, found, error } = readLarge(createFolder(), { kind, rows });
  expect(error).toBe(null);
  expect(found).toBe(rows / 1000 - 1);
  expect(rss).toBeLessThan(300);
});
