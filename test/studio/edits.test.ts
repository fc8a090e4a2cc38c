import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../runtime/studio/edits/apply.js";
import { EditError, type SheetEdit } from "../../runtime/studio/edits/edit.js";
import { howMany } from "../how-many.js";

const SHEET = `graph_name,node_name,next_node,prompt,context.when
G,A,B,"one, two",
G,B,C,plain,"{""a"": 1}"
# a comment, with "quotes

G,C,,,
H,A,,other,
`;
const set = (node: string, column: string, from: string, to: string, graph = "G"): SheetEdit => ({
  ...{ op: "set", graph, node, column, from, to },
});

/** The lines of `after` that are not those of `before`. */
function changedLines(before: string, after: string): readonly string[] {
  const old = before.split("\n");
  return after.split("\n").filter((line, i) => line !== old[i]);
}

describe("a cell", () => {
  test.each([
    ["plain text", set("B", "prompt", "plain", "new"), 'G,B,C,new,"{""a"": 1}"'],
    ["text that must be quoted", set("B", "prompt", "plain", 'a "b", c'), 'G,B,C,"a ""b"", c","{""a"": 1}"'],
    ["text with white space at its ends", set("B", "prompt", "plain", " a"), 'G,B,C," a","{""a"": 1}"'],
    ["a cell in quotes keeps them", set("A", "prompt", "one, two", "one"), 'G,A,B,"one",'],
    ["an empty cell", set("C", "prompt", "", "x"), "G,C,,x,"],
    ["a column of a setting", set("A", "context.when", "", "y"), 'G,A,B,"one, two",y'],
  ])("%s", (_what, edit, line) => {
    const { text, applied, conflicts } = applyEdits(SHEET, [edit]);
    expect([applied, conflicts]).toEqual([1, []]);
    expect(changedLines(SHEET, text)).toEqual([line]);
  });

  test("that somebody else has changed is a conflict, and all others are written", () => {
    const edits = [set("B", "prompt", "old", "mine"), set("A", "next_node", "B", "C")];
    const { text, applied, conflicts } = applyEdits(SHEET, edits);
    expect([applied, conflicts]).toEqual([1, [{ edit: 0, now: "plain" }]]);
    expect(changedLines(SHEET, text)).toEqual(['G,A,C,"one, two",']);
  });

  test("that holds the new text already is no conflict", () => {
    const { text, applied, undo } = applyEdits(SHEET, [set("B", "prompt", "old", "plain")]);
    expect([text, applied, undo]).toEqual([SHEET, 1, []]);
  });

  test("of a row that is gone or not unique is a conflict", () => {
    const twice = `${SHEET}G,B,,again,\n`;
    expect(applyEdits(SHEET, [set("X", "prompt", "", "x")]).conflicts).toEqual([{ edit: 0, now: null }]);
    expect(applyEdits(twice, [set("B", "prompt", "plain", "x")])).toMatchObject({
      text: twice,
      conflicts: [{ edit: 0, now: null }],
    });
  });

  test("edits see what those before have left", () => {
    const { text, applied } = applyEdits(SHEET, [
      set("B", "node_name", "B", "Two"),
      set("Two", "prompt", "plain", "x"),
      set("A", "next_node", "B", "Two"),
    ]);
    expect(applied).toBe(3);
    expect(changedLines(SHEET, text)).toEqual(['G,A,Two,"one, two",', 'G,Two,C,x,"{""a"": 1}"']);
  });

  test("of a record that is too short gets the cells between", () => {
    const short = "graph_name,node_name,next_node,prompt\nG,A\n";
    const { text, undo } = applyEdits(short, [set("A", "prompt", "", "x")]);
    expect(text).toBe("graph_name,node_name,next_node,prompt\nG,A,,x\n");
    expect(applyEdits(text, undo).text).toBe(short);
  });

  test("a row without a name of its own graph belongs to the graph above", () => {
    const merged = "graph_name,node_name,prompt\nG,A,a\n,B,b\n";
    expect(applyEdits(merged, [set("B", "prompt", "b", "c")]).text).toBe(
      "graph_name,node_name,prompt\nG,A,a\n,B,c\n",
    );
  });
});

