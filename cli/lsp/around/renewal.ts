import { basename } from "node:path";
import {
  CodeLensRefreshRequest,
  InlayHintRefreshRequest,
  type ProtocolConnection,
  SemanticTokensRefreshRequest,
} from "vscode-languageserver/node";
import { wayInside } from "../../../compiler/files/inside.js";
import { CONFIG_NAME, type Project } from "../../../runtime/config/folders.js";
import type { Desk } from "../open/desk.js";
import type { Client } from "../wire/client.js";

/** A change of many files, such as another branch, is taken as one. */
const SETTLE_MS = 100;

export interface Renewal {
  /** A file is other than before. */
  readonly changed: (paths: readonly string[]) => void;
  readonly plan: () => void;
  readonly end: () => void;
}

/** Reads the world again when its files have changed. */
export function createRenewal(desk: Desk, onRenewed: () => void): Renewal {
  let timer: NodeJS.Timeout | undefined;
  const plan = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      desk.renew();
      onRenewed();
    }, SETTLE_MS);
  };
  return {
    plan,
    changed: (paths) => {
      if (paths.some((path) => matters(path, desk))) plan();
    },
    end: () => clearTimeout(timer),
  };
}

/** An open file counts as the editor has it. What is written by commands is part of no world, but for tables of formulas. */
function matters(path: string, desk: Desk): boolean {
  if (basename(path) === CONFIG_NAME || desk.worlds.readsTable(path)) return true;
  const isMade = ({ generated, data, runs, workflows, agents, prompts }: Project): boolean =>
    [generated, data, runs].some((folder) => wayInside(folder, path) !== null) &&
    ![workflows, agents, prompts].some((folder) => wayInside(folder, path) !== null);
  return desk.openAt(path) === null && !desk.worlds.projects().some(isMade);
}

/** Asks for what the editor has drawn into the text to be fetched again. */
export function refreshDrawn(connection: ProtocolConnection, { can }: Client): void {
  const { semanticTokens, codeLens, inlayHint } = can.workspace ?? {};
  const wanted = [
    semanticTokens?.refreshSupport === true ? SemanticTokensRefreshRequest.type : null,
    codeLens?.refreshSupport === true ? CodeLensRefreshRequest.type : null,
    inlayHint?.refreshSupport === true ? InlayHintRefreshRequest.type : null,
  ];
  for (const type of wanted) if (type !== null) connection.sendRequest(type).catch(() => {});
}
