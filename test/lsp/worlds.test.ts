import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeAction } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { createFolder } from "../cli/folder.js";
import { Editor, uriOf } from "./editor.js";

const HEAD = "graph_name,node_name,next,agent_type,input_fields,output_field,context,prompt\n";
const MAIN = `${HEAD}Main,Call,Own,graph,,,"{""graph"": ""Inner""}",\nMain,Own,,shout,,loud,,file:loud.md\n`;
const INNER = `${HEAD}Inner,Ask,,echo,,answer,,Hi\n`;
const TESTS = 'case,graph_name,given,expect_state\nsays hi,Inner,,"{""answer"": ""Hi""}"\n';
const AGENT =
  'import { Agent } from "flowsheet";\nexport class ShoutAgent extends Agent {\n  async run() {\n    return "A";\n  }\n}\n';

const project = (more: { readonly [path: string]: string } = {}): { readonly [path: string]: string } => ({
  "flowsheet.yaml": "workflows: flows\nagents: own\nprompts: texts\n",
  "flows/main.csv": MAIN,
  "flows/inner.csv": INNER,
  "flows/inner.test.csv": TESTS,
  "own/shout.ts": AGENT,
  "texts/loud.md": "Louder!",
  ...more,
});

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start();
});
afterAll(async () => {
  const { code, stderr } = await editor.leave();
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/failed inside of flowsheet|\n\s+at /);
});

const codesIn = (found: readonly { readonly code?: unknown }[]): readonly unknown[] =>
  found.map(({ code }) => code);

/** Tells the server that files changed, as a client that watches does. */
const changed = (...paths: readonly string[]): Promise<void> =>
  editor.notify("workspace/didChangeWatchedFiles", {
    changes: paths.map((path) => ({ uri: uriOf(path), type: 2 })),
  });

async function open(folder: string, path: string): Promise<string> {
  return editor.open(join(folder, path), readFileSync(join(folder, path), "utf8"));
}

test("a table of formulas that changes is read again", async () => {
  const prompt = '"LOOKUP(weight, ""tariff.csv"", ""price"", TRUE)"';
  const folder = createFolder(
    project({
      "flows/main.csv": `${HEAD}Main,Price,,formula,weight:number,price,,${prompt}\n`,
      "flows/inner.csv": `${HEAD}Inner,Ask,,echo,,answer,,Hi\n`,
      "data/tariff.csv": "weight,price\n0,1\n2,3\n",
    }),
  );
  const uri = await open(folder, "flows/main.csv");
  expect(await editor.problems(uri)).toEqual([]);
  writeFileSync(join(folder, "data/tariff.csv"), "weight,cost\n0,1\n2,3\n");
  await changed(join(folder, "data/tariff.csv"));
  expect(await editor.told(uri, (codes) => codes.length === 1)).toEqual(["bad-table"]);
  rmSync(join(folder, "data/tariff.csv"));
  await changed(join(folder, "data/tariff.csv"));
  await editor.told(uri, (codes) => codes.length === 1);
  writeFileSync(join(folder, "data/tariff.csv"), "weight,price\n0,1\n2,3\n");
  await changed(join(folder, "data/tariff.csv"));
  expect(await editor.told(uri, (codes) => codes.length === 0)).toEqual([]);
  await editor.close(uri);
});

test("the world is that of validate: agents by file, other sheets, prompts, the configuration", async () => {
  const folder = createFolder(project());
  const uri = await open(folder, "flows/main.csv");
  expect(await editor.problems(uri)).toEqual([]);
  rmSync(join(folder, "own/shout.ts"));
  rmSync(join(folder, "texts/loud.md"));
  await changed(join(folder, "own/shout.ts"), join(folder, "texts/loud.md"));
  expect(await editor.told(uri, (codes) => codes.length === 2)).toEqual(["unknown-agent", "missing-prompt"]);
  writeFileSync(join(folder, "own/shout.ts"), AGENT);
  writeFileSync(join(folder, "texts/loud.md"), "Loud");
  await changed(join(folder, "own/shout.ts"));
  await editor.told(uri, (codes) => codes.length === 0);
  await editor.close(uri);
});

