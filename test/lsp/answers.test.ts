import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectGolden } from "../cases/case-folder.js";
import { Editor } from "./editor.js";
import { answersOf } from "./render.js";
import { goldenSheets } from "./sheets.js";

const GOLDEN = "test/lsp/golden";
const sheets = goldenSheets();

let editor: Editor;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flowsheet-lsp-"));
  editor = await Editor.start({ roots: [folder] });
});

afterAll(async () => {
  const { code, stderr } = await editor.leave();
  rmSync(folder, { recursive: true, force: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("there are sheets of every kind", () => {
  expect(sheets.length).toBeGreaterThanOrEqual(40);
  expect(new Set(sheets.map(({ name }) => name)).size).toBe(sheets.length);
});

test.each(sheets)("the answers about $name", async ({ name, file, text, beside = {} }) => {
  const workflows = join(folder, name, "workflows");
  mkdirSync(workflows, { recursive: true });
  writeFileSync(join(folder, name, "flowsheet.yaml"), "workflows: workflows\n");
  for (const [path, content] of Object.entries({ ...beside, [file]: text }))
    writeFileSync(join(workflows, path), content);
  const uri = await editor.open(join(workflows, file), text);
  const answers = await answersOf(editor, uri, text);
  await editor.close(uri);
  expectGolden(join(GOLDEN, `${name}.txt`), answers);
});
