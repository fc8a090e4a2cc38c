import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CancellationTokenSource } from "vscode-jsonrpc/node";
import type {
  CodeAction,
  CodeLens,
  Location,
  SemanticTokens,
  SemanticTokensDelta,
  SymbolInformation,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { createFolder } from "../cli/folder.js";
import { bookOf, rowsOf } from "../workbook/made.js";
import { Editor, uriOf, WATCHING } from "./editor.js";

const HEAD = "graph_name,node_name,next,agent_type,input_fields,output_field,context,prompt\n";
const FLOWS = `${HEAD}Main,Call,Own,graph,,,"{""graph"": ""Inner""}",\nMain,Own,,Shout,answer,loud,,file:loud.md\nMain,Say,,echo,,said,,prompt:polite\n`;
const INNER = `${HEAD}Inner,Ask,Tell,echo,,answer,,Hi\nInner,Tell,,echo,answer,told,,{answer}\n`;
const TESTS = 'case,graph_name,expect_path,mocks\nall,Inner,Ask>Tell,"{""Ask"": {""answer"": ""A""}}"\n';
const MAIN_TESTS = 'case,graph_name,mocks\nall,Main,"{""Call/Ask"": {""answer"": ""A""}}"\n';
const AGENT =
  'import { Agent } from "flowsheet";\n\nexport class ShoutAgent extends Agent {\n  async run() {\n    return "A";\n  }\n}\n';

const PROJECT = {
  "flowsheet.yaml": "workflows: flows\n",
  "flows/main.csv": FLOWS,
  "flows/main.test.csv": MAIN_TESTS,
  "flows/inner.csv": INNER,
  "flows/inner.test.csv": TESTS,
  "agents/shout.ts": AGENT,
  "prompts/loud.md": "Louder!",
  "prompts/prompts.yaml": "rude: Go away\npolite: Please\n",
};

const CAPABILITIES = {
  workspace: { ...WATCHING.workspace, workspaceEdit: { documentChanges: true } },
  textDocument: { codeAction: { resolveSupport: { properties: ["edit"] } } },
};

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start({ capabilities: CAPABILITIES });
});
afterAll(async () => {
  const { code, stderr } = await editor.leave();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

async function open(folder: string, path: string): Promise<string> {
  return editor.open(join(folder, path), readFileSync(join(folder, path), "utf8"));
}

const shown = (found: readonly Location[]): readonly string[] =>
  found.map(
    ({ uri, range: { start, end } }) =>
      `${uri.split("/").at(-1)} ${start.line}:${start.character}-${end.line}:${end.character}`,
  );

const changesOf = (edit: WorkspaceEdit | undefined): readonly TextDocumentEdit[] =>
  (edit?.documentChanges ?? []) as TextDocumentEdit[];

const applied = (text: string, edit: TextDocumentEdit | undefined): string =>
  TextDocument.applyEdits(TextDocument.create("", "csv", 1, text), (edit?.edits ?? []) as TextEdit[]);

const refusalOf = (asked: Promise<unknown>): Promise<{ readonly code: number; readonly message: string }> =>
  asked.then(
    () => {
      throw new Error("it was answered");
    },
    (error: { readonly code: number; readonly message: string }) => ({
      code: error.code,
      message: error.message,
    }),
  );

test("a definition leads to other sheets, to the class of an agent, and to prompts", async () => {
  const folder = createFolder(PROJECT);
  const uri = await open(folder, "flows/main.csv");
  const definition = async (line: number, character: number): Promise<readonly string[]> =>
    shown(await editor.at<Location[]>("textDocument/definition", uri, { line, character }));
  expect(await definition(1, 11)).toEqual(["main.csv 2:5-2:8"]);
  expect(await definition(1, 39)).toEqual(["inner.csv 1:0-1:5"]);
  expect(await definition(2, 11)).toEqual(["shout.ts 2:13-2:23"]);
  expect(await definition(2, 40)).toEqual(["loud.md 0:0-0:0"]);
  expect(await definition(3, 30)).toEqual(["prompts.yaml 1:0-1:6"]);
  await editor.close(uri);
});

test("a prompt that is a link out of the project has no definition", async () => {
  const outside = createFolder({ "loud.md": "Louder!" });
  const folder = createFolder(PROJECT);
  rmSync(join(folder, "prompts/loud.md"));
  symlinkSync(join(outside, "loud.md"), join(folder, "prompts/loud.md"));
  const uri = await open(folder, "flows/main.csv");
  expect(await editor.at("textDocument/definition", uri, { line: 2, character: 40 })).toEqual([]);
  await editor.close(uri);
});

test("references and renames go over the test sheet and the sheets that run the graph, with theirs", async () => {
  const folder = createFolder(PROJECT);
  const uri = await open(folder, "flows/inner.csv");
  const ask = { line: 1, character: 7 };
  const context = { includeDeclaration: false };
  const found = await editor.at<Location[]>("textDocument/references", uri, ask, { context });
  expect(shown(found)).toEqual([
    "inner.test.csv 1:10-1:13",
    "inner.test.csv 1:23-1:26",
    "main.test.csv 1:18-1:21",
  ]);
  const renamed = await editor.at<WorkspaceEdit>("textDocument/rename", uri, ask, {
    newName: "First, please",
  });
  const files = changesOf(renamed).map((edit) => {
    const path = `flows/${edit.textDocument.uri.split("/").at(-1) ?? ""}`;
    return [edit.textDocument.version, path, applied(readFileSync(join(folder, path), "utf8"), edit)];
  });
  expect(files).toEqual([
    [1, "flows/inner.csv", INNER.replace("Inner,Ask,", 'Inner,"First, please",')],
    [
      null,
      "flows/inner.test.csv",
      TESTS.replace("Ask>Tell", '"First, please>Tell"').replace('""Ask""', '""First, please""'),
    ],
    [null, "flows/main.test.csv", MAIN_TESTS.replace("Call/Ask", "Call/First, please")],
  ]);
  const graph = await editor.at<WorkspaceEdit>(
    "textDocument/rename",
    uri,
    { line: 1, character: 1 },
    { newName: "Deep" },
  );
  expect(
    changesOf(graph)
      .map(({ textDocument }) => textDocument.uri.split("/").at(-1))
      .toSorted(),
  ).toEqual(["inner.csv", "inner.test.csv", "main.csv"]);
  await editor.close(uri);
});

test("a rename says which cells of workbooks keep the old name", async () => {
  const folder = createFolder(PROJECT);
  const caller = [
    HEAD.trim().split(","),
    ["Outer", "Call", "", "graph", "", "answer", '{"graph": "Inner"}', ""],
  ];
  writeFileSync(
    join(folder, "flows/calls.xlsx"),
    bookOf({ sheets: [{ name: "Flow", data: rowsOf(caller) }] }),
  );
  const uri = await open(folder, "flows/inner.csv");
  await editor.at("textDocument/rename", uri, { line: 1, character: 1 }, { newName: "Deep" });
  const said = '"Inner" stands in a workbook, too, which an editor does not change: ';
  await editor.until(() => editor.shown.some((message) => message.startsWith(said)));
  expect(editor.shown.find((message) => message.startsWith(said))).toMatch(/calls\.xlsx at G2$/);
  await editor.close(uri);
});

test("a rename is refused with the reason: a taken name with its row, a blank one, one with a sign of its own", async () => {
  const folder = createFolder(PROJECT);
  const uri = await open(folder, "flows/inner.csv");
  const rename = (
    newName: string,
    character = 7,
  ): Promise<{ readonly code: number; readonly message: string }> =>
    refusalOf(editor.at("textDocument/rename", uri, { line: 1, character }, { newName }));
  expect((await rename("Tell")).message).toMatch(/^"Tell" is taken: row \d/);
  for (const name of ["", " ", "END", "A|B"]) expect((await rename(name)).code).toBe(-32803);
  const prepared = refusalOf(editor.at("textDocument/prepareRename", uri, { line: 1, character: 16 }));
  expect((await prepared).code).toBe(-32803);
  await editor.close(uri);
});

test("the symbols of a project are found by the letters of their names", async () => {
  const folder = createFolder(PROJECT);
  const uri = await open(folder, "flows/main.csv");
  const find = async (query: string): Promise<readonly string[]> =>
    (await editor.request<SymbolInformation[]>("workspace/symbol", { query })).map(
      ({ name, containerName, location }) => `${containerName ?? ""} ${name} ${shown([location])}`,
    );
  expect(await find("inn")).toEqual([" Inner inner.csv 1:0-1:5"]);
  expect(await find("tll")).toEqual(["Inner Tell inner.csv 2:6-2:10"]);
  expect((await find("")).length).toBeGreaterThan(7);
  await editor.close(uri);
});

test("only what differs of the colours is sent when the client knows the answer before", async () => {
  const folder = createFolder(PROJECT);
  const uri = await open(folder, "flows/inner.csv");
  const textDocument = { uri };
  const first = await editor.request<SemanticTokens>("textDocument/semanticTokens/full", { textDocument });
  const range = { start: { line: 1, character: 6 }, end: { line: 1, character: 9 } };
  await editor.change(uri, [{ range, text: "Question" }]);
  const previousResultId = first.resultId ?? "";
  const delta = await editor.request<SemanticTokensDelta>("textDocument/semanticTokens/full/delta", {
    textDocument,
    previousResultId,
  });
  const data = [...first.data];
  for (const { start, deleteCount, data: added = [] } of delta.edits.toReversed())
    data.splice(start, deleteCount, ...added);
  const whole = await editor.request<SemanticTokens>("textDocument/semanticTokens/full", { textDocument });
  expect(data).toEqual(whole.data);
  expect(delta.edits.length).toBeGreaterThan(0);
  const unknown = await editor.request<SemanticTokens>("textDocument/semanticTokens/full/delta", {
    textDocument,
    previousResultId: "x",
  });
  expect(unknown.data).toEqual(whole.data);
  const part = await editor.request<SemanticTokens>("textDocument/semanticTokens/range", {
    textDocument,
    range: { start: { line: 2, character: 0 }, end: { line: 2, character: 1 } },
  });
  expect(part.data.length).toBeLessThan(whole.data.length);
  expect(part.data[0]).toBe(2);
  await editor.close(uri);
});

const FAULTY = `${HEAD}Main,One,Tow,echo,,a,"{'x': True}",Hi\nMain,Two,,echo,a,b,,{a}\n`;

test("fixes by their kind; all safe fixes are worked out when they are chosen", async () => {
  const folder = createFolder({ "main.csv": FAULTY });
  const uri = await open(folder, "main.csv");
  const diagnostics = await editor.problems(uri);
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const ask = (only?: readonly string[]): Promise<CodeAction[]> =>
    editor.request("textDocument/codeAction", {
      textDocument: { uri },
      range,
      context: { diagnostics, ...(only && { only }) },
    });
  const quick = await ask(["quickfix"]);
  expect(new Set(quick.map(({ kind }) => kind))).toEqual(new Set(["quickfix"]));
  expect(quick.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Write "Two"/),
      "Explain unknown-node",
      "Explain python-literal",
    ]),
  );
  expect(await ask(["refactor"])).toEqual([]);
  const [all] = await ask(["source.fixAll"]);
  expect(all).toMatchObject({ kind: "source.fixAll.flowsheet" });
  expect(all?.edit).toBeUndefined();
  const resolved = await editor.request<CodeAction>("codeAction/resolve", all);
  const [edit] = changesOf(resolved.edit);
  expect(edit?.textDocument).toEqual({ uri, version: 1 });
  expect(applied(FAULTY, edit)).toBe(FAULTY.replace(`"{'x': True}"`, '"{""x"": true}"'));
  // After a change nothing is known to be right.
  await editor.change(uri, [{ range: { start: range.start, end: range.start }, text: "# note\n" }]);
  expect((await editor.request<CodeAction>("codeAction/resolve", all)).edit).toBeUndefined();
  await editor.close(uri);
});

