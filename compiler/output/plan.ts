import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { wayInside } from "../files/inside.js";
import { makeFolder } from "../files/make-folder.js";
import { replaceContent } from "../files/replace-file.js";
import { unifiedDiff } from "./diff.js";
import { type GeneratedFile, MARKER, readGenerated } from "./generated-file.js";
import { attempt, OutputError, refusal } from "./output-error.js";

export type Action = "created" | "updated" | "unchanged" | "removed" | "stale" | "foreign" | "linked";

/**
 * `stale` was generated, but has no sheet any more. `foreign` was not generated, and `linked` is a link.
 * Files of the last two kinds are never changed.
 */
export interface PlannedFile {
  readonly name: string;
  readonly action: Action;
  readonly before: string | null;
  readonly after: string | null;
}

export interface PlanOptions {
  /** Files that are no longer made from a sheet are removed. */
  readonly clean: boolean;
  /** Names of generated files that other sheets made: they stay as they are. */
  readonly kept: ReadonlySet<string>;
}

/** Compares what should be in a folder with what is there; writes nothing. */
export function planOutput(
  folder: string,
  wanted: ReadonlyMap<string, string>,
  { clean, kept }: PlanOptions,
): readonly PlannedFile[] {
  const planned = [...wanted].map(([name, after]) => planFile(folder, name, after));
  const gone = generatedIn(folder, (name) => !wanted.has(name) && !kept.has(name));
  const left = gone.map(({ name, text }): PlannedFile => {
    return { name, action: clean ? "removed" : "stale", before: text, after: null };
  });
  return [...planned, ...left];
}

function planFile(folder: string, name: string, after: string): PlannedFile {
  const path = join(folder, name);
  const stats = statsOf(path);
  if (stats === undefined) return { name, action: "created", before: null, after };
  if (stats.isSymbolicLink()) return { name, action: "linked", before: null, after };
  if (!stats.isFile()) return { name, action: "foreign", before: null, after };
  // Git may have changed the line ends, which mean nothing in a module.
  const before = readText(path).replaceAll("\r\n", "\n");
  if (!before.startsWith(MARKER)) return { name, action: "foreign", before, after };
  return { name, action: before === after ? "unchanged" : "updated", before, after };
}

/** The file itself, not what it leads to. */
const statsOf = (path: string): Stats | undefined =>
  attempt("read", path, () => lstatSync(path, { throwIfNoEntry: false }));

const readText = (path: string): string => attempt("read", path, () => readFileSync(path, "utf8"));

/** The files of a folder that an earlier `compile` wrote, in the order of their names. Others are not read. */
export function generatedIn(
  folder: string,
  isAsked: (name: string) => boolean = () => true,
): readonly GeneratedFile[] {
  if (statsOf(folder)?.isDirectory() !== true) return [];
  const names = attempt("read", folder, () => readdirSync(folder));
  const modules = names.filter((name) => name.endsWith(".gen.ts") && isAsked(name));
  return modules.sort().flatMap((name) => {
    const path = join(folder, name);
    if (statsOf(path)?.isFile() !== true) return [];
    const text = readText(path);
    return text.startsWith(MARKER) ? [readGenerated(name, text)] : [];
  });
}

/** The reason why nothing may be written into a folder; null when there is none. */
export function folderFault(folder: string, root: string): string | null {
  const stats = statsOf(folder);
  if (stats?.isSymbolicLink() === true) return "is a symbolic link";
  if (stats !== undefined && !stats.isDirectory()) return "is no folder";
  if (wayInside(root, folder) !== null && wayInside(realPath(root), realPath(folder)) === null)
    return "leads out of the project by a symbolic link";
  return null;
}

/** The real path; for a missing one, that of its nearest existing folder. */
function realPath(path: string): string {
  if (statsOf(path) !== undefined || dirname(path) === path)
    return attempt("read", path, () => realpathSync(path));
  return join(realPath(dirname(path)), path.slice(dirname(path).length));
}

/** Files that were not generated are left alone. */
export async function writeOutput(folder: string, plan: readonly PlannedFile[]): Promise<void> {
  attempt("write", folder, () => makeFolder(folder));
  for (const { name, action, after } of plan) {
    const path = join(folder, name);
    if (action === "removed") attempt("remove", path, () => rmSync(path));
    if ((action !== "created" && action !== "updated") || after === null) continue;
    // Somebody may have put a link there since the plan was made.
    if (statsOf(path)?.isSymbolicLink() === true)
      throw new OutputError(path, "write", new Error("it has become a symbolic link"));
    await replaceContent(path, after).catch((error: unknown) => {
      throw refusal("write", path, error);
    });
  }
}

export async function diffOutput(plan: readonly PlannedFile[]): Promise<string> {
  const diffs = plan.map(({ name, before, after }) =>
    unifiedDiff(before ?? "", after ?? "", {
      from: before === null ? "/dev/null" : `a/${name}`,
      to: after === null ? "/dev/null" : `b/${name}`,
    }),
  );
  return (await Promise.all(diffs)).join("");
}
