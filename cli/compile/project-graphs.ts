import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import { commentText } from "../../compiler/3-emit/literals.js";
import { moduleNames } from "../../compiler/3-emit/names.js";
import type { Understanding } from "../../compiler/compile.js";
import type { Modules } from "../../compiler/emit-files.js";
import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import type { GeneratedFile } from "../../compiler/output/generated-file.js";
import type { Folders } from "../../runtime/config/folders.js";
import { once } from "../../runtime/lazy.js";
import { type SheetPath, sheetsInFolder } from "../../runtime/workflows/find-sheets.js";
import type { Library } from "../../runtime/workflows/library.js";
import { STDIN_NAME } from "../sheets/collect.js";

export interface GraphAt {
  readonly sheet: SheetPath;
  readonly understanding: Understanding;
  readonly graph: GraphIR;
}

/** The graphs of a project, whether they are compiled now or not. */
export interface ProjectGraphs extends Modules {
  /** The graphs of other sheets that these graphs run, directly or by way of others, each once. */
  readonly calledBy: (graphs: readonly GraphIR[]) => readonly GraphAt[];
  /** True for a generated module whose header names this graph. */
  readonly isModuleOf: (file: GeneratedFile, at: GraphAt) => boolean;
  /** True for a generated module of a graph that another sheet, outside this command, still has. */
  readonly isOfOthers: (file: GeneratedFile) => boolean;
}

export interface ProjectSheets {
  readonly sheets: readonly SheetPath[];
  readonly understood: readonly Understanding[];
  readonly library: Library;
  readonly folders: Folders;
  readonly cwd: string;
  readonly there: readonly GeneratedFile[];
}

/**
 * Module names are chosen over all sheets of the project.
 * So they do not depend on the sheets that are compiled, now or earlier.
 */
export function createProjectGraphs(project: ProjectSheets): ProjectGraphs {
  const places = placesOf(project);
  const own = new Map([...places.values()].map((at) => [keyOf(at.sheet.path, at.graph.name), at]));
  const names = once(() => nameModules(project));
  const childOf = (graph: GraphIR, node: NodeIR): GraphAt | null => {
    const at = places.get(graph);
    const wanted = node.settings["graph"];
    if (at === undefined || typeof wanted !== "string" || !runsGraph(node)) return null;
    const found = findChild(at, wanted, project.library);
    if (found === null) return null;
    const known = own.get(keyOf(found.sheet.path, found.graph.name)) ?? found;
    places.set(known.graph, known);
    return known;
  };
  return {
    nameOf: (graph) => {
      const at = places.get(graph);
      const name = at === undefined ? undefined : names().modules.get(keyOf(at.sheet.path, graph.name));
      if (name === undefined) throw new Error(`graph ${graph.name} is of no sheet that is known`);
      return name;
    },
    childOf: (graph, node) => childOf(graph, node)?.graph ?? null,
    calledBy: (graphs) => {
      const called = new Map<GraphIR, GraphAt>();
      const seen = new Set(graphs);
      for (const graph of seen)
        for (const node of graph.nodes) {
          const child = childOf(graph, node);
          if (child === null || seen.has(child.graph)) continue;
          seen.add(child.graph);
          if (!own.has(keyOf(child.sheet.path, child.graph.name))) called.set(child.graph, child);
        }
      return [...called.values()];
    },
    isModuleOf: ({ sheet, graph }, at) =>
      sheet === fileNameOf(at.sheet.path) && graph === commentText(at.graph.name),
    isOfOthers: ({ sheet, graph }) => names().others.has(`${sheet}\n${graph}`),
  };
}

const keyOf = (path: string | null, graph: string): string => `${path ?? ""}\n${graph}`;

const runsGraph = ({ agent }: NodeIR): boolean => agent.builtin && agent.type === "graph";

function placesOf({ sheets, understood }: ProjectSheets): Map<GraphIR, GraphAt> {
  const byName = new Map(sheets.map((sheet) => [sheet.shown, sheet]));
  const places = understood.flatMap((understanding) => {
    const sheet = byName.get(understanding.file);
    if (sheet === undefined) return [];
    return understanding.graphs.map((graph) => [graph, { sheet, understanding, graph }] as const);
  });
  return new Map(places);
}

/** The graph of a name that a node runs: of its own sheet, or else of those around it. */
function findChild({ sheet, understanding }: GraphAt, name: string, library: Library): GraphAt | null {
  const own = understanding.graphs.find((graph) => graph.name === name);
  if (own !== undefined) return { sheet, understanding, graph: own };
  const found = library.find(sheet, name);
  const graph = found?.understanding.graphs.find((one) => one.name === found.name);
  return found === null || graph === undefined ? null : { ...found, graph };
}

/** The project's own sheets come first, so that sheets from elsewhere cannot take their names. */
function nameModules(project: ProjectSheets) {
  const { folders, sheets, library, there } = project;
  const inside = projectPaths(project);
  const paths = new Set<string | null>(inside);
  for (const sheet of sheets) for (const path of [sheet.path, ...library.pathsAround(sheet)]) paths.add(path);
  const graphs = createGraphNames(project);
  const claims = (path: string | null) => {
    // From the project's folder, so that it does not depend on the working folder.
    const file = path === null ? "" : relative(folders.root, path).replaceAll("\\", "/");
    return [...graphs(path)].map((name) => ({ key: keyOf(path, name), name, file }));
  };
  const first = [...inside].flatMap(claims);
  const then = [...paths].filter((path) => path === null || !inside.has(path)).flatMap(claims);
  const files = new Set([...paths].map(fileNameOf));
  const foreign = there.flatMap(({ name, sheet }) =>
    sheet === null || files.has(sheet) ? [] : [name.replace(/\.gen\.ts$/, "")],
  );
  const inner = moduleNames(first);
  const names = [...inner, ...moduleNames(then, [...inner, ...foreign])];
  const command = new Set(sheets.map(({ path }) => path));
  const others = [...paths].filter((path) => !command.has(path));
  return {
    modules: new Map([...first, ...then].map(({ key }, index) => [key, names[index]!])),
    /** Graphs of sheets that are not of the command, by the names of their sheets and their own. */
    others: new Set(
      others.flatMap((path) => [...graphs(path)].map((name) => `${fileNameOf(path)}\n${commentText(name)}`)),
    ),
  };
}

/** A sheet's name as the first line of its modules has it. */
export const fileNameOf = (path: string | null): string =>
  path === null ? STDIN_NAME : commentText(basename(path));

/** The sheets of the project: of the workflows folder and, without a configuration, of the working folder. */
function projectPaths({ folders, cwd }: ProjectSheets): ReadonlySet<string> {
  const { workflows, file } = folders;
  const deep = existsSync(workflows) ? sheetsInFolder(cwd, workflows, true).sheets : [];
  const here = file === null ? sheetsInFolder(cwd, cwd, false).sheets : [];
  return new Set([...deep, ...here].flatMap(({ path }) => (path === null ? [] : [path])));
}

/** The names of the graphs of a sheet: as it was understood when it is of the command, else as its rows tell. */
function createGraphNames({
  sheets,
  understood,
  library,
}: ProjectSheets): (path: string | null) => ReadonlySet<string> {
  const files = new Map(understood.map((one) => [one.file, one]));
  const known = new Map(sheets.map(({ path, shown }) => [path, files.get(shown)]));
  return (path) => {
    const understanding = known.get(path);
    if (understanding !== undefined) return new Set(understanding.graphs.map(({ name }) => name));
    return path === null ? new Set() : library.graphsIn(path);
  };
}
