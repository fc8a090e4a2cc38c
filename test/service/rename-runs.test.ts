import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Edit } from "../../compiler/diagnostics/diagnostic.js";
import { type NameKey, nameAt } from "../../compiler/service/names.js";
import { renameName } from "../../compiler/service/rename.js";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";
import { howMany } from "../how-many.js";
import { openBoth } from "./sheet-pairs.js";

const applied = (text: string, edits: readonly Edit[]): string =>
  edits.reduceRight((done, { start, end, text: by }) => done.slice(0, start) + by + done.slice(end), text);

const read = (file: string): string => readFileSync(join("examples", file), "utf8");

const tested = readdirSync("examples")
  .filter((name) => name.endsWith(".test.csv"))
  .map((name) => name.replace(".test.csv", ".csv"));

/** Every name in the long form, each third one here. */
const STEP = howMany(1, 3);

test.each(tested)("the tests of %s pass with its names exchanged", async (name) => {
  let sheets = { name, text: read(name), tests: read(name.replace(".csv", ".test.csv")) };
  const [view] = openBoth(sheets);
  const names = new Map<string, NameKey>();
  for (let offset = 0; offset < sheets.text.length; offset++) {
    const found = view === undefined ? null : nameAt(view, offset);
    if (found !== null && ["node", "field"].includes(found.kind)) names.set(found.name, found);
  }
  let count = 0;
  for (const [i, { range: _, ...from }] of (
    [...names.values()] as (NameKey & { range: unknown })[]
  ).entries()) {
    if (i % STEP !== 0) continue;
    const made = renameName(
      openBoth(sheets),
      from,
      from.kind === "node" ? `Schritt ${i}, "neu"` : `feld_${i}`,
    );
    // Values that a switch is given name its nodes.
    if (made.kind === "refused" || made.notes.length > 0) continue;
    const edits = (file: string): readonly Edit[] => made.files.find((one) => one.file === file)?.edits ?? [];
    const { text, tests } = sheets;
    sheets = {
      name,
      text: applied(text, edits("sheet.csv")),
      tests: applied(tests, edits("sheet.test.csv")),
    };
    count++;
  }
  expect(count).toBeGreaterThan(0);
  const folder = createFolder({ [name]: sheets.text, [name.replace(".csv", ".test.csv")]: sheets.tests });
  const { code, stdout, stderr } = await flowsheet(["test", name], { cwd: folder });
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
});
