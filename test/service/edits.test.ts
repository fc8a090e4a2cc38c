import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { indexOf } from "../../compiler/1-parse/text/page.js";
import { cellText } from "../../compiler/1-parse/text/scan.js";
import { understandSheet } from "../../compiler/compile.js";
import type { Edit } from "../../compiler/diagnostics/diagnostic.js";
import { type ServiceWorld, SheetDocument, type View } from "../../compiler/service/document.js";
import { kindOf } from "../../compiler/service/kind.js";
import { understandTests } from "../../compiler/understand-tests.js";
import { CASES, caseFolders } from "../cases/case-folder.js";
import { howMany } from "../how-many.js";
import { firstSeed } from "../seed.js";
import { testWorld } from "../world.js";
import { awkward, CALLS } from "./awkward.js";

const textOf = (path: string): string => decode(readFileSync(path)).text;
const inFolder = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".csv"))
    .map((name) => join(folder, name));

/** Sheets that are edited in a second at most, by their paths. */
const SHEETS: ReadonlyMap<string, string> = new Map(
  [
    ...[...inFolder("examples"), ...caseFolders().flatMap((folder) => inFolder(join(CASES, folder)))].map(
      (path): [string, string] => [path, textOf(path)],
    ),
    ...awkward.map(({ file, text }): [string, string] => [file, text]),
  ].filter(([, text]) => text.length < 20_000),
);

const WORLD: ServiceWorld = {
  world: testWorld({
    customAgents: new Set(["known"]),
    otherGraphs: new Set(["Other", "other::Other"]),
    prompt: (_, name) => (name.includes("a") ? { text: `Hello {${name}}` } : { missing: "it is not there" }),
  }),
};

const SNIPPETS = [
  ..."aZ1 ,;\t\"'|{}[]:=?#\n\r".split(""),
  ...[
    "\r\n",
    '""',
    '",',
    ',"',
    "# ",
    "//",
    "{x}",
    "END",
    "#REF!",
    "\u2028",
    "é",
    "漢字",
    "👩‍👩‍👧",
    "\ud83d",
    "\ufeff",
  ],
  ...[
    "graph",
    "node",
    "next_node",
    "when",
    "context.limit",
    "error",
    "|B",
    "=b",
    ":list",
    "?",
    '{"graph": "A"}',
  ],
];

/** One change, before it is known what the text is: offsets and choices are taken modulo what is there. */
interface Plan {
  readonly kind: "type" | "remove" | "replace" | "copy" | "cell" | "cell of cell";
  readonly at: number;
  readonly from: number;
  readonly length: number;
  readonly snippet: string;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom("type", "type", "remove", "replace", "copy", "cell", "cell of cell"),
  at: fc.nat(1_000_000),
  from: fc.nat(1_000_000),
  length: fc.oneof({ weight: 5, arbitrary: fc.nat(3) }, fc.nat(60)),
  snippet: fc.constantFrom(...SNIPPETS),
});

/** The cells that a record of the present text has. */
function cellsAt({ sheet, tests }: View, at: number) {
  const page = sheet ?? tests;
  if (page === null) return null;
  const { records, recordAt } = indexOf(page);
  const record = at % records.length;
  const cells = recordAt(record)?.cells ?? [];
  const column = Math.floor(at / records.length) % cells.length;
  const cell = cells[column];
  return cell === undefined ? null : { record, column, text: cellText(page.text, cell) };
}

function change(document: SheetDocument, { kind, at, from, length, snippet }: Plan): Edit {
  const { text } = document;
  const start = at % (text.length + 1);
  const end = Math.min(text.length, start + length);
  const edits: { readonly [K in Plan["kind"]]?: Edit } = {
    type: { start, end: start, text: snippet },
    remove: { start, end, text: "" },
    replace: { start, end, text: snippet },
    copy: { start, end, text: text.slice(from % (text.length + 1)).slice(0, length) },
  };
  const edit = edits[kind];
  if (edit !== undefined) {
    document.edit([edit]);
    return edit;
  }
  const target = cellsAt(document.view(), at);
  if (target === null) return { start: 0, end: 0, text: "" };
  const source = kind === "cell" ? target.text + snippet : (cellsAt(document.view(), from)?.text ?? "");
  return document.editCell(target, source);
}

/** Everything that is known of a text, all at once. */
function whole(file: string, text: string, kind: View["kind"], { world }: ServiceWorld) {
  if (kind === "sheet") return { tests: null, ...understandSheet({ file, text }, world) };
  const nothing = { file, sheet: null, tests: null, graphs: [], diagnostics: [] };
  if (kind === "other") return nothing;
  const { sheet: tests, diagnostics } = understandTests({ file, text }, { graphs: [], agents: world.agents });
  return { ...nothing, tests, diagnostics };
}

function expectSame(view: View, text: string): void {
  const { file, sheet, tests, graphs, diagnostics } = view;
  expect(view.text).toBe(text);
  // The rows of an open sheet are read when they are asked for.
  const read = sheet === null ? null : { ...sheet, rows: [...sheet.rows] };
  const known = { file, sheet: read, tests, graphs, diagnostics };
  // A sheet that is too large is told so, and is another file to all requests.
  const isLarge = diagnostics.some(({ code }) => code === "sheet-too-large");
  const kind = view.kind === "other" && isLarge ? kindOf(file, text) : view.kind;
  const expected = whole(file, text, kind, view.world);
  // The comparison of the test runner says what differs, but takes a hundred times as long.
  if (!isDeepStrictEqual(known, expected)) expect(known).toEqual(expected);
}

