import { describe, expect, it } from "vitest";
import { SHAPES } from "../reference/shapes.js";
import { scriptFrom, sketch } from "../reference/sketch.js";
import { actualOf, expectedOf, playScript } from "./play.js";
import type { Pace } from "./reference-graph.js";

const PACES: readonly (readonly Pace[])[] = [["sync"], ["promise"], ["later", "sync", "thenable"]];

describe("shapes made by hand, driven", () => {
  const played = SHAPES.filter(({ runs = [] }) => runs.length > 0);
  describe.each(played)("$name", ({ rows, runs = [] }) => {
    const drawn = sketch(rows);
    it.each(runs.flatMap((run, index) => PACES.map((paces) => ({ run, index, paces }))))(
      "run $index, $paces",
      async ({ run, paces }) => {
        const script = scriptFrom(drawn, run);
        const expected = expectedOf(drawn.graph, script);
        expect(actualOf(await playScript(drawn.graph, script, paces), expected)).toEqual(expected);
      },
    );
  });
});
