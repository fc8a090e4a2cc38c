import { ofCells } from "./catalogue/cells.js";
import { ofFile } from "./catalogue/file.js";
import { ofFormulas } from "./catalogue/formulas.js";
import { ofGraph } from "./catalogue/graph.js";
import { ofNames } from "./catalogue/names.js";
import { ofTests } from "./catalogue/tests.js";
import { ofWarnings } from "./catalogue/warnings.js";

export type { Rule } from "./catalogue/rule.js";

/** Every problem that Flowsheet reports, by family. Codes are stable and never reused. */
export const catalogue = {
  ...ofFile,
  ...ofNames,
  ...ofCells,
  ...ofFormulas,
  ...ofGraph,
  ...ofTests,
  ...ofWarnings,
};

export type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;
export type Params<C extends Code> = Parameters<Catalogue[C]["message"]>[0];
