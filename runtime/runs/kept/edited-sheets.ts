import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Project } from "../../config/folders.js";
import {
  holdAgainst,
  type MoveTarget,
  moveRun,
  openRuns,
  type RunFit,
  staysFor,
} from "../../durable/edits/moves.js";
import type { RunRow } from "../../durable/rows.js";
import type { DurableStore, RowQuery } from "../../durable/store.js";
import type { AnyAgent, Json } from "../../graph/contract/contract.js";
import { versionOf } from "../../graph/link/fingerprint.js";
import type { Environment } from "../../host.js";
import { nameFrom } from "../../workflows/find-sheets.js";
import { createKeptSheets, type KeptSheets } from "../../workflows/kept-sheets.js";
import { MODULE } from "../../workflows/module-text.js";
import type { OpenedGraph } from "../../workflows/open-graph.js";
import type { SheetSource } from "../../workflows/read-sheet.js";
import { WorkflowError } from "../../workflows/workflow-error.js";
import { createRunStore } from "../files/store.js";

export interface EditedSheetsOptions {
  readonly cwd: string;
  readonly project: Project;
  readonly env: Environment;
  readonly encoding: string | null;
  readonly registered?: { readonly [name: string]: AnyAgent };
  /** Null when the project has never kept a run. */
  readonly store: DurableStore | null;
  readonly redact: (text: string) => string;
}

export interface Moving {
  readonly dryRun: boolean;
}

/** Holds open runs against the sheets of a project as they now are. */
export class EditedSheets {
  readonly #options: EditedSheetsOptions;
  readonly #sheets: KeptSheets;
  readonly #opened = new Map<string, Promise<OpenedGraph | Missing>>();

  constructor(options: EditedSheetsOptions) {
    const { project, env, registered = {} } = options;
    this.#options = options;
    this.#sheets = createKeptSheets({ folders: project, env, registered });
  }

  /** The open runs of graphs that have changed since; of the sheets at these paths and their callers, or of all. */
  async check(paths: ReadonlySet<string> | null): Promise<readonly RunFit[]> {
    const { store, redact } = this.#options;
    const fits: RunFit[] = [...(await this.#checkFiles(paths))];
    if (store === null) return fits;
    for (const run of await openRuns(store, {})) {
      if (run.sheet === null || run.sheet.endsWith(MODULE)) continue;
      const opened = await this.#open(run.sheet, run.graph);
      if (paths !== null && !this.#isAmong(paths, run.sheet, opened)) continue;
      if ("why" in opened) fits.push({ ...staysFor(run, opened.why, null), ...goneIn(opened) });
      else if (versionOf(opened.graph) !== run.version)
        fits.push(await holdAgainst(store, opened.graph, run, redact));
    }
    return fits;
  }

  /** Runs in files of their own go on only with the graph as it was. */
  async #checkFiles(paths: ReadonlySet<string> | null): Promise<readonly RunFit[]> {
    const files = createRunStore(this.#options.project.runs);
    const fits: RunFit[] = [];
    for (const { runId } of (await files.list()).runs) {
      const record = (await files.find(runId).catch(() => null))?.record;
      if (record === undefined || record.sheet === null) continue;
      const { sheet, graph, fingerprint: from } = record;
      const opened = await this.#open(sheet, graph);
      if (paths !== null && !this.#isAmong(paths, sheet, opened)) continue;
      const to = "why" in opened ? null : opened.graph.fingerprint;
      if (to === from) continue;
      const why = "why" in opened ? opened.why : `${JSON.stringify(graph)} has changed its meaning`;
      const about = { runId, graph, from, to, why, ...goneIn(opened) };
      fits.push({ ...about, fits: false, node: null, reworded: [], isFile: true });
    }
    return fits;
  }

  #isAmong(paths: ReadonlySet<string>, sheet: string, opened: OpenedGraph | Missing): boolean {
    const { cwd, project } = this.#options;
    if (paths.has(resolve(project.root, sheet))) return true;
    if ("why" in opened) return false;
    const all = opened.texts?.()?.sheets ?? [];
    return all.some(({ shown }) => paths.has(resolve(cwd, shown)));
  }

  /** Moves the open runs that a query finds, where they fit. Those that are there already are left out. */
  async moveAll(query: RowQuery, moving: Moving): Promise<readonly RunFit[]> {
    const { store } = this.#options;
    const fits: RunFit[] = [];
    if (store === null) return fits;
    for (const run of await openRuns(store, query)) {
      const fit = await this.move(run, moving);
      if (fit.to !== run.version) fits.push(fit);
    }
    return fits;
  }

  async move(run: RunRow, { dryRun }: Moving): Promise<RunFit> {
    const { store, redact } = this.#options;
    const target = await this.target(run);
    if (store === null || typeof target === "string") return staysFor(run, `${target}`, null);
    return moveRun(store, target, run, { dryRun, redact });
  }

  /** The graph of a run as it now is, or why there is none. */
  async target({ sheet, graph: name }: RunRow): Promise<MoveTarget | string> {
    if (sheet === null || sheet.endsWith(MODULE)) return "it was not begun from the file of a sheet";
    const opened = await this.#open(sheet, name);
    if ("why" in opened) return opened.why;
    const { graph, texts = () => null } = opened;
    return { graph, sheet, texts: () => texts() as unknown as Json };
  }

  /** The graph, or why there is none. */
  #open(sheet: string, graph: string): Promise<OpenedGraph | Missing> {
    const key = `${sheet}\n${graph}`;
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const { cwd, project, encoding } = this.#options;
    const path = resolve(project.root, sheet);
    const source = { path, shown: nameFrom(cwd, path), encoding };
    const opening = this.#sheets.open(source, graph).catch((error: unknown) => {
      if (error instanceof WorkflowError) return missing(error, source, graph);
      throw error;
    });
    this.#opened.set(key, opening);
    return opening;
  }
}

/** Why there is no graph to hold runs against. */
interface Missing {
  readonly why: string;
  /** False when its sheet cannot be understood now. */
  readonly isGone: boolean;
}

const goneIn = (opened: OpenedGraph | Missing): Pick<RunFit, "isGone"> =>
  "why" in opened && opened.isGone ? { isGone: true } : {};

function missing({ code, message }: WorkflowError, { path, shown }: SheetSource, graph: string): Missing {
  if (code === "graph_unknown")
    return { why: `the graph ${JSON.stringify(graph)} is gone from ${shown}`, isGone: true };
  const why = code === "workflow_invalid" ? `${shown} has errors` : message;
  return { why, isGone: code === "sheet_unreadable" && path !== null && !existsSync(path) };
}
