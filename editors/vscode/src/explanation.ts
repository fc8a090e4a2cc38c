import * as vscode from "vscode";

const SCHEME = "flowsheet-explain";

/** Shows what `flowsheet explain` says, in a document that cannot be changed. */
export class Explanations implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? "";
  }

  async show(code: string, text: string): Promise<void> {
    const path = `/${code}.txt`;
    this.#texts.set(path, text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path }));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
}
