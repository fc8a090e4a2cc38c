import { createBranches } from "../../compiler/2-analyze/flow/branches.js";
import type { FieldIR, GraphIR, Json, NodeIR, PromptIR } from "../../compiler/ir.js";
import type { FieldType } from "../../compiler/types/field-type.js";
import { formatType } from "../../compiler/types/format-type.js";
import { type Edge, type EdgeKind, listEdges, targetName } from "./edges.js";

/** A node or `END`; null is the end in a graph where a node is named END. */
export type TargetName = string | null;

export interface EdgeDescription {
  readonly from: string;
  readonly to: TargetName;
  readonly on: EdgeKind;
  /** The answers that lead here, where an agent's settings name them. */
  readonly values?: readonly string[];
}

/** A graph as plain data with names instead of numbers. Linear. */
export function describeGraph(graph: GraphIR) {
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
    // The fields that a caller may or must give, then those that nodes write.
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

export const nodeName = (graph: GraphIR, index: number): string => graph.nodes[index]?.name ?? "";

export function edgeDescription(
  graph: GraphIR,
  { from, to, on, values }: Edge,
  target: (to: number) => TargetName,
): EdgeDescription {
  const edge = { from: nodeName(graph, from), to: target(to), on };
  return values.length > 0 ? { ...edge, values } : edge;
}

export function nodeDescription(node: NodeIR, target: (to: number) => TargetName) {
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
    inputs: node.reads.map(({ param, field, path, type, optional, sure }) => ({
      param,
      field,
      path,
      type: typeText(type),
      optional,
      // Set on every way that leads to the node.
      sure,
    })),
    outputs: node.writes.map(({ key, field, type }) => ({ key, field, type: typeText(type) })),
    prompt: node.prompt === null ? null : promptText(node.prompt),
    prompt_from: node.promptFrom,
    settings: settingsOf(node),
  };
}

const typeText = (type: FieldType | null): string | null => (type === null ? null : formatType(type));

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
