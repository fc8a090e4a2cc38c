import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { wayInside } from "../../compiler/files/inside.js";
import { createLocalSecret } from "../../runtime/auth/local.js";
import { CONFIG_NAME, type Project } from "../../runtime/config/folders.js";
import { createFlowsheetServer, type FlowsheetServer } from "../../runtime/http/server.js";
import type { LocalStudio } from "../../runtime/http/service.js";
import { isTestSheet } from "../../runtime/workflows/find-sheets.js";
import { readSheetFile } from "../../runtime/workflows/read-sheet.js";
import { isSheetPath, sheetsOfBook } from "../../runtime/workflows/workbooks.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openBrowser } from "../process/open-browser.js";
import { openProject, unreadable } from "../project.js";
import { systemUser } from "../run/system-user.js";
import { portOf, startRefused, toldToStop } from "../serve/starting.js";
import { shellWord } from "../shell-word.js";
import { createWorkshop } from "../studio/workshop.js";
import { version } from "../version.js";

/** `flowsheet studio`: the Studio of this machine, until it is told to stop. */
export async function studio(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const project = openProject(context);
  const { sheet, folder } = wantedOf(context, project, operands);
  const local: LocalStudio = {
    secret: createLocalSecret(),
    user: systemUser(),
    folder,
    workshop: createWorkshop(context),
  };
  const server = createServer(context, given, local);
  await context.events.keepChildrenOffStdout();
  const running = await server.listen().catch((error: unknown) => {
    throw unreadable(error, context.cwd);
  });
  const told = toldToStop(context);
  context.events.onStray(server.noteStray);
  const off = context.events.onQuit(() => context.fail("an agent ended the process"));
  const base = `${running.url}${server.configuration.settings.server.base_path}/studio/`;
  const at = sheet === null ? "" : `&at=${encodeURIComponent(nameIn(server, sheet))}`;
  context.stdout.write(
    banner(context, server, { base, address: `${base}#token=${local.secret.token}${at}` }),
  );
  if (given.flag("open"))
    openBrowser(`${base}#code=${local.secret.makeCode()}${at}`, () =>
      context.tell("warning:", "no browser could be opened: open the address that is printed"),
    );
  await told;
  off();
  context.note("stopping: runs that were accepted may end");
  await running.stop(server.configuration.settings.server.shutdown_ms);
  return EXIT.done;
}

/** What the page is to show: a sheet to begin with, and the folder whose sheets are shown in place of the project's. */
interface Wanted {
  readonly sheet: string | null;
  readonly folder: string | null;
}

function wantedOf(context: Context, project: Project, [given]: readonly string[]): Wanted {
  const { cwd } = context;
  if (given === undefined) return { sheet: null, folder: project.file === null ? cwd : null };
  const path = resolve(cwd, given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    return { sheet: null, folder: folderOf(project, path, given) };
  const sheet = sheetOf(given, path);
  const isOfProject = project.file !== null && wayInside(project.workflows, sheet) !== null;
  return { sheet, folder: isOfProject ? null : dirname(sheet) };
}

/** A folder of the project shows all of it, as its sheets may call one another. */
function folderOf({ file, root, workflows }: Project, path: string, given: string): string | null {
  if (file !== null && (path === root || wayInside(workflows, path) !== null)) return null;
  if (existsSync(join(path, CONFIG_NAME)) && file !== join(path, CONFIG_NAME))
    throw new UsageError(
      `${given} is a project of its own`,
      `flowsheet studio --cwd ${shellWord(given)} shows it`,
    );
  return path;
}

function sheetOf(given: string, path: string): string {
  const [sheet = path] = sheetsOfBook(path).flows;
  // What cannot be opened is told as by all commands.
  readSheetFile({ path: sheet, shown: given, named: true });
  if (isSheetPath(sheet) && !isTestSheet(sheet)) return sheet;
  throw new UsageError(
    `${given} is no sheet`,
    "name a CSV file or a workbook that holds graphs, such as support.csv",
  );
}

const nameIn = ({ folder }: FlowsheetServer, sheet: string): string =>
  relative(folder, sheet).replaceAll(sep, "/");

function createServer(context: Context, given: Given, local: LocalStudio): FlowsheetServer {
  const { cwd, config, env, encoding, stderr } = context;
  const console = (line: string): void => stderr.write(line);
  const port = portOf(given) ?? 0;
  try {
    return createFlowsheetServer({ cwd, config, env, encoding, console, host: "127.0.0.1", port, local });
  } catch (error) {
    throw startRefused(error, "the Studio", cwd);
  }
}

/** The address without a token would lead to a page that asks for it: there is one to press, the last. */
function banner(
  context: Context,
  { folder, workflows }: FlowsheetServer,
  { base, address }: { readonly base: string; readonly address: string },
): string {
  const paint = createPaint(context.color(context.stdout));
  const count = workflows();
  const where = relative(context.cwd, folder) || ".";
  const rows = [
    ["workflows", `${count} in ${where}`],
    ["open", `${address}`],
  ].map(([name = "", text = ""]) => `  ${name.padEnd(15)} ${text}\n`);
  return `${paint("strong", `Flowsheet ${version}`)} listens on ${new URL(base).host}\n${rows.join("")}`;
}
