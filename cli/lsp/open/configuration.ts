import { dirname } from "node:path";
import type { Diagnostic } from "vscode-languageserver/node";
import { checkConfiguration } from "../../../runtime/config/configuration.js";
import { withEnvFile } from "../../../runtime/config/environment.js";
import type { Context } from "../../process/context.js";
import { shownDiagnostic } from "./messages.js";
import type { OpenFile } from "./open-file.js";

/** What `validate --config` says of the text of a flowsheet.yaml. */
export function configurationDiagnostics(
  { path, uri, document }: OpenFile,
  context: Context,
): readonly Diagnostic[] {
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
  return findings.map(shownDiagnostic);
}
