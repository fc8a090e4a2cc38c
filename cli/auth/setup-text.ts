import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NewKey } from "../../runtime/auth/plan/section.js";
import type { LockedFile } from "../../runtime/config/locked-file.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import { createExampleCalls } from "./example-call.js";
import type { Store } from "./target.js";

interface Setup {
  readonly configuration: LockedFile;
  readonly envFile: LockedFile;
  readonly store: Store;
  readonly context: Context;
}

/** What to do with new keys: how to start the server, and calls that can be typed as they stand. */
export function setupText(keys: readonly NewKey[], setup: Setup): string {
  const { configuration, envFile, store, context } = setup;
  const file = shownPath(configuration.path, context.cwd);
  const { base, body, real } = createExampleCalls(context, configuration.path);
  const keyOf = (name: string): string => keys.find((key) => key.name === name)?.key ?? "";
  const named = file === "flowsheet.yaml" ? "" : ` --config ${quoted(file)}`;
  const kept =
    store === "hash"
      ? `${file} holds their digests only: keep the keys now, they cannot be shown again.`
      : `They are in ${shownPath(envFile.path, context.cwd)}, and ${file} refers to them: keep that file out of version control.`;
  const graph = real ? "" : "   (put the name of one of your graphs in it)\n";
  return `
${kept}
developer ends after 90 days; npx flowsheet auth update makes new keys.

Start the server:
   ${serverProgram(context.cwd)}${named}
Run a workflow, with the key executor:
   curl -X POST ${base}/execute -H 'X-API-Key: ${keyOf("executor")}' -H 'Content-Type: application/json' -d ${quoted(body)}
${graph}List the workflows, with the key readonly:
   curl ${base}/workflows -H 'X-API-Key: ${keyOf("readonly")}'
`;
}

/** The program itself, where it is installed: npx ends at a signal and leaves the server behind. */
function serverProgram(cwd: string): string {
  const program = "node_modules/.bin/flowsheet-server";
  return existsSync(join(cwd, program)) ? program : "flowsheet serve";
}

/** A text as a shell takes it. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
