import { resolve } from "node:path";
import type { GraphIR } from "../../compiler/ir.js";
import type { Project } from "../../runtime/config/folders.js";
import type { RunRow } from "../../runtime/durable/rows.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import { versionOf } from "../../runtime/graph/link/fingerprint.js";
import type { Environment } from "../../runtime/host.js";
import { createKeptSheets, type KeptSheets } from "../../runtime/workflows/kept-sheets.js";
import { understandKept } from "../../runtime/workflows/open-kept.js";
import type { SheetSource } from "../../runtime/workflows/read-sheet.js";
import type { VersionTexts } from "../../runtime/workflows/version-texts.js";
import { type Change, changesOf } from "./changes.js";

/** A graph beside the version in force when its last run began. */
export interface Compared {
  readonly graph: string;
  readonly sheet: string;
  /** Null without a run. */
  readonly from: string | null;
  /** Null when the graph is gone. */
  readonly to: string | null;
  /** The last run that began; null without one. */
  readonly since: { readonly runId: string; readonly created: string } | null;
  readonly changes: readonly Change[];
}

export interface ComparingOptions {
  readonly project: Project;
  readonly env: Environment;
  /** Null when the project has never kept a run. */
  readonly store: DurableStore | null;
}

interface Last {
  readonly run: RunRow;
  readonly graphs: readonly GraphIR[];
}

/** So many runs of a graph are looked at for the last one that began from this sheet. */
const LOOKED = 200;

/** Holds the graphs of sheets against the versions that runs last began with. */
export class Comparing {
  readonly #options: ComparingOptions;
  readonly #sheets: KeptSheets;

  constructor(options: ComparingOptions) {
    const { project, env } = options;
    this.#options = options;
    this.#sheets = createKeptSheets({ folders: project, env, registered: {} });
  }

  /** The graphs of a sheet, those that are gone from it last. */
  async compare(
    source: SheetSource & { readonly path: string },
    graphs: readonly GraphIR[],
  ): Promise<readonly Compared[]> {
    const lasts = new Map<string, Last | null>();
    for (const { name } of graphs) lasts.set(name, await this.#last(source.path, name));
    // A graph that only others run is kept with them; and all graphs of the sheet may have other names now.
    const [newest = null] = [...lasts.values(), await this.#last(source.path, null)]
      .filter((last) => last !== null)
      .sort((a, b) => b.run.created - a.run.created);
    const about = { sheet: source.shown };
    const compared: Compared[] = [];
    for (const graph of graphs) {
      const last = lasts.get(graph.name) ?? newest;
      const to = versionOf((await this.#sheets.open(source, graph.name)).graph);
      const was = last?.graphs.find(({ name }) => name === graph.name);
      const changes = was === undefined ? [] : changesOf(was, graph);
      compared.push({
        ...about,
        graph: graph.name,
        ...fromOf(was === undefined ? null : last, graph.name),
        to,
        changes,
      });
    }
    const here = new Set(graphs.map(({ name }) => name));
    for (const { name, file } of newest?.graphs ?? [])
      if (!here.has(name) && file === newest?.graphs[0]?.file)
        compared.push({ ...about, graph: name, ...fromOf(newest, name), to: null, changes: [] });
    return compared;
  }

  /** The last run of a graph, or of any, that began with the sheet as it was: a fork may have begun with an older one. */
  async #last(path: string, graph: string | null): Promise<Last | null> {
    const { store, project, env } = this.#options;
    if (store === null) return null;
    const { runs } = await store.list({ ...(graph === null ? {} : { graphs: [graph] }), limit: LOOKED });
    const run = runs.find(
      ({ sheet, parent }) => sheet !== null && parent === null && resolve(project.root, sheet) === path,
    );
    const texts = run === undefined ? null : (await store.version(run.version))?.texts;
    if (run === undefined || texts == null) return null;
    const kept = texts as unknown as VersionTexts;
    return { run, graphs: understandKept(kept, { folders: project, env, registered: {} }).graphs };
  }
}

function fromOf(last: Last | null, graph: string): Pick<Compared, "from" | "since"> {
  if (last === null) return { from: null, since: null };
  const { runId, created, version, graph: ran } = last.run;
  // The version of a graph that only others ran is not kept by itself.
  return { from: ran === graph ? version : null, since: { runId, created: new Date(created).toISOString() } };
}
