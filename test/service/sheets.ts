import { existsSync, readdirSync, readFileSync } from "node:fs";
import { decode } from "../../compiler/1-parse/text/encoding.js";
import { SheetDocument, type View } from "../../compiler/service/document.js";
import { about } from "../../runtime/agents/about.js";
import { CASES, caseFolders } from "../cases/case-folder.js";
import { testWorld, understandText } from "../world.js";

/** A file as an editor opens it; of a test sheet, the sheet that it tests. */
export interface OpenSheet {
  readonly file: string;
  readonly text: string;
  readonly tested: string | null;
}

const read = (path: string): string => decode(readFileSync(path)).text;

/** The examples and the cases of this repository, clean ones and such with every problem. */
export function ownSheets(): readonly OpenSheet[] {
  const examples = readdirSync("examples").map((name) => `examples/${name}`);
  const cases = caseFolders().flatMap((folder) => [
    `${CASES}/${folder}/input.csv`,
    `${CASES}/${folder}/input.test.csv`,
  ]);
  return [...examples, ...cases].flatMap((file) => {
    if (!/\.csv$/.test(file) || !existsSync(file)) return [];
    const tested = file.replace(/\.test\.csv$/, ".csv");
    const text = read(file);
    return text.length > 20_000 ? [] : [{ file, text, tested: tested === file ? null : read(tested) }];
  });
}

const views = new WeakMap<OpenSheet, View>();

/** The view of a sheet, made once. */
export function knownView(sheet: OpenSheet): View {
  const view = views.get(sheet) ?? viewOf(sheet);
  views.set(sheet, view);
  return view;
}

export function viewOf({ file, text, tested }: OpenSheet): View {
  const graphs = tested === null ? [] : understandText(tested).graphs;
  return SheetDocument.open(file, text, { world: testWorld(), about, testedGraphs: graphs }).view();
}
