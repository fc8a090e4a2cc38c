import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyEdits } from "../../../runtime/studio/edits/apply.js";
import type { SheetEdit } from "../../../runtime/studio/edits/edit.js";
import { SheetRecords } from "../../../runtime/studio/edits/records.js";
import { cellEdits } from "../../../runtime/studio/page/editing/text/cell-edits.js";
import { choicesOf } from "../../../runtime/studio/page/editing/text/conflicts.js";
import { OwnEdits } from "../../../runtime/studio/page/editing/text/own-edits.js";
import { moveOf, newRowBelow, removalOf } from "../../../runtime/studio/page/editing/text/row-edits.js";
import { Saver, type SheetPort } from "../../../runtime/studio/page/editing/text/saver.js";
import { howMany } from "../../how-many.js";
import { startStudio, type TestStudio } from "../local.js";

const START = `graph_name,node_name,next_node,agent_type,prompt,notes
# who keeps this sheet
G,A,B,echo,"one, two",x
G,B,C,echo,plain,
,C,,echo,"two
lines",z
H,A,,echo,other,
`;
const COLUMNS = ["next_node", "prompt"];

let studio: TestStudio;
beforeAll(async () => {
  studio = await startStudio({ files: { "workflows/s.csv": START } });
});
afterAll(() => studio?.stop());

const file = (): string => join(studio.folder, "workflows/s.csv");
const onDisk = (): string => readFileSync(file(), "utf8");

async function ask(
  method: string,
  headers: { readonly [name: string]: string } = {},
  body: string | null = null,
) {
  const all = { Authorization: `Bearer ${studio.secret.token}`, ...headers };
  return fetch(`http://127.0.0.1:${studio.port}/studio/api/sheets/s.csv`, { method, headers: all, body });
}

const patch = (edits: readonly SheetEdit[], more: { readonly [name: string]: string } = {}) =>
  ask("PATCH", { "Content-Type": "application/json", ...more }, JSON.stringify({ edits }));

/** The page's way to the server; `before` is done just before each request. */
const portOf = (before: () => Promise<void>): SheetPort => ({
  read: async () => {
    await before();
    const answer = await ask("GET");
    return { text: await answer.text(), etag: answer.headers.get("ETag") ?? "" };
  },
  write: async (edits, etag) => {
    await before();
    const answer = await patch(edits, { "If-Match": etag });
    const body = (await answer.json()) as { readonly etag: string };
    if (answer.status === 412) return { kind: "changed" };
    expect([answer.status, body]).toEqual([200, expect.anything()]);
    // What was known is what was written on, so nothing can conflict.
    expect(body).toMatchObject({ conflicts: [] });
    return body.etag;
  },
  create: async () => ({ kind: "gone" }),
});

/** Words that occur once, so that each can be looked for. */
class Words {
  #last = 0;
  /** Those that must be somewhere. */
  readonly alive = new Set<string>();

  next(kind: string): string {
    const word = `«${kind}${++this.#last}»`;
    this.alive.add(word);
    return word;
  }

  /** Whoever did this saw the words that it has taken away. */
  byWill<T>(text: () => string, work: () => T): T {
    const before = text();
    const made = work();
    const after = text();
    for (const word of this.alive)
      if (before.includes(word) && !after.includes(word)) this.alive.delete(word);
    return made;
  }
}

interface Deed {
  readonly who: "page" | "program" | "client";
  readonly what:
    | "set"
    | "set"
    | "rename"
    | "insert"
    | "remove"
    | "move"
    | "undo"
    | "redo"
    | "save"
    | "settle";
  readonly row: number;
  readonly column: number;
}

const deed: fc.Arbitrary<Deed> = fc.record({
  who: fc.constantFrom("page", "page", "program", "client"),
  what: fc.constantFrom<Deed["what"][]>(
    ...([
      "set",
      "set",
      "set",
      "rename",
      "insert",
      "remove",
      "move",
      "undo",
      "redo",
      "save",
      "settle",
    ] as const),
  ),
  row: fc.nat({ max: 7 }),
  column: fc.nat({ max: COLUMNS.length }),
});

