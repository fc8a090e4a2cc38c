import * as vscode from "vscode";
import {
  type DynamicFeature,
  LanguageClient,
  type LanguageClientOptions,
  type StaticFeature,
  TransportKind,
} from "vscode-languageclient/node";
import { findProgram, looksLikeSheet, startOf } from "./find.js";

interface Server {
  readonly client: LanguageClient;
  readonly ready: Promise<boolean>;
}

/** One language server for each workspace folder that has sheets: the program of that folder's project. */
export class Servers {
  readonly #servers = new Map<string, Server>();
  /** Folders whose missing program has been told. */
  readonly #told = new Set<string>();

  /** The client that serves a document once it is ready; null for a document of no folder or without a program. */
  async clientFor(document: vscode.TextDocument): Promise<LanguageClient | null> {
    const folder = folderOf(document);
    if (folder === null) return null;
    const key = folder.uri.toString();
    const server = this.#servers.get(key) ?? this.#start(folder, document);
    if (server === null) return null;
    this.#servers.set(key, server);
    return (await server.ready) ? server.client : null;
  }

  #start(folder: vscode.WorkspaceFolder, document: vscode.TextDocument): Server | null {
    const program = programOf(folder);
    if ("missing" in program) {
      this.#tell(folder, document, program.missing);
      return null;
    }
    const client = createClient(folder, program.path);
    const ready = client.start().then(
      () => {
        void vscode.commands.executeCommand("setContext", "flowsheet.isServed", true);
        return true;
      },
      (error: unknown) => {
        const told = `Flowsheet: ${program.path} does not serve editors: ${String(error)}`;
        void vscode.window.showErrorMessage(told);
        return false;
      },
    );
    return { client, ready };
  }

  #tell(folder: vscode.WorkspaceFolder, document: vscode.TextDocument, missing: string): void {
    const key = folder.uri.toString();
    if (this.#told.has(key) || !looksLikeSheet(document.uri.fsPath, document.getText())) return;
    this.#told.add(key);
    void vscode.window.showWarningMessage(`Flowsheet (${folder.name}): ${missing}`);
  }

  /** Starts the servers of all documents that are open. */
  serveOpen(): void {
    for (const document of vscode.workspace.textDocuments) void this.clientFor(document);
  }

  /** Ends the servers of folders that are gone, or all of them. */
  async end(folders?: readonly vscode.WorkspaceFolder[]): Promise<void> {
    const keys = folders?.map(({ uri }) => uri.toString()) ?? [...this.#servers.keys()];
    if (folders === undefined) this.#told.clear();
    const ending = keys.map(async (key) => {
      const server = this.#servers.get(key);
      this.#servers.delete(key);
      if (await server?.ready) await server?.client.dispose();
    });
    await Promise.all(ending);
  }
}

/** Files of other places, such as a commit of Git, are not served. */
const isServed = ({ uri }: vscode.TextDocument): boolean =>
  uri.scheme === "file" && /(?:\.csv|\/flowsheet\.yaml)$/i.test(uri.path);

function folderOf(document: vscode.TextDocument): vscode.WorkspaceFolder | null {
  if (!isServed(document)) return null;
  return vscode.workspace.getWorkspaceFolder(document.uri) ?? null;
}

export function programOf(folder: vscode.WorkspaceFolder): ReturnType<typeof findProgram> {
  const setting = vscode.workspace.getConfiguration("flowsheet", folder.uri).get("path", "");
  return findProgram(folder.uri.fsPath, setting);
}

/** The commands of the server are registered once by the extension: a second client could not register them again. */
class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const isOfCommands =
      "registrationType" in feature && feature.registrationType.method === "workspace/executeCommand";
    if (!isOfCommands) super.registerFeature(feature);
  }
}

function createClient(folder: vscode.WorkspaceFolder, path: string): LanguageClient {
  const { command, shell } = startOf(path);
  const options = { cwd: folder.uri.fsPath, shell };
  const server = { command, args: ["lsp"], transport: TransportKind.stdio, options };
  const baseUri = folder.uri.toString();
  const client: LanguageClientOptions = {
    // Not the language says what is served: other extensions give CSV files languages of their own.
    documentSelector: ["**/*.csv", "**/flowsheet.yaml"].map((pattern) => ({
      scheme: "file",
      pattern: { baseUri, pattern },
    })),
    workspaceFolder: folder,
    outputChannelName: `Flowsheet (${folder.name})`,
    initializationOptions: { showsTexts: true },
  };
  return new Client("flowsheet", `Flowsheet (${folder.name})`, server, client);
}
