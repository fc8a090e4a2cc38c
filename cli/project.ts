import { statSync } from "node:fs";
import { relative } from "node:path";
import { isEncoding } from "../compiler/1-parse/text/encoding.js";
import { ConfigurationError, type Folders, type Project, readProject } from "../runtime/config/folders.js";
import { unknownSettings } from "../runtime/config/known-settings.js";
import { projectSheets } from "../runtime/workflows/find-graph.js";
import type { FoundSheets } from "../runtime/workflows/find-sheets.js";
import { UsageError } from "./failure.js";
import type { Context } from "./process/context.js";
import { collectSheets, isNothing, type Named } from "./sheets/collect.js";

export function openProject(context: Context): Project {
  const { cwd, config, encoding, env, detail } = context;
  if (encoding !== null && !isEncoding(encoding)) {
    throw new UsageError(
      `encoding ${JSON.stringify(encoding)} is unknown`,
      "known are utf-8, windows-1252, utf-16le, …",
    );
  }
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`there is no folder ${cwd}`);
  try {
    const folders = readProject(cwd, config, env);
    detail(folders.file === null ? "there is no flowsheet.yaml" : `the configuration is ${folders.file}`);
    if (folders.file !== null) warnOfSettings(folders.file, folders.configuration, context);
    return folders;
  } catch (error) {
    throw unreadable(error, cwd);
  }
}

/** Without this warning, a misspelt setting would have no effect and no message. */
function warnOfSettings(file: string, configuration: Project["configuration"], { cwd, tell }: Context): void {
  for (const { message, help, place } of unknownSettings(file, configuration)) {
    const at = place === null ? "" : `:${place.line}:${place.column}`;
    tell("warning:", `${shownPath(file, cwd)}${at}: ${message}${help === null ? "" : `: ${help}`}`);
  }
}

/** A file's name in messages: relative when it is inside the working folder. */
export function shownPath(file: string, cwd: string): string {
  const way = relative(cwd, file);
  return way === "" || way.startsWith("..") ? file : way;
}

export function unreadable(error: unknown, cwd: string): unknown {
  if (!(error instanceof ConfigurationError)) return error;
  const { file, line, column, message } = error;
  const at = line === null ? "" : `:${line}:${column}`;
  return new UsageError(`cannot read the configuration ${shownPath(file, cwd)}${at}: ${message}`);
}

/** The named sheets, or without names all sheets of the project. Test sheets are left out. */
export async function sheetsToRead(
  { cwd, note }: Pick<Context, "cwd" | "note">,
  folders: Folders,
  named: Named,
): Promise<FoundSheets["sheets"]> {
  const isOfProject = isNothing(named);
  const { sheets, tests } = isOfProject ? projectSheets(cwd, folders) : await collectSheets(cwd, named, note);
  for (const { shown, named } of tests) if (!named) note(`passed over ${shown}: a test sheet`);
  if (sheets.length > 0 || (tests.some(({ named }) => named) && !isOfProject)) return sheets;
  const isHere = !isOfProject || folders.file === null;
  const where = isHere ? "here" : `in ${relative(cwd, folders.workflows) || "."}`;
  throw new UsageError(`there is no sheet ${where}`, "name one, such as support.csv");
}

/** For a command that looks for one graph: files without graphs are reported only when they were named. */
export const sheetsToSearch = (
  context: Context,
  folders: Folders,
  named: Named,
): Promise<FoundSheets["sheets"]> =>
  sheetsToRead(isNothing(named) ? { ...context, note: context.detail } : context, folders, named);