test("explain answers what the command says, and shows it where the client does not", async () => {
  const told = editor.shown.length;
  const execute = (args: readonly unknown[]): Promise<unknown> =>
    editor.request("workspace/executeCommand", { command: "flowsheet.explain", arguments: args });
  expect(await execute([{ code: "unknown-node" }])).toMatch(/^error unknown-node: /);
  await editor.until(() => editor.shown.length > told);
  expect(await execute([{ code: "config-bad-value" }])).toMatch(/^config-bad-value/);
  expect((await refusalOf(execute([{ code: "no-such-code" }]))).code).toBe(-32602);
  expect((await refusalOf(execute([]))).code).toBe(-32602);
  const other = editor.request("workspace/executeCommand", { command: "rm", arguments: [] });
  expect((await refusalOf(other)).code).toBe(-32602);
});

test("scaffold writes an agent by the open text, and never over what is there", async () => {
  const folder = createFolder({
    "flowsheet.yaml": "",
    "workflows/main.csv": `${HEAD}Main,One,,echo,,a,,Hi\n`,
  });
  const uri = await open(folder, "workflows/main.csv");
  await editor.change(uri, [{ text: `${HEAD}Main,One,,next_row,question,count:number,,Hi\n` }]);
  const [problem] = await editor.problems(uri);
  expect(problem?.code).toBe("unknown-agent");
  const range = { start: { line: 1, character: 11 }, end: { line: 1, character: 11 } };
  const actions = await editor.request<CodeAction[]>("textDocument/codeAction", {
    textDocument: { uri },
    range,
    context: { diagnostics: [] },
  });
  const command = actions.find(({ title }) => title.startsWith("Scaffold"))?.command;
  expect(command).toMatchObject({ command: "flowsheet.scaffold", arguments: [{ uri, agent: "next_row" }] });
  const execute = (): Promise<unknown> => editor.request("workspace/executeCommand", command);
  const path = join(folder, "agents/next-row.ts");
  expect(await execute()).toMatchObject({
    created: [uriOf(path), uriOf(join(folder, "agents/next-row.test.ts"))],
  });
  expect(readFileSync(path, "utf8")).toContain("question");
  // This client says that it watches the files, and tells nothing.
  await editor.told(uri, (codes) => !codes.includes("unknown-agent"));
  writeFileSync(path, "// mine\n");
  expect((await refusalOf(execute())).message).toMatch(/there already/);
  expect(readFileSync(path, "utf8")).toBe("// mine\n");
  expect(existsSync(join(folder, "agents/next-row.ts.bak"))).toBe(false);
  await editor.close(uri);
});

