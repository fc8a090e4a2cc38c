import { line, WIDTH } from "./layout.js";
import { commentText } from "./literals.js";

/** A doc comment with its line end; the empty text for an empty text. */
export function docComment(text: string, indent: number): string {
  const plain = commentText(text);
  if (plain === "") return "";
  const pad = " ".repeat(indent);
  if (pad.length + plain.length + 7 <= WIDTH) return `${pad}/** ${plain} */\n`;
  const width = WIDTH - indent - 3;
  // A word that is wider than a line is cut.
  const words = plain.split(" ").flatMap((word) => word.match(new RegExp(`.{1,${width}}`, "gsu")) ?? []);
  const lines = wrapped(words, width).map((one) => `${line(indent)} * ${one}`);
  return `${pad}/**${lines.join("")}${line(indent)} */\n`;
}

/** The words as lines. */
export function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of words) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
