import { statSync } from "node:fs";
import { relative } from "node:path";
import { isEncoding } from "../compiler/1-parse/encoding.js";
import { ConfigurationError, type Folders, type Project, readProject } from "../runtime/config/folders.js";
import { projectSheets } from "../runtime/workflows/find-graph.js";
import type { FoundSheets } from "../runtime/workflows/find-sheets.js";
import type { Context } from "./context.js";
import { UsageError } from "./failure.js";
import { collectSheets } from "./sheets/collect.js";

/** The project's folders, by its configuration or by default. */
export function openProject({ cwd, config, encoding, env, detail }: Context): Project {
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
    return folders;
  } catch (error) {
    throw unreadable(error, cwd);
  }
}

/** A file's name in messages: below the working folder by its way from there. */
export function shownPath(file: string, cwd: string): string {
  const way = relative(cwd, file);
  return way === "" || way.startsWith("..") ? file : way;
}

/** An error of the configuration as wrong usage; any other error as it is. */
export function unreadable(error: unknown, cwd: string): unknown {
  if (!(error instanceof ConfigurationError)) return error;
  const { file, line, column, message } = error;
  const at = line === null ? "" : `:${line}:${column}`;
  return new UsageError(`cannot read the configuration ${shownPath(file, cwd)}${at}: ${message}`);
}

/** What a command line names, or without any name all sheets of the project; test sheets are passed over. */
export async function sheetsToRead(
  context: Context,
  folders: Folders,
  named: { readonly operands: readonly string[]; readonly csv: readonly string[] },
): Promise<FoundSheets["sheets"]> {
  const { cwd } = context;
  const asked = named.operands.length + named.csv.length > 0;
  const { sheets, tests } = asked ? await collectSheets({ cwd, ...named }) : projectSheets(cwd, folders);
  for (const { shown } of tests) context.note(`passed over ${shown}: a test sheet`);
  if (sheets.length > 0) return sheets;
  const where = asked || folders.file === null ? "here" : `in ${relative(cwd, folders.workflows) || "."}`;
  throw new UsageError(`there is no sheet ${where}`, "name one, such as support.csv");
}