test("a sheet that is open counts in place of its file, for whoever runs its graphs or tests it", async () => {
  const folder = createFolder(project());
  const main = await open(folder, "flows/main.csv");
  const tests = await open(folder, "flows/inner.test.csv");
  expect(await editor.problems(main)).toEqual([]);
  expect(await editor.problems(tests)).toEqual([]);
  const inner = await open(folder, "flows/inner.csv");
  const name = { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } };
  await editor.change(inner, [{ range: name, text: "Other" }]);
  expect(await editor.told(main, (codes) => codes.length > 0)).toEqual(["unknown-graph"]);
  await editor.told(tests, (codes) => codes.length > 0);
  // What is closed without being saved is as its file says.
  await editor.close(inner);
  await editor.told(main, (codes) => codes.length === 0);
  await editor.told(tests, (codes) => codes.length === 0);
  await editor.close(main);
  await editor.close(tests);
});

test("several roots: each file has the project that it stands in", async () => {
  const [one, other] = [
    createFolder(project()),
    createFolder(project({ "flowsheet.yaml": "agents: none\nworkflows: flows\nprompts: texts\n" })),
  ];
  const [first, second] = [await open(one, "flows/main.csv"), await open(other, "flows/main.csv")];
  expect(await editor.problems(first)).toEqual([]);
  expect(codesIn(await editor.problems(second))).toEqual(["unknown-agent"]);
  await editor.close(first);
  await editor.close(second);
});

test("without a configuration the folder that is open in the editor is the project", async () => {
  const folder = createFolder({
    "deep/er/main.csv": `${HEAD}Main,Own,,shout,,loud,,Hi\n`,
    "agents/shout.ts": AGENT,
  });
  const event = { added: [{ uri: uriOf(folder), name: "x" }], removed: [] };
  await editor.notify("workspace/didChangeWorkspaceFolders", { event });
  const uri = await open(folder, "deep/er/main.csv");
  expect(await editor.problems(uri)).toEqual([]);
  await editor.notify("workspace/didChangeWorkspaceFolders", { event: { added: [], removed: event.added } });
  await editor.told(uri, (codes) => codes.includes("unknown-agent"));
  await editor.close(uri);
});

test("flowsheet.yaml has its problems, with their places", async () => {
  const folder = createFolder();
  const text = "workflows: flows\nserver:\n  prot: 80\n  port: many\n";
  const uri = await editor.open(join(folder, "flowsheet.yaml"), text, "yaml");
  const found = await editor.problems(uri);
  expect(codesIn(found)).toEqual(expect.arrayContaining(["config-unknown-key", "config-bad-value"]));
  expect(found.find(({ code }) => code === "config-unknown-key")?.range).toEqual({
    start: { line: 2, character: 2 },
    end: { line: 2, character: 6 },
  });
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const about = { textDocument: { uri }, range, context: { diagnostics: found } };
  const change = { range: found.find(({ code }) => code === "config-unknown-key")?.range, newText: "port" };
  expect(await editor.request("textDocument/codeAction", about)).toMatchObject([
    {
      title: 'Write "port" (may change the meaning)',
      isPreferred: false,
      edit: { changes: { [uri]: [change] } },
    },
    { command: { command: "flowsheet.explain" } },
    { command: { command: "flowsheet.explain" } },
  ]);
  expect(await editor.request("textDocument/hover", { ...about, position: range.start })).toBeNull();
  await editor.change(uri, [{ text: "workflows: [\n" }]);
  expect(codesIn(await editor.problems(uri))).toEqual(["config-bad-yaml"]);
  await editor.change(uri, [{ text: "workflows: flows\n" }]);
  expect(await editor.problems(uri)).toEqual([]);
  await editor.close(uri);
});

const PROVIDERS = "providers: {first: {kind: mock}, a b: {kind: mock}}";

