import { lstatSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import {
  isTemplateName,
  type ProjectOptions,
  renderProject,
  type Step,
  stepsOf,
  takenPaths,
} from "../../compiler/scaffold/index.js";
import { nameFrom } from "../../runtime/workflows/find-sheets.js";
import type { Context } from "../context.js";
import { EXIT, UsageError } from "../failure.js";
import { packageSource } from "../init/package-source.js";
import { packageRoot } from "../package-root.js";
import { writeOrRefuse } from "../scaffold/write.js";
import type { Given } from "../verbs.js";
import { version } from "../version.js";

/** `flowsheet init`: a project that works at once. */
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
  const options: ProjectOptions = {
    templates: join(packageRoot(), "templates"),
    template,
    name: basename(folder) || "workflows",
    source: packageSource(folder) ?? version,
  };
  makeProject(context, folder, { options, force: given.flag("force") });
  tellSteps(context, folder, stepsOf(template));
  return EXIT.done;
}

interface Making {
  readonly options: ProjectOptions;
  readonly force: boolean;
}

function makeProject(context: Context, folder: string, { options, force }: Making): void {
  const rendered = renderProject(options);
  const files = new Map([...rendered].map(([path, text]) => [join(folder, path), text]));
  const taken = new Set(takenPaths(files.keys()));
  const shown = (path: string): string => nameFrom(context.cwd, path);
  if (taken.size > 0 && !force) {
    const names = [...taken].map(shown).join(", ");
    throw new UsageError(
      `${taken.size === 1 ? "a file is" : "files are"} in the way: ${names}`,
      "choose another folder; --force replaces these files and leaves all others alone",
    );
  }
  writeOrRefuse({ root: folder, files, force }, context);
  for (const path of files.keys())
    context.stdout.write(`${taken.has(path) ? "replaced" : "created "}  ${shown(path)}\n`);
}

function tellSteps({ cwd, stdout, quiet }: Context, folder: string, steps: readonly Step[]): void {
  if (quiet) return;
  const way = relative(cwd, folder);
  const enter = way === "" ? [] : [{ command: `cd ${shellWord(way)}`, meaning: "go to the project" }];
  const all = [...enter, ...steps];
  const width = Math.max(...all.map(({ command }) => command.length));
  const lines = all.map(({ command, meaning }) => `  ${command.padEnd(width)}  # ${meaning}\n`);
  stdout.write(`\nType next:\n${lines.join("")}`);
}

/** A path as a shell takes it for one word. */
const shellWord = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
