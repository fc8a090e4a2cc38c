/**
 * Characters that a terminal acts on or does not show: controls, line separators, bidi marks, everything
 * Unicode calls ignorable, lone surrogates. Joiners inside words and emoji do their proper work: kept.
 */
const HIDDEN = String.raw`((?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])|(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})|(?<=[\p{ExtPict}0-9#*])[\ufe0e\ufe0f])|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]`;

let hidden: RegExp | null = null;

/** Made when it is first needed: V8 takes longer for this expression than for all else at the start. */
function hiddenCharacters(): RegExp {
  hidden ??= new RegExp(HIDDEN, "gu");
  return hidden;
}

/** Most text is this: it is not worth the large expression. */
const HARMLESS = /^[ -~]*$/;

const SHORT: { readonly [character: string]: string } = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escapeOf(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}

/** Any text as one harmless line: what a terminal would obey or hide is written as an escape. Linear. */
export function visible(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text.replace(hiddenCharacters(), (match, kept: string | undefined) => kept ?? escapeOf(match));
}

/** Where `text` holds characters that must be escaped, and what is written for each; tabs are left out. */
export function hiddenIn(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (HARMLESS.test(text)) return found;
  for (const match of text.matchAll(hiddenCharacters())) {
    if (match[1] === undefined && match[0] !== "\t") found.set(match.index, escapeOf(match[0]));
  }
  return found;
}

/** Text cut to at most `limit` code units, with an ellipsis for what is left out; no character is cut in two. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
