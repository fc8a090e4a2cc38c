/**
 * Characters that control a terminal or are invisible: controls, line separators, bidi marks, ignorable code points,
 * lone surrogates. Joiners inside words and emoji are allowed.
 */
const HIDDEN = String.raw`((?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])|(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})|(?<=[\p{ExtPict}0-9#*])[\ufe0e\ufe0f])|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]`;

let hidden: RegExp | null = null;

/** Compiled on first use: V8 takes longer for it than for the rest of the start. */
function hiddenCharacters(): RegExp {
  hidden ??= new RegExp(HIDDEN, "gu");
  return hidden;
}

/** A fast check, because most text needs no escapes. */
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

/** Text as one safe line: control characters and hidden ones are escaped. Cost: linear. */
export function visible(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text.replace(hiddenCharacters(), (match, kept: string | undefined) => kept ?? escapeOf(match));
}

/** The characters of `text` that must be escaped, with their escapes, by offset. Tabs are left out. */
export function hiddenIn(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (HARMLESS.test(text)) return found;
  for (const match of text.matchAll(hiddenCharacters())) {
    if (match[1] === undefined && match[0] !== "\t") found.set(match.index, escapeOf(match[0]));
  }
  return found;
}

/** So much of a name is shown: whoever asks may give any length. */
const LONGEST_NAME = 64;

/** A name that somebody gave, for a message. */
export const quoted = (name: string): string => JSON.stringify(clip(name, LONGEST_NAME));

/** Text cut to `limit` code units with an ellipsis. No character is split. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
