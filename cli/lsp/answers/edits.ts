import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import type { Client } from "../wire/client.js";

export interface FileEdit {
  readonly uri: string;
  /** The version that the edits count in; null for a file that is not open. */
  readonly version: number | null;
  readonly edits: readonly TextEdit[];
}

/** Edits of files as the client takes them: with versions where it can, so that none is applied to another text. */
export function workspaceEdit({ can }: Client, files: readonly FileEdit[]): WorkspaceEdit {
  if (can.workspace?.workspaceEdit?.documentChanges !== true)
    return { changes: Object.fromEntries(files.map(({ uri, edits }) => [uri, [...edits]])) };
  const documentChanges = files.map(
    ({ uri, version, edits }): TextDocumentEdit => ({ textDocument: { uri, version }, edits: [...edits] }),
  );
  return { documentChanges };
}
