import type { Code } from "../catalogue.js";
import { cellExplanations } from "./cells.js";
import type { Explanation, Written } from "./explanation.js";
import { fieldExplanations } from "./fields.js";
import { fileExplanations } from "./file.js";
import { formulaExplanations } from "./formulas.js";
import { nameExplanations } from "./names.js";
import { routeExplanations } from "./routes.js";
import { testExplanations } from "./tests.js";

export interface Chapter {
  readonly title: string;
  readonly codes: readonly Code[];
}

const written: { readonly [C in Code]: Written } = {
  ...fileExplanations,
  ...nameExplanations,
  ...cellExplanations,
  ...formulaExplanations,
  ...routeExplanations,
  ...fieldExplanations,
  ...testExplanations,
};

/** The explanation of each code. The texts are long, so only `explain`, the reference and SARIF load them. */
export const explanations: { readonly [C in Code]: Explanation } = completed();

function completed(): { [C in Code]: Explanation } {
  const all = {} as { [C in Code]: Explanation };
  for (const [code, { rule, ...rest }] of Object.entries(written))
    all[code as Code] = { ...rest, rule: [rule].flat() };
  return all;
}

const chapter = (title: string, group: Partial<Record<Code, Written>>): Chapter => ({
  title,
  codes: Object.keys(group) as Code[],
});

/** All codes in the order of the reference. */
export const chapters: readonly Chapter[] = [
  chapter("The file and its rows", fileExplanations),
  chapter("Names", nameExplanations),
  chapter("Cells", cellExplanations),
  chapter("Formulas", formulaExplanations),
  chapter("Ways through the graph", routeExplanations),
  chapter("Fields", fieldExplanations),
  chapter("Test sheets", testExplanations),
];
