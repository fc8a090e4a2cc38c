import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A sheet as an editor has it: the text, without a mark and without its encoding. */
export interface GoldenSheet {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  /** Files beside it. */
  readonly beside?: { readonly [path: string]: string };
}

const CLEAN = "test/cases/clean";
const GROUPS = ["columns", "delimiters", "encodings", "line-ends", "names", "prompts", "rows", "targets"];
const FAULTY = [
  "almost-placeholder",
  "bad-quote",
  "misspelt-field",
  "python-literal",
  "unknown-agent",
  "unknown-field",
  "unknown-node",
  "unknown-setting",
];
const EXAMPLES = ["order-approval", "support"];

/** What editors do with the bytes of a file. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = !isWide ? "utf-8" : first === 0xff ? "utf-16le" : "utf-16be";
  return new TextDecoder(encoding).decode(bytes);
}

const read = (path: string): string => decoded(readFileSync(path));

const fromCase = (name: string, folder: string): GoldenSheet => ({
  name,
  file: "input.csv",
  text: read(join(folder, "input.csv")),
});

/** The first case of a diagnostic. */
function faulty(code: string): GoldenSheet {
  const folder = join("test/cases/diagnostics", code);
  const [first] = readdirSync(folder)
    .filter((name) => !name.includes("."))
    .sort();
  return fromCase(code, first === undefined ? folder : join(folder, first));
}

const TEST_FILE = "support.test.csv";

/** Cells of several lines with wide characters, in a file with Windows line ends and semicolons. */
const AWKWARD = [
  "# Grüße 👩‍👩‍👧 — a comment; with a semicolon",
  "graph_name;node_name;next;agent_type;input_fields;output_field;prompt",
  'Begrüßung;"Erste ""Frage"" 😀";Zweite Frage;echo;name;gruß;"Hallo {name},',
  'schön, dich zu sehen 👋🏽; {nane}"',
  '"Begrüßung";Zweite Frage;"Dritte; mit Semikolon|ENDE";echo;"gruß;name";antwort;{gruß}',
  'Begrüßung;"Dritte; mit Semikolon";;echo;antwort;letzte;"{antwort}"',
  "日本語;開始;終了;echo;名前;挨拶;こんにちは {名前}",
  "日本語;終了;;echo;挨拶;結果;{挨拶}",
  "",
].join("\r\n");

const NO_SHEETS: readonly GoldenSheet[] = [
  { name: "no-sheet", file: "prices.csv", text: "item,price\nTea,3\n" },
  { name: "empty", file: "empty.csv", text: "" },
  { name: "header-only", file: "header.csv", text: "graph_name,node_name,next" },
  { name: "half-typed", file: "half.csv", text: 'graph_name,node_name,next\nA,B,"C\nA,C,' },
];

/** All sheets whose answers are kept. */
export function goldenSheets(): readonly GoldenSheet[] {
  const clean = GROUPS.flatMap((group) =>
    readdirSync(join(CLEAN, group))
      .sort()
      .map((name) => fromCase(`${group}-${name}`, join(CLEAN, group, name))),
  );
  const single = ["comments", "graphs-in-graphs"].map((name) => fromCase(name, join(CLEAN, name)));
  const examples = EXAMPLES.map((name) => ({
    name,
    file: `${name}.csv`,
    text: read(`examples/${name}.csv`),
    beside: { [`${name}.test.csv`]: read(`examples/${name}.test.csv`) },
  }));
  const tests = {
    name: basename(TEST_FILE, ".csv").replace(".", "-"),
    file: TEST_FILE,
    text: read(`examples/${TEST_FILE}`),
    beside: { "support.csv": read("examples/support.csv") },
  };
  const awkward = { name: "awkward", file: "awkward.csv", text: AWKWARD };
  return [...clean, ...single, ...FAULTY.map(faulty), ...examples, tests, awkward, ...NO_SHEETS];
}
