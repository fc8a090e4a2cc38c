import { expect, test } from "vitest";
import { oneRow, read, textAt } from "./read-sheet.js";

test.each<[string, string[]]>([
  ["", []],
  [" ", []],
  ["A", ["A"]],
  [" Next step ", ["Next step"]],
  ["A|B", ["A", "B"]],
  [" A |\u00a0B | ", ["A", "B"]],
  ["A||B", ["A", "B"]],
  ["A\nB\r\nC\rD", ["A", "B", "C", "D"]],
  ["A, then; B", ["A, then; B"]],
  ["A|a", ["A", "a"]],
])("%j", (cell, expected) => {
  const { rows, found, sheet } = read(
    oneRow({ next_node: cell, next_on_success: cell, next_on_failure: cell }),
  );
  expect(found).toEqual([]);
  const [row] = rows;
  for (const list of [row?.next, row?.onSuccess, row?.onFailure]) {
    expect(list?.map(({ name }) => name)).toEqual(expected);
    for (const { name, at } of list ?? []) expect(cell.slice(at.start, at.end)).toBe(name);
  }
  expect(sheet).not.toBeNull();
});

test("duplicate-target: the second is dropped", () => {
  const text = oneRow({ next_on_failure: "A| B|A |B|C" });
  const { problems, rows } = read(text);
  expect(rows[0]?.onFailure.map(({ name }) => name)).toEqual(["A", "B", "C"]);
  expect(
    problems.map((problem) => [problem.code, problem.column, textAt(text, problem), problem.place?.column]),
  ).toEqual([
    ["duplicate-target", "next_on_failure", "A", 15],
    ["duplicate-target", "next_on_failure", "B", 18],
  ]);
});
