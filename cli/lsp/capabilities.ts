import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from "vscode-languageserver/node";
import { LEGEND } from "./answers/looks.js";
import { COMMANDS, FIX_ALL } from "./words.js";

/** What the server says that it can do. */
export const capabilities: ServerCapabilities = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  completionProvider: { triggerCharacters: [",", ";", "|", ":", "{", '"', "$", "=", "."] },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL], resolveProvider: true },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  hoverProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  semanticTokensProvider: { legend: LEGEND, full: { delta: true }, range: true },
  inlayHintProvider: true,
  foldingRangeProvider: true,
  codeLensProvider: {},
  executeCommandProvider: { commands: Object.values(COMMANDS) },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};
