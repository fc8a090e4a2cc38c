import { expect, test } from "vitest";
import { SheetRecords } from "../../../runtime/studio/edits/records.js";
import { changedRows } from "../../../runtime/studio/page/editing/review/changed-rows.js";
import { OwnEdits } from "../../../runtime/studio/page/editing/text/own-edits.js";
import { Saver, type SaveState, type SheetPort } from "../../../runtime/studio/page/editing/text/saver.js";

const TEXT = `graph,node,next,agent,prompt
# what it does
Main,A,B,echo,one
Main,B,C,echo,two
Main,C,D,echo,three
Main,D,,echo,four
`;

const own = (text = TEXT): OwnEdits => new OwnEdits({ text, etag: '"1"' });
const rowsOf = (edits: OwnEdits) =>
  changedRows(new SheetRecords(edits.disk.text), edits.records).map(
    ({ kind, name, isMoved, cells }) =>
      `${kind} ${name}${isMoved ? " moved" : ""}: ${cells.map(({ before, after }) => `${before}>${after}`).join(" ")}`,
  );

test("a review names the rows that change, with each cell before and after", () => {
  const edits = own();
  const row = { graph: "Main", node: "B" } as const;
  edits.change([{ op: "set", ...row, column: "prompt", from: "two", to: "2" }]);
  edits.change([
    { op: "insert", after: { graph: "Main", node: "D" }, cells: { graph_name: "Main", node_name: "E" } },
  ]);
  edits.change([{ op: "remove", graph: "Main", node: "C", cells: {} }]);
  edits.change([{ op: "move", graph: "Main", node: "D", after: null }]);
  expect(rowsOf(edits)).toEqual([
    "changed D moved: ",
    "changed B: two>2",
    "removed C: Main> C> D> echo> three>",
    "new E: >Main >E",
  ]);
});

test("a row with another name is the same row, and a comment is a line", () => {
  const edits = own();
  edits.change([
    { op: "set", graph: "Main", node: "A", column: "next_node", from: "B", to: "Two" },
    { op: "set", graph: "Main", node: "B", column: "node_name", from: "B", to: "Two" },
    { op: "raw", record: 1, from: "# what it does", to: "# what it is for" },
  ]);
  expect(rowsOf(edits)).toEqual([
    "changed null: # what it does># what it is for",
    "changed A: B>Two",
    "changed Two: B>Two",
  ]);
});

/** A server whose file has a text; what it is asked is noted. */
function serving(text: string) {
  const asked: string[] = [];
  const server = { text, etag: '"1"', faults: [] as ("refused" | "lost")[] };
  const port: SheetPort = {
    read: async () => ({ text: server.text, etag: server.etag }),
    write: async (edits, etag) => {
      asked.push(`write ${edits.length}`);
      const fault = server.faults.shift();
      if (fault === "lost") throw new Error("the connection broke");
      if (fault === "refused") return { kind: "refused", why: "no space" };
      return etag === server.etag ? '"2"' : { kind: "changed" };
    },
    create: async () => '"3"',
  };
  return { asked, server, port };
}

test("nothing is written before it was looked at, whatever happens", async () => {
  const { asked, server, port } = serving(TEXT);
  const edits = own();
  const later: (() => void)[] = [];
  const said: SaveState["kind"][] = [];
  const saver: Saver = new Saver({
    ...{ each: false, own: edits, port, rebased: () => {} },
    later: (_, work) => {
      later.push(work);
      return () => {};
    },
    told: ({ kind }) => said.push(kind),
  });
  edits.change([{ op: "set", graph: "Main", node: "A", column: "prompt", from: "one", to: "1" }]);
  saver.changed();
  expect([saver.state.kind, later.length]).toEqual(["draft", 0]);
  Object.assign(server, { text: TEXT.replace("four", "4"), etag: '"other"' });
  saver.heard('"other"');
  for (const work of later.splice(0)) work();
  await expect.poll(() => edits.records.text).toContain("4");
  await expect.poll(() => saver.state.kind).toBe("draft");
  expect([edits.records.text.includes("echo,1"), asked]).toEqual([true, []]);
  server.faults.push("refused");
  expect(await saver.flush()).toBe(false);
  expect([saver.state, later.length]).toEqual([{ kind: "unsaved", why: "no space" }, 0]);
  edits.change([{ op: "set", graph: "Main", node: "B", column: "prompt", from: "two", to: "2" }]);
  saver.changed();
  expect([saver.state.kind, asked]).toEqual(["draft", ["write 1"]]);
  server.faults.push("lost");
  expect(await saver.flush()).toBe(false);
  for (const work of later.splice(0)) work();
  await expect.poll(() => saver.state.kind).toBe("draft");
  expect(await saver.flush()).toBe(true);
  expect([saver.state.kind, asked.at(-1), edits.draft]).toEqual(["saved", "write 2", []]);
});

test("a draft is taken up again on the text as it is now: what does not fit is a conflict", () => {
  const edits = own();
  edits.change([
    { op: "set", graph: "Main", node: "A", column: "prompt", from: "one", to: "1" },
    { op: "set", graph: "Main", node: "B", column: "prompt", from: "two", to: "2" },
    { op: "remove", graph: "Main", node: "D", cells: { prompt: "four" } },
  ]);
  const kept = JSON.parse(JSON.stringify(edits.draft));
  const again = own(TEXT.replace("two", "zwei").replace("four", "vier"));
  again.restore(kept);
  expect(again.records.text).toContain("Main,A,B,echo,1");
  expect(again.conflicts.map(({ now }) => now)).toEqual(["zwei", "vier"]);
  expect(again.draft).toHaveLength(3);
  again.discard();
  expect([again.draft, again.records.text]).toEqual([[], again.disk.text]);
});

test("a column that others have taken away makes a conflict of what was written in it", () => {
  const edits = own();
  edits.change([{ op: "set", graph: "Main", node: "A", column: "prompt", from: "one", to: "1" }]);
  edits.rebase({ text: TEXT.replace(",prompt", ",about"), etag: '"2"' });
  expect(edits.conflicts).toMatchObject([{ now: null, edit: { to: "1" } }]);
});
