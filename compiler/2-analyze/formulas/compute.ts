import { type Checked, checkFormula, type Named, type Surroundings } from "../../formula/check.js";
import type { FieldType, InputItem } from "../../ir.js";
import { STRING, UNKNOWN } from "../../types/field-type.js";
import type { World } from "../../world.js";
import { inputOf } from "../by-name.js";
import type { DraftNode } from "../draft.js";
import type { Read } from "../fields/field-use.js";

/** What a formula needs to know of the fields of its graph. */
export interface Known {
  readonly reads: readonly Read[];
  readonly typeOf: (field: string) => FieldType;
  readonly mayBeLeftOut: (field: string) => boolean;
  readonly table: World["table"];
}

/** Checks the formula of a node; null without one that can be read. */
export function compute(node: DraftNode, known: Known): Checked | null {
  const { formula } = node;
  if (formula === null || "fault" in formula.parsed) return null;
  return checkFormula(formula.parsed.tree, surroundings(node, formula.text, known));
}

function surroundings({ row: { inputs } }: DraftNode, text: string, known: Known): Surroundings {
  const hasError = known.reads.some(({ item }) => item.field === "error" && item.param === "error");
  const names = new Set([
    ...inputs.flatMap(({ param, field }) => [param, field]),
    ...(hasError ? ["error"] : []),
  ]);
  return {
    text,
    table: known.table ?? null,
    names: [...names],
    nameOf: (head) => {
      const item = inputOf(inputs, head);
      if (item !== undefined) return named(item, known);
      const read = known.reads.find((one) => one.item.param === head && head === "error");
      return read === undefined ? null : { param: "error", type: STRING, mayBeUnset: !read.sure };
    },
  };
}

/** Where a path has a type, a run has checked the value. */
function named(item: InputItem, { reads, typeOf, mayBeLeftOut }: Known): Named {
  const { param, field, path, optional } = item;
  if (path.length > 0) return { param, type: item.type ?? UNKNOWN, mayBeUnset: optional };
  const sure = reads.find((read) => read.item === item)?.sure === true;
  return { param, type: item.type ?? typeOf(field), mayBeUnset: !sure || optional || mayBeLeftOut(field) };
}