/** The edits of a deed on a text, as whoever reads it would make them. */
function editsOf(
  records: SheetRecords,
  { what, row, column }: Deed,
  word: () => string,
): readonly SheetEdit[] {
  const rows = Array.from({ length: records.count }, (_, i) => i).filter((i) => records.rowAt(i) !== null);
  const record = rows[row % rows.length];
  if (record === undefined) return [];
  const cell = (name: string, text: string) =>
    cellEdits(records, [{ record, column: records.columnOf(name), text }]);
  switch (what) {
    case "set":
      // The last column has no name that an edit can use.
      return column < COLUMNS.length
        ? cell(COLUMNS[column] as string, word())
        : cellEdits(records, [{ record, column: 5, text: word() }]);
    case "rename":
      return cell("node_name", word());
    case "insert":
      return [newRowBelow(records, record, { prompt: word() }).edit];
    case "remove":
      return rows.length > 2 ? removalOf(records, [record]) : [];
    case "move":
      return moveOf(records, record, column === 0 ? 1 : -1);
    default:
      return [];
  }
}

async function play(deeds: readonly Deed[], inTheMiddle: readonly Deed[]): Promise<number> {
  writeFileSync(file(), START);
  const words = new Words();
  const others = [...inTheMiddle];
  const disturb = async (one: Deed): Promise<void> => {
    const edits = editsOf(new SheetRecords(onDisk()), one, () => words.next("o"));
    if (one.who === "client") {
      const before = onDisk();
      expect((await patch(edits)).status).toBe(200);
      const after = onDisk();
      for (const word of words.alive)
        if (before.includes(word) && !after.includes(word)) words.alive.delete(word);
    } else words.byWill(onDisk, () => writeFileSync(file(), applyEdits(onDisk(), edits).text));
  };
  const first = await ask("GET");
  const own = new OwnEdits({ text: await first.text(), etag: first.headers.get("ETag") ?? "" });
  const port = portOf(async () => {
    const next = others.shift();
    if (next !== undefined) await disturb(next);
  });
  const saver = new Saver({
    each: true,
    own,
    port,
    later: () => () => {},
    told: () => {},
    rebased: () => {},
  });
  const known = (): string => own.records.text + JSON.stringify(own.conflicts);
  let conflicts = 0;
  for (const one of deeds) {
    if (one.what === "save") await saver.flush();
    else if (one.who !== "page") await disturb(one);
    else
      words.byWill(known, () => {
        if (one.what === "undo") own.undo();
        else if (one.what === "redo") own.redo();
        else if (one.what === "settle") {
          const [conflict] = own.conflicts;
          const choices = conflict === undefined ? [] : choicesOf(conflict, own.records);
          if (conflict !== undefined) own.settle(conflict.id, choices[one.row % choices.length] ?? "disk");
        } else own.change(editsOf(own.records, one, () => words.next("p")));
      });
    conflicts = Math.max(conflicts, own.conflicts.length);
  }
  saver.heard(null);
  expect(await saver.flush()).toBe(true);
  expect(own.records.text).toBe(onDisk());
  const lost = [...words.alive].filter((word) => !known().includes(word));
  expect(lost).toEqual([]);
  return conflicts;
}

/** A machine with other work needs long for so many rounds. */
const PATIENCE_MS = 15 * 60_000;

test(
  "two writers, in whatever turns: no edit is lost, and each conflict is named",
  async () => {
    let conflicts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 4, maxLength: 14 }),
        fc
          .array(deed, { maxLength: 6 })
          .map((list) => list.map((one) => ({ ...one, who: "program" as const }))),
        async (deeds, inTheMiddle) => {
          conflicts += await play(deeds, inTheMiddle);
        },
      ),
      { numRuns: howMany(200, 40) },
    );
    expect(conflicts).toBeGreaterThan(10);
  },
  PATIENCE_MS,
);
