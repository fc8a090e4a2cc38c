import type { ClientCapabilities, InitializeParams } from "vscode-languageserver/node";
import { pathOf } from "../open/open-file.js";
import { isData } from "./wanted.js";

/** What the editor says of itself. */
export interface Client {
  readonly processId: number | null;
  /** The folders that are open in it. */
  readonly roots: readonly string[];
  readonly canWatch: boolean;
  readonly watchesFolders: boolean;
  /** It shows the texts itself that commands answer. */
  readonly showsTexts: boolean;
  readonly can: ClientCapabilities;
}

/** Clients differ in what they send, so each part may be missing. */
export function clientOf(params: InitializeParams): Client {
  const initializationOptions: unknown = params.initializationOptions;
  const { processId, workspaceFolders, rootUri, capabilities } = params;
  const can: ClientCapabilities = isData(capabilities) ? capabilities : {};
  const watched = can.workspace?.didChangeWatchedFiles;
  const uris = Array.isArray(workspaceFolders) ? workspaceFolders.map((folder) => folder?.uri) : [rootUri];
  return {
    processId: typeof processId === "number" ? processId : null,
    roots: uris.flatMap((uri) => (typeof uri === "string" ? (pathOf(uri) ?? []) : [])),
    canWatch: watched?.dynamicRegistration === true,
    watchesFolders: watched?.relativePatternSupport === true,
    showsTexts: isData(initializationOptions) && initializationOptions["showsTexts"] === true,
    can,
  };
}
