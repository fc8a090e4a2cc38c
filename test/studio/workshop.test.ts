import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { moduleTokens } from "../../cli/studio/module-tokens.js";
import type { RequestContext } from "../../runtime/http/route.js";
import { compileSheet } from "../../runtime/studio/modules/compile-sheet.js";
import { startStudio, type TestStudio } from "./local.js";
import { post } from "./stream.js";

const SUPPORT = readFileSync("examples/support.csv", "utf8");
const MODULE = "GET /studio/api/sheets/team/support.csv/graphs/Support/module";

interface Module {
  readonly file: string;
  readonly text: string;
  readonly tokens: readonly (readonly [number, number, string])[];
  readonly rows: readonly (readonly [number, number])[];
  readonly stale: boolean;
}

async function open(text = SUPPORT): Promise<TestStudio> {
  const studio = await startStudio({ files: { "workflows/team/support.csv": text }, compiles: true });
  onTestFinished(() => studio.stop());
  return studio;
}

const moduleIn = async (studio: TestStudio, line = MODULE): Promise<Module> =>
  JSON.parse((await studio.ask(line)).body) as Module;

test("a graph's module is shown with its tokens and the row of each line, before it is written", async () => {
  const studio = await open();
  const { file, text, tokens, rows, stale } = await moduleIn(studio);
  expect([file, stale]).toEqual(["generated/support.gen.ts", true]);
  const lines = text.split("\n");
  const linesOf = (record: number): readonly string[] =>
    rows.filter(([, one]) => one === record).map(([line]) => lines[line - 1] ?? "");
  // The record of ApproveRefund: row 7 of the sheet.
  const approve = linesOf(6);
  expect(approve[0]).toContain("ApproveRefund: Node<typeof human");
  expect(approve).toContain("  /** A person decides on the refund */");
  expect(approve).toContain("  ApproveRefund: node(human, {");
  expect(approve.at(-1)).toContain('ApproveRefund: { success: "SendRefund", failure: "Decline" },');
  expect(approve.join("\n")).not.toContain("SendRefund: node");
  const textsOf = (kind: string): readonly string[] =>
    tokens.filter(([, , is]) => is === kind).map(([start, length]) => text.slice(start, start + length));
  expect(textsOf("keyword")).toContain("interface");
  expect(textsOf("string")).toContain('"SendRefund"');
  expect(textsOf("comment")).toContain("/** Says no politely */");
});

test("it is written by compile, is stale when the sheet changes, and has none with errors", async () => {
  const studio = await open();
  const compiled = await post(studio, "sheets/team/support.csv/compile", {});
  expect(compiled).toMatchObject({ status: 200, body: { exit_code: 0 } });
  expect(compiled.body["report"]).toContain("created   generated/support.gen.ts");
  const { text, stale } = await moduleIn(studio);
  expect(stale).toBe(false);
  const path = join(studio.folder, "generated/support.gen.ts");
  expect(readFileSync(path, "utf8")).toBe(text);
  studio.write("workflows/team/support.csv", SUPPORT.replace("Says no politely", "Says no"));
  expect(await moduleIn(studio)).toMatchObject({ stale: true });
  studio.write("workflows/team/support.csv", SUPPORT.replace("Decline,Close", "Decline,Clsoe"));
  const refused = await studio.ask(MODULE);
  expect(refused.status).toBe(422);
  expect(JSON.parse(refused.body)).toMatchObject({ code: "workflow_invalid" });
  const again = await post(studio, "sheets/team/support.csv/compile", {});
  expect(again).toMatchObject({ status: 200, body: { exit_code: 1 } });
  expect(again.body["report"]).toContain("error unknown-node");
  expect(again.body["report"]).not.toContain(studio.folder);
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("what is not there, and what compile must not write over", async () => {
  const studio = await open();
  expect((await studio.ask(MODULE.replace("/Support/", "/None/"))).status).toBe(404);
  expect((await studio.ask(MODULE.replace("support.csv", "none.csv"))).status).toBe(404);
  expect((await studio.ask(MODULE.replace("team/support.csv", "../../x.csv"))).status).toBe(400);
  await post(studio, "sheets/team/support.csv/compile", {});
  const path = join(studio.folder, "generated/support.gen.ts");
  writeFileSync(path, "// mine\n");
  const { body } = await post(studio, "sheets/team/support.csv/compile", {});
  expect(body).toMatchObject({ exit_code: 2 });
  expect(body["report"]).toContain("was not written by flowsheet");
  expect(readFileSync(path, "utf8")).toBe("// mine\n");
});

test("without the whole compiler there is no module, and nothing is written", async () => {
  const studio = await startStudio({ files: { "workflows/team/support.csv": SUPPORT } });
  onTestFinished(() => studio.stop());
  expect((await studio.ask(MODULE)).status).toBe(404);
  expect((await post(studio, "sheets/team/support.csv/compile", {})).status).toBe(404);
  expect(existsSync(join(studio.folder, "generated"))).toBe(false);
  const session = JSON.parse((await studio.ask("GET /studio/api/session")).body);
  expect(session.features).toMatchObject({ module: false, tests: true, debug: true });
});

test("where sheets are only read nothing is compiled either", async () => {
  const wrote: string[] = [];
  const workshop = { compile: async (sheet: string) => void wrote.push(sheet) };
  const context = {
    service: { studio: { mode: "local", may: "read", workshop } },
  } as unknown as RequestContext;
  await expect(async () => compileSheet.handle(context)).rejects.toMatchObject({ code: "permission_denied" });
  expect(wrote).toEqual([]);
});

test("TypeScript's scanner finds the same tokens", async () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: what would be a hole in a template.
  const odd = SUPPORT.replace("Drafts the refund", "A `tick`, a ${hole} and {a: 1}").replace(
    "Send this refund? {draft}",
    "Send `this` $ {draft}, ${draft}?",
  );
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: what would be a hole in a template.
  const { text } = await moduleIn(await open(odd));
  const source = ts.createSourceFile("m.ts", text, ts.ScriptTarget.Latest, true);
  const leaves: string[] = [];
  const walk = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length === 0 && node.getText(source) !== "") leaves.push(node.getText(source));
    for (const child of children) if (!ts.isJSDoc(child)) walk(child);
  };
  walk(source);
  const own = moduleTokens(text).filter(({ is }) => is !== "comment");
  expect(own.map((token) => token.text)).toEqual(leaves);
});