describe("what stays as it is", () => {
  test.each([
    ["CRLF, a mark and semicolons", '\ufeffgraph;node;prompt\r\nG;A;a,b\r\nG;B;"x"\r\n'],
    ["tabs", "graph\tnode\tprompt\nG\tA\ta,b\n"],
    ["CR alone", 'graph,node,prompt\rG,A,"a,b"\r'],
    ["no end of the last line", 'graph,node,prompt\nG,A,"a,b"'],
    ["a sep line", "sep=;\ngraph;node;prompt\nG;A;a,b\n"],
    ["columns in another order", 'prompt,graph,node\n"a,b",G,A\n'],
  ])("%s", (_what, sheet) => {
    const { text, applied } = applyEdits(sheet, [set("A", "prompt", "a,b", "c")]);
    expect(applied).toBe(1);
    expect(text).toBe(sheet.replace(/a,b/, "c"));
  });

  test("a line break in a cell is written as it is given", () => {
    const { text } = applyEdits("graph,node,prompt\r\nG,A,a\r\n", [set("A", "prompt", "a", "b\nc")]);
    expect(text).toBe('graph,node,prompt\r\nG,A,"b\nc"\r\n');
  });
});

describe("rows", () => {
  test("are written below another, or below the header", () => {
    const cells = { graph_name: "G", node_name: "New", prompt: "a, b" };
    const below = applyEdits(SHEET, [{ op: "insert", after: { graph: "G", node: "B" }, cells }]);
    expect(below.text).toBe(SHEET.replace("# a comment", 'G,New,,"a, b",\n# a comment'));
    const first = applyEdits(SHEET, [{ op: "insert", after: null, cells }]);
    expect(first.text).toBe(SHEET.replace("G,A", 'G,New,,"a, b",\nG,A'));
    // A request that was sent twice has written one row.
    expect(applyEdits(first.text, [{ op: "insert", after: null, cells }]).text).toBe(first.text);
    expect(
      applyEdits("graph,node\r\nG,A", [
        { op: "insert", after: { graph: "G", node: "A" }, cells: { node_name: "B" } },
      ]).text,
    ).toBe("graph,node\r\nG,A\r\n,B");
  });

  test("go only when they hold what the writer saw", () => {
    const remove = (cells: { readonly [column: string]: string }): SheetEdit => ({
      op: "remove",
      graph: "G",
      node: "B",
      cells,
    });
    expect(applyEdits(SHEET, [remove({ prompt: "plain", next_node: "C" })]).text).toBe(
      SHEET.replace(/^G,B.*\n/m, ""),
    );
    expect(applyEdits(SHEET, [remove({ prompt: "other" })])).toMatchObject({
      text: SHEET,
      conflicts: [{ edit: 0, now: "plain" }],
    });
    expect(applyEdits("graph,node\nG,A\nG,B", [remove({})]).text).toBe("graph,node\nG,A");
  });

  test("move as they are written", () => {
    const move = (node: string, after: string | null): SheetEdit => ({
      ...{ op: "move", graph: "G", node, after: after === null ? null : { graph: "G", node: after } },
    });
    const sheet = 'graph,node,prompt\nG,A,"a"\nG,B,b\nG,C,c';
    expect(applyEdits(sheet, [move("A", "C")]).text).toBe('graph,node,prompt\nG,B,b\nG,C,c\nG,A,"a"');
    expect(applyEdits(sheet, [move("C", null)]).text).toBe('graph,node,prompt\nG,C,c\nG,A,"a"\nG,B,b');
    expect(applyEdits(sheet, [move("B", "A"), move("A", null)])).toMatchObject({
      text: sheet,
      applied: 2,
      undo: [],
    });
    expect(applyEdits(sheet, [move("A", "X")]).conflicts).toEqual([{ edit: 0, now: null }]);
  });

  test("and comments are changed whole by their number", () => {
    const raw = (from: string, to: string): SheetEdit => ({ op: "raw", record: 3, from, to });
    expect(applyEdits(SHEET, [raw('# a comment, with "quotes', "# other")]).text).toBe(
      SHEET.replace('# a comment, with "quotes', "# other"),
    );
    expect(applyEdits(SHEET, [raw("# else", "# other")]).conflicts).toEqual([
      { edit: 0, now: '# a comment, with "quotes' },
    ]);
    expect(applyEdits(SHEET, [{ op: "raw", record: 99, from: "", to: "x" }]).conflicts).toEqual([
      { edit: 0, now: null },
    ]);
  });
});

