import { resolve } from "node:path";
import type { Understanding } from "../../compiler/compile.js";
import { createReport, type Report } from "../../compiler/diagnostics/report.js";
import type { Folders } from "../config/folders.js";
import type { AnyAgent } from "../graph/contract/contract.js";
import type { Environment } from "../host.js";
import { oncePerKey } from "../lazy.js";
import { findGraph, projectSheets } from "../workflows/find-graph.js";
import { createKeptSheets, type KeptSheets } from "../workflows/kept-sheets.js";
import type { OpenedGraph } from "../workflows/open-graph.js";
import { readSheetFile, type SheetSource, understandContent } from "../workflows/read-sheet.js";
import { createWorlds } from "../workflows/world.js";

export interface ProjectGraphsOptions {
  readonly cwd: string;
  readonly project: Folders;
  readonly env: Environment;
  readonly encoding: string | null;
  readonly agents?: { readonly [name: string]: AnyAgent };
  /** Registered graphs, by the path of the file they come from. */
  readonly graphAt?: (path: string) => OpenedGraph | undefined;
}

/** A graph by the sheet that has it. Without a path: the project's sheet with that graph. */
export interface GraphPlace {
  readonly csvPath: string | null;
  readonly graphName: string | null;
}

/** The graphs of a project's sheets, opened once for as long as their files stay as they are. */
export class ProjectGraphs {
  readonly #options: ProjectGraphsOptions;
  readonly #sheets: KeptSheets;
  /** By the path as the caller gave it. */
  readonly #sourceAt: (csvPath: string) => SheetSource;

  constructor(options: ProjectGraphsOptions) {
    const { cwd, project, env, encoding, agents: registered = {} } = options;
    this.#options = options;
    this.#sheets = createKeptSheets({ folders: project, env, registered });
    this.#sourceAt = oncePerKey((shown) => ({ path: resolve(cwd, shown), shown, encoding }));
  }

  /** Undefined when the graph is not cached, or its files changed. */
  known({ csvPath, graphName }: GraphPlace): OpenedGraph | undefined {
    if (csvPath === null) return undefined;
    const source = this.#sourceAt(csvPath);
    return this.#options.graphAt?.(source.path) ?? this.#sheets.known(source, graphName);
  }

  async open(place: GraphPlace): Promise<OpenedGraph> {
    return this.openAt(this.sourceOf(place), place.graphName);
  }

  async openAt(source: SheetSource, graph: string | null): Promise<OpenedGraph> {
    return this.#options.graphAt?.(source.path) ?? this.#sheets.open(source, graph);
  }

  sourceOf({ csvPath, graphName: graph }: GraphPlace): SheetSource {
    if (csvPath !== null) return this.#sourceAt(csvPath);
    const { cwd, project, encoding } = this.#options;
    const { sheets } = projectSheets(cwd, project);
    const { path, shown } = findGraph({ sheets, graph, folders: project, encoding });
    return { path, shown, encoding };
  }

  understand(source: SheetSource): Understanding {
    return this.#sheets.understand(source);
  }

  /** All problems of a sheet. */
  validate(csvPath: string): Report {
    const { cwd, project, env, encoding, agents = {} } = this.#options;
    const sheet = { path: resolve(cwd, csvPath), shown: csvPath, named: true };
    const about = { folders: project, env, encoding, sheets: [sheet], registered: Object.keys(agents) };
    const world = createWorlds({ ...about, unknownAgent: "warning" })(sheet);
    const understanding = understandContent(readSheetFile(sheet), { shown: csvPath, encoding, world });
    const { diagnostics, graphs, sheet: read } = understanding;
    return createReport(diagnostics, new Map([[csvPath, read?.text ?? ""]]), graphs);
  }
}
