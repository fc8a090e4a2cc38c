import {
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type ProtocolConnection,
} from "vscode-languageserver/node";
import type { Renewal } from "./around/renewal.js";
import type { Desk } from "./open/desk.js";
import { type OpenFile, pathOf } from "./open/open-file.js";
import type { Publishing } from "./open/publishing.js";
import type { Teller } from "./teller.js";
import { changesIn, foldersIn, newDocumentIn, uriIn, urisIn } from "./wire/wanted.js";

export interface NotificationsOptions {
  readonly connection: ProtocolConnection;
  readonly desk: Desk;
  readonly publishing: Publishing;
  readonly renewal: Renewal;
  readonly teller: Teller;
  /** The projects may be others now. */
  readonly onProjects: () => void;
  /** Somebody changed the text of this file. */
  readonly onText: (file: OpenFile) => void;
  readonly onFolders: (added: readonly string[], removed: readonly string[]) => void;
}

/** Takes what the editor tells: texts as they are opened, changed and closed, and files that changed on the disk. */
export function takeNotifications(options: NotificationsOptions): void {
  const { connection, desk, publishing, renewal, teller } = options;
  const on = (method: string, take: (params: unknown) => void): void => {
    connection.onNotification(method, (params: unknown) => {
      try {
        take(params);
      } catch (error) {
        teller.refused(method, error);
      }
    });
  };
  on(DidOpenTextDocumentNotification.method, (params) => {
    const file = desk.open(newDocumentIn(params));
    if (file !== null) options.onText(file);
    options.onProjects();
  });
  on(DidChangeTextDocumentNotification.method, (params) => {
    const { uri, changes, version } = changesIn(params);
    const file = desk.find(uri);
    if (file === null) return;
    options.onText(file);
    desk.change(file, changes, version);
  });
  on(DidCloseTextDocumentNotification.method, (params) => {
    const file = desk.close(uriIn(params));
    if (file === null) return;
    publishing.clear(file);
    desk.spread(file);
    options.onProjects();
  });
  on(DidChangeWatchedFilesNotification.method, (params) =>
    renewal.changed(pathsOf(urisIn(params, "changes"))),
  );
  on(DidChangeWorkspaceFoldersNotification.method, (params) => {
    const { added, removed } = foldersIn(params);
    options.onFolders(pathsOf(added), pathsOf(removed));
    renewal.plan();
  });
}

const pathsOf = (uris: readonly string[]): readonly string[] => uris.flatMap((uri) => pathOf(uri) ?? []);
