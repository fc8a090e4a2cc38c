import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic as Shown,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import type { Edit } from "../../../compiler/diagnostics/diagnostic.js";
import { visible } from "../../../compiler/diagnostics/visible.js";
import type { Range as Offsets } from "../../../compiler/ir.js";
import { fixAll, fixes, type OfferedFix, safeFixes } from "../../../compiler/service/fixes.js";
import { SOURCE, shownDiagnostic } from "../open/messages.js";
import type { OpenFile } from "../open/open-file.js";
import { editOf, offsetsOf } from "../open/places.js";
import type { Asked } from "../requests.js";
import type { Client } from "../wire/client.js";
import { dataIn, isData, rangeIn, textIn } from "../wire/wanted.js";
import { COMMANDS, FIX_ALL } from "../words.js";
import { workspaceEdit } from "./edits.js";
import { missingAgentsIn } from "./scaffolding.js";

/** Nobody chooses among more; a marked sheet may have very many. */
const MOST_FIXES = 100;

/** Fixes of what is marked, the safe fixes of the whole file, and what may be written or read about it. */
export function actions(asked: Asked, params: unknown, client: Client): readonly CodeAction[] {
  const { file, view } = asked;
  const range = offsetsOf(file.document, rangeIn(params));
  const wants = wantedKinds(params);
  return [
    ...(wants(CodeActionKind.QuickFix)
      ? [
          ...fixes(view, range)
            .slice(0, MOST_FIXES)
            .map((fix) => quickFix(file, fix, client)),
          ...scaffoldActions(asked, range),
          ...explainActions(params),
        ]
      : []),
    ...(wants(FIX_ALL) ? fixAllAction(asked, client) : []),
  ];
}

/** A kind is wanted with all kinds below it: `source` asks for `source.fixAll.flowsheet`. */
export function wantedKinds(params: unknown): (kind: string) => boolean {
  const { only } = dataIn(params, "context");
  if (!Array.isArray(only)) return () => true;
  return (kind) => only.some((one: unknown) => typeof one === "string" && `${kind}.`.startsWith(`${one}.`));
}

function quickFix(
  file: OpenFile,
  { title, safe, edits, diagnostic }: OfferedFix,
  client: Client,
): CodeAction {
  return {
    title: `${capitalized(title)}${safe ? "" : " (may change the meaning)"}`,
    kind: CodeActionKind.QuickFix,
    diagnostics: [shownDiagnostic(diagnostic)],
    isPreferred: safe,
    edit: editsOf(file, edits, client),
  };
}

const capitalized = (title: string): string => visible(title.charAt(0).toUpperCase() + title.slice(1));

function editsOf(file: OpenFile, edits: readonly Edit[], client: Client): WorkspaceEdit {
  const { document, uri, version } = file;
  return workspaceEdit(client, [{ uri, version, edits: edits.map((edit) => editOf(document, edit)) }]);
}

/** Its edits are found when it is chosen, where the client can wait: in a large sheet that takes time. */
function fixAllAction({ file, view }: Asked, client: Client): readonly CodeAction[] {
  const { count, areMore } = safeFixes(view);
  if (count === 0) return [];
  const which = areMore ? `the first ${count.toLocaleString("en-US")}` : "all";
  const action = { title: `Apply ${which} safe fixes of Flowsheet`, kind: FIX_ALL };
  const properties = client.can.textDocument?.codeAction?.resolveSupport?.properties;
  if (properties?.includes("edit") === true)
    return [{ ...action, data: { uri: file.uri, version: file.version } }];
  return [{ ...action, edit: editsOf(file, fixAll(view), client) }];
}

/** The address that a deferred action is about. */
export const resolvedUri = (params: unknown): string => textIn(dataIn(params, "data"), "uri");

/** A text that has changed since gets no edits: then nothing is changed. */
export function resolveAction({ file, view }: Asked, params: unknown, client: Client): object {
  const { version } = dataIn(params, "data");
  const given = isData(params) ? params : {};
  return version === file.version ? { ...given, edit: editsOf(file, fixAll(view), client) } : given;
}

function scaffoldActions(asked: Asked, range: Offsets): readonly CodeAction[] {
  return missingAgentsIn(asked, range).map((agent) => ({
    title: `Scaffold the agent ${visible(agent)}`,
    kind: CodeActionKind.QuickFix,
    command: {
      title: `Scaffold ${visible(agent)}`,
      command: COMMANDS.scaffold,
      arguments: [{ uri: asked.file.uri, agent }],
    },
  }));
}

/** One for each code among the problems that the client shows there. */
export function explainActions(params: unknown): readonly CodeAction[] {
  const { diagnostics } = dataIn(params, "context");
  const shown = Array.isArray(diagnostics) ? diagnostics.filter(isOurs) : [];
  const codes = [...new Set(shown.map(({ code }) => String(code)))];
  return codes.map((code) => ({
    title: `Explain ${code}`,
    kind: CodeActionKind.QuickFix,
    diagnostics: shown.filter((one) => one.code === code),
    command: { title: `Explain ${code}`, command: COMMANDS.explain, arguments: [{ code }] },
  }));
}

const isOurs = (one: unknown): one is Shown =>
  isData(one) && one["source"] === SOURCE && typeof one["code"] === "string";