test("a picture follows the caret, and is escaped", async () => {
  const folder = createFolder({ "main.csv": `${HEAD}A,"<script>&",,echo,,a,,Hi\nB,Two,,echo,,b,,Hi\n` });
  const uri = await open(folder, "main.csv");
  const picture = await editor.at<{ graph: string; svg: string }>("flowsheet/picture", uri, {
    line: 1,
    character: 4,
  });
  expect(picture.graph).toBe("A");
  expect(picture.svg).toMatch(/^<svg /);
  expect(picture.svg).toContain("&lt;script&gt;&amp;");
  expect(picture.svg).not.toContain("<script>");
  expect(await editor.at("flowsheet/picture", uri, { line: 2, character: 0 })).toMatchObject({ graph: "B" });
  await editor.close(uri);
});

const METHODS = [
  ...["completion", "definition", "references", "documentHighlight", "hover", "prepareRename", "rename"],
  ...["documentSymbol", "foldingRange", "codeLens", "inlayHint"],
  ...["semanticTokens/full", "semanticTokens/full/delta", "semanticTokens/range", "codeAction"],
].map((name) => `textDocument/${name}`);

const everything = (uri: string) => ({
  textDocument: { uri },
  position: { line: 0, character: 3 },
  range: { start: { line: 0, character: 0 }, end: { line: 4_000_000, character: 0 } },
  context: { diagnostics: [], includeDeclaration: true },
  newName: "Other",
  previousResultId: "",
});

