import { cellSpan, locate } from "../../compiler/1-parse/text/places.js";
import type { Understanding } from "../../compiler/compile.js";
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { cellOfPlace } from "../../compiler/diagnostics/worksheet.js";
import type { CellSpan, GraphIR, NodeIR, Place, Row, Sheet } from "../../compiler/ir.js";
import { cacheOf } from "../agents/custom/cache-folder.js";
import { loadAgents } from "../agents/custom/load.js";
import { AgentRegistry, customType } from "../agents/registry.js";
import type { AnyAgent, AnyGraph, Given, TypedItem } from "../graph/contract/contract.js";
import { type CheckedGiven, createGivenCheck } from "../runs/given.js";
import { agentModules } from "./agent-modules.js";
import {
  type ChildOf,
  createChildOf,
  type FamilySources,
  gatherFamily,
  linkFamily,
  type Member,
} from "./family.js";
import { errorsOf } from "./read-sheet.js";
import { textsOf, type UsedPrompts, type VersionTexts } from "./version-texts.js";
import { WorkflowError } from "./workflow-error.js";

export interface OpenedGraph {
  readonly ir: GraphIR;
  readonly family: readonly GraphIR[];
  readonly childOf: ChildOf;
  readonly graph: AnyGraph;
  /** The agent's cell, the one that holds its formula, or the entry of another cell that names a type. */
  readonly placeOf: (node: string, item?: TypedItem) => Place | null;
  readonly checkGiven: (given: Given) => CheckedGiven;
  /** What another process needs to open the same graph; null for a generated module. */
  readonly texts?: () => VersionTexts | null;
}

export interface GraphSources extends FamilySources {
  /** Bundled agents are cached in the project's folder. */
  readonly root: string;
  readonly agents: string;
  /** Registered agents override those of the folder. */
  readonly registered?: { readonly [name: string]: AnyAgent };
  readonly prompts?: UsedPrompts;
}

/** By name, also as `sheet::Graph`. Without a name the sheet must have one graph. */
function chooseGraph({ file, graphs }: Understanding, name: string | null): GraphIR {
  const names = graphs.map((graph) => graph.name);
  const list = names.map((one) => JSON.stringify(one)).join(", ");
  if (name === null) {
    const [only] = graphs;
    if (only !== undefined && graphs.length === 1) return only;
    throw new WorkflowError("graph_needed", `${file} has ${graphs.length} graphs: ${list}`, {
      help: "name the one that is meant",
    });
  }
  // Names of graphs never contain "::".
  const wanted = name.split("::").at(-1) ?? name;
  const found = graphs.find((graph) => graph.name === wanted);
  if (found !== undefined) return found;
  const meant = suggest(wanted, names);
  const help = meant === null ? `it has ${list}` : `did you mean ${JSON.stringify(meant)}?`;
  throw new WorkflowError("graph_unknown", `${file} has no graph ${JSON.stringify(name)}`, { help });
}

export async function openGraph(
  understanding: Understanding,
  name: string | null,
  sources: GraphSources,
): Promise<OpenedGraph> {
  const whole = errorsOf(understanding, null);
  if (understanding.sheet === null || whole.length > 0) throw invalid(understanding, whole);
  const ir = chooseGraph(understanding, name);
  const family = gatherFamily(understanding, ir, sources);
  checkFamily(family);
  const registry = await createRegistry(family, sources);
  return {
    ir,
    family: family.map((member) => member.ir),
    childOf: createChildOf(family),
    graph: linkFamily(family, (type) => registry.find(type)),
    // `understanding.sheet` is held weakly, so it is read when needed.
    placeOf: (name, item) => {
      const node = ir.nodes.find((one) => one.name === name);
      return placeOf(understanding.sheet, node, item);
    },
    checkGiven: createGivenCheck(ir),
    texts: () => textsOf(family, sources.prompts ?? new Map()),
  };
}

/** Refuses a graph with errors, its own or of a graph it calls. Reports the first sheet with errors. */
function checkFamily(family: readonly Member[]): void {
  const errors = new Map<Understanding, Set<Diagnostic>>();
  for (const { understanding, ir } of family) {
    const known = errors.get(understanding) ?? new Set();
    for (const error of errorsOf(understanding, ir.name)) known.add(error);
    errors.set(understanding, known);
  }
  for (const [understanding, found] of errors) {
    const sorted = understanding.diagnostics.filter((one) => found.has(one));
    if (sorted.length > 0) throw invalid(understanding, sorted);
  }
}

function invalid({ file, sheet }: Understanding, diagnostics: readonly Diagnostic[]): WorkflowError {
  const [first] = diagnostics;
  const count = diagnostics.length === 1 ? "an error" : `${diagnostics.length} errors`;
  const at = first?.place ? cellOfPlace(first.place) : null;
  const what = first === undefined ? "" : `: ${at === null ? "" : `${at}: `}${first.code}: ${first.message}`;
  return new WorkflowError("workflow_invalid", `${file} has ${count}${what}`, {
    diagnostics,
    text: sheet?.text ?? null,
  });
}

function placeOf(sheet: Sheet | null, node: NodeIR | undefined, item: TypedItem | undefined): Place | null {
  if (sheet === null || node === undefined) return null;
  const span =
    (item && itemSpan(sheet.rows[node.index], item)) ??
    formulaSpan(sheet, node) ??
    cellSpan(sheet, node.index, "agent_type") ??
    cellSpan(sheet, node.index, "node_name");
  return span === null ? null : locate(sheet, span);
}

function itemSpan(row: Row | undefined, { column, name }: TypedItem): CellSpan | null {
  const found =
    column === "input_fields"
      ? row?.inputs.find(({ param }) => param === name)
      : row?.outputs.find(({ field }) => field === name);
  return found?.at ?? null;
}

/** The cell of the formula that a node computes: what fails there is written there. */
function formulaSpan(sheet: Sheet, { index, agent, compute }: NodeIR): CellSpan | null {
  if (compute === undefined) return null;
  if (agent.type === "formula") return cellSpan(sheet, index, "prompt");
  return sheet.rows[index]?.settings.find(({ name }) => name === "if")?.cell ?? null;
}

/** Only files of named agents are run. */
async function createRegistry(family: readonly Member[], sources: GraphSources): Promise<AgentRegistry> {
  const registry = new AgentRegistry();
  const { root, agents: folder, registered = {} } = sources;
  for (const [name, agent] of Object.entries(registered)) registry.add(name, agent);
  const known = registry.types();
  const isOfFolder = ({ agent }: NodeIR): boolean => !agent.builtin && !known.has(customType(agent.written));
  const nodes = family.flatMap(({ ir }) => ir.nodes).filter(isOfFolder);
  const types = new Set(nodes.map(({ agent }) => agent.written));
  if (types.size === 0) return registry;
  const cache = cacheOf(root);
  const loaded = await loadAgents({ folder, types, cache, modules: agentModules });
  for (const { type, agent } of loaded) registry.add(type, agent, type);
  return registry;
}
