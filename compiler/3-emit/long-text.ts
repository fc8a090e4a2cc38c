import { type Doc, line, WIDTH } from "./layout.js";
import { stringLiteral, templateText } from "./literals.js";

/** A piece of a long text, as it stands in code. */
interface Piece {
  readonly code: string;
  /** The text ends a line here. */
  readonly ends: boolean;
}

/** What stands around each line of a long text, beside its indentation: quotes, and ` +` or `,`. */
const FRAME = 4;
/** A word of more characters is cut. */
const WORD = 80;

/** A string literal; over several lines, with a + between them, where it is long. */
export function longString(text: string, { hangs }: { readonly hangs: boolean }): Doc {
  const flat = stringLiteral(text);
  if (flat.length < 40) return hangs ? ` ${flat}` : flat;
  const code = (piece: string): string => stringLiteral(piece).slice(1, -1);
  return joined(cut(text, code), { flat: hangs ? ` ${flat}` : flat, quote: '"', hangs });
}

/** A template literal of text and expressions in turn. */
export function longTemplate(parts: readonly ({ readonly text: string } | { readonly read: string })[]): Doc {
  const pieces = parts.flatMap((part): readonly Piece[] =>
    "text" in part ? cut(part.text, templateText) : [{ code: `\${${part.read}}`, ends: false }],
  );
  const lines = pieces.slice(0, -1).filter(({ ends }) => ends).length;
  const flat = lines > 1 ? null : ` \`${pieces.map(({ code }) => code).join("")}\``;
  return joined(pieces, { flat, quote: "`", hangs: true });
}

interface Look {
  readonly flat: string | null;
  readonly quote: string;
  /** It begins on a line of its own. */
  readonly hangs: boolean;
}

function joined(pieces: readonly Piece[], { flat, quote, hangs }: Look): Doc {
  const broken = (indent: number): string => {
    const inner = hangs ? indent + 2 : indent;
    const lines = filled(pieces, WIDTH - inner - FRAME).map((code) => `${quote}${code}${quote}`);
    return `${hangs ? line(inner) : ""}${lines.join(` +${line(hangs ? inner : inner + 2)}`)}`;
  };
  return { kind: "fitted", flat, broken };
}

/** Pieces put together to lines that are as long as there is room. */
function filled(pieces: readonly Piece[], room: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const { code, ends } of pieces) {
    if (current !== "" && current.length + code.length > room) {
      lines.push(current);
      current = "";
    }
    current += code;
    if (!ends) continue;
    lines.push(current);
    current = "";
  }
  if (current !== "" || lines.length === 0) lines.push(current);
  return lines;
}

/** Text cut after its words and lines; what has no words is cut between characters. */
function cut(text: string, encode: (text: string) => string): readonly Piece[] {
  const words = text.match(/\n|[^\s]+[^\S\n]*\n?|[^\S\n]+\n?/gu) ?? [];
  return words.flatMap((word) =>
    pieces(word).map((piece) => ({ code: encode(piece), ends: piece.endsWith("\n") })),
  );
}

/** A long word in parts. A character stays whole, and so does the `$` before a `{`. */
function pieces(word: string): readonly string[] {
  if (word.length <= WORD && !/[^\x20-\x7e\n]/.test(word)) return [word];
  const parts: string[] = [];
  let part = "";
  let width = 0;
  for (const character of word) {
    const more = /[\x20-\x7e]/.test(character) ? 1 : 12;
    if (width + more > WORD && part !== "") {
      parts.push(part);
      part = "";
      width = 0;
    }
    part += character;
    width += more;
  }
  return [...parts, part];
}
