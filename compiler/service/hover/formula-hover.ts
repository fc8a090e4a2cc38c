import { formulaOf } from "../../2-analyze/formulas/node-formula.js";
import { FUNCTIONS } from "../../formula/functions.js";
import { walkFormula } from "../../formula/shape.js";
import type { Page, Range, RecordSpan } from "../../ir.js";
import type { View } from "../document.js";
import { sceneOf } from "../names/scene.js";
import { rangeOf, rowAt, spotAt } from "../spot.js";
import { code, paragraphs } from "./markdown.js";

interface Said {
  readonly range: Range;
  readonly markdown: string;
}

/** What a function of a formula does; null where none stands. */
export function formulaHover(view: View, page: Page, offset: number): Said | null {
  const scene = sceneOf(view);
  const spot = spotAt(page, offset);
  const written = scene === null || spot === null ? null : rowAt(scene.sheet.rows, spot.record);
  if (scene === null || spot === null || written === null) return null;
  const row = scene.named(written);
  const formula = formulaOf(scene.sheet, { row, facts: scene.agentOf(row).facts, prompt: row.prompt });
  if (formula === null || "fault" in formula.parsed || !formula.isInCell) return null;
  let found: Said | null = null;
  walkFormula(formula.parsed.tree, (part) => {
    const row = part.kind === "call" ? FUNCTIONS.get(part.name) : undefined;
    if (part.kind !== "call" || row === undefined) return;
    const at: RecordSpan = scene.span(formula.spanOf(part.nameAt));
    const range = rangeOf(page, at);
    if (at.column !== spot.column || offset < range.start || offset > range.end) return;
    const [example, value] = row.example;
    found = {
      range,
      markdown: paragraphs(code(row.signature), row.about, `${code(example)} is ${code(value)}`),
    };
  });
  return found;
}