const undone = (before: string, { start, end, text }: Edit): Edit => ({
  start,
  end: start + text.length,
  text: before.slice(start, end),
});

const EDITS = 10;
/** Each has its own time: all in one would not end in time on a machine with other work. */
const PARTS = [1, 2, 3, 4, 5];

test("at least thirty sheets are edited", () => {
  expect(SHEETS.size).toBeGreaterThan(100);
});

test.each(PARTS)(
  "after any edits a document knows what is known of the same text at once, and each can be undone (%i)",
  (part) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SHEETS.keys()),
        fc.array(plan, { minLength: EDITS, maxLength: EDITS }),
        (path, plans) => {
          const text = SHEETS.get(path) ?? "";
          const document = SheetDocument.open(
            path.endsWith(".test.csv") ? "a.test.csv" : "a.csv",
            text,
            WORLD,
          );
          document.view();
          const edits = plans.map((each) => {
            const before = document.text;
            const edit = change(document, each);
            // Some edits come so fast that nobody asks between them.
            if (each.from % 4 > 0)
              expectSame(document.view(), before.slice(0, edit.start) + edit.text + before.slice(edit.end));
            return undone(before, edit);
          });
          for (const edit of edits.reverse()) document.edit([edit]);
          expectSame(document.view(), text);
        },
      ),
      { seed: firstSeed + part, numRuns: howMany(10_000, 300) / EDITS / PARTS.length },
    );
  },
);

/** A place in the text by what stands before it, what is typed there, and how much is removed. */
type Typed = readonly [before: string, added: string, removed?: number];

test.each<readonly [what: string, text: string, typed: readonly Typed[]]>([
  [
    "a quote that closes one far above",
    'graph,node,next\nA,One,"Two\nA,Two,Three\nA,Three,x\n',
    [["A,Three,x", '"']],
  ],
  [
    "a cell that makes a column one of settings no more",
    'graph,node,next,agent,when\nA,One,Two,branching,"{""a"": 1}"\nA,Two,,echo,\n',
    [["A,Two,,echo,", "x"]],
  ],
  [
    "a cell that keeps other graphs from reading a column in the words of another tool",
    "graph,node,agent,context.timeout_seconds\nA,One,echo,2\nB,One,echo,3\n",
    [
      ["B,One,echo,3", "x"],
      ["B,One,echo,", "4"],
    ],
  ],
  [
    "one unknown column in two graphs",
    "graph,node,agent,context.limt\nA,One,echo,2\nB,One,echo,3\n",
    [
      ["A,One", "x"],
      ["B,One", "y"],
    ],
  ],
  [
    "a line feed that comes to stand behind a carriage return",
    "graph,node\rA,One\r,\nA,Two\n",
    [["A,One\r", "", 1]],
  ],
  [
    "a value in one graph that decides what is cured in the header, which another graph reports",
    "graph,node,agent,context.temprature\nA,One,llm,0.5\nB,One,llm,0.7\n",
    [
      ["B,One,llm,0.7", "x"],
      ["B,One,llm,0.7", "", 1],
    ],
  ],
  ["a cell below one that is merged", "graph,node\nA,One\n,Two\n,Three\n", [["A", "B"]]],
  ["a column without a header", "graph,node,\nA,One,\nA,Two,\n", [["A,One,", "x"]]],
  ["a row that becomes a comment", "graph,node\nA,One\nA,Two\n", [["A,One\n", "# "]]],
  [
    "a second line in a cell above others with problems",
    'graph,node,next\nA,One,"Two"\nA,Two,Thre\nA,Three,Oen\n',
    [['A,One,"Two', "\n"]],
  ],
  [
    "a graph that two others call, which see it change and not change",
    CALLS,
    [
      ["Helper,Ask", "x"],
      ["name,answer", "s"],
      ["Deepest,Fail,,,failur", "e"],
    ],
  ],
])("chance seldom meets %s", (_, text, typed) => {
  const document = SheetDocument.open("a.csv", text, WORLD);
  document.view();
  for (const [before, added, removed = 0] of typed) {
    const start = document.text.indexOf(before) + before.length;
    const end = start + removed;
    const expected = document.text.slice(0, start) + added + document.text.slice(end);
    document.edit([{ start, end, text: added }]);
    expectSame(document.view(), expected);
  }
});

test("rows of a large sheet are read when they are asked for, as they were read at first", () => {
  const rows = Array.from(
    { length: 10_500 },
    (_, i) =>
      `${i % 50 === 25 ? "" : `Graph ${Math.floor(i / 50)}`},Step ${i},${i % 50 === 49 ? "" : `Step ${i + 1}`},echo,Hi`,
  );
  const document = SheetDocument.open("a.csv", `graph,node,next,agent,prompt\n${rows.join("\n")}\n`, WORLD);
  document.view();
  for (const [name, added] of [
    ["Graph 207", "x"],
    ["Step 10452", " "],
    ["Graph 3", "4"],
    [",Step 10499", "0"],
  ] as const) {
    const start = document.text.lastIndexOf(name) + name.length;
    document.edit([{ start, end: start, text: added }]);
    document.view();
  }
  expectSame(document.view(), document.text);
});
