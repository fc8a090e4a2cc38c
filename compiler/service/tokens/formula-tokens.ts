import { type Token, Tokens } from "../../formula/tokens.js";
import type { PromptItem } from "../../ir.js";
import type { CellToken, TokenType } from "./token.js";

/** The names, functions and constants of a formula, up to the first thing that no formula has. */
export function formulaTokens({ text, at: { column } }: PromptItem): readonly CellToken[] {
  const lead = /^\s*=?/.exec(text)?.[0].length ?? 0;
  const reader = new Tokens(text, lead);
  const found: CellToken[] = [];
  let before: Token | null = null;
  for (let token = reader.next(); ; token = reader.next()) {
    if (before !== null) {
      const type = typeOf(before, token);
      if (type !== null) found.push({ column, start: before.start, end: before.end, type });
    }
    if (token.kind === "end") return found;
    before = token;
  }
}

function typeOf(token: Token, after: Token): TokenType | null {
  if (token.kind === "text") return "text";
  if (token.kind === "number") return "value";
  if (token.kind !== "name") return null;
  if (after.kind === "sign" && after.sign === "(") return "setting";
  return /^(?:true|false)$/i.test(token.path[0] ?? "") && !token.quoted ? "value" : "placeholder";
}
