import { visible } from "../../../../compiler/diagnostics/visible.js";

/** A cell's text on one line, with what is hidden in it as escapes. */
export const oneLine = (text: string): string => text.split(/\r?\n/).map(visible).join(" ↵ ");

/** The text with its lines, and what is hidden in it as escapes. */
export const manyLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(visible).join("\t"))
    .join("\n");
