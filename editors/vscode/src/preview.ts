import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type Picture, pageOf } from "./page.js";
import type { Servers } from "./servers.js";

/** So long after the last key or move the picture is asked for again. */
const PAUSE_MS = 150;

/** A pane beside the sheet with the picture of the graph that the cursor is in. */
export class Preview {
  readonly #servers: Servers;
  #panel: vscode.WebviewPanel | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = "";

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  register(): vscode.Disposable {
    const follow = (): void => this.#follow();
    return vscode.Disposable.from(
      vscode.window.onDidChangeTextEditorSelection(follow),
      vscode.window.onDidChangeActiveTextEditor(follow),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) follow();
      }),
      new vscode.Disposable(() => this.#panel?.dispose()),
    );
  }

  async show(): Promise<void> {
    this.#panel ??= this.#open();
    this.#panel.reveal(undefined, true);
    await this.#draw();
  }

  #open(): vscode.WebviewPanel {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    // Without scripts and local files a page can do nothing but be looked at.
    const options = { enableScripts: false, enableForms: false, localResourceRoots: [] };
    const panel = vscode.window.createWebviewPanel("flowsheet.graph", "Graph", where, options);
    this.#shown = "";
    panel.onDidDispose(() => {
      this.#panel = null;
    });
    panel.webview.html = pageOf(null, newNonce());
    return panel;
  }

  #follow(): void {
    if (this.#panel === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#draw(), PAUSE_MS);
  }

  /** What is drawn stays while the cursor is in another file, or in a row of no graph. */
  async #draw(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || this.#panel === null) return;
    const picture = await this.#pictureAt(editor);
    // The pane may be closed meanwhile. The same drawing is left alone, so that the pane does not scroll.
    if (picture === null || this.#panel === null || picture.svg === this.#shown) return;
    this.#shown = picture.svg;
    this.#panel.title = picture.graph;
    this.#panel.webview.html = pageOf(picture, newNonce());
  }

  async #pictureAt({ document, selection }: vscode.TextEditor): Promise<Picture | null> {
    const client = await this.#servers.clientFor(document);
    if (client === null) return null;
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const position = client.code2ProtocolConverter.asPosition(selection.active);
    try {
      return await client.sendRequest<Picture | null>("flowsheet/picture", { textDocument, position });
    } catch {
      // The text changed while the answer was made: the next one draws it.
      return null;
    }
  }
}

const newNonce = (): string => randomBytes(16).toString("base64");
