import * as vscode from "vscode";
import { registerCommands } from "./commands.js";
import { Explanations } from "./explanation.js";
import { Preview } from "./preview.js";
import { Servers } from "./servers.js";

const servers = new Servers();

/** VS Code activates the extension in trusted workspaces only: it starts a program of the workspace. */
export function activate(context: vscode.ExtensionContext): void {
  const preview = new Preview(servers);
  const explanations = new Explanations();
  const serve = (document: vscode.TextDocument): void => void servers.clientFor(document);
  context.subscriptions.push(
    explanations.register(),
    preview.register(),
    registerCommands({ servers, preview, explanations }),
    vscode.workspace.onDidOpenTextDocument(serve),
    vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => void servers.end(removed)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("flowsheet.path")) void servers.end().then(() => servers.serveOpen());
    }),
  );
  servers.serveOpen();
}

export const deactivate = (): Promise<void> => servers.end();