test.each<readonly [what: string, line: string, instead: string | null]>([
  ["a name in quotes", '"agnets": own', '"agents": own'],
  ["a value that others read as none", "server: {studio: of}", 'server: {studio: "off"}'],
  ["a level", "logging: {loggers: {root: {level: WARNIGN}}}", "logging: {loggers: {root: {level: WARNING}}}"],
  [
    "a name of the user",
    `llm: {default_provider: frist, ${PROVIDERS}}`,
    `llm: {default_provider: first, ${PROVIDERS}}`,
  ],
  [
    "one with a blank",
    `llm: {default_provider: a bb, ${PROVIDERS}}`,
    `llm: {default_provider: "a b", ${PROVIDERS}}`,
  ],
  ["not where a variable says it", `llm: {default_provider: "env:NONE:frist", ${PROVIDERS}}`, null],
])("what a problem of flowsheet.yaml suggests can be written: %s", async (_, line, instead) => {
  const uri = await editor.open(join(createFolder(), "flowsheet.yaml"), `${line}\n`, "yaml");
  const [problem] = await editor.problems(uri);
  const about = { textDocument: { uri }, range: problem?.range, context: { diagnostics: [] } };
  const found = await editor.request<readonly CodeAction[]>("textDocument/codeAction", about);
  const edits = found.flatMap(({ edit }) => edit?.changes?.[uri] ?? []);
  const document = TextDocument.create(uri, "yaml", 1, line);
  expect(edits.map((edit) => TextDocument.applyEdits(document, [edit]))).toEqual(
    instead === null ? [] : [instead],
  );
  const only = { ...about, context: { diagnostics: [], only: ["source"] } };
  expect(await editor.request("textDocument/codeAction", only)).toEqual([]);
  await editor.close(uri);
});

test("an agent that reminds and is not there is told of a configuration that is saved", async () => {
  const text = "runs:\n  remind_with: nobody\n";
  const folder = createFolder({ "flowsheet.yaml": text });
  const uri = await editor.open(join(folder, "flowsheet.yaml"), text, "yaml");
  expect(await editor.problems(uri)).toMatchObject([
    { code: "config-bad-value", range: { start: { line: 1 } } },
  ]);
  await editor.close(uri);
});

test("a configuration that is broken on the disk is told, and what it said before counts", async () => {
  const folder = createFolder(project());
  const uri = await open(folder, "flows/main.csv");
  expect(await editor.problems(uri)).toEqual([]);
  const file = join(folder, "flowsheet.yaml");
  const told = editor.shown.length;
  writeFileSync(file, "workflows: [\n");
  await changed(file);
  await editor.until(() => editor.shown.length > told);
  expect(editor.shown.at(-1)).toContain("flowsheet.yaml");
  expect(editor.shown.at(-1)).toContain("what it said before counts");
  const rest = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } };
  await editor.change(uri, [{ range: rest, text: "Main" }]);
  expect(await editor.problems(uri)).toEqual([]);
  await editor.close(uri);
});

test("a world that vanishes leaves the server alive", async () => {
  const folder = createFolder(project());
  const uri = await open(folder, "flows/main.csv");
  expect(await editor.problems(uri)).toEqual([]);
  rmSync(folder, { recursive: true });
  await changed(join(folder, "flowsheet.yaml"), join(folder, "flows/inner.csv"));
  const codes = await editor.told(uri, (found) => found.length > 0);
  expect(codes).toContain("unknown-graph");
  expect(await editor.at("textDocument/completion", uri, { line: 1, character: 11 })).toMatchObject({
    isIncomplete: false,
  });
  // A file stands where the folder was.
  writeFileSync(folder, "");
  await changed(join(folder, "flowsheet.yaml"));
  await editor.change(uri, [{ text: MAIN }]);
  await editor.problems(uri);
  rmSync(folder);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(project())) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await changed(join(folder, "flowsheet.yaml"));
  await editor.told(uri, (found) => found.length === 0);
  await editor.close(uri);
});

test("a workflows folder that is none is told in the editor", async () => {
  const folder = createFolder({ ...project(), "flowsheet.yaml": "workflows: file\n", file: "" });
  const uri = await open(folder, "flows/main.csv");
  await editor.problems(uri);
  expect(await editor.at("textDocument/completion", uri, { line: 1, character: 11 })).not.toBeNull();
  await editor.close(uri);
});

test("folders that cannot be read are no reason to fail", async () => {
  const folder = createFolder();
  symlinkSync("loop", join(folder, "loop"));
  const uri = await editor.open(join(folder, "loop/main.csv"), MAIN);
  await editor.problems(uri);
  const about = { textDocument: { uri }, position: { line: 1, character: 6 }, context: {} };
  for (const name of ["codeLens", "references", "hover", "definition", "completion"])
    expect(await editor.request(`textDocument/${name}`, about)).not.toBeUndefined();
  const tests = await editor.open(join(folder, "loop/other.test.csv"), TESTS);
  expect((await editor.problems(tests))[0]?.message).toMatch(
    /cannot open other.csv: its links lead in a circle/,
  );
  await editor.close(tests);
  await editor.close(uri);
});

