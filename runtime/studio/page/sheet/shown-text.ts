import { visible } from "../../../../compiler/diagnostics/visible.js";

/** A cell's text on one line, with what is hidden in it as escapes. */
export const oneLine = (text: string): string => text.split(/\r?\n/).map(visible).join(" ↵ ");

/** A hint as a sentence of its own. A name that it begins with stays as it is written. */
export const sentence = (hint: string | null): string =>
  /^[a-z]+ /.test(hint ?? "") ? `${hint?.charAt(0).toUpperCase()}${hint?.slice(1)}` : (hint ?? "");

/** The text with its lines, and what is hidden in it as escapes. */
export const manyLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(visible).join("\t"))
    .join("\n");
