import { visible } from "../../diagnostics/visible.js";

const LONGEST = 600;

/** A sheet's text as Markdown that shows nothing but that text: no link, picture, HTML or list comes of it. */
export function plainText(text: string): string {
  return visible(cut(text).replace(/\s+/gu, " ").trim()).replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** A sheet's text as code in a line. Backticks inside cannot end it. */
export function code(text: string): string {
  const shown = visible(cut(text).replace(/\s+/gu, " "));
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || shown.trim() === "" || shown.trim() !== shown ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Lines of TypeScript. No line of a type begins with backticks. */
export const typescript = (lines: readonly string[]): string =>
  `\`\`\`ts\n${lines.map((line) => line.replace(/[\r\n\u2028\u2029]/g, " ")).join("\n")}\n\`\`\``;

const cut = (text: string): string => {
  if (text.length <= LONGEST) return text;
  const short = text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "");
  return `${short}…`;
};

const MOST_NAMED = 8;

/** Names in a line, and how many more there are. */
export function named(names: readonly string[], and = "and"): string {
  const shown = names.slice(0, MOST_NAMED);
  const more = names.length - shown.length;
  const all = more === 0 ? shown : [...shown, `${more} more`];
  if (all.length < 2) return all.join("");
  return `${all.slice(0, -1).join(", ")} ${and} ${all.at(-1)}`;
}

/** Paragraphs; those that say nothing are left out. */
export const paragraphs = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== "").join("\n\n");

/** A sentence; empty where the list is. */
export const sentence = (begin: string, names: readonly string[]): string =>
  names.length === 0 ? "" : `${begin} ${named(names)}.`;
