import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FieldIR, GraphIR } from "../../compiler/ir.js";
import { sampleOf } from "../../compiler/types/sample.js";
import type { NewKey } from "../../runtime/auth/plan/section.js";
import { loadConfiguration } from "../../runtime/config/configuration.js";
import { readProject } from "../../runtime/config/folders.js";
import type { LockedFile } from "../../runtime/config/locked-file.js";
import { projectSheets } from "../../runtime/workflows/find-graph.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import { surroundingsOf, understandFile } from "../sheets/read.js";
import { shellWord } from "../shell-word.js";
import type { Store } from "./change-files.js";

/** Instructions whose commands work when they are pasted. */
export async function setupText(
  keys: readonly NewKey[],
  configuration: LockedFile,
  envFile: LockedFile,
  store: Store,
  context: Context,
): Promise<string> {
  const file = shownPath(configuration.path, context.cwd);
  const graph = await quietly(() => firstGraph(context, configuration.path));
  const base = await serverAddress(context, configuration.path);
  const body = JSON.stringify({
    graph_name: graph?.name ?? "YourGraph",
    initial_state: graph === null ? {} : exampleState(graph),
  });
  const keyOf = (name: string): string => keys.find((key) => key.name === name)?.key ?? "";
  const named = file === "flowsheet.yaml" ? "" : ` --config ${shellWord(file)}`;
  const kept =
    store === "hash"
      ? `${file} holds their digests only: keep the keys now, they cannot be shown again.`
      : `They are in ${shownPath(envFile.path, context.cwd)}, and ${file} refers to them: keep that file out of version control.`;
  const hint = graph === null ? "   (put the name of one of your graphs in it)\n" : "";
  return `
${kept}
developer ends after 90 days; npx flowsheet auth update makes new keys.
Whoever only answers questions gets a key by npx flowsheet auth add --user ada${named}.

Start the server:
   ${serverProgram(context.cwd)}${named}
Run a workflow, with the key executor:
   curl -X POST ${base}/execute -H 'X-API-Key: ${keyOf("executor")}' -H 'Content-Type: application/json' -d ${shellWord(body)}
${hint}List the workflows, with the key readonly:
   curl ${base}/workflows -H 'X-API-Key: ${keyOf("readonly")}'
`;
}

async function quietly<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}

async function serverAddress({ cwd, env }: Context, config: string): Promise<string> {
  const checked = await quietly(() => loadConfiguration({ cwd, named: config, env }));
  const usual = { host: "127.0.0.1", port: 8_000, base_path: "" };
  const { host, port, base_path: path } = checked?.configuration?.settings.server ?? usual;
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}${path}`;
}

const MOST_SHEETS = 20;

async function firstGraph(context: Context, config: string): Promise<GraphIR | null> {
  const { cwd, env } = context;
  const folders = readProject(cwd, config, env);
  const sheets = projectSheets(cwd, folders).sheets.slice(0, MOST_SHEETS);
  const { worldOf } = surroundingsOf(context, folders, sheets, { unknownAgent: "error" });
  for (const sheet of sheets) {
    const one = await quietly(() => understandFile(sheet, worldOf(sheet), context));
    const [graph] = one?.diagnostics.every(({ severity }) => severity !== "error") ? one.graphs : [];
    if (graph !== undefined) return graph;
  }
  return null;
}

/** Includes answers that a run would ask for, so that the first call completes. */
function exampleState({ fields, nodes }: GraphIR): { readonly [field: string]: unknown } {
  const asks = ({ writers }: FieldIR): boolean =>
    writers.some((index) => nodes[index]?.agent.type === "input");
  const given = fields.filter((field) => field.input === "required" || (field.input !== null && asks(field)));
  return Object.fromEntries(given.map(({ name, checks, type }) => [name, sampleOf(checks[0] ?? type)]));
}

/** The server's own program, since npx exits at a signal and leaves the server running. */
function serverProgram(cwd: string): string {
  const program = "node_modules/.bin/flowsheet-server";
  return existsSync(join(cwd, program)) ? program : "flowsheet serve";
}
