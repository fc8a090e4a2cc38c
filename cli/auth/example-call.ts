import { understandSheet } from "../../compiler/compile.js";
import type { FieldIR, GraphIR } from "../../compiler/ir.js";
import { sampleOf } from "../../compiler/types/sample.js";
import { loadConfiguration } from "../../runtime/config/configuration.js";
import { readProject } from "../../runtime/config/folders.js";
import { projectSheets } from "../../runtime/workflows/find-graph.js";
import type { SheetPath } from "../../runtime/workflows/find-sheets.js";
import { openSheet } from "../../runtime/workflows/open-sheet.js";
import { createWorlds } from "../../runtime/workflows/world.js";
import type { Context } from "../process/context.js";

/** So many sheets are looked at for an example. */
const MOST_SHEETS = 20;

/** A call of the server that anybody can type. */
export interface ExampleCalls {
  readonly base: string;
  /** The body of POST /execute: a graph of the project, with values for what it needs. */
  readonly body: string;
  /** Whether the graph is one of the project. */
  readonly real: boolean;
}

/** Makes examples from the project as it is; whatever cannot be read is left out. */
export function createExampleCalls(context: Context, config: string): ExampleCalls {
  const graph = quietly(() => firstGraph(context, config)) ?? null;
  const body = {
    graph_name: graph?.name ?? "YourGraph",
    initial_state: graph === null ? {} : exampleState(graph),
  };
  return { base: baseOf(context, config), body: JSON.stringify(body), real: graph !== null };
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function baseOf({ cwd, env }: Context, config: string): string {
  const checked = quietly(() => loadConfiguration({ cwd, named: config, env }));
  const {
    host,
    port,
    base_path: path,
  } = checked?.configuration?.settings.server ?? {
    host: "127.0.0.1",
    port: 8_000,
    base_path: "",
  };
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}${path}`;
}

function firstGraph({ cwd, env, encoding }: Context, config: string): GraphIR | null {
  const folders = readProject(cwd, config, env);
  const sheets = projectSheets(cwd, folders).sheets.slice(0, MOST_SHEETS);
  const worldOf = createWorlds({ folders, env, encoding, sheets, unknownAgent: "error" });
  for (const sheet of sheets) {
    const graph = quietly(() => graphIn(sheet, worldOf(sheet), encoding));
    if (graph != null) return graph;
  }
  return null;
}

function graphIn(
  sheet: SheetPath,
  world: ReturnType<ReturnType<typeof createWorlds>>,
  encoding: string | null,
): GraphIR | null {
  const opened = sheet.path === null ? null : openSheet(sheet.path);
  if (opened?.kind !== "bytes") return null;
  const source = { file: sheet.shown, bytes: opened.bytes, ...(encoding === null ? {} : { encoding }) };
  const { diagnostics, graphs } = understandSheet(source, world);
  return diagnostics.some(({ severity }) => severity === "error") ? null : (graphs[0] ?? null);
}

/** Values for what a run needs, and for what it would ask for: the first call is to come to its end. */
function exampleState({ fields, nodes }: GraphIR): { readonly [field: string]: unknown } {
  const asks = ({ writers }: FieldIR): boolean =>
    writers.some((index) => nodes[index]?.agent.type === "input");
  const given = fields.filter((field) => field.input === "required" || (field.input !== null && asks(field)));
  return Object.fromEntries(given.map(({ name, checks, type }) => [name, sampleOf(checks[0] ?? type)]));
}
