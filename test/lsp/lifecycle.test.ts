import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTeller } from "../../cli/lsp/teller.js";
import { createContext } from "../../cli/process/context.js";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { flowsheet } from "../cli/run.js";
import { Editor } from "./editor.js";

const SHEET = "graph_name,node_name,next,agent_type,output,prompt\nHello,Greet,,echo,greeting,Hi\n";

/** A message as it goes over the wire. */
function framed(message: unknown): string {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

interface Answer {
  readonly id: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const answersIn = (stdout: string): readonly Answer[] =>
  stdout
    .split(/Content-Length: \d+\r\n\r\n/)
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Answer);

const call = (id: number, method: string, params?: unknown): string =>
  framed({ jsonrpc: "2.0", id, method, params });
const tell = (method: string, params?: unknown): string => framed({ jsonrpc: "2.0", method, params });
const INITIALIZE = call(1, "initialize", { processId: null, capabilities: {}, workspaceFolders: null });

test("lsp without --stdio, or with a wrong process, is wrong usage", async () => {
  const plain = await flowsheet(["lsp"]);
  expect(plain).toMatchObject({ code: 2, stdout: "" });
  expect(plain.stderr).toContain("flowsheet lsp --stdio");
  const wrong = await flowsheet(["lsp", "--stdio", "--clientProcessId", "x"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
});

test("a session in order: exit code 0", async () => {
  const input = [INITIALIZE, tell("initialized", {}), call(2, "shutdown"), tell("exit")].join("");
  const { code, stdout, stderr } = await flowsheetProcess(["lsp", "--stdio"], { input });
  expect(code).toBe(0);
  expect(stderr).toBe("");
  const [first, second] = answersIn(stdout);
  expect(first?.result).toMatchObject({
    serverInfo: { name: "flowsheet" },
    capabilities: { positionEncoding: "utf-16" },
  });
  expect(second).toMatchObject({ id: 2, result: null });
});

test("what was asked before the end is answered, however long it takes", async () => {
  const uri = "file:///tmp/large.csv";
  const rows = Array.from({ length: 2_000 }, (_, i) => `G${i >> 5},N${i % 32},,echo,a,"Hi {name} {other}"`);
  const text = `graph_name,node_name,next,agent_type,output,prompt\n${rows.join("\n")}\n`;
  const ids = Array.from({ length: 10 }, (_, i) => i + 10);
  const input = [
    INITIALIZE,
    tell("initialized", {}),
    tell("textDocument/didOpen", { textDocument: { uri, languageId: "csv", version: 1, text } }),
    ...ids.map((id) => call(id, "textDocument/semanticTokens/full", { textDocument: { uri } })),
    call(2, "shutdown"),
    tell("exit"),
  ].join("");
  const { code, stdout } = await flowsheetProcess(["lsp", "--stdio"], { input });
  expect(code).toBe(0);
  const answered = new Set(answersIn(stdout).map(({ id }) => id));
  expect(ids.filter((id) => !answered.has(id))).toEqual([]);
});

test.each([
  ["exit without shutdown", [INITIALIZE, tell("exit")]],
  ["the end of the input", [INITIALIZE]],
  ["the end of the input after shutdown", [INITIALIZE, call(2, "shutdown")]],
  ["no input at all", []],
])("%s: exit code 1", async (_name, messages) => {
  const { code, stderr } = await flowsheetProcess(["lsp", "--stdio"], { input: messages.join("") });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
});

test("requests come after initialize and before shutdown; initialize comes once", async () => {
  const hover = { textDocument: { uri: "file:///x.csv" }, position: { line: 0, character: 0 } };
  const input = [
    call(7, "textDocument/hover", hover),
    tell("textDocument/didOpen", {}),
    INITIALIZE,
    call(8, "initialize", {}),
    call(2, "shutdown"),
    call(9, "textDocument/hover", hover),
    tell("exit"),
  ].join("");
  const { code, stdout } = await flowsheetProcess(["lsp", "--stdio"], { input });
  expect(code).toBe(0);
  const codes = answersIn(stdout).map(({ id, error }) => [id, error?.code ?? null]);
  expect(codes.toSorted()).toEqual(
    [
      [7, -32002],
      [1, null],
      [8, -32600],
      [2, null],
      [9, -32600],
    ].toSorted(),
  );
});

test("what is no message is answered, and the next message is read", async () => {
  const input = [
    INITIALIZE,
    "no header at all\r\n\r\n",
    "Content-Length: many\r\n\r\n",
    framed('{"jsonrpc": "2.0", "id": 3, "method":'),
    framed("[]"),
    framed("17"),
    framed({ jsonrpc: "2.0", id: { no: "id" }, method: "shutdown" }),
    framed({ jsonrpc: "2.0", id: 4 }),
    tell("$/cancelRequest"),
    tell("$/cancelRequest", { id: [] }),
    framed({ jsonrpc: "2.0", id: 99, result: null }),
    call(5, "no/such/method", {}),
    call(6, "textDocument/codeLens"),
    call(7, "textDocument/codeLens", "text"),
    call(8, "textDocument/codeLens", [1, 2]),
    call(9, "textDocument/codeLens", { textDocument: { uri: 5 } }),
    tell("textDocument/didOpen", { textDocument: { uri: "file:///a.csv" } }),
    tell("textDocument/didChange", { textDocument: { uri: "file:///a.csv" }, contentChanges: 1 }),
    tell("no/such/notification"),
    call(2, "shutdown"),
    tell("exit"),
  ].join("");
  const { code, stdout, stderr } = await flowsheetProcess(["lsp", "--stdio"], { input });
  expect(code).toBe(0);
  const answers = answersIn(stdout);
  const codeOf = (id: number): number | undefined => answers.find((one) => one.id === id)?.error?.code;
  expect([5, 6, 7, 8, 9].map(codeOf)).toEqual([-32601, -32602, -32602, -32602, -32602]);
  expect(answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual(
    expect.arrayContaining([-32700, -32600]),
  );
  expect(codeOf(2)).toBeUndefined();
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("the server leaves when the editor's process has gone", async () => {
  const gone = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const editor = await Editor.start({ processId: gone.pid ?? null });
  gone.kill("SIGKILL");
  expect((await editor.left).code).toBe(1);
});

test("problems are told with the version of the text, and taken back when it is closed", async () => {
  const folder = createFolder({ "hello.csv": SHEET });
  const editor = await Editor.start({ roots: [folder] });
  const uri = await editor.open(join(folder, "hello.csv"), SHEET);
  expect(await editor.problems(uri)).toEqual([]);
  const range = { start: { line: 1, character: 12 }, end: { line: 1, character: 12 } };
  await editor.change(uri, [{ range, text: "Nowhere" }]);
  const [problem] = await editor.problems(uri);
  expect(problem).toMatchObject({
    code: "unknown-node",
    source: "flowsheet",
    severity: 1,
    range: { start: { line: 1, character: 12 }, end: { line: 1, character: 19 } },
  });
  await editor.close(uri);
  await editor.until(() => editor.published.at(-1)?.diagnostics.length === 0);
  expect(editor.published.at(-1)).toEqual({ uri, diagnostics: [] });
  expect((await editor.leave()).code).toBe(0);
});

test("no other command loads the protocol, and its licences are in the package", () => {
  for (const file of ["bin", "start", "run"])
    expect(readFileSync(`dist/cli/${file}.js`, "utf8")).not.toContain("publishDiagnostics");
  const licences = readFileSync("dist/LICENSES-OF-BUNDLED-PACKAGES.txt", "utf8");
  for (const name of [
    "jsonrpc",
    "languageserver",
    "languageserver-protocol",
    "languageserver-textdocument",
    "languageserver-types",
  ])
    expect(licences).toMatch(new RegExp(`^vscode-${name}$`, "m"));
});

test("what fails inside is told by its kind and its place in our code, never by its words", () => {
  const written: string[] = [];
  const stderr = {
    write: (text: string) => void written.push(text),
    isTerminal: () => false,
    columns: () => null,
  };
  const around = {
    stdout: stderr,
    stderr,
    env: {},
    cwd: "/",
    stdin: { isTerminal: () => false, chunks: nothing },
  };
  for (const verbose of [false, true])
    createTeller(createContext(around, { verbose }), () => {}).bug(
      "textDocument/hover",
      new TypeError("secret cell"),
    );
  const text = written.join("");
  expect(text).toContain("textDocument/hover failed inside of flowsheet: TypeError");
  expect(text).not.toContain("secret cell");
  expect(text).toMatch(/\n.*at .*lifecycle\.test/);
  expect(written[0]).not.toContain("lifecycle.test");
});

async function* nothing(): AsyncGenerator<Uint8Array> {}
