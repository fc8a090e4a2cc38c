import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { SheetDocument, type View } from "../../compiler/service/document.js";
import type { World } from "../../compiler/world.js";
import { CASES, caseFolders } from "../cases/case-folder.js";
import { testWorld } from "../world.js";

/** A sheet with the test sheet beside it. */
export interface Sheets {
  readonly name: string;
  readonly text: string;
  readonly tests: string | null;
}

const read = (path: string): string => decode(readFileSync(path)).text;

const blocksOf = (path: string): readonly Sheets[] => {
  const blocks = [...readFileSync(path, "utf8").matchAll(/^```csv\n(.*?)^```/gms)].map(
    ([, text = ""]) => text,
  );
  return blocks.map((text, i) => ({ name: `${path} ${i}`, text, tests: null }));
};

const testsOf = (path: string): string | null => {
  const beside = path.replace(/\.csv$/, ".test.csv");
  return existsSync(beside) ? read(beside) : null;
};

const sheetsIn = (folder: string): readonly Sheets[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".csv") && !name.endsWith(".test.csv"))
    .map((name) => join(folder, name))
    .map((path) => ({ name: path, text: read(path), tests: testsOf(path) }));

/** The sheets of the cases, the examples and the documentation. */
export const knownSheets = (): readonly Sheets[] => [
  ...caseFolders().flatMap((folder) => sheetsIn(join(CASES, folder))),
  ...sheetsIn("examples"),
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => blocksOf(join("docs", name))),
];

export const open = (text: string, file = "sheet.csv", overrides: Partial<World> = {}): View =>
  SheetDocument.open(file, text, { world: testWorld(overrides) }).view();

/** A sheet and its tests, as they know of each other. */
export function openBoth({ text, tests }: Sheets): readonly View[] {
  const sheet = open(text);
  if (tests === null) return [sheet];
  const world = { world: testWorld(), testedGraphs: sheet.graphs };
  return [sheet, SheetDocument.open("sheet.test.csv", tests, world).view()];
}
