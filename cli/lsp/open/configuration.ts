import { dirname } from "node:path";
import type { Diagnostic } from "vscode-languageserver/node";
import { checkConfiguration } from "../../../runtime/config/configuration.js";
import { withEnvFile } from "../../../runtime/config/environment.js";
import type { ConfigFinding } from "../../../runtime/config/findings.js";
import { readConfigurationText } from "../../../runtime/config/folders.js";
import { unknownReminder } from "../../commands/validate-config.js";
import type { Context } from "../../process/context.js";
import { shownDiagnostic } from "./messages.js";
import type { OpenFile } from "./open-file.js";

export const configurationDiagnostics = (file: OpenFile, context: Context): readonly Diagnostic[] =>
  configurationFindings(file, context).map(shownDiagnostic);

/** What `validate --config` says of the text of a flowsheet.yaml. */
export function configurationFindings(
  { path, uri, document }: OpenFile,
  context: Context,
): readonly ConfigFinding[] {
  const root = path === null ? context.cwd : dirname(path);
  const env = withEnvFile(context.env, root);
  const text = document.getText();
  const { findings } = checkConfiguration({
    file: path,
    root,
    shown: path ?? uri,
    text,
    env,
    now: Date.now(),
  });
  const reminder =
    path !== null && isSaved(path, text)
      ? unknownReminder({ ...context, cwd: root, config: path }, path)
      : [];
  return [...findings, ...reminder];
}

/** What is a matter of the whole project is looked at as it is on the disk: only then are its places right. */
function isSaved(path: string, text: string): boolean {
  try {
    return readConfigurationText(path) === text;
  } catch {
    return false;
  }
}
