import { Tokens } from "../../compiler/3-emit/tokens.js";
import type { TokenClass } from "../../runtime/studio/workshop.js";

export interface ModuleToken {
  readonly start: number;
  readonly length: number;
  readonly text: string;
  /** Null for names and signs. */
  readonly is: TokenClass | null;
}

const KEYWORDS = new Set(
  "as boolean const export extends false from import interface keyof null number string true type typeof undefined unknown void".split(
    " ",
  ),
);

/** The tokens of a generated module, in their order, by the scanner that has checked it. */
export function moduleTokens(text: string): readonly ModuleToken[] {
  const scanner = new Tokens(text, (what) => {
    throw new Error(`a generated module holds ${what}`);
  });
  const found: ModuleToken[] = [];
  /** For each open brace, whether it opened a hole of a template. */
  const open: boolean[] = [];
  for (scanner.next(); scanner.kind !== "end"; scanner.next()) {
    if (scanner.word === "}" && open.pop() === true) scanner.endHole();
    const { start, word, kind } = scanner;
    if (kind === "template" ? word.endsWith("${") : word === "{") open.push(kind === "template");
    found.push({ start, length: word.length, text: word, is: classOf(scanner) });
  }
  const comments = scanner.comments.map(
    ({ start, text: { length }, text }): ModuleToken => ({ start, length, text, is: "comment" }),
  );
  return [...found, ...comments].sort((a, b) => a.start - b.start);
}

function classOf({ kind, word }: Tokens): TokenClass | null {
  if (kind === "string" || kind === "template") return "string";
  if (kind === "number") return "number";
  return kind === "word" && KEYWORDS.has(word) ? "keyword" : null;
}
