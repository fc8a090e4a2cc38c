import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SemanticTokens } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess } from "../cli/process.js";
import { howMany } from "../how-many.js";
import { firstSeed } from "../seed.js";
import { Editor } from "./editor.js";
import { goldenSheets } from "./sheets.js";

let editor: Editor;
beforeAll(async () => {
  editor = await Editor.start();
});
afterAll(async () => {
  const { code, stderr } = await editor.leave();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

/** Numbers from 0 to below the limit, the same for the same seed. */
function createDice(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const PIECES = [
  ...['"', '""', ",", ";", "\t", "|", ":", "{", "}", "=", "\n", "\r\n", "\r", "#", " ", "\ufeff", "\u2028"],
  ...[
    "END",
    "graph_name",
    "node_name",
    "echo",
    "switch",
    "{name}",
    "a,b",
    "file:x",
    "number?",
    '{"when": {"a": ">1"}}',
  ],
  ...[
    "😀",
    "👩‍👩‍👧",
    "é",
    "日本",
    "\ud83d",
    "\0",
    "",
    "",
    "$now",
    "list[",
    "=SUM(A1)",
    "__proto__",
    "constructor",
  ],
];

const METHODS = [
  ...["completion", "definition", "references", "documentHighlight", "hover", "prepareRename", "rename"],
  ...[
    "documentSymbol",
    "foldingRange",
    "codeLens",
    "inlayHint",
    "semanticTokens/full",
    "semanticTokens/range",
  ],
  ...["semanticTokens/full/delta", "codeAction"],
].map((name) => `textDocument/${name}`);

/** What a server answers when it fails inside. */
const INTERNAL = -32603;

test("no request on any text fails inside, and each text arrives as the editor has it", async () => {
  const dice = createDice(firstSeed);
  const pick = <T>(list: readonly T[]): T => list[dice(list.length)] as T;
  const sheets = goldenSheets();
  const folder = createFolder();
  const rounds = howMany(80, 8);
  for (let round = 0; round < rounds; round++) {
    const { text } = pick(sheets);
    const uri = await editor.open(join(folder, round % 5 === 0 ? "a.test.csv" : "a.csv"), text);
    const mirror = TextDocument.create(uri, "csv", 1, text);
    const place = () => mirror.positionAt(dice(mirror.getText().length + 1));
    for (let step = 0; step < 12; step++) {
      const [one, other] = [place(), dice(3) === 0 ? place() : null];
      const isBefore = other === null || mirror.offsetAt(one) <= mirror.offsetAt(other);
      const range = isBefore ? { start: one, end: other ?? one } : { start: other, end: one };
      const change = { range, text: pick(PIECES) + (dice(2) === 0 ? pick(PIECES) : "") };
      await editor.change(uri, [change]);
      TextDocument.update(mirror, [change], step + 2);
      const about = { textDocument: { uri }, position: place(), range: { start: place(), end: place() } };
      const more = { context: { diagnostics: [] }, newName: pick(PIECES), previousResultId: "1" };
      const method = pick(METHODS);
      const fault = await editor.request(method, { ...about, ...more }).then(
        () => null,
        ({ code }: { readonly code: number }) => (code === INTERNAL ? [method, mirror.getText()] : null),
      );
      expect(fault).toBeNull();
    }
    const copy = await editor.open(join(folder, round % 5 === 0 ? "b.test.csv" : "b.csv"), mirror.getText());
    expect(await looksOf(uri)).toEqual(await looksOf(copy));
    await editor.close(copy);
    await editor.close(uri);
  }
});

/** What shows whether the server has the same text. */
async function looksOf(uri: string): Promise<unknown> {
  const about = { textDocument: { uri } };
  const tokens = await editor.request<SemanticTokens | null>("textDocument/semanticTokens/full", about);
  return [tokens?.data, await editor.request("textDocument/foldingRange", about)];
}

test("random bytes between messages lose none that follows a sound one, and end nothing", async () => {
  const dice = createDice(firstSeed);
  const message = (body: object): Buffer => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...body });
    return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const junk = (): Buffer => Buffer.from(Array.from({ length: 1 + dice(60) }, () => dice(256)));
  const parts = [message({ id: 1, method: "initialize", params: { processId: null, capabilities: {} } })];
  for (let id = 10; id < 60; id++) {
    // A line end after the bytes, because a header may stand in them.
    parts.push(
      junk(),
      Buffer.from("\r\n\r\n"),
      message({ id, method: "workspace/symbol", params: { query: "" } }),
    );
  }
  parts.push(message({ id: 2, method: "shutdown" }), message({ method: "exit" }));
  const { code, stdout, stderr } = await flowsheetProcess(["lsp", "--stdio"], {
    input: Buffer.concat(parts),
  });
  expect(code).toBe(0);
  for (let id = 10; id < 60; id++) expect(stdout).toContain(`"id":${id},"result":[]`);
  expect(stderr).not.toMatch(/\n\s+at /);
});