test.each([...METHODS, "flowsheet/picture"])(
  "%s about a file that is not open, or is no sheet, answers null",
  async (method) => {
    const folder = createFolder({ "prices.csv": "item,price\nTea,3\n" });
    expect(await editor.request(method, everything(uriOf(join(folder, "gone.csv"))))).toBeNull();
    expect(await editor.request(method, everything("nonsense"))).toBeNull();
    const uri = await open(folder, "prices.csv");
    const answer = await editor.request(method, everything(uri));
    expect(answer === null || JSON.stringify(answer) === "[]").toBe(true);
    await editor.close(uri);
    expect(await editor.request(method, everything(uri))).toBeNull();
  },
);

test.each(METHODS)("%s with wrong parameters is answered as such", async (method) => {
  const folder = createFolder({ "main.csv": `${HEAD}Main,One,,echo,,a,,Hi\n` });
  const uri = await open(folder, "main.csv");
  for (const params of [{}, { textDocument: { uri: 1 } }, [], "text", 7]) {
    const answer = await editor.request(method, params).then(
      () => null,
      ({ code }: { readonly code: number }) => code,
    );
    expect(answer).toBe(-32602);
  }
  const half = await editor
    .request(method, { textDocument: { uri }, position: { line: -1 }, range: 3, context: 1 })
    .then(
      () => 0,
      ({ code }: { readonly code: number }) => code,
    );
  expect([0, -32602]).toContain(half);
  await editor.close(uri);
});

test("a request that is cancelled is answered so", async () => {
  const folder = createFolder(PROJECT);
  const uri = await open(folder, "flows/main.csv");
  const source = new CancellationTokenSource();
  const about = { textDocument: { uri }, position: { line: 1, character: 0 } };
  const asked = editor.connection.sendRequest("flowsheet/picture", about, source.token);
  source.cancel();
  expect((await refusalOf(asked)).code).toBe(-32800);
  await editor.close(uri);
});

