import { expect, test } from "vitest";
import { choicesOf } from "../../../runtime/studio/page/editing/text/conflicts.js";
import { OwnEdits } from "../../../runtime/studio/page/editing/text/own-edits.js";

const TEXT = `graph,node,agent,prompt
# what it does
Main,A,echo,one
Main,Twin,echo,two
Main,Twin,echo,three
`;

/** Edits a record, while somebody else writes another text. */
function conflicting(record: number, from: string, to: string, disk: string): OwnEdits {
  const own = new OwnEdits({ text: TEXT, etag: '"1"' });
  own.change([{ op: "raw", record, from, to }]);
  own.rebase({ text: disk, etag: '"2"' });
  return own;
}
const choices = (own: OwnEdits) => own.conflicts.map((one) => choicesOf(one, own.records));
const settled = (own: OwnEdits, choice: "yours" | "disk" | "both"): string => {
  own.settle(own.conflicts[0]!.id, choice);
  expect(own.conflicts).toEqual([]);
  return own.records.text;
};

const OTHERS = TEXT.replace("three", "drei");
const twins = () => conflicting(4, "Main,Twin,echo,three", "Main,Twin,echo,3", OTHERS);

test("a row without a name of its own has all three choices", () => {
  expect(choices(twins())).toEqual([["yours", "disk", "both"]]);
  expect(settled(twins(), "yours")).toBe(TEXT.replace("three", "3"));
  expect(settled(twins(), "disk")).toBe(OTHERS);
  const both = settled(twins(), "both");
  expect(both.split("\n").filter((line) => line.includes("Twin"))).toEqual(
    expect.arrayContaining(["Main,Twin,echo,two", "Main,Twin,echo,drei", "Main,Twin,echo,3"]),
  );
});

test("two comments become one", () => {
  const own = () =>
    conflicting(1, "# what it does", "# what it is for", TEXT.replace("what it does", "about"));
  expect(choices(own())).toEqual([["yours", "disk", "both"]]);
  expect(settled(own(), "both").split("\n")[1]).toBe("# about what it is for");
});

test("a record that is gone can be written again, when it is a row", () => {
  const gone = conflicting(
    4,
    "Main,Twin,echo,three",
    "Main,Twin,echo,3",
    TEXT.replace("Main,Twin,echo,three\n", ""),
  );
  expect(choices(gone)).toEqual([["yours", "disk"]]);
  expect(settled(gone, "yours")).toContain("Main,Twin,echo,3\n");
});

test("what somebody else has written in the same way is no conflict", () => {
  const own = conflicting(4, "Main,Twin,echo,three", "Main,Twin,echo,3", OTHERS);
  own.rebase({ text: TEXT.replace("three", "3"), etag: '"3"' });
  expect(own.conflicts).toEqual([]);
});
