import { describe, expect, test } from "vitest";
import { understandSheet } from "../../compiler/compile.js";
import { type Code, catalogue } from "../../compiler/diagnostics/catalogue.js";
import { curedWorld, exampleWorld } from "../../compiler/diagnostics/explanations/circumstances.js";
import type { Explanation } from "../../compiler/diagnostics/explanations/explanation.js";
import { explanations } from "../../compiler/diagnostics/explanations/index.js";
import { formatText } from "../../compiler/diagnostics/format-text.js";
import { understandTests } from "../../compiler/understand-tests.js";
import type { World } from "../../compiler/world.js";
import { testWorld } from "../world.js";

const codes = Object.keys(catalogue) as Code[];

/** Everything that is reported of a sheet, each code once; the frames show a failure better than codes alone. */
function reported(
  bytes: Uint8Array,
  world: World,
  tests: string | undefined,
): { codes: readonly Code[]; text: string } {
  const { diagnostics, sheet, graphs } = understandSheet({ file: "example.csv", bytes }, world);
  const sources = new Map(sheet === null ? [] : [["example.csv", sheet.text]]);
  const source = { file: "example.test.csv", bytes: new TextEncoder().encode(tests) };
  const beside =
    tests === undefined ? [] : understandTests(source, { graphs, agents: world.agents }).diagnostics;
  const found = [...diagnostics, ...beside];
  return { codes: [...new Set(found.map(({ code }) => code))], text: formatText(found, sources) };
}

describe.each(codes)("%s", (code) => {
  const { example, bytes, cured, tests, curedTests, notInCsv }: Explanation = explanations[code];
  const agents = testWorld().agents;

  test("its example is reported with this code and no other", () => {
    const found = reported(bytes?.() ?? new TextEncoder().encode(example), exampleWorld(code, agents), tests);
    // test/types-at-cell/untyped-input.test.ts shows what only --types finds.
    expect(found.codes, found.text).toEqual(notInCsv === true ? [] : [code]);
  });

  test("its mended sheet is clean", () => {
    const found = reported(new TextEncoder().encode(cured ?? example), curedWorld(agents), curedTests);
    expect(found.codes, found.text).toEqual([]);
  });
});
