import { describe, expect, test } from "vitest";
import { understandSheet } from "../../compiler/compile.js";
import { type Code, catalogue } from "../../compiler/diagnostics/catalogue.js";
import { curedWorld, exampleWorld } from "../../compiler/diagnostics/explanations/circumstances.js";
import { explanations } from "../../compiler/diagnostics/explanations/index.js";
import { formatText } from "../../compiler/diagnostics/format-text.js";
import type { World } from "../../compiler/world.js";
import { testWorld } from "../world.js";

const codes = Object.keys(catalogue) as Code[];

/** Everything that is reported of a sheet, each code once; the frames show a failure better than codes alone. */
function reported(bytes: Uint8Array, world: World): { codes: readonly Code[]; text: string } {
  const { diagnostics, sheet } = understandSheet({ file: "example.csv", bytes }, world);
  const sources = new Map(sheet === null ? [] : [["example.csv", sheet.text]]);
  return { codes: [...new Set(diagnostics.map(({ code }) => code))], text: formatText(diagnostics, sources) };
}

describe.each(codes)("%s", (code) => {
  const { example, bytes, cured } = explanations[code];
  const agents = testWorld().agents;

  test("its example is reported with this code and no other", () => {
    const found = reported(bytes?.() ?? new TextEncoder().encode(example), exampleWorld(code, agents));
    expect(found.codes, found.text).toEqual([code]);
  });

  test("its mended sheet is clean", () => {
    const found = reported(new TextEncoder().encode(cured ?? example), curedWorld(agents));
    expect(found.codes, found.text).toEqual([]);
  });
});
