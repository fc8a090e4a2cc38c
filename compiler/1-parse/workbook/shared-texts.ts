import { BOOK_LIMITS } from "./limits.js";
import { tooLarge } from "./refusal.js";
import { readXml } from "./xml.js";

/** The texts that cells share, in order: the pieces of rich text joined, without hints of how they are spoken. */
export function readSharedTexts(part: string, bytes: Uint8Array): readonly string[] {
  const texts: string[] = [];
  let pieces: string[] | null = null;
  let isText = false;
  let hints = 0;
  readXml(part, bytes, {
    open: ({ name }) => {
      if (name === "si") pieces = [];
      if (name === "rPh") hints++;
      if (name === "t") isText = hints === 0;
    },
    close: (name) => {
      if (name === "t") isText = false;
      if (name === "rPh") hints--;
      if (name !== "si" || pieces === null) return;
      if (texts.length === BOOK_LIMITS.cells)
        throw tooLarge("it has more than 4,000,000 texts", "4,000,000 cells with a value");
      texts.push(unescaped(pieces.join("")));
      pieces = null;
    },
    text: (text) => {
      if (isText) pieces?.push(text);
    },
  });
  return texts;
}

/** Characters that XML cannot hold are written as `_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
