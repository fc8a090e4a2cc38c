import { join } from "node:path";
import { cellSpan, locate } from "../../compiler/1-parse/index.js";
import type { Understanding } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { GraphIR, Place } from "../../compiler/ir.js";
import { loadAgents } from "../agents/load.js";
import { AgentRegistry } from "../agents/registry.js";
import type { AnyGraph } from "../graph/contract.js";
import { FlowsheetError } from "../graph/errors.js";
import { link } from "../graph/link.js";
import { agentModules } from "./agent-modules.js";

/** A graph of a sheet, ready to run. */
export interface OpenedGraph {
  readonly ir: GraphIR;
  readonly graph: AnyGraph;
  /** Where a node stands in the sheet: its agent's cell. */
  readonly placeOf: (node: string) => Place | null;
}

/** Where the project keeps its agents and what is made of them. */
export interface AgentFolders {
  readonly root: string;
  readonly agents: string;
}

/** A sheet or a graph that cannot be run, with what is wrong. */
export class WorkflowError extends FlowsheetError {
  readonly diagnostics: readonly Diagnostic[];
  readonly help: string | null;

  constructor(
    code: WorkflowErrorCode,
    message: string,
    options: { readonly diagnostics?: readonly Diagnostic[]; readonly help?: string } = {},
  ) {
    super(code, message);
    this.diagnostics = options.diagnostics ?? [];
    this.help = options.help ?? null;
  }
}

export type WorkflowErrorCode =
  | "workflow_invalid"
  | "graph_unknown"
  | "graph_needed"
  | "module_missing"
  | "module_stale";

/** Chooses a graph of a sheet by name; without a name, the only one. */
export function chooseGraph({ file, graphs }: Understanding, name: string | null): GraphIR {
  const names = graphs.map((graph) => graph.name);
  const list = names.map((one) => JSON.stringify(one)).join(", ");
  if (name === null) {
    const [only] = graphs;
    if (only !== undefined && graphs.length === 1) return only;
    throw new WorkflowError("graph_needed", `${file} has ${graphs.length} graphs`, {
      help: `name one with --graph: ${list}`,
    });
  }
  const found = graphs.find((graph) => graph.name === name);
  if (found !== undefined) return found;
  const meant = suggest(name, names);
  const help = meant === null ? `it has ${list}` : `did you mean ${JSON.stringify(meant)}?`;
  throw new WorkflowError("graph_unknown", `${file} has no graph ${JSON.stringify(name)}`, { help });
}

/** The errors that keep a graph from running: those of the sheet as a whole, and its own. */
export function errorsOf({ diagnostics }: Understanding, graph: string | null): readonly Diagnostic[] {
  return diagnostics.filter(
    (one) => one.severity === "error" && (one.graph === null || graph === null || one.graph === graph),
  );
}

/** Links a graph of a sheet with its agents; refuses when the sheet has errors that concern it. */
export async function openGraph(
  understanding: Understanding,
  name: string | null,
  folders: AgentFolders,
): Promise<OpenedGraph> {
  const whole = errorsOf(understanding, "");
  if (understanding.sheet === null || whole.length > 0) throw invalid(understanding.file, whole);
  const ir = chooseGraph(understanding, name);
  const errors = errorsOf(understanding, ir.name);
  if (errors.length > 0) throw invalid(understanding.file, errors);
  const { sheet } = understanding;
  const byName = new Map(ir.nodes.map((node) => [node.name, node]));
  return {
    ir,
    graph: link(ir, await createRegistry(ir, folders)),
    placeOf: (node) => {
      const found = byName.get(node);
      const span =
        found === undefined
          ? null
          : (cellSpan(sheet, found.index, "agent_type") ?? cellSpan(sheet, found.index, "node_name"));
      return span === null ? null : locate(sheet, span);
    },
  };
}

const invalid = (file: string, diagnostics: readonly Diagnostic[]): WorkflowError =>
  new WorkflowError(
    "workflow_invalid",
    `${file} has ${diagnostics.length === 1 ? "an error" : `${diagnostics.length} errors`}`,
    { diagnostics },
  );

/** The agents that a graph names; only their files are run. */
async function createRegistry(ir: GraphIR, { root, agents }: AgentFolders): Promise<AgentRegistry> {
  const registry = new AgentRegistry();
  const types = new Set(ir.nodes.filter(({ agent }) => !agent.builtin).map(({ agent }) => agent.written));
  if (types.size === 0) return registry;
  const cache = join(root, ".flowsheet", "cache");
  const loaded = await loadAgents({ folder: agents, types, cache, modules: agentModules });
  for (const { type, agent } of loaded) registry.add(type, agent);
  return registry;
}