describe("no sheet takes", () => {
  const first = { graph_name: "# G", node_name: "X" };
  test.each<[string, SheetEdit, string]>([
    ["a column that is not there", set("A", "agent_type", "", "x"), 'the sheet has no column "agent_type"'],
    ["a column of a prototype", set("A", "__proto__", "", "x"), 'the sheet has no column "__proto__"'],
    ["a row that becomes a comment", set("A", "graph_name", "G", "# G"), "the row would become a comment"],
    [
      "a row that is a comment",
      { op: "insert", after: null, cells: first },
      "the row would become a comment",
    ],
    ["an empty row", { op: "insert", after: null, cells: { prompt: " " } }, "the row would be empty"],
    ["half of a character", set("A", "prompt", "one, two", "\ud800"), "the text holds half of a character"],
    ["several records", { op: "raw", record: 5, from: "", to: "a\nb" }, "the text is more than one record"],
    ["damaged quotes", { op: "raw", record: 5, from: "", to: 'G,"a' }, "the text is more than one record"],
    [
      "a line with other cells",
      { op: "insert", after: null, cells: { prompt: "a" }, line: "G,X,,b," },
      "line does not hold",
    ],
  ])("%s", (_what, edit, message) => {
    const apply = (): unknown => applyEdits(SHEET, [set("B", "prompt", "plain", "x"), edit]);
    expect(apply).toThrow(EditError);
    expect(apply).toThrow(message);
  });
});

/** Rows as plain lists, and edits done to them in the most simple way: it knows nothing of the product. */
class Naive {
  readonly header: readonly string[];
  rows: string[][];
  constructor([header = [], ...rows]: readonly (readonly string[])[]) {
    this.header = header;
    this.rows = rows.map((row) => [...row]);
  }

  at(graph: string, node: string): number {
    const found = this.rows.flatMap((row, i) =>
      row[0]?.trim() === graph && row[1]?.trim() === node ? [i] : [],
    );
    return found.length === 1 ? found[0]! : -1;
  }

  apply(edit: SheetEdit): boolean {
    if (edit.op === "raw") return false;
    if (edit.op === "insert") {
      const row = this.header.map((column) => edit.cells[column] ?? "");
      const at = edit.after === null ? 0 : this.at(edit.after.graph, edit.after.node) + 1;
      if (edit.after !== null && at === 0) return false;
      const known = this.at(row[0]!, row[1]!);
      const isThere =
        known >= 0 &&
        Object.entries(edit.cells).every(
          ([column, text]) => this.rows[known]![this.header.indexOf(column)] === text,
        );
      if (!isThere) this.rows.splice(at, 0, row);
      return true;
    }
    const at = this.at(edit.graph, edit.node);
    if (at < 0) return false;
    const row = this.rows[at]!;
    if (edit.op === "set") {
      const column = this.header.indexOf(edit.column);
      if (row[column] !== edit.to && row[column] !== edit.from) return false;
      row[column] = edit.to;
      return true;
    }
    if (edit.op === "remove") {
      if (Object.entries(edit.cells).some(([column, text]) => row[this.header.indexOf(column)] !== text))
        return false;
      this.rows.splice(at, 1);
      return true;
    }
    if (edit.after === null) this.rows.unshift(...this.rows.splice(at, 1));
    else {
      const after = this.at(edit.after.graph, edit.after.node);
      if (after < 0) return false;
      const [moved] = this.rows.splice(at, 1);
      const anchor = after > at ? after - 1 : after;
      // Below itself is where it is.
      this.rows.splice(after === at ? at : anchor + 1, 0, moved!);
    }
    return true;
  }
}

