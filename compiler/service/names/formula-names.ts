import { formulaOf } from "../../2-analyze/formulas/node-formula.js";
import { walkFormula } from "../../formula/shape.js";
import { spelledName } from "../../formula/spell.js";
import type { RowFields } from "./field-names.js";
import type { Mention, Writing } from "./mention.js";

const SPELLED: Writing = { kind: "formula", spelled: spelledName };

/** The names of inputs in the formula of a row; null for a row without one. */
export function formulaNames(fields: RowFields): readonly Mention[] | null {
  const { scene, row } = fields;
  const { facts } = scene.agentOf(row);
  const formula = formulaOf(scene.sheet, { row, facts, prompt: row.prompt });
  if (formula === null || (formula.setting === null && !formula.isInCell)) return null;
  const found: Mention[] = [];
  if ("tree" in formula.parsed)
    walkFormula(formula.parsed.tree, (part) => {
      const [name = ""] = part.kind === "name" ? part.path : [];
      const meant = part.kind === "name" ? fields.meant(name) : null;
      if (meant === null) return;
      const isQuoted = formula.text[part.start] === "'";
      const length = isQuoted ? name.replaceAll("'", "''").length + 2 : name.length;
      const at = scene.span(formula.spanOf({ start: part.start, end: part.start + length }));
      found.push({ ...meant, role: "reads", at, writing: SPELLED });
    });
  return found;
}