test("an answer about a text that has changed meanwhile is void", async () => {
  const folder = createFolder(PROJECT);
  const uri = await open(folder, "flows/main.csv");
  const asked = editor.at("flowsheet/picture", uri, { line: 1, character: 0 });
  await editor.change(uri, [{ text: FLOWS }]);
  const code = await asked.then(
    () => 0,
    (error: { readonly code: number }) => error.code,
  );
  expect([0, -32801]).toContain(code);
  await editor.close(uri);
});

test("what an editor changes in the text arrives: each request is about the same text", async () => {
  const folder = createFolder({ "main.csv": FAULTY });
  const uri = await open(folder, "main.csv");
  const mirror = TextDocument.create(uri, "csv", 1, FAULTY);
  const edits = [
    { range: { start: { line: 1, character: 9 }, end: { line: 1, character: 12 } }, text: "Two" },
    { range: { start: { line: 1, character: 22 }, end: { line: 1, character: 35 } }, text: "" },
    { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "# Grüße 👋\r\n" },
    {
      range: { start: { line: 99, character: 0 }, end: { line: 99, character: 9 } },
      text: "Main,Drei,,echo,,c,,Hi\r\n",
    },
    { range: { start: { line: 3, character: 400 }, end: { line: 3, character: 500 } }, text: " 👩‍👩‍👧" },
  ];
  for (const [index, edit] of edits.entries()) {
    await editor.change(uri, [edit]);
    TextDocument.update(mirror, [edit], index + 2);
    const other = await editor.open(join(folder, `copy-${index}.csv`), mirror.getText());
    const [told, wanted] = [await editor.problems(uri), await editor.problems(other)];
    expect(told).toEqual(wanted);
    const ask = (about: string): Promise<unknown> =>
      editor.request("textDocument/semanticTokens/full", { textDocument: { uri: about } });
    expect({ ...((await ask(uri)) as object), resultId: "" }).toEqual({
      ...((await ask(other)) as object),
      resultId: "",
    });
    await editor.close(other);
  }
  await editor.close(uri);
});

test("no request on a large sheet hangs", async () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => `G${i % 40},Node ${i},,echo,a,b${i},,"{a}, ${i}"\n`);
  const text = HEAD + rows.join("");
  const folder = createFolder({ "large.csv": text });
  const uri = await editor.open(join(folder, "large.csv"), text);
  await editor.problems(uri);
  const about = { ...everything(uri), position: { line: 1_000, character: 6 } };
  const isQuick = async (method: string): Promise<boolean> => {
    const began = performance.now();
    await editor.request(method, about).catch(() => null);
    return performance.now() - began < 2_000;
  };
  // A machine with other work may be slow for a while: what hangs is slow each time.
  for (const method of METHODS)
    expect([method, (await isQuick(method)) || (await isQuick(method)) || (await isQuick(method))]).toEqual([
      method,
      true,
    ]);
  await editor.close(uri);
});

test("a text without a file is a sheet by its language", async () => {
  const uri = await editor.open("untitled:Untitled-1", FAULTY);
  expect((await editor.problems(uri)).map(({ code }) => code)).toContain("unknown-node");
  const about = { textDocument: { uri } };
  expect(await editor.request("textDocument/codeLens", about)).toHaveLength(1);
  const arguments_ = [{ uri, agent: "Nobody" }];
  const scaffold = editor.request("workspace/executeCommand", {
    command: "flowsheet.scaffold",
    arguments: arguments_,
  });
  expect((await refusalOf(scaffold)).message).toMatch(/save it first/);
  await editor.close(uri);
});

test("a lens opens the module of the graph, when there is one of this sheet", async () => {
  const folder = createFolder({
    ...PROJECT,
    "generated/main.gen.ts": '// @generated by flowsheet (contract 3) from main.csv, graph "Main".\n',
    "generated/inner.gen.ts": '// @generated by flowsheet (contract 3) from other.csv, graph "Inner".\n',
  });
  const titles = async (path: string): Promise<readonly unknown[]> => {
    const uri = await open(folder, path);
    const found = await editor.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });
    await editor.close(uri);
    return found.map(({ command }) => [command?.command, command?.arguments]);
  };
  const uri = uriOf(join(folder, "flows/main.csv"));
  const about = { uri, graph: "Main" };
  expect(await titles("flows/main.csv")).toEqual([
    ["flowsheet.run", [about]],
    ["flowsheet.test", [{ ...about, tests: uriOf(join(folder, "flows/main.test.csv")) }]],
    ["flowsheet.openGenerated", [{ ...about, module: uriOf(join(folder, "generated/main.gen.ts")) }]],
  ]);
  expect(await titles("flows/inner.csv")).toHaveLength(2);
  expect(await titles("flows/inner.test.csv")).toEqual([]);
});
