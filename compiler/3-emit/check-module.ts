import { ORDER } from "./literals.js";
import { readModule, refuse } from "./module-grammar.js";
import type { Comment } from "./tokens.js";

export interface Allowed {
  /** Local names that stand for values. */
  readonly values: ReadonlySet<string>;
  /** The comments that begin the file. */
  readonly header: string;
}

/**
 * The last gate for injected code: a module must follow a small grammar. It may hold declarations, and calls of the
 * functions that make graphs. The check knows nothing of the encoders, so that it also catches their bugs.
 * Cost: linear in the text.
 */
export function checkModule(text: string, { values, header }: Allowed): void {
  const hidden = text.search(HIDDEN);
  if (hidden !== -1) refuse(text, "an invisible character", hidden);
  const markup = text.search(MARKUP);
  if (markup !== -1) refuse(text, "markup of a page", markup);
  checkComments(readModule(text, values), header, text);
}

/** Editors do not show these characters: a module writes them as escapes. */
const HIDDEN = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

/** Markup that would end or begin a script if the module stood in an HTML page. */
const MARKUP = /<\/script|<!--/i;

/** One doc comment, on one line or on several. */
const DOC = /^\/\*\* (?:[^\n]*) \*\/$|^\/\*\*\n(?: *\* [^\n]*\n)+ *\*\/$/;

function checkComments(comments: readonly Comment[], header: string, module: string): void {
  const count = header.trimEnd().split("\n").length;
  const others = comments.slice(count);
  const first = comments.slice(0, count).map(({ text }) => `${text}\n`);
  if (comments[0]?.start !== 0 || first.join("") !== header) refuse(module, "another header", 0);
  for (const { text, start } of others) {
    const isDoc =
      DOC.test(text) && !text.includes("@") && !text.includes("-->") && !ORDER.test(text.slice(3));
    if (!isDoc) refuse(module, "a comment that is not ours", start);
  }
}
