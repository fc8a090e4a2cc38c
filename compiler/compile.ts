import { parseSheet } from "./1-parse/sheet.js";
import type { SheetSource } from "./1-parse/text/file-text.js";
import { spareFormulas } from "./1-parse/workbook/spare-formulas.js";
import { analyzeSheet } from "./2-analyze/analyze.js";
import { Problems } from "./diagnostics/collect.js";
import type { Diagnostic } from "./diagnostics/diagnostic.js";
import type { GraphIR, Sheet } from "./ir.js";
import type { World } from "./world.js";

/** All that is known of one sheet. */
export interface Understanding {
  readonly file: string;
  /** Null when the file is no sheet at all. */
  readonly sheet: Sheet | null;
  readonly graphs: readonly GraphIR[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a sheet once, for everybody: bytes to rows, rows to graphs, and every problem on the way. */
export function understandSheet(source: SheetSource, world: World): Understanding {
  const problems = new Problems(source.file);
  const sheet = parseSheet(source, problems);
  const graphs = sheet === null ? [] : analyzeSheet(sheet, world, problems);
  return { file: source.file, sheet, graphs, diagnostics: spareFormulas(problems.sorted(), source, sheet) };
}
