import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectDiagnostics, mock, scriptedModel } from "../../runtime/testing/index.js";
import { flowsheet } from "../cli/run.js";

/** Every block of docs/testing.md, in its order: sheets are saved, commands are run, and print what the page says. */
test("docs/testing.md shows what really comes", async () => {
  const file = "docs/testing.md";
  const text = readFileSync(file, "utf8");
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-docs-"));
  let printed = "";
  let at = 0;
  let commands = 0;
  for (const match of text.matchAll(/^```(csv|console|yaml (\S+))\n(.*?)^```$/gms)) {
    const [block, kind, path, body = ""] = match;
    printed += text.slice(at, match.index);
    at = match.index + block.length;
    if (kind !== "console") {
      const sheet = body.startsWith("graph_name") ? "refund.csv" : "refund.test.csv";
      writeFileSync(join(folder, path ?? sheet), body);
      printed += block;
      continue;
    }
    const [command = ""] = body.split("\n");
    const { stdout, stderr } = await flowsheet(wordsOf(command.replace("$ flowsheet ", "")), {
      cwd: folder,
    });
    commands++;
    printed += `\`\`\`console\n${command}\n${stdout}${stderr}\`\`\``;
  }
  rmSync(folder, { recursive: true });
  printed += text.slice(at);
  if (process.env["GOLDEN"] === "write") writeFileSync(file, printed);
  else expect(printed).toBe(text);
  expect(commands).toBe(6);
});

/** The words of a command as a shell reads them. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted = word]) => quoted);

test("its TypeScript names what flowsheet/testing has", () => {
  for (const name of ["expectDiagnostics", "mock", "scriptedModel", "testSheet"])
    expect(readFileSync("docs/testing.md", "utf8")).toMatch(
      new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from "flowsheet/testing"`),
    );
  expectDiagnostics("graph_name,node_name,next_node\ng,A,B\n", ["unknown-node C2"]);
  expect(
    [mock.visits, mock.throws, mock.returns, mock.fails, scriptedModel].every(
      (one) => typeof one === "function",
    ),
  ).toBe(true);
});
