import { describe, expect, test } from "vitest";
import { parseSheet } from "../../compiler/1-parse/sheet.js";
import { Problems } from "../../compiler/diagnostics/collect.js";
import { howMany } from "../how-many.js";
import { processorTime } from "../processor-time.js";
import { HEADER, read } from "./read-sheet.js";

const ROWS = howMany(100_000, 10_000, "PARSED_ROWS");

const MB = 1024 * 1024;
const START = "graph_name,node_name,prompt";

/** Runs it, and says how long the processor took. */
function timed<T>(run: () => T): { readonly value: T; readonly ms: number } {
  const start = processorTime();
  const value = run();
  return { value, ms: processorTime() - start };
}

describe("sheet-too-large", () => {
  const columns = (count: number): string => Array.from({ length: count }, (_, i) => `#c${i}`).join(",");
  const rows = (count: number): string => "G,N,x\n".repeat(count);

  test.each<[string, () => string, string[]]>([
    [
      "201 columns",
      () => `graph_name,node_name,${columns(199)}\nG,N\n`,
      [`sheet-too-large 1:${"graph_name,node_name,".length + columns(198).length + 2} GS1`],
    ],
    [
      "V22 100,000 columns",
      () => `graph_name,node_name,${columns(99_998)}\nG,N\n`,
      ["sheet-too-large 1:1100 GS1"],
    ],
    ["100,001 rows", () => `${START}\n${rows(100_001)}`, ["sheet-too-large 100002:1 A100002"]],
    ["V23 200,000 rows", () => `\n# x\n${START}\n${rows(200_000)}`, ["sheet-too-large 100004:1 A100004"]],
    ["a cell of more than 1 MB", () => `${START}\nG,N,${"x".repeat(MB + 1)}\n`, ["sheet-too-large 2:5 C2"]],
    [
      "a quoted cell of more than 1 MB",
      () => `${START}\nG,N,"${"x".repeat(MB + 1)}"\n`,
      ["sheet-too-large 2:6 C2"],
    ],
    [
      "a row of millions of cells",
      () => `${START}\nG,N${",x".repeat(5_000_000)}\n`,
      ["sheet-too-large 2:401 GS2"],
    ],
  ])("%s", (_, make, expected) => {
    const text = make();
    const { value, ms } = timed(() => read(text));
    expect(value.found).toEqual(expected);
    expect(value.sheet).toBeNull();
    expect(ms).toBeLessThan(30_000);
  });

  test("V24 more than 50 MB is refused before anything else", () => {
    const bytes = new Uint8Array(50 * MB + 1).fill(0xff);
    const { value, ms } = timed(() => read(bytes));
    expect(value.found).toEqual(["sheet-too-large 1:1 A1"]);
    expect(value.problems[0]?.help).toBe("the limit is 50 MB a file");
    expect(ms).toBeLessThan(30_000);
  });

  test.each<[string, () => string, number]>([
    ["200 columns", () => `graph_name,node_name,${columns(198)}\nG,N${",".repeat(198)}\n`, 1],
    ["a cell of 1 MB", () => `${START}\nG,N,${"{".repeat(MB)}\n`, 1],
    ["a cell of 1 MB, doubled quotes counted once", () => `${START}\nG,N,"${'""'.repeat(MB)}"\n`, 1],
    ["50 MB", () => `${START}\n${`G,N,${"x".repeat(MB - 16)}\n`.repeat(50)}`, 50],
  ])("allowed: %s", (_, make, count) => {
    const { found, rows: read_ } = read(make());
    expect(found).toEqual([]);
    expect(read_).toHaveLength(count);
  });
});

describe("speed", () => {
  const row = (i: number): string =>
    `big,Node ${i},Node ${i + 1},Does a thing,echo,,,question|answer,answer,Hello {question} of ${i}\n`;
  const sheet = (count: number, make: (i: number) => string): Uint8Array =>
    new TextEncoder().encode(`${HEADER}\n${Array.from({ length: count }, (_, i) => make(i)).join("")}`);
  const parse = (bytes: Uint8Array) => {
    const problems = new Problems("x.csv");
    return { sheet: parseSheet({ file: "x.csv", bytes }, problems), problems };
  };

  test.each<[string, (i: number) => string]>([
    ["healthy", row],
    [
      "quoted",
      (i) =>
        row(i)
          .replace("Does a thing", '"{""retry"": 3}"')
          .replace("Hello", '"Hello, ""you""')
          .replace("\n", '"\n'),
    ],
    ["short", (i) => row(i).replace(",Hello", "")],
    ["one bad quote", (i) => (i === ROWS / 2 ? row(i).replace("Does", 'Do"es') : row(i))],
  ])(`${ROWS} %s rows are read in seconds, not minutes`, (_, make) => {
    const bytes = sheet(ROWS, make);
    const { value, ms } = timed(() => parse(bytes));
    expect(value.sheet?.rows).toHaveLength(ROWS);
    expect(ms).toBeLessThan(30_000);
  });

  test("many problems in two large cells, each with its place", () => {
    // Half as many as are told of one kind in one cell.
    const many = Math.min(ROWS, 20_000);
    const cell = "1,".repeat(many);
    const { problems } = parse(
      new TextEncoder().encode(`graph,node,inputs,next\nG,N,"${cell}""","${"a\n".repeat(2 * many)}"\n`),
    );
    const found = problems.sorted();
    expect(found.length).toBeGreaterThan(2 * many);
    expect(found[many - 1]).toMatchObject({
      code: "bad-field",
      place: { line: 2, column: 6 + 2 * (many - 1) },
    });
    expect(found.at(-1)).toMatchObject({
      code: "duplicate-target",
      place: { line: 2 * many + 1, column: 1 },
    });
  });
});