const COLUMNS = ["graph_name", "node_name", "next_node", "prompt", "context.when"];
const words = fc.constantFrom(
  "a",
  "b",
  "",
  "a,b",
  'say "x"',
  "two\nlines",
  " pad",
  "=1",
  "ü😀",
  "<img onerror>",
  "a;b\tc",
);
const nodes = fc.constantFrom("A", "B", "C", "D");
const graphs = fc.constantFrom("G", "H");
const name = fc.record({ graph: graphs, node: nodes });
const cells = fc.record({ next_node: words, prompt: words }, { requiredKeys: [] });
const rows = fc.uniqueArray(fc.tuple(graphs, nodes, words, words, words), {
  selector: ([graph, node]) => `${graph} ${node}`,
  minLength: 1,
  maxLength: 6,
});
const layout = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t"),
  end: fc.constantFrom("\n", "\r\n"),
  isEnded: fc.boolean(),
  mark: fc.constantFrom("", "\ufeff"),
  quotesAll: fc.boolean(),
});

type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

function written(
  table: readonly (readonly string[])[],
  { delimiter, end, isEnded, mark, quotesAll }: Layout,
): string {
  const cell = (text: string): string =>
    quotesAll || /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = table.map((row, i) => row.map((text) => (i === 0 ? text : cell(text))).join(delimiter));
  return mark + lines.join(end) + (isEnded ? end : "");
}

const edit: fc.Arbitrary<SheetEdit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(name, fc.constantFrom("next_node", "prompt", "context.when"), words, words)
      .map(([row, column, from, to]) => ({ op: "set" as const, ...row, column, from, to })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(name, nodes)
      .map(([row, to]) => ({ op: "set" as const, ...row, column: "node_name", from: row.node, to })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.option(name), name, cells).map(([after, { graph, node }, more]) => ({
      op: "insert" as const,
      after,
      cells: { graph_name: graph, node_name: node, ...more },
    })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(name, cells).map(([row, held]) => ({ op: "remove" as const, ...row, cells: held })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(name, fc.option(name))
      .map(([row, after]) => ({ op: "move" as const, ...row, after })),
  },
);

/** An edit whose old value is what the writer sees, for most of them. */
const aimed = (one: SheetEdit, seen: Naive): SheetEdit => {
  if (one.op !== "set") return one;
  const at = seen.at(one.graph, one.node);
  const now = seen.rows[at]?.[seen.header.indexOf(one.column)];
  return now === undefined || one.to.length % 3 === 2 ? one : { ...one, from: now };
};

const tableOf = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true });

const RUNS = { numRuns: howMany(1_000, 80) };

