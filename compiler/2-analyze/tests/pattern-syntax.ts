const LONGEST = 1_000;
const DEEPEST = 50;

/** Refuses what JavaScript does not take, what only backtracking can find, and what is too large. */
export function syntaxFault(source: string): string | null {
  if (source.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  try {
    new RegExp(source, "u");
  } catch (error) {
    return ((error as SyntaxError).message.split(": ").at(-1) ?? "").toLowerCase();
  }
  if ((source.match(/\\./gsu) ?? []).some(([, sign = ""]) => /[1-9k]/.test(sign)))
    return "it refers back to a group";
  const groups = source.replace(/\\./gsu, "").replace(/\[[^\]]*\]/g, "");
  if (/\(\?<?[=!]/.test(groups)) return "it looks ahead or behind with (?=, (?!, (?<= or (?<!";
  let depth = 0;
  for (const sign of groups) {
    if (sign === ")") depth--;
    if (sign === "(" && ++depth >= DEEPEST) return `it is nested more than ${DEEPEST} deep`;
  }
  return null;
}
