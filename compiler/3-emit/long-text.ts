import { type Doc, line, WIDTH } from "./layout.js";
import { stringLiteral, templateText } from "./literals.js";

/** A piece of a long text, as it stands in code. */
interface Piece {
  readonly code: string;
  /** The text ends a line here. */
  readonly ends: boolean;
}

/** The characters around each line of a long text: quotes, and ` +` or `,`. */
const FRAME = 4;
/** A word of more characters is cut. */
const WORD = 80;

/** A string literal. A long one is a sum over several lines, and may begin on a new line. */
export function longString(text: string, { hangs }: { readonly hangs: boolean }): Doc {
  const flat = stringLiteral(text);
  if (flat.length < 40) return hangs ? ` ${flat}` : flat;
  const code = flat.slice(1, -1);
  return joined(code, () => cut(code), { quote: '"', hangs });
}

export function longTemplate(parts: readonly ({ readonly text: string } | { readonly read: string })[]): Doc {
  const codes = parts.map((part) => ("text" in part ? templateText(part.text) : `\${${part.read}}`));
  const pieces = (): readonly Piece[] =>
    codes.flatMap((code, i) => ("text" in parts[i]! ? cut(code) : [{ code, ends: false }]));
  return joined(codes.join(""), pieces, { quote: "`", hangs: true });
}

/** A text of several lines never stands on one. Most texts fit on one line, and are not cut. */
function joined(
  code: string,
  pieces: () => readonly Piece[],
  { quote, hangs }: { readonly quote: string; readonly hangs: boolean },
): Doc {
  const ends = code.includes("\\n")
    ? pieces()
        .slice(0, -1)
        .filter((piece) => piece.ends).length
    : 0;
  const flat = ends > 1 ? null : `${hangs ? " " : ""}${quote}${code}${quote}`;
  const broken = (indent: number): string => {
    const inner = hangs ? indent + 2 : indent;
    const lines = filled(pieces(), WIDTH - inner - FRAME).map((text) => `${quote}${text}${quote}`);
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

/** A character of a literal as its code writes it. */
const CHARACTER = /\\u[\da-f]{4}|\\.|[^\\]/gsu;

/**
 * Cuts the code of a literal after words and line ends, and a very long word between characters.
 * Text is encoded before it is cut: an escape that depends on the next character, such as that of `</script`, stays.
 */
function cut(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let code = "";
  const flush = (ends: boolean): void => {
    if (code !== "") pieces.push({ code, ends });
    code = "";
  };
  for (const [character] of text.matchAll(CHARACTER)) {
    const isNewWord = code.endsWith(" ") && character !== " " && character !== "\\n";
    if (isNewWord || code.length + character.length > WORD) flush(false);
    code += character;
    if (character === "\\n") flush(true);
  }
  flush(false);
  return pieces;
}
