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
  return joined(cut(flat.slice(1, -1)), '"', hangs);
}

/** A template literal of text and expressions in turn. */
export function longTemplate(parts: readonly ({ readonly text: string } | { readonly read: string })[]): Doc {
  const pieces = parts.flatMap((part): readonly Piece[] =>
    "text" in part ? cut(templateText(part.text)) : [{ code: `\${${part.read}}`, ends: false }],
  );
  return joined(pieces, "`", true);
}

/** A text of several lines never stands on one. */
function joined(pieces: readonly Piece[], quote: string, hangs: boolean): Doc {
  const inOne = `${hangs ? " " : ""}${quote}${pieces.map(({ code }) => code).join("")}${quote}`;
  const flat = pieces.slice(0, -1).filter(({ ends }) => ends).length > 1 ? null : inOne;
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
