import { statSync } from "node:fs";
import { dirname } from "node:path";
import { patternFault } from "../../../compiler/2-analyze/tests/pattern.js";
import { wayInside } from "../../../compiler/files/inside.js";
import { systemCode } from "../../../compiler/files/system-code.js";
import { versionOf } from "../../../compiler/files/version.js";
import type { CustomAgent, ServiceWorld, View } from "../../../compiler/service/document.js";
import type { World } from "../../../compiler/world.js";
import { about } from "../../../runtime/agents/about.js";
import { findAgents } from "../../../runtime/agents/custom/find.js";
import {
  ConfigurationError,
  defaultProject,
  findConfiguration,
  type Project,
  readProject,
} from "../../../runtime/config/folders.js";
import { messageOf } from "../../../runtime/graph/contract/errors.js";
import { once } from "../../../runtime/lazy.js";
import { testedSheet } from "../../../runtime/testing/open-tests.js";
import { isTestSheet, nameFrom, type SheetPath } from "../../../runtime/workflows/find-sheets.js";
import type { SheetFiles } from "../../../runtime/workflows/library.js";
import { NOWHERE } from "../../../runtime/workflows/nowhere.js";
import type { Opened } from "../../../runtime/workflows/open-file.js";
import { contentOf, graphNamesIn, understandContent } from "../../../runtime/workflows/read-sheet.js";
import { filePathOf, openSheet } from "../../../runtime/workflows/workbooks.js";
import { createSurroundings, type Surroundings } from "../../../runtime/workflows/world.js";
import type { Context } from "../../process/context.js";
import { shownPath } from "../../project.js";
import type { OpenFile } from "../open/open-file.js";

/** The folders of one configuration, or of a folder that has none, and what its sheets are understood with. */
export interface OpenProject {
  readonly project: Project;
  readonly surroundings: Surroundings;
  /** The agents of its files, as their classes are named. */
  readonly agents: () => readonly CustomAgent[];
}

/** A file by its address; it need not be open. */
type Placed = Pick<OpenFile, "uri" | "path">;

export interface WorldsOptions {
  readonly context: Context;
  /** The folders that the editor has open. */
  readonly roots: () => readonly string[];
  readonly openAt: (path: string) => OpenFile | null;
  /** Tells the person something that is wrong with the world; once for each text. */
  readonly tell: (about: string, problem: string | null) => void;
}

export type Worlds = ReturnType<typeof createWorlds>;

/**
 * The world of each open file, as `validate` makes it: no agent is imported. Texts that are open in the editor count
 * in place of the files.
 */
export function createWorlds(options: WorldsOptions) {
  const projects = new Map<string, OpenProject>();
  /** The last that could be read, for as long as its file is broken. */
  const sound = new Map<string, Project>();
  const files = createFiles(options);
  const projectAt = (path: string | null): OpenProject => {
    const located = locate(path, options);
    const { key } = located;
    const known = projects.get(key);
    if (known !== undefined) return known;
    const project = readOr(located, sound, options);
    const opened = surround(project, files, options);
    projects.set(key, opened);
    return opened;
  };
  return {
    projectOf: ({ path }: Placed): Project => projectAt(path).project,
    projects: (): readonly Project[] => [...projects.values()].map(({ project }) => project),
    /** How messages name a file. */
    shownOf: ({ path, uri }: Placed): string =>
      path === null ? uri : nameFrom(projectAt(path).project.root, path),
    worldOf: ({ path, uri }: Placed): ServiceWorld => {
      const opened = projectAt(path);
      const { project, surroundings } = opened;
      const shown = path === null ? uri : nameFrom(project.root, path);
      if (path === null || !isTestSheet(path))
        return seenFrom(opened, surroundings.worldOf({ path, shown, named: true }));
      const sheet = testedSheet({ path, shown, named: true });
      return seenFrom(opened, surroundings.worldOf(sheet), testedIn(sheet, surroundings, files, options));
    },
    /** The sheets whose graphs a sheet may run, and itself. */
    pathsAround: (path: string): ReadonlySet<string> => {
      const { project, surroundings } = projectAt(path);
      return surroundings.library.pathsAround({ path, shown: nameFrom(project.root, path), named: true });
    },
    /** Whether an open sheet looks things up in a file. */
    readsTable: (path: string): boolean =>
      [...projects.values()].some(({ surroundings }) => surroundings.tableFiles().has(path)),
    nowhere: { world: NOWHERE, about, patternFault } satisfies ServiceWorld,
    /** Other sheets are read again when they are asked for; the configuration stays. */
    renewSheets: (): void => {
      for (const [key, { project }] of projects) projects.set(key, surround(project, files, options));
    },
    /** Forgets the projects of files that are closed. */
    keep: (files: Iterable<Placed>): void => {
      const used = new Set([...files].map(({ path }) => locate(path, options).key));
      for (const key of projects.keys()) if (!used.has(key)) projects.delete(key);
    },
    /** All is read again. */
    renew: (): void => projects.clear(),
  };
}

function surround(project: Project, files: SheetFiles, { context }: WorldsOptions): OpenProject {
  const { env, encoding } = context;
  const about = { folders: project, env, encoding, sheets: [], unknownAgent: "warning", files } as const;
  const agents = once(() =>
    findAgents(project.agents).map(({ name, file }) => ({ name, file: nameFrom(project.root, file) })),
  );
  return { project, surroundings: createSurroundings(about), agents };
}

