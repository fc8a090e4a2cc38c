import { readFileSync, writeFileSync } from "node:fs";

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The file that it is, as in ```` ```csv orders.csv ````; empty when it names none. */
  readonly path: string;
  readonly content: string;
  /** The line of its opening fence. */
  readonly line: number;
  /** Why it is not run, from `<!-- not run: … -->` above it. */
  readonly excluded: string | null;
}

const FENCE = /^```(\w*)(?: +(\S+))?\n(.*?)^```$/gms;
const EXCLUDED = /<!-- not run: (.+?) -->\s*$/;

/** The blocks of a page in their order. */
export function readBlocks(file: string): readonly Block[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(FENCE)].map((found) => {
    const [, language = "", path = "", content = ""] = found;
    const before = text.slice(0, found.index);
    return {
      language,
      path,
      content,
      line: before.split("\n").length,
      excluded: EXCLUDED.exec(before)?.[1] ?? null,
    };
  });
}

/** Gives blocks of a page another content, by the lines of their fences. */
export function writeBlocks(file: string, contents: ReadonlyMap<number, string>): void {
  const text = readFileSync(file, "utf8");
  const written = text.replace(FENCE, (block: string, ...found: readonly unknown[]) => {
    const line = text.slice(0, Number(found.at(3))).split("\n").length;
    const content = contents.get(line);
    return content === undefined ? block : `${block.slice(0, block.indexOf("\n") + 1)}${content}\`\`\``;
  });
  writeFileSync(file, written);
}
