import { checkFormula } from "../../compiler/formula/check.js";
import type { Expression } from "../../compiler/formula/tree.js";
import { UNKNOWN } from "../../compiler/types/field-type.js";
import { isBlank } from "../../runtime/graph/formula/check-value.js";
import { linkCompute } from "../../runtime/graph/link/compute.js";
import { at } from "../../runtime/graph/values/values.js";
import { bookOf } from "../workbook/made.js";
import { CELLS, LISTS, translation, treeOf } from "./translate.js";

type Inputs = { readonly [name: string]: unknown };
export type Outcome = { readonly throws: string } | { readonly value: unknown };

/** A formula with its inputs, and what we say. */
export interface Case {
  readonly text: string;
  readonly inputs: Inputs;
  readonly ours: Outcome;
}

export const GIVES_NOTHING = "the formula gives no value";

export function outcomeOf(compute: () => unknown): Outcome {
  try {
    const value = compute();
    // A node whose formula gives no value fails.
    return value === undefined ? { throws: GIVES_NOTHING } : { value };
  } catch (thrown) {
    return { throws: String(thrown) };
  }
}

/** What a part of a formula is in a case, whatever stands around it; null where it cannot stand alone. */
export function outcomeAt({ text, inputs }: Pick<Case, "text" | "inputs">, part: Expression): Outcome | null {
  const around = {
    text,
    names: [],
    table: null,
    nameOf: (param: string) => ({ param, type: UNKNOWN, mayBeUnset: false }),
  };
  const { tree } = checkFormula(settled(part, inputs), around);
  return tree === null ? null : outcomeOf(() => linkCompute(tree)(inputs, {}));
}

/** With what ISBLANK says: what is known to be unset below it could not stand in a part of a formula. */
function settled(part: Expression, inputs: Inputs): Expression {
  const within = (one: Expression): Expression => settled(one, inputs);
  if (part.kind === "unary") return { ...part, of: within(part.of) };
  if (part.kind === "binary") return { ...part, left: within(part.left), right: within(part.right) };
  if (part.kind !== "call") return part;
  const [first] = part.args;
  if (part.name !== "ISBLANK" || first?.kind !== "name") return { ...part, args: part.args.map(within) };
  const { start, end } = part;
  const [head = "", ...path] = first.path;
  return { kind: "literal", value: isBlank(at(inputs[head], ...path)), start, end };
}

export const valueAt = (one: Pick<Case, "text" | "inputs">, part: Expression): unknown => {
  const found = outcomeAt(one, part);
  return found !== null && "value" in found ? found.value : undefined;
};

export const treeOfCase = ({ text }: Case): Expression => treeOf(text);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", "&#10;");

function cell(name: string, value: unknown): string {
  if (typeof value === "number") return `<c r="${name}"><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c r="${name}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value !== "string") return "";
  // An empty text in a cell would be no cell.
  if (value === "") return `<c r="${name}" t="str"><f>""</f></c>`;
  return `<c r="${name}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

function inputCells({ inputs }: Case, row: number): string {
  const single = [...CELLS].map(([name, column]) => {
    const [head = "", inner] = name.split(".");
    const value = inner === undefined ? inputs[head] : (inputs[head] as Inputs | undefined)?.[inner];
    return cell(`${column}${row}`, value);
  });
  const lists = [...LISTS].flatMap(([name, columns]) =>
    columns.map((column, i) => cell(`${column}${row}`, (inputs[name] as readonly unknown[])[i])),
  );
  return `<row r="${row}">${[...single, ...lists].join("")}</row>`;
}

/** The formula of a case as LibreOffice is asked for it. */
export const translated = (one: Case, row: number): string =>
  translation(one.text, row, (part) => typeof valueAt(one, part) === "boolean");

/** A workbook with the inputs of each case in a row, and its formula in the same row of another worksheet. */
export function workbookOf(cases: readonly Case[]): Uint8Array {
  const formulas = cases.map((one, i) => {
    const row = i + 1;
    return `<row r="${row}"><c r="A${row}"><v>${i}</v></c><c r="B${row}" s="1"><f>${escaped(translated(one, row))}</f></c></row>`;
  });
  const inputs = cases.map((one, i) => inputCells(one, i + 1));
  return bookOf({
    // With a format of their own, cells do not take that of the values that they were computed from.
    styles: '<xf numFmtId="2" applyNumberFormat="1"/>',
    sheets: [
      { name: "Inputs", data: inputs.join("") },
      { name: "Results", data: formulas.join("") },
    ],
  });
}
