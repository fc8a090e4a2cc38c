import { isSpace } from "../../1-parse/text/white-space.js";
import type { Range } from "../../ir.js";
import { choiceEnd } from "../../types/parse-type.js";
import { around } from "./list-item.js";

export type List = "input_fields" | "output_field";

/** One item of a list of fields that is being written: `[left=]right[.path][?][:type]`. */
export interface Item {
  readonly whole: Range;
  readonly part: "left" | "field" | "type";
  /** The part at the caret. */
  readonly range: Range;
  readonly left: string;
  readonly field: string;
  readonly hasEquals: boolean;
}

const isSeparator = (sign: string): boolean => /[|,;\r\n]/.test(sign);

/** The item at the caret; a separator inside a quoted choice is text. Null where only a path stands. */
export function itemOf(text: string, at: number): Item | null {
  const bounds = boundsAt(text, at);
  const whole = around(text, bounds, at);
  const written = text.slice(bounds.start, bounds.end);
  const colon = indexIn(written, ":", bounds);
  if (colon >= 0 && at > colon) {
    const range = around(text, { start: colon + 1, end: bounds.end }, at);
    const field = fieldIn(text.slice(bounds.start, colon));
    return { whole, part: "type", range, left: "", field, hasEquals: false };
  }
  const end = colon < 0 ? bounds.end : colon;
  const equals = indexIn(text.slice(bounds.start, end), "=", bounds);
  const hasEquals = equals >= 0;
  if (hasEquals && at <= equals) {
    const range = around(text, { start: bounds.start, end: equals }, at);
    return { whole, part: "left", range, left: text.slice(range.start, range.end), field: "", hasEquals };
  }
  const from = hasEquals ? equals + 1 : bounds.start;
  const mark = text.slice(from, end).search(/[.?]/);
  const stop = mark < 0 ? end : from + mark;
  if (at > stop) return null;
  const range = around(text, { start: from, end: stop }, at);
  const field = text.slice(range.start, range.end);
  return {
    whole,
    part: "field",
    range,
    left: hasEquals ? text.slice(bounds.start, equals).trim() : field,
    field,
    hasEquals,
  };
}

const indexIn = (text: string, sign: string, { start }: Range): number => {
  const found = text.indexOf(sign);
  return found < 0 ? -1 : start + found;
};

const fieldIn = (head: string): string => (head.split("=").at(-1) ?? "").split(/[.?]/)[0]?.trim() ?? "";

/** From the separator before the caret to the one behind it. */
function boundsAt(text: string, at: number): Range {
  let start = 0;
  let before = "";
  for (let i = 0; i <= text.length; i++) {
    const sign = text[i] ?? "\n";
    if (sign === "'" && (before === ":" || before === "/")) i = Math.max(i, choiceEnd(text, i));
    else if (isSeparator(sign)) {
      if (i >= at) return { start, end: i };
      start = i + 1;
    }
    if (i >= text.length || !isSpace(text, i)) before = sign;
  }
  return { start, end: text.length };
}

/** What the other items of the cell are told apart by: an input by its name for the agent, an output by its field. */
export function namesBeside(text: string, { whole }: Item, list: List): readonly string[] {
  const rest = `${text.slice(0, whole.start)}|${text.slice(whole.end)}`;
  return rest.split(/[|,;\r\n]/).map((item) => {
    const [head = ""] = item.split(":");
    return list === "input_fields" && head.includes("=") ? (head.split("=")[0] ?? "").trim() : fieldIn(head);
  });
}
