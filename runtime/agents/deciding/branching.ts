import { describeValue } from "../../../compiler/types/describe-value.js";
import { folded, yesOrNo } from "../../../compiler/types/yes-no.js";
import type { AgentContext, Outcome, Settings } from "../../graph/contract/contract.js";
import { decline, type Failure } from "../../graph/contract/signal.js";
import { meets } from "../../graph/formula/criteria.js";
import { ours, pure } from "../../graph/link/marks.js";
import { isMapping, text } from "../../graph/values/values.js";
import { type Inputs, inputOf } from "../agent.js";
import { computed } from "./formula.js";

/** Decides between success and failure: by a formula, by the criteria in `when`, or by the value of an input. */
export const branching = /* @__PURE__ */ pure(
  /* @__PURE__ */ ours(function branching(inputs: object, context: AgentContext): Outcome<boolean> {
    const { formula, settings } = context;
    const { when } = settings;
    if (formula !== undefined) return computed(formula, context, decided);
    const result = isMapping(when) ? meetsAll(inputs as Inputs, when) : decide(inputs as Inputs, settings);
    return result ? true : decline(false);
  }),
);

function decided(value: unknown): boolean | Failure {
  if (typeof value === "boolean") return value ? true : decline(false);
  throw new Error(`the formula gives ${describeValue(value)}, which is neither TRUE nor FALSE`);
}

function meetsAll(inputs: Inputs, when: Inputs): boolean {
  return Object.entries(when).every(([name, criterion]) => meets(inputOf(inputs, name), criterion));
}

function decide(inputs: Inputs, settings: Settings): boolean {
  const field = settings["success_field"];
  const value = typeof field === "string" ? inputOf(inputs, field) : Object.values(inputs)[0];
  const result = listed(value, settings) ?? verdict(value) ?? verdict(settings["default_result"]);
  if (result === undefined)
    throw new Error(`${JSON.stringify(value) ?? "nothing"} is neither a yes nor a no`);
  return result;
}

/** The result from the lists of the settings. With one list and no default, other values mean the opposite. */
function listed(value: unknown, settings: Settings): boolean | undefined {
  const { success_values: yes, failure_values: no, default_result: otherwise } = settings;
  if (has(yes, value)) return true;
  if (has(no, value)) return false;
  if (otherwise !== undefined && (Array.isArray(yes) || Array.isArray(no))) return verdict(otherwise);
  if (Array.isArray(yes) === Array.isArray(no)) return undefined;
  return !Array.isArray(yes);
}

function has(list: unknown, value: unknown): boolean {
  return Array.isArray(list) && list.some((one) => folded(text(one)) === folded(text(value)));
}

/** The meaning of a value: yes or no in common words, a boolean, or a number, of which only zero is no. */
function verdict(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  if (typeof value !== "string") return undefined;
  return yesOrNo(value) ?? OUTCOMES.get(folded(value));
}

/** Words for outcomes that checks and other agents use. */
const OUTCOMES: ReadonlyMap<string, boolean> = new Map([
  ...["success", "succeeded", "pass", "passed", "valid"].map((word) => [word, true] as const),
  ...["failure", "fail", "failed", "invalid"].map((word) => [word, false] as const),
]);
