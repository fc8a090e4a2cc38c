import { cellSpan, textAt } from "../../1-parse/text/places.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Checked } from "../../formula/check.js";
import { FUNCTIONS } from "../../formula/functions.js";
import { spelledName } from "../../formula/spell.js";
import type { Fault } from "../../formula/tree.js";
import type { Range } from "../../ir.js";
import { isBoolean, isObject, isOpen } from "../../types/field-type.js";
import { type At, type Draft, type DraftNode, reportAt, settingAt, writeFix } from "../draft.js";
import { addInput } from "../fields/field-fix.js";
import type { NodeFormula } from "./node-formula.js";

/** Reports what is wrong with the formula of a node. */
export function checkNodeFormula(draft: Draft, node: DraftNode, checked: Checked | null): void {
  const { formula, row } = node;
  if (row.damaged) return;
  checkCondition(draft, node);
  if (formula === null) {
    if (node.facts?.type === "formula" && row.prompt === null) reportMissing(draft, node);
    return;
  }
  if ("fault" in formula.parsed) reportFault(draft, node, formula, formula.parsed.fault);
  if (checked === null) return;
  for (const fault of checked.faults) reportFault(draft, node, formula, fault);
  for (const name of checked.unknown) reportUnknown(draft, node, formula, name);
  for (const unset of checked.unset) reportUnset(draft, node, formula, unset);
  for (const { value, why, ...at } of checked.constant) {
    const text = formula.text.slice(at.start, at.end);
    reportAt(draft, node, "constant-condition", { text, value, why }, atOf(formula, at));
  }
  checkResult(draft, node, formula, checked);
}

const atOf = ({ spanOf, column }: NodeFormula, at: Range): At => ({ span: spanOf(at), column });

/** Stands beside `when`: two settings would decide. */
function checkCondition(draft: Draft, node: DraftNode): void {
  const { settings, facts, row } = node;
  if (facts?.type !== "branching" || settings["if"] === undefined || settings["when"] === undefined) return;
  const item = row.settings.find(({ name }) => name === "if");
  if (item === undefined) return;
  const params = { setting: "if", expected: 'left out beside "when"', found: "a second condition" };
  reportAt(draft, node, "bad-setting", params, settingAt(item));
}

function reportMissing(draft: Draft, node: DraftNode): void {
  const params = {
    message: "there is no formula",
    help: "write a formula into the prompt, such as amount * 1.19",
  };
  const cell = cellSpan(draft.analysis.sheet, node.row.index, "prompt");
  // The error of a spreadsheet has been reported.
  if (cell !== null && textAt(draft.analysis.sheet, cell).trim() !== "") return;
  const at: At =
    cell === null ? { span: node.row.agent.at, column: "agent_type" } : { span: cell, column: "prompt" };
  reportAt(draft, node, "bad-formula", params, at);
}

function reportFault(draft: Draft, node: DraftNode, formula: NodeFormula, fault: Fault): void {
  const { code, message, help, fix } = fault;
  const cure =
    fix === undefined || !formula.isInCell
      ? null
      : writeFix(draft, formula.spanOf(fix.at ?? fault), inCell(formula, fix.text), fix.safe);
  reportAt(draft, node, code, { message, help }, { ...atOf(formula, fault), fix: cure });
}

/** A text as the cell needs it: inside of JSON quotes are escaped. */
const inCell = ({ setting, spanOf, text }: NodeFormula, fresh: string): string =>
  setting !== null && spanOf({ start: 0, end: 0 }).start > setting.spot.start && text !== ""
    ? JSON.stringify(fresh).slice(1, -1)
    : fresh;

function reportUnknown(
  draft: Draft,
  node: DraftNode,
  formula: NodeFormula,
  name: Range & { readonly path: readonly string[] },
): void {
  const { row } = node;
  const [head = "", ...rest] = name.path;
  const names = [...new Set(row.inputs.flatMap(({ param, field }) => [param, field]))];
  const suggestion = suggest(head, names);
  const dashed = names.find((one) => one.includes("-") && one.split("-")[0] === head) ?? null;
  const params = {
    placeholder: name.path.join("."),
    inputs: row.inputs.map(({ param }) => param),
    suggestion,
    formula: {
      dashed,
      isText: isQuotedText(formula.text, name),
      called: rest.length === 0 ? (FUNCTIONS.get(head.toUpperCase())?.signature ?? null) : null,
      isCell: /^\$?[A-Za-z]{1,3}\$?\d{1,6}$/.test(head),
    },
  };
  const at = formula.spanOf(name);
  const isField = draft.fieldNames().has(head);
  const fix =
    suggestion !== null
      ? formula.isInCell && rest.length === 0
        ? writeFix(draft, at, spelledName(suggestion), false)
        : null
      : isField
        ? addInput(draft, row, head, true)
        : null;
  reportAt(draft, node, "unknown-placeholder", params, { ...atOf(formula, name), fix });
}

const isQuotedText = (text: string, { start }: Range): boolean => text[start] === "'";

/** What may stand in for a value of a kind. */
const OTHERS: { readonly [kind in NonNullable<Checked["unset"][number]["kind"]>]: string | null } = {
  number: "0",
  text: '""',
  boolean: "FALSE",
  list: null,
};

function reportUnset(
  draft: Draft,
  node: DraftNode,
  formula: NodeFormula,
  unset: Checked["unset"][number],
): void {
  const params = {
    field: unset.name,
    reader: node.row.node.name,
    writers: [],
    failing: [],
    formula: { always: unset.always },
  };
  const other = unset.kind === null ? '""' : OTHERS[unset.kind];
  const fix =
    formula.isInCell && other !== null && !unset.always
      ? writeFix(draft, formula.spanOf(unset), inCell(formula, `IFBLANK(${unset.name}, ${other})`), false)
      : null;
  reportAt(draft, node, "maybe-unset", params, { ...atOf(formula, unset), severity: "error", fix });
}

/** A node that decides says TRUE or FALSE, and a formula has one value. */
function checkResult(draft: Draft, node: DraftNode, formula: NodeFormula, { tree, type }: Checked): void {
  const whole = { start: leadOf(formula.text), end: formula.text.trimEnd().length };
  const [, second] = node.row.outputs;
  if (second !== undefined && node.facts?.type === "formula" && !isObject(type) && tree !== null) {
    const message = `a formula has one value, output_field names ${node.row.outputs.length} fields`;
    const params = { message, help: "give each field a node of its own" };
    reportAt(draft, node, "formula-type", params, { span: second.at, column: "output_field" });
  }
  if (tree === null || isBoolean(type) || isOpen(type)) return;
  const isCondition = formula.setting !== null;
  if (!isCondition && node.facts?.outcome !== "signals") return;
  const why = isCondition ? '"if" decides by it' : "next_on_success and next_on_failure decide by it";
  const errors = isCondition ? "" : "; for errors alone, leave next_on_success empty and use next_node";
  const params = {
    message: `the formula is no condition, and ${why}`,
    help: `write a comparison, as in amount > 1000${errors}`,
  };
  reportAt(draft, node, "formula-type", params, atOf(formula, whole));
}

const leadOf = (text: string): number => text.length - text.trimStart().length;
