import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { completePackage, joinPackage } from "../../compiler/scaffold/join-package.js";
import { takenPaths } from "../../compiler/scaffold/new-files.js";
import { isSample } from "../../compiler/scaffold/render-project.js";
import { UsageError } from "../failure.js";

export type Joining = NonNullable<ReturnType<typeof planJoin>>;

const MANIFEST = "package.json";
const TEST = /^agents\/.*\.test\.ts$/;

/** Null without a package.json, and for a broken one with `force`. */
export function planJoin(folder: string, rendered: ReadonlyMap<string, string>, force: boolean) {
  const at = (path: string): string => join(folder, path);
  if (takenPaths([at(MANIFEST)]).length === 0 || !lstatSync(at(MANIFEST)).isFile()) return null;
  const text = readFileSync(at(MANIFEST), "utf8");
  const ours = rendered.get(MANIFEST) ?? "{}";
  const complete = holdsNoCode(folder) ? completePackage(text, ours) : null;
  const joined = joinPackage(text, ours);
  if (joined === null) {
    if (force) return null;
    throw new UsageError(
      "package.json is no JSON object, or its lists of packages and scripts are none",
      "mend it; --force replaces it, and keeps a copy",
    );
  }
  const isThere = (path: string): boolean => takenPaths([at(path)]).length > 0;
  const isProject = isThere("flowsheet.yaml");
  const wanted = [...rendered].filter(
    ([path]) =>
      path !== MANIFEST &&
      (complete !== null || path !== "README.md") &&
      !(isProject && isSample(path)) &&
      (joined.packages.has("vitest") || !TEST.test(path)),
  );
  const kept = force ? [] : wanted.filter(([path]) => isThere(path)).map(([path]) => path);
  return {
    manifest: complete ?? joined.text,
    added: complete === null ? joined.added : ["what a project needs"],
    files: new Map(wanted.filter(([path]) => !kept.includes(path))),
    /** Existing files that are not overwritten. */
    kept,
    /** Files that are overwritten after a copy was made. */
    replaced: force && joined.added.length > 0 ? [MANIFEST] : [],
    scripts: joined.scripts,
    notes: notesOn(kept.includes(".gitignore") ? readFileSync(at(".gitignore"), "utf8") : null),
  };
}

/** True for a folder without code: packages were installed there to start a project. */
const holdsNoCode = (folder: string): boolean =>
  readdirSync(folder).every((name) => !/^\.[mc]?[jt]sx?$/.test(extname(name)));

const KEPT_OUT = [".flowsheet/", ".env"];

function notesOn(ignored: string | null): readonly string[] {
  const lines = ignored?.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/\*?$/g, ""));
  const open = KEPT_OUT.filter((path) => lines?.includes(path.replace(/\/$/, "")) === false);
  return open.length === 0
    ? []
    : [`add to .gitignore, so that no key and no run gets into the repository: ${open.join(" ")}`];
}
