import { type CodeAction, CodeActionKind, type Range } from "vscode-languageserver/node";
import { visible } from "../../../compiler/diagnostics/visible.js";
import type { ConfigFinding } from "../../../runtime/config/findings.js";
import type { Context } from "../../process/context.js";
import { configurationFindings } from "../open/configuration.js";
import { shownDiagnostic } from "../open/messages.js";
import type { OpenFile } from "../open/open-file.js";
import { rangeOfPlace } from "../open/places.js";
import type { Client } from "../wire/client.js";
import { rangeIn } from "../wire/wanted.js";
import { explainActions, wantedKinds } from "./actions.js";
import { workspaceEdit } from "./edits.js";

interface About {
  readonly context: Context;
  readonly client: Client;
}

/** The words that problems of a flowsheet.yaml suggest, and what may be read about them. */
export function configurationActions(
  file: OpenFile,
  params: unknown,
  { context, client }: About,
): readonly CodeAction[] {
  if (!wantedKinds(params)(CodeActionKind.QuickFix)) return [];
  const asked = rangeIn(params);
  const near = configurationFindings(file, context).filter(({ place }) =>
    touches(rangeOfPlace(place), asked),
  );
  return [...near.flatMap((finding) => meantFix(file, finding, client)), ...explainActions(params)];
}

/** None where the file says the word in another way, such as by a variable. */
function meantFix(file: OpenFile, finding: ConfigFinding, client: Client): readonly CodeAction[] {
  const { meant, place } = finding;
  if (meant === null || place === null) return [];
  const range = rangeOfPlace(place);
  const written = file.document.getText(range);
  const { word, instead } = meant;
  if (![word, JSON.stringify(word), `'${word}'`].includes(written)) return [];
  const newText = written === word && isPlain(instead) ? instead : JSON.stringify(instead);
  return [
    {
      title: `Write ${visible(JSON.stringify(instead))} (may change the meaning)`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [shownDiagnostic(finding)],
      isPreferred: false,
      edit: workspaceEdit(client, [{ uri: file.uri, version: file.version, edits: [{ range, newText }] }]),
    },
  ];
}

/** Whether YAML takes it as text without quotes. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z_][\w-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);

const touches = (one: Range, other: Range): boolean =>
  !isAfter(one.start, other.end) && !isAfter(other.start, one.end);

const isAfter = (one: Range["start"], other: Range["start"]): boolean =>
  one.line > other.line || (one.line === other.line && one.character > other.character);
