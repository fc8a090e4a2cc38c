import type { FieldType, GraphIR, Json, NodeIR, Target } from "../../../compiler/ir.js";
import type { AnyGraph } from "../contract/contract.js";
import { CONTRACT } from "../contract/define.js";
import { childOf } from "./marks.js";
import { END } from "./routing.js";

/**
 * A hash of a graph's meaning. Layout, descriptions and the order of rows after the first do not change it. A
 * suspended run goes on only in a graph with the same fingerprint. Cost: linear.
 */
export function fingerprintOf(graph: GraphIR): string {
  const [entry, ...others] = graph.nodes.map((node) => meaningOf(graph, node));
  const own = graph.timezone === null ? [graph.name] : [graph.name, graph.timezone];
  return hash(JSON.stringify([...own, entry, ...others.sort(byName)]));
}

/**
 * A hash of the meaning of a graph and of all graphs that it runs. A durable run goes on in a graph with the same
 * version. The fingerprint of a graph is of itself alone.
 */
export function versionOf(graph: AnyGraph): string {
  const [own, ...others] = graphsBelow(graph).map(({ name, fingerprint }) => [name, fingerprint]);
  return hash(JSON.stringify([CONTRACT, own, ...others.map((one) => JSON.stringify(one)).sort()]));
}

/** A graph and all graphs that its nodes run, each once. */
export function graphsBelow(top: AnyGraph): readonly AnyGraph[] {
  const found = new Set([top]);
  // Iterating a Set also visits elements added during the iteration.
  for (const { definition } of found)
    for (const { agent } of Object.values(definition.nodes)) {
      const child = typeof agent === "function" ? childOf(agent) : null;
      if (child !== null) found.add(child);
    }
  return [...found];
}

type Meaning = readonly [name: string, ...facts: unknown[]];

const byName = ([a]: Meaning, [b]: Meaning): number => (a < b ? -1 : a > b ? 1 : 0);

function meaningOf(graph: GraphIR, node: NodeIR): Meaning {
  const name = (target: Target): string | null => (target === END ? null : graph.nodes[target]!.name);
  const names = (targets: readonly Target[]): readonly (string | null)[] => targets.map(name);
  return [
    node.name,
    node.agent.type,
    sorted(node.settings),
    [node.retry?.attempts, node.retry?.delayMs, node.retry?.factor, node.retry?.maxDelayMs],
    [node.timeoutMs, node.maxVisits, node.maxVisits === null ? null : name(node.onLimit)],
    sorted(node.merge),
    [names(node.next), names(node.onSuccess), names(node.onFailure)],
    [
      node.cases.map(({ value, target }) => [value, name(target)]),
      node.otherwise === null ? 0 : name(node.otherwise),
    ],
    node.reads.map(readMeaning),
    node.writes.map(({ key, field, type, annotated }) => [key, field, annotated ? typeText(type) : null]),
    node.prompt,
    ...(node.compute === undefined ? [] : [{ compute: node.compute.tree }]),
    // Only a choice uses the descriptions and contexts of nodes.
    ...(node.candidates.length === 0
      ? []
      : [node.candidates.map(({ target, about }) => [name(target), about])]),
  ];
}

/** A run checks the type of an input, and `?` says whether it may be unset. */
const readMeaning = ({ param, field, path, type, optional }: NodeIR["reads"][number]): readonly unknown[] =>
  type === null ? [param, field, path] : [param, field, path, typeText(type), optional];

/** Sorts keys, so that the order of settings does not matter. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, one]) => [key, sorted(one)]);
}

const typeText = (type: FieldType | null): Json =>
  type === null ? null : sorted(JSON.parse(JSON.stringify(type)) as Json);

/** A hash of 128 bits. It tells meanings apart; it is not for security. */
function hash(text: string): string {
  const lanes = Uint32Array.of(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344);
  for (let i = 0; i < text.length; i++) {
    const lane = i & 3;
    const mixed = Math.imul(lanes[lane]! ^ text.charCodeAt(i), 0x9e3779b1);
    lanes[lane] = (mixed ^ (mixed >>> 15)) + lanes[(lane + 1) & 3]!;
  }
  for (let round = 0; round < 16; round++) {
    const lane = round & 3;
    const mixed = Math.imul(lanes[lane]! ^ lanes[(lane + 3) & 3]! ^ text.length, 0x85ebca6b);
    lanes[lane] = mixed ^ (mixed >>> 13);
  }
  return [...lanes].map((lane) => lane.toString(16).padStart(8, "0")).join("");
}
