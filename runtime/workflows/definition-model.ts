import { scheduleData } from "../../compiler/definition.js";
import { END, type FieldIR, type GraphIR, type NodeIR, type Target as TargetIR } from "../../compiler/ir.js";
import { webhookIn } from "../../compiler/types/webhook.js";
import { typesOfBuiltins } from "../agents/registry.js";
import type { GraphDefinition, Node, NodeTable, Target } from "../graph/contract/contract.js";
import { inputsByField, mergesByField } from "../graph/link/by-field.js";
import { outputsOf } from "../graph/link/table.js";

type Definition = GraphDefinition<NodeTable>;
type TargetOf = (name: string | null) => TargetIR;

/** To draw and describe it without its sheet: descriptions, prompts, reads and types are missing. */
export function modelOf(definition: Definition, file: string): GraphIR {
  const { name, entry, nodes } = definition;
  const names = [entry, ...Object.keys(nodes).filter((one) => one !== entry)];
  const indices = new Map(names.map((one, index) => [one, index]));
  // A node may be named END, so null means the end.
  const target: TargetOf = (one) => (one === null ? END : (indices.get(one) ?? END));
  const made = names.map((one, index) => nodeModel(definition, one, index, target));
  const { timezone = null, schedule = null } = definition;
  const fields = fieldModels(definition, made);
  const webhook = webhookIn(definition.webhook);
  const offered = definition.mcp === false ? { mcp: false as const } : {};
  const triggers = { timezone, schedule, webhook, ...scheduleData({ ...definition, schedule: null }) };
  return { name, file, nodes: made, fields, splits: [], ...triggers, ...offered, mayFail: false };
}

function nodeModel({ nodes, routes }: Definition, name: string, index: number, target: TargetOf): NodeIR {
  const node = nodes[name];
  if (node === undefined) throw new Error(`the definition has no node ${JSON.stringify(name)}`);
  const { next, success, failure, limit = null, cases = {}, otherwise } = routes[name] ?? {};
  const list = (to: Target<string> | undefined): readonly TargetIR[] =>
    to === undefined ? [] : (isList(to) ? to : [to]).map(target);
  return {
    ...UNTOLD,
    name,
    index,
    agent: agentOf(node),
    settings: node.settings ?? {},
    timeoutMs: node.timeoutMs ?? null,
    maxVisits: node.maxVisits ?? null,
    onLimit: target(limit),
    merge: mergesByField(node.merge),
    next: list(next),
    onSuccess: list(success),
    onFailure: list(failure),
    cases: Object.entries(cases).map(([value, to]) => ({ value, target: target(to) })),
    otherwise: otherwise === undefined ? null : target(otherwise),
    writes: outputsOf(node).map(({ key, field, type = null }) => {
      const annotated = type !== null;
      return { key, field, type, annotated, sure: true };
    }),
  };
}

const isList = (to: Target<string>): to is readonly (string | null)[] => Array.isArray(to);

const UNTOLD = {
  row: 0,
  description: "",
  retry: null,
  candidates: [],
  reads: [],
  items: { writes: [], reads: [] },
  prompt: null,
  errorInPrompt: false,
  promptFrom: null,
  mayFail: false,
  reachable: true,
} as const;

function agentOf({ agent, type, settings }: Node<unknown, PropertyKey>): NodeIR["agent"] {
  const graph = typeof settings?.["graph"] === "string" ? "graph" : undefined;
  const builtin = typesOfBuiltins.get(agent) ?? graph;
  const own = typeof agent === "function" ? agent.name : "";
  const written = type ?? builtin ?? own;
  return { type: builtin ?? written, written, builtin: builtin !== undefined };
}

function fieldModels(definition: Definition, nodes: readonly NodeIR[]): readonly FieldIR[] {
  const inputs = inputsByField(definition.inputs);
  const written = nodes.flatMap(({ writes }) => writes.map(({ field }) => field));
  return [...new Set([...Object.keys(inputs), ...written])].map((name) => {
    const given = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    const { types: checks = [], required = false } = given ?? {};
    const writes = (node: NodeIR): boolean => node.writes.some(({ field }) => field === name);
    const writers = nodes.filter(writes).map(({ index }) => index);
    const [type = { kind: "unknown" as const }] = writers.length === 0 ? checks : [];
    const input = given === undefined ? null : required ? "required" : "optional";
    const untold = { mayBeLeftOut: false, readers: [], setAtEnd: false, setAtSuccess: false };
    return { ...untold, name, type, full: type, input, checks, writers };
  });
}