test("a test sheet whose sheet is not there says so", async () => {
  const folder = createFolder({ "lonely.test.csv": TESTS });
  const uri = await open(folder, "lonely.test.csv");
  expect((await editor.problems(uri)).map(({ message }) => message)).toEqual(
    expect.arrayContaining([expect.stringContaining("cannot open lonely.csv")]),
  );
  await editor.close(uri);
});

test("of a sheet in a folder its folder is told, too", async () => {
  const folder = createFolder({
    "flowsheet.yaml": "workflows: flows\n",
    "flows/lonely.test.csv": TESTS,
  });
  const uri = await open(folder, "flows/lonely.test.csv");
  expect((await editor.problems(uri))[0]?.message).toContain("cannot open flows/lonely.csv: ");
  await editor.close(uri);
});

test("a test sheet whose sheet has errors says so, until they are mended", async () => {
  const folder = createFolder({ "inner.csv": INNER, "inner.test.csv": TESTS });
  const sheet = await editor.open(join(folder, "inner.csv"), `${INNER}Inner,Tell,"Ask,,,,,\n`);
  const tests = await open(folder, "inner.test.csv");
  const [first] = await editor.problems(tests);
  expect(first?.message).toBe("inner.csv has an error: no case can run before that is mended");
  await editor.change(sheet, [{ text: INNER }]);
  await editor.told(tests, (codes) => codes.length === 0);
  await editor.close(tests);
  await editor.close(sheet);
});

test("the client is asked to watch what the world is made of", async () => {
  const folder = createFolder(project());
  const uri = await open(folder, "flows/main.csv");
  await editor.until(() => editor.asked.some(({ params }) => JSON.stringify(params).includes(uriOf(folder))));
  const last = JSON.stringify(editor.asked.findLast(({ method }) => method === "client/registerCapability"));
  for (const path of ["flows", "own", "texts"]) expect(last).toContain(uriOf(join(folder, path)));
  expect(last).toContain(JSON.stringify({ baseUri: uriOf(join(folder, ".flowsheet")), pattern: "mcp.json" }));
  await editor.close(uri);
});

const refuse = (): never => {
  throw new Error("this client cannot watch");
};

test.each([
  ["cannot", { capabilities: {} }],
  ["refuses to", { answers: { "client/registerCapability": refuse } }],
])("this process watches when the client %s", async (_name, options) => {
  const folder = createFolder(project());
  const own = await Editor.start(options);
  const uri = await own.open(join(folder, "flows/main.csv"), MAIN);
  expect(await own.problems(uri)).toEqual([]);
  // What is written before the watching begins is not noticed, so it is written again and again.
  const timer = setInterval(() => writeFileSync(join(folder, "flows/inner.csv"), HEAD), 200);
  await own.told(uri, (codes) => codes.includes("unknown-graph"));
  clearInterval(timer);
  expect((await own.leave()).code).toBe(0);
});

const TOOL = `${HEAD}Main,Find,Use,mcp,,orders,"{""server"": ""crm"", ""tool"": ""find""}",
Main,Use,,formula,orders,twice,,orders * 2
`;
/** What `flowsheet types --mcp` keeps of a tool. */
function declare(folder: string, type: string): void {
  const output = { type: "object", properties: { orders: { type } }, required: ["orders"] };
  const find = { input: { type: "object" }, output };
  mkdirSync(join(folder, ".flowsheet"), { recursive: true });
  writeFileSync(join(folder, ".flowsheet/mcp.json"), JSON.stringify({ servers: { crm: { find } } }));
}

test("what tools of other servers declare is read again, also when nothing was kept before", async () => {
  const folder = createFolder(project({ "flows/main.csv": TOOL }));
  const own = await Editor.start({ capabilities: {} });
  const uri = await own.open(join(folder, "flows/main.csv"), TOOL);
  expect(await own.problems(uri)).toEqual([]);
  let type = "string";
  const timer = setInterval(() => declare(folder, type), 200);
  await own.told(uri, (codes) => codes.includes("formula-type"));
  type = "number";
  await own.told(uri, (codes) => codes.length === 0);
  clearInterval(timer);
  expect((await own.leave()).code).toBe(0);
});
