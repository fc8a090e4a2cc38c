import { createBranches } from "../../compiler/branches.js";
import type {
  FieldIR,
  GraphIR,
  Json,
  MergeKind,
  NodeIR,
  PromptIR,
  ReadIR,
  WriteIR,
} from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
import { type Edge, type EdgeKind, listEdges, targetName } from "./edges.js";

/** A node or `END`; null is the end in a graph where a node is named END. */
export type TargetName = string | null;

export interface InputDescription {
  readonly param: string;
  readonly field: string;
  readonly path: readonly string[];
  readonly type: string | null;
  readonly optional: boolean;
  /** Set on every way that leads to the node. */
  readonly sure: boolean;
}

export interface OutputDescription {
  readonly key: string;
  readonly field: string;
  readonly type: string | null;
}

export interface NodeDescription {
  readonly name: string;
  readonly row: number;
  readonly agent_type: string;
  readonly builtin: boolean;
  readonly description: string;
  readonly reachable: boolean;
  readonly next: readonly TargetName[];
  readonly success: readonly TargetName[];
  readonly failure: readonly TargetName[];
  readonly cases: readonly { readonly value: string; readonly target: TargetName }[];
  readonly otherwise: TargetName;
  readonly max_visits: number | null;
  /** Null without `max_visits`. */
  readonly on_limit: TargetName;
  readonly inputs: readonly InputDescription[];
  readonly outputs: readonly OutputDescription[];
  readonly prompt: string | null;
  readonly prompt_from: string | null;
  readonly settings: { readonly [name: string]: Json };
}

export interface EdgeDescription {
  readonly from: string;
  readonly to: TargetName;
  readonly on: EdgeKind;
  /** The answers that lead here, where an agent's settings name them. */
  readonly values?: readonly string[];
}

export interface FieldDescription {
  readonly name: string;
  readonly type: string;
  readonly input: "required" | "optional" | null;
  readonly written_by: readonly string[];
  readonly read_by: readonly string[];
  readonly set_at_end: boolean;
}

export interface SplitDescription {
  readonly node: string;
  readonly on: "next" | "success" | "failure";
  readonly branches: readonly { readonly target: TargetName; readonly nodes: readonly string[] }[];
  readonly meet: TargetName;
  readonly merge: { readonly [field: string]: MergeKind };
}

export interface GraphDescription {
  readonly name: string;
  readonly file: string;
  readonly entry: string | null;
  readonly nodes: readonly NodeDescription[];
  readonly edges: readonly EdgeDescription[];
  readonly fields: readonly FieldDescription[];
  readonly splits: readonly SplitDescription[];
  /** The fields that a caller may or must give. */
  readonly inputs: readonly string[];
  /** The fields that nodes write. */
  readonly outputs: readonly string[];
}

/** A graph as plain data with names instead of numbers. Linear. */
export function describeGraph(graph: GraphIR): GraphDescription {
  const branches = createBranches(graph.nodes.length, graph.splits);
  const target = targetName(graph);
  const names = (indices: readonly number[]): readonly string[] =>
    indices.map((index) => nodeName(graph, index));
  return {
    name: graph.name,
    file: graph.file,
    entry: graph.nodes[0]?.name ?? null,
    nodes: graph.nodes.map((node) => nodeDescription(node, target)),
    edges: listEdges(graph).flatMap((edges) => edges.map((edge) => edgeDescription(graph, edge, target))),
    fields: graph.fields.map((field) => ({
      name: field.name,
      type: formatType(field.type),
      input: field.input,
      written_by: names(field.writers),
      read_by: names(readersOf(graph, field)),
      set_at_end: field.setAtEnd,
    })),
    splits: graph.splits.map((split, number) => ({
      node: nodeName(graph, split.node),
      on: split.by,
      branches: split.targets.map((to, i) => ({
        target: target(to),
        nodes: names(branches.nodes(branches.at(number, i))),
      })),
      meet: target(split.meet),
      merge: split.merge,
    })),
    inputs: graph.fields.filter(({ input }) => input !== null).map(({ name }) => name),
    outputs: graph.fields.filter(({ writers }) => writers.length > 0).map(({ name }) => name),
  };
}

/** The nodes that read a field; a prompt may use `error` without naming it as an input. */
export function readersOf(graph: GraphIR, { name, readers }: FieldIR): readonly number[] {
  if (name !== "error") return readers;
  const inPrompts = graph.nodes.flatMap((node, i) => (node.errorInPrompt ? [i] : []));
  return [...new Set([...readers, ...inPrompts])].sort((a, b) => a - b);
}

/** The name of a node that is known to be there. */
export const nodeName = (graph: GraphIR, index: number): string => graph.nodes[index]?.name ?? "";

/** An edge with names instead of numbers. */
export function edgeDescription(
  graph: GraphIR,
  { from, to, on, values }: Edge,
  target: (to: number) => TargetName,
): EdgeDescription {
  const edge = { from: nodeName(graph, from), to: target(to), on };
  return values.length > 0 ? { ...edge, values } : edge;
}

/** One node with the names of its targets. */
export function nodeDescription(node: NodeIR, target: (to: number) => TargetName): NodeDescription {
  return {
    name: node.name,
    row: node.row,
    agent_type: node.agent.type,
    builtin: node.agent.builtin,
    description: node.description,
    reachable: node.reachable,
    next: node.next.map(target),
    success: node.onSuccess.map(target),
    failure: node.onFailure.map(target),
    cases: node.cases.map((one) => ({ value: one.value, target: target(one.target) })),
    otherwise: node.otherwise === null ? null : target(node.otherwise),
    max_visits: node.maxVisits,
    on_limit: node.maxVisits === null ? null : target(node.onLimit),
    inputs: node.reads.map(inputDescription),
    outputs: node.writes.map(outputDescription),
    prompt: node.prompt === null ? null : promptText(node.prompt),
    prompt_from: node.promptFrom,
    settings: settingsOf(node),
  };
}

const inputDescription = ({ param, field, path, type, optional, sure }: ReadIR): InputDescription => ({
  param,
  field,
  path,
  type: type === null ? null : formatType(type),
  optional,
  sure,
});

const outputDescription = ({ key, field, type }: WriteIR): OutputDescription => ({
  key,
  field,
  type: type === null ? null : formatType(type),
});

/** A prompt with its placeholders in braces again. */
function promptText(prompt: PromptIR): string {
  return prompt
    .map((part) => (typeof part === "string" ? escapeBraces(part) : `{${part.join(".")}}`))
    .join("");
}

/** Text that looks like a placeholder was written with double braces. */
const escapeBraces = (text: string): string => text.replace(/\{[\p{L}\p{N}_. -]+\}/gu, "{$&}");

/** The settings of a node, its agent's own and those that every node has, under the sheet's names. */
export function settingsOf({ settings, retry, timeoutMs, merge }: NodeIR): { readonly [name: string]: Json } {
  const all: [string, Json][] = Object.entries(settings);
  if (retry !== null) {
    const { attempts, delayMs, factor, maxDelayMs } = retry;
    all.push(["retry", { attempts, delay_ms: delayMs, factor, max_delay_ms: maxDelayMs }]);
  }
  if (timeoutMs !== null) all.push(["timeout_ms", timeoutMs]);
  if (Object.keys(merge).length > 0) all.push(["merge", merge]);
  return Object.fromEntries(all);
}
