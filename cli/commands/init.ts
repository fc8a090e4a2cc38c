import { lstatSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { makeFolder } from "../../compiler/files/make-folder.js";
import { replaceFile } from "../../compiler/files/replace-file.js";
import { keepCopies, takenPaths } from "../../compiler/scaffold/new-files.js";
import { isTemplateName, renderProject, type Step, stepsOf } from "../../compiler/scaffold/render-project.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import { EXIT, UsageError } from "../failure.js";
import type { WithWorkbooks } from "../init/as-workbooks.js";
import { type Joining, planJoin } from "../init/join-project.js";
import { packageSource } from "../init/package-source.js";
import type { Given } from "../line/verb.js";
import { packageRoot } from "../package-root.js";
import type { Context } from "../process/context.js";
import { writeOrRefuse } from "../scaffold/agent-files.js";
import { shellWord } from "../shell-word.js";
import { version } from "../version.js";

/** `flowsheet init`: a project that works at once, or what one that is there needs to have workflows. */
export async function init(
  context: Context,
  [asked = "."]: readonly string[],
  given: Given,
): Promise<number> {
  const folder = resolve(context.cwd, asked);
  if (takenPaths([folder]).length > 0 && lstatSync(folder).isFile())
    throw new UsageError(`${asked} is a file`, "name a folder for the project");
  const template = given.text("template") ?? "hello";
  if (!isTemplateName(template)) throw new Error(`there is no template ${template}`);
  const templates = join(packageRoot(), "templates");
  const name = basename(folder) || "workflows";
  const source = packageSource(folder) ?? version;
  const rendered = renderProject({ templates, template, name, source });
  const { files, books } = await inFormat(given.text("format"), rendered);
  const force = given.flag("force");
  const joining = planJoin(folder, files, force);
  refuseBooks(folder, books, force);
  if (joining === null) makeProject(context, folder, files, force);
  else joinProject(context, folder, joining);
  await writeBooks(context, folder, books);
  const steps = stepsOf(template, (name) => joining?.scripts.has(name) ?? true);
  tellSteps(context, folder, steps);
  const notes = joining === null ? [] : [...joining.notes, ...(await notesOnModules(folder, joining))];
  for (const note of notes) context.stdout.write(`note: ${note}\n`);
  return EXIT.done;
}

/** The code that makes workbooks is loaded only for them. */
async function inFormat(format: string | null, files: ReadonlyMap<string, string>): Promise<WithWorkbooks> {
  if (format !== "xlsx") return { files, books: new Map() };
  return (await import("../init/as-workbooks.js")).asWorkbooks(files);
}

/** A workbook that is there is never replaced without a word: nothing is written then. */
function refuseBooks(folder: string, books: WithWorkbooks["books"], force: boolean): void {
  const taken = takenPaths([...books.keys()].map((path) => join(folder, path)));
  if (taken.length > 0 && !force)
    throw new UsageError(
      `files are in the way: ${taken.map((path) => basename(path)).join(", ")}`,
      "choose another folder; --force replaces these files",
    );
}

async function writeBooks(
  { cwd, stdout }: Context,
  folder: string,
  books: WithWorkbooks["books"],
): Promise<void> {
  for (const [path, bytes] of books) {
    const target = join(folder, path);
    makeFolder(dirname(target));
    await replaceFile(target, bytes);
    stdout.write(`created   ${nameFrom(cwd, target)}\n`);
  }
}

/** A project that has its own tsconfig.json may not be able to use what is compiled. */
async function notesOnModules(folder: string, { kept }: Joining): Promise<readonly string[]> {
  if (!kept.includes("tsconfig.json")) return [];
  const { clashOf } = await import("../../compiler/type-check/program.js");
  const clash = clashOf(folder);
  return clash === null ? [] : [`${clash.says}; ${clash.cure}`];
}

function makeProject(
  context: Context,
  folder: string,
  rendered: ReadonlyMap<string, string>,
  force: boolean,
): void {
  const files = new Map([...rendered].map(([path, text]) => [join(folder, path), text]));
  const taken = new Set(takenPaths(files.keys()));
  const shown = (path: string): string => nameFrom(context.cwd, path);
  if (taken.size > 0 && !force) {
    const names = [...taken].map(shown).join(", ");
    throw new UsageError(
      `${taken.size === 1 ? "a file is" : "files are"} in the way: ${names}`,
      "choose another folder; --force replaces these files, keeps a copy of each, and leaves all others alone",
    );
  }
  replaceFiles(context, folder, files);
}

function joinProject(context: Context, folder: string, joining: Joining): void {
  const at = (path: string): string => join(folder, path);
  const { manifest, added, files, kept, replaced } = joining;
  const placed = new Map([...files].map(([path, text]) => [at(path), text]));
  replaceFiles(context, folder, placed, replaced.map(at));
  if (added.length > 0) {
    writeOrRefuse({ root: folder, files: new Map([[at("package.json"), manifest]]), force: true }, context);
    context.stdout.write(`added to  ${nameFrom(context.cwd, at("package.json"))}: ${added.join(", ")}\n`);
  }
  for (const path of kept) context.stdout.write(`kept      ${nameFrom(context.cwd, at(path))}\n`);
}

/** Writes files, those that are there after a copy of each was kept. */
function replaceFiles(
  context: Context,
  folder: string,
  files: ReadonlyMap<string, string>,
  alsoCopied: readonly string[] = [],
): void {
  const { cwd, stdout } = context;
  const taken = takenPaths(files.keys());
  // A link or a folder in the place of a file is refused before anything is copied.
  const copied = [...taken, ...alsoCopied].filter((path) => lstatSync(path).isFile());
  const copies =
    copied.length === taken.length + alsoCopied.length ? keepCopies(copied) : new Map<string, string>();
  writeOrRefuse({ root: folder, files, force: taken.length > 0 }, context);
  for (const path of files.keys()) {
    const copy = copies.get(path);
    const where = copy === undefined ? "" : ` (the old one is ${nameFrom(cwd, copy)})`;
    stdout.write(`${copy === undefined ? "created " : "replaced"}  ${nameFrom(cwd, path)}${where}\n`);
  }
}

function tellSteps({ cwd, stdout, quiet }: Context, folder: string, steps: readonly Step[]): void {
  if (quiet) return;
  const way = relative(cwd, folder);
  const enter = way === "" ? [] : [{ command: `cd ${shellWord(way)}`, meaning: "go to the project" }];
  const all = [...enter, ...steps];
  // One long command must not push what the others mean out of sight.
  const width = Math.max(0, ...all.map(({ command }) => command.length).filter((length) => length <= 40));
  const lines = all.map(({ command, meaning }) => `  ${command.padEnd(width)}  # ${meaning}\n`);
  stdout.write(`\nType next:\n${lines.join("")}`);
}
