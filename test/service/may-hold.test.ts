import { expect, test } from "vitest";
import { rowsThatMayHold } from "../../compiler/service/names/may-hold.js";
import { rowNames } from "../../compiler/service/names/row-names.js";
import { sceneOf } from "../../compiler/service/names/scene.js";
import { inCi } from "../how-many.js";
import { awkward, openNamed, sheetPairs } from "./awkward.js";
import { knownSheets, open } from "./sheet-pairs.js";

test("a row that holds a name is among those that may", () => {
  const known = knownSheets().filter((_, i) => inCi || i % 8 === 0);
  const texts = [...known, ...awkward].map(({ text }) => text);
  const views = texts.filter((text) => text.length < 20_000).map((text) => open(text));
  let count = 0;
  for (const view of [...views, ...sheetPairs.flatMap(openNamed)]) {
    const scene = sceneOf(view);
    for (const row of scene?.sheet.rows ?? []) {
      if (scene === null) continue;
      for (const { what } of rowNames(scene, row)) {
        count++;
        expect(rowsThatMayHold(scene, what)(row), `${row.record} ${JSON.stringify(what)}`).toBe(true);
      }
    }
  }
  expect(count).toBeGreaterThan(1_000);
});
