import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheet } from "../cli/run.js";

const FILE = "docs/debugging.md";
const text = readFileSync(FILE, "utf8");

interface Block {
  readonly language: string;
  readonly path: string;
  /** Its file is there only for what follows it. */
  readonly isLate: boolean;
  readonly content: string;
}

const blocks: readonly Block[] = [...text.matchAll(/^```(\w+)(?: +(\S+))?( +late)?\n(.*?)^```$/gms)].map(
  ([, language = "", path = "", late, content = ""]) => ({
    language,
    path,
    isLate: late !== undefined,
    content,
  }),
);

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replace(/['"]/g, ""));

/** What differs from machine to machine and from run to run: times, versions, and what follows from them. */
function steady(command: string, output: string): string {
  if (command.startsWith("flowsheet bench")) {
    const verdict =
      /^(?:No difference can be told|\w+ is [\d.]+ times as fast as \w+): the medians differ by .*\.$/m;
    return output
      .replace(verdict, "VERDICT")
      .replace(/^The times of \w+ are far apart.*\n/gm, "")
      .replace(/(?:[\d.]+ [kM]B|\?)$/gm, "HEAP")
      .replace(/[\d.]+ [nµm]?s\b/g, "TIME")
      .replace(/[\d.]+/g, "N")
      .replace(/ +/g, " ");
  }
  if (!command.startsWith("flowsheet doctor")) return output;
  return output.replace(/^(ok +(?:flowsheet|node|package) +.*?)v?\d[\d.]*/gm, "$1N");
}

test("every example of docs/debugging.md prints what stands there", async () => {
  const cwd = createFolder();
  const write = ({ path, content }: Block): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  };
  for (const block of blocks) if (block.path !== "" && !block.isLate) write(block);
  let updated = text;
  let examples = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.isLate) write(block);
    if (block.language !== "sh") continue;
    const command = block.content.trim();
    const [program, ...words] = wordsOf(command);
    expect(program).toBe("flowsheet");
    const at = words.indexOf("<");
    const input = at === -1 ? "" : readFileSync(join(cwd, words[at + 1] ?? ""), "utf8");
    const args = at === -1 ? words : words.slice(0, at);
    const { stdout, stderr } = await flowsheet(args, { cwd, input });
    const said = stderr + stdout;
    const expected = blocks[index + 1]?.content ?? "";
    examples += 1;
    if (process.env["GOLDEN"] === "write") {
      const before = `\`\`\`sh\n${block.content}\`\`\`\n\n\`\`\`text\n`;
      updated = updated.replace(`${before}${expected}\`\`\``, () => `${before}${said}\`\`\``);
    } else expect(steady(command, said), command).toBe(steady(command, expected));
  }
  expect(examples).toBe(6);
  if (updated !== text) writeFileSync(FILE, updated);
});
