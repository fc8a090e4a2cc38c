import type { OptionSpec } from "./verb.js";

/** The sheet, where it is no operand. */
export const csv: OptionSpec = ["--csv <path>", "the sheet's file"];

export const input: OptionSpec = [
  "--input <name=value>",
  "a value to start with, read by its field's type; may be given again",
  "repeatable",
];

export const beginWith: readonly OptionSpec[] = [
  input,
  ["--state <json>", "values to start with: JSON, or @file"],
];