/** What is known beside the sheet. The files of agents are read when they are asked for. */
const seenFrom = (
  { agents }: OpenProject,
  world: World,
  tested: Pick<ServiceWorld, "testedGraphs" | "testedErrors"> = {},
): ServiceWorld => ({
  world,
  about,
  patternFault,
  get customAgents() {
    return agents();
  },
  ...tested,
});

interface Located {
  readonly key: string;
  readonly root: string;
  readonly read: () => Project;
}

/** Which configuration counts for a file. Without one, the folder that is open in the editor is the project's. */
function locate(path: string | null, { context, roots }: WorldsOptions): Located {
  const { cwd, config, env } = context;
  const around = roots().filter((root) => path !== null && wayInside(root, path) !== null);
  const innermost = around.sort((one, other) => other.length - one.length)[0];
  const from = path === null ? (roots()[0] ?? cwd) : dirname(path);
  const found = config === null ? configurationAbove(from) : null;
  if (found !== null)
    return { key: found, root: dirname(found), read: () => readProject(dirname(found), null, env) };
  const root = config === null ? (innermost ?? from) : cwd;
  return { key: `${root}/`, root, read: () => readProject(root, config, env) };
}

/** Null also where the folders cannot be read. */
function configurationAbove(folder: string): string | null {
  try {
    return findConfiguration(folder, null);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

/** A broken configuration is told, and that of before counts. */
function readOr(
  { key, root, read }: Located,
  sound: Map<string, Project>,
  { context, tell }: WorldsOptions,
): Project {
  try {
    const project = read();
    sound.set(key, project);
    tell(key, null);
    return project;
  } catch (error) {
    const last = sound.get(key);
    const counts = last === undefined ? "the usual folders count" : "what it said before counts";
    tell(key, `cannot read the configuration ${faultText(error, key, context.cwd)}; ${counts}`);
    return last ?? defaultProject(root);
  }
}

function faultText(error: unknown, key: string, cwd: string): string {
  if (!(error instanceof ConfigurationError)) return `${shownPath(key, cwd)}: ${messageOf(error)}`;
  const { file, line, column, message } = error;
  return `${shownPath(file, cwd)}${line === null ? "" : `:${line}:${column}`}: ${message}`;
}

/** Reads sheets of the editor and of the disk; the names of their graphs are kept for as long as they are the same. */
function createFiles({ context, openAt }: WorldsOptions): SheetFiles {
  const known = new Map<string, { readonly stamp: string; readonly names: ReadonlySet<string> }>();
  const open = (path: string): Opened => {
    const file = openAt(path);
    return file === null ? openSheet(path) : { kind: "bytes", bytes: bytesOf(file.document.getText()) };
  };
  return {
    open,
    graphsIn: (path) => {
      const stamp = stampOf(path, openAt(path));
      const found = known.get(path);
      if (found?.stamp === stamp) return found.names;
      const names = graphNamesIn({ path, shown: path, encoding: context.encoding, open }, false);
      known.set(path, { stamp, names });
      return names;
    },
  };
}

function stampOf(path: string, file: OpenFile | null): string {
  if (file !== null) return `${file.uri} ${file.version}`;
  const stats = statSync(filePathOf(path), { throwIfNoEntry: false });
  return stats === undefined ? "" : versionOf(stats);
}

/** With a mark, so that `--encoding` leaves it alone: an editor's text has been decoded. */
const bytesOf = (text: string): Uint8Array =>
  Buffer.from(text.startsWith("\ufeff") ? text : `\ufeff${text}`, "utf8");

/** Why no case of a test sheet can run: its sheet is not there, or has errors. Null when it is sound. */
export function sheetFault(
  { path }: OpenFile,
  { file: shown, world: { testedErrors = 0 } }: View,
  openAt: WorldsOptions["openAt"],
): string | null {
  if (path === null || !isTestSheet(path)) return null;
  const sheet = testedSheet({ path, shown, named: true });
  if (testedErrors > 0) {
    const errors = testedErrors === 1 ? "an error" : `${testedErrors} errors`;
    return `${sheet.shown} has ${errors}: no case can run before that is mended`;
  }
  if (openAt(sheet.path) !== null) return null;
  const opened = openSheet(sheet.path);
  return opened.kind === "failed" ? `cannot open ${sheet.shown}: ${opened.why}` : null;
}

type TestedSheet = SheetPath & { readonly path: string };

/** Nothing when there is no such sheet: then no case is called wrong. */
function testedIn(
  sheet: TestedSheet,
  { worldOf }: Surroundings,
  files: SheetFiles,
  { context: { encoding }, openAt }: WorldsOptions,
): Pick<ServiceWorld, "testedGraphs" | "testedErrors"> {
  const known = openAt(sheet.path)?.view ?? understood();
  const errors = known?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
  return { testedGraphs: known?.graphs ?? [], testedErrors: errors.length };

  function understood(): Pick<View, "graphs" | "diagnostics"> | null {
    const opened = files.open(sheet.path);
    const about = { shown: sheet.shown, encoding, world: worldOf(sheet) };
    return opened.kind === "failed" ? null : understandContent(contentOf(opened, sheet), about);
  }
}