describe("whatever the sheet and the edits are", () => {
  test("edits of the text do what they do to plain rows", () => {
    fc.assert(
      fc.property(rows, layout, fc.array(edit, { maxLength: 12 }), (found, shape, edits) => {
        const table = [COLUMNS, ...found];
        const naive = new Naive(table);
        const done: SheetEdit[] = [];
        const expected = edits.map((one) => {
          const next = aimed(one, naive);
          done.push(next);
          return naive.apply(next);
        });
        const { text, applied, conflicts } = applyEdits(written(table, shape), done);
        expect(tableOf(text, shape.delimiter)).toEqual([COLUMNS, ...naive.rows]);
        expect(conflicts.map((one) => one.edit)).toEqual(expected.flatMap((held, i) => (held ? [] : [i])));
        expect(applied).toBe(expected.filter(Boolean).length);
      }),
      RUNS,
    );
  });

  test("one set changes one record, and all others byte by byte not", () => {
    fc.assert(
      fc.property(rows, layout, words, (found, shape, to) => {
        const [[graph, node, , from]] = found as [(typeof found)[number]];
        const before = written([COLUMNS, ...found], shape);
        const { text } = applyEdits(before, [{ op: "set", graph, node, column: "prompt", from, to }]);
        const first = written([COLUMNS], { ...shape, isEnded: true }).length;
        const rest = written([COLUMNS, ...found.slice(1)], shape).slice(first);
        expect(text.startsWith(before.slice(0, first))).toBe(true);
        if (found.length > 1) expect(text.endsWith(shape.end + rest)).toBe(true);
        expect(tableOf(text, shape.delimiter)[1]?.[3]).toBe(to);
      }),
      RUNS,
    );
  });

  test("an undo gives the bytes of before", () => {
    fc.assert(
      fc.property(rows, layout, fc.array(edit, { maxLength: 8 }), (found, shape, edits) => {
        const table = [COLUMNS, ...found];
        const naive = new Naive(table);
        const done = edits.map((one) => {
          const next = aimed(one, naive);
          naive.apply(next);
          return next;
        });
        const before = written(table, shape);
        const { text, undo } = applyEdits(before, done);
        const names = naive.rows.map(([graph, node]) => `${graph} ${node}`);
        const back = applyEdits(text, undo);
        // Rows that no name tells apart cannot be taken back by their names.
        if (new Set(names).size < names.length) return;
        expect(back.conflicts).toEqual([]);
        expect(tableOf(back.text, shape.delimiter)).toEqual(table);
        if (naive.rows.length > 0) expect(back.text).toBe(before);
      }),
      RUNS,
    );
  });

  test("whatever two writers do in turn, no edit is lost, and each conflict is named", () => {
    let all = 0;
    let conflicting = 0;
    fc.assert(
      fc.property(
        rows,
        layout,
        fc.array(fc.tuple(fc.boolean(), fc.boolean(), edit), { maxLength: 20 }),
        (found, shape, turns) => {
          const table = [COLUMNS, ...found];
          let text = written(table, shape);
          const truth = new Naive(table);
          // What each writer last saw of the sheet.
          const seen = [new Naive(table), new Naive(table)];
          for (const [isSecond, looks, one] of turns) {
            const writer = isSecond ? 1 : 0;
            if (looks) seen[writer] = new Naive(tableOf(text, shape.delimiter));
            const next = aimed(one, seen[writer]!);
            const { text: after, applied, conflicts } = applyEdits(text, [next]);
            const held = truth.apply(next);
            expect([applied, conflicts.length]).toEqual(held ? [1, 0] : [0, 1]);
            if (!held) expect(after).toBe(text);
            text = after;
            all++;
            conflicting += conflicts.length;
          }
          expect(tableOf(text, shape.delimiter)).toEqual([COLUMNS, ...truth.rows]);
        },
      ),
      RUNS,
    );
    // Both kinds are tried.
    expect(conflicting).toBeGreaterThan(all / 20);
    expect(conflicting).toBeLessThan((all * 4) / 5);
  });
});

test("1,000 edits of 10,000 rows take no longer than a person waits", () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `G,N${i},,text ${i},`);
  const sheet = `${COLUMNS.join()}\n${lines.join("\n")}\n`;
  const edits = Array.from({ length: 1_000 }, (_, i) =>
    set(`N${i * 7}`, "prompt", `text ${i * 7}`, `new, ${i}`),
  );
  const began = process.cpuUsage();
  const { applied } = applyEdits(sheet, edits);
  const { user } = process.cpuUsage(began);
  expect(applied).toBe(1_000);
  // Cutting the sheet into records takes some 30 ms; names looked up anew for each edit would take seconds.
  expect(user / 1_000).toBeLessThan(2_000);
});
