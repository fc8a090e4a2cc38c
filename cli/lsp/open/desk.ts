import type { GraphIR } from "../../../compiler/ir.js";
import type { View } from "../../../compiler/service/document.js";
import { messageOf } from "../../../runtime/graph/contract/errors.js";
import { testedSheet } from "../../../runtime/testing/open-tests.js";
import { isTestSheet } from "../../../runtime/workflows/find-sheets.js";
import { isOutside } from "../around/outside.js";
import { createWorlds, type Worlds, type WorldsOptions } from "../around/worlds.js";
import type { ContentChange, NewDocument } from "../wire/wanted.js";
import { OpenFile } from "./open-file.js";

export interface DeskOptions extends Pick<WorldsOptions, "context" | "roots" | "tell"> {
  /** Called for each file whose problems may be others now; `soon` while somebody types in it. */
  readonly onStale: (file: OpenFile, soon: "now" | "soon") => void;
}

export type Desk = ReturnType<typeof createDesk>;

/** The files that are open in the editor, each with its world. */
export function createDesk({ context, roots, tell, onStale }: DeskOptions) {
  const files = new Map<string, OpenFile>();
  const byPath = new Map<string, OpenFile>();
  const openAt = (path: string): OpenFile | null => byPath.get(path) ?? null;
  const worlds = createWorlds({ context, roots, tell, openAt });
  const enter = (file: OpenFile): void => {
    if (file.kind === "table") enterWorld(file, worlds, tell);
  };
  const forget = (file: OpenFile): void => {
    files.delete(file.uri);
    if (file.path !== null) byPath.delete(file.path);
    tell(file.uri, null);
  };
  /** Null when nothing is known of the file. */
  const viewOf = (file: OpenFile): View | null => {
    try {
      const { view } = file;
      if (view !== null) tell(file.uri, null);
      return view;
    } catch (error) {
      if (!isOutside(error)) throw error;
      tell(file.uri, messageOf(error));
      file.enter(shownOr(file, worlds), worlds.nowhere);
      return file.view;
    }
  };
  return {
    worlds,
    files: (): Iterable<OpenFile> => files.values(),
    find: (uri: string): OpenFile | null => files.get(uri) ?? null,
    openAt,
    open: (given: NewDocument): OpenFile | null => {
      const before = files.get(given.uri);
      if (before !== undefined) forget(before);
      const file = OpenFile.open(given);
      if (file === null) return null;
      files.set(file.uri, file);
      if (file.path !== null) byPath.set(file.path, file);
      enter(file);
      onStale(file, "now");
      return file;
    },
    change: (file: OpenFile, changes: readonly ContentChange[], version: number): void => {
      file.change(changes, version);
      onStale(file, "soon");
    },
    close: (uri: string): OpenFile | null => {
      const file = files.get(uri);
      if (file === undefined) return null;
      forget(file);
      worlds.keep(files.values());
      return file;
    },
    /** Whoever calls graphs of a sheet, or tests them, sees what it says now. */
    spread: (changed: OpenFile): void => {
      const others = [...files.values()].filter((file) => file !== changed && sees(file, changed, viewOf));
      if (others.length === 0) return;
      worlds.renewSheets();
      for (const file of others) {
        enter(file);
        onStale(file, "now");
      }
    },
    /** The disk says something else than before. */
    renew: (): void => {
      worlds.renew();
      // A test sheet looks at the graphs of its sheet.
      const isTest = ({ path }: OpenFile): boolean => path !== null && isTestSheet(path);
      const all = [...files.values()];
      for (const file of [...all.filter((one) => !isTest(one)), ...all.filter(isTest)]) {
        enter(file);
        onStale(file, "soon");
      }
    },
    viewOf,
  };
}

/** A world that cannot be read is told; the sheet is checked without one. */
function enterWorld(file: OpenFile, worlds: Worlds, tell: DeskOptions["tell"]): void {
  try {
    file.enter(worlds.shownOf(file), worlds.worldOf(file));
  } catch (error) {
    if (!isOutside(error)) throw error;
    tell(file.uri, messageOf(error));
    file.enter(shownOr(file, worlds), worlds.nowhere);
  }
}

function shownOr(file: OpenFile, worlds: Worlds): string {
  try {
    return worlds.shownOf(file);
  } catch {
    return file.path ?? file.uri;
  }
}

function sees(file: OpenFile, changed: OpenFile, viewOf: (file: OpenFile) => View | null): boolean {
  if (file.kind !== "table" || changed.kind !== "table" || file.path === null || changed.path === null)
    return false;
  if (isTestSheet(changed.path)) return false;
  if (isTestSheet(file.path))
    return testedSheet({ path: file.path, shown: file.path, named: true }).path === changed.path;
  const view = viewOf(file);
  return view === null || view.graphs.some((graph) => callsGraphs(graph, view));
}

function callsGraphs({ nodes }: GraphIR, { world }: View): boolean {
  const callers = new Set(
    world.world.agents.flatMap(({ type, settings }) =>
      Object.values(settings).some(({ kind }) => kind === "graph") ? [type] : [],
    ),
  );
  return nodes.some(({ agent }) => agent.builtin && callers.has(agent.type));
}
