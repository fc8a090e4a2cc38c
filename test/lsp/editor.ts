import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type {
  Diagnostic,
  Position,
  PublishDiagnosticsParams,
  TextDocumentContentChangeEvent,
} from "vscode-languageserver/node";
import { BIN } from "../cli/process.js";

export interface EditorOptions {
  readonly roots?: readonly string[];
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly processId?: number | null;
  readonly capabilities?: object;
  /** What the client answers when the server asks it, by method. */
  readonly answers?: { readonly [method: string]: (params: unknown) => unknown };
}

export interface Left {
  readonly code: number | null;
  readonly stderr: string;
}

/** A real client of the built server, over its standard input and output. */
export class Editor {
  readonly connection: MessageConnection;
  readonly child: ChildProcessWithoutNullStreams;
  readonly left: Promise<Left>;
  /** What the server told a person. */
  readonly shown: string[] = [];
  /** What the server asked for, by method. */
  readonly asked: { readonly method: string; readonly params: unknown }[] = [];
  readonly #told: PublishDiagnosticsParams[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #texts = new Map<string, { version: number; text: string }>();

  private constructor(child: ChildProcessWithoutNullStreams, answers: EditorOptions["answers"]) {
    this.child = child;
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString("utf8");
    });
    child.stdin.on("error", () => {});
    this.left = new Promise((resolve) => child.on("close", (code) => resolve({ code, stderr })));
    this.connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      this.#told.push(params);
      this.#wake();
    });
    this.connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
      this.shown.push(message);
      this.#wake();
    });
    this.connection.onRequest((method, params) => {
      this.asked.push({ method, params });
      this.#wake();
      return answers?.[method]?.(params) ?? null;
    });
    this.connection.listen();
  }

  /** A server that was not initialized yet. */
  static spawn({ cwd, args = [], env = {}, answers }: EditorOptions = {}): Editor {
    const child = spawn(process.execPath, [BIN, "lsp", "--stdio", ...args], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdio: "pipe",
    });
    return new Editor(child, answers);
  }

  static async start(options: EditorOptions = {}): Promise<Editor> {
    const editor = Editor.spawn(options);
    await editor.initialize(options);
    return editor;
  }

  async initialize({
    roots = [],
    processId = null,
    capabilities = WATCHING,
  }: EditorOptions = {}): Promise<unknown> {
    const result = await this.connection.sendRequest("initialize", {
      processId,
      rootUri: null,
      workspaceFolders: roots.map((root) => ({ uri: uriOf(root), name: root })),
      capabilities,
    });
    await this.connection.sendNotification("initialized", {});
    return result;
  }

  async open(path: string, text: string, languageId = "csv"): Promise<string> {
    const uri = path.includes(":") ? path : uriOf(path);
    this.#texts.set(uri, { version: 1, text });
    await this.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
    return uri;
  }

  /** The problems of a file, when they have been told for its present text. */
  async problems(uri: string): Promise<readonly Diagnostic[]> {
    const { version } = this.#texts.get(uri) ?? { version: 0 };
    const isNow = (one: PublishDiagnosticsParams): boolean => one.uri === uri && one.version === version;
    await this.until(() => this.#told.some(isNow));
    return this.#told.findLast(isNow)?.diagnostics ?? [];
  }

  /** Waits until the last problems that were told of a file are as wanted. */
  async told(uri: string, isWanted: (codes: readonly unknown[]) => boolean): Promise<readonly unknown[]> {
    const last = (): readonly unknown[] | null =>
      this.#told.findLast((one) => one.uri === uri)?.diagnostics.map(({ code }) => code) ?? null;
    await this.until(() => {
      const codes = last();
      return codes !== null && isWanted(codes);
    });
    return last() ?? [];
  }

  get published(): readonly PublishDiagnosticsParams[] {
    return this.#told;
  }

  async change(uri: string, changes: readonly TextDocumentContentChangeEvent[]): Promise<void> {
    const known = this.#texts.get(uri) ?? { version: 0, text: "" };
    known.version += 1;
    const textDocument = { uri, version: known.version };
    await this.notify("textDocument/didChange", { textDocument, contentChanges: changes });
  }

  async close(uri: string): Promise<void> {
    this.#texts.delete(uri);
    await this.notify("textDocument/didClose", { textDocument: { uri } });
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.connection.sendNotification(method, params);
  }

  request<T = unknown>(method: string, params: unknown): Promise<T> {
    return this.connection.sendRequest<T>(method, params);
  }

  /** A request about a place of a file. */
  at<T = unknown>(method: string, uri: string, position: Position, more: object = {}): Promise<T> {
    return this.request<T>(method, { textDocument: { uri }, position, ...more });
  }

  /** Waits until something that the server says makes it true. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async leave(): Promise<Left> {
    await this.request("shutdown", undefined);
    await this.notify("exit", undefined);
    return this.left;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** What a client says that watches files itself. */
export const WATCHING = {
  workspace: { didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true } },
};

export const uriOf = (path: string): string => pathToFileURL(path).href;
