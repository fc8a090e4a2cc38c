import type { FieldIR, GraphIR, NodeIR, ReadIR, WriteIR } from "../ir.js";
import { isUnion, isUnknown } from "../types/field-type.js";
import { isCall, isDeclared, isEachList, writesTo } from "./outputs.js";

/** A field among those of all graphs that are printed together. */
export interface LinkedField {
  readonly graph: GraphIR;
  readonly field: FieldIR;
  /** The fields of graphs that nodes run whose types are a part of its own. */
  readonly parts: readonly LinkedField[];
  /** The fields whose types are made of each other, itself among them; null when its type does not come back to it. */
  readonly circle: readonly LinkedField[] | null;
  /**
   * What is asked of a value that a caller gives: something of its type, or only that it can be printed, which
   * anything can; null when nothing is asked of it.
   */
  readonly asks: "type" | "text" | null;
}

/** Finds a field of one of the graphs. */
export type FindField = (graph: GraphIR, name: string) => LinkedField | null;

interface Open extends LinkedField {
  readonly parts: Open[];
  readonly wholes: Open[];
  circle: readonly LinkedField[] | null;
  asks: "type" | "text" | null;
}

/** Links the fields of graphs that run each other. Linear in their nodes and fields. */
export function linkFields(graphs: readonly GraphIR[], childOf: (node: NodeIR) => GraphIR | null): FindField {
  const byGraph = new Map(graphs.map((graph) => [graph, openFields(graph)]));
  const find = (graph: GraphIR, name: string): Open | null => byGraph.get(graph)?.get(name) ?? null;
  const all = [...byGraph.values()].flatMap((fields) => [...fields.values()]);
  for (const open of all) {
    for (const { node, name } of partsOf(open)) {
      const child = childOf(node);
      const part = child === null ? null : find(child, name);
      if (part === null || (open.field.writers.length === 0 && part.field.input === null)) continue;
      open.parts.push(part);
      part.wholes.push(open);
    }
  }
  spread(all, "type");
  spread(all, "text");
  findCircles(all);
  return find;
}

function openFields(graph: GraphIR): ReadonlyMap<string, Open> {
  return new Map(
    graph.fields.map((field) => [
      field.name,
      { graph, field, parts: [], wholes: [], circle: null, asks: ownAsks(graph, field) },
    ]),
  );
}

function ownAsks({ nodes }: GraphIR, field: FieldIR): LinkedField["asks"] {
  const { name, type, writers, readers, checks } = field;
  if (writers.length > 0 || checks.length > 0) return "type";
  const isTaken = readers.some((v) => !nodes[v]!.agent.builtin && wholeReads(nodes[v]!, name).length > 0);
  if (isTaken) return "type";
  // Only the default for fields that prompts alone read is a union.
  return isUnion(type) ? "text" : null;
}

/** True for a field that only the caller gives, whose type is what its readers ask: the sheet alone does not tell it. */
export const isAskedFor = ({ writers, type, checks }: FieldIR): boolean =>
  writers.length === 0 && (isUnknown(type) || checks.length > 1);

/** The reads of a field whose types nothing in the sheet tells. */
export const wholeReads = ({ reads }: NodeIR, name: string): readonly ReadIR[] =>
  reads.filter(({ field, path, type }) => field === name && path.length === 0 && type === null);

interface Part {
  readonly node: NodeIR;
  /** The field of the graph that the node runs. */
  readonly name: string;
}

function partsOf({ graph, field }: LinkedField): readonly Part[] {
  const { name, writers, readers } = field;
  const nodesOf = (list: readonly number[]): readonly NodeIR[] => list.map((v) => graph.nodes[v]!);
  if (isAskedFor(field))
    return nodesOf(readers).flatMap((node) =>
      isCall(node) ? wholeReads(node, name).map(({ param }) => ({ node, name: param })) : [],
    );
  return nodesOf(writers).flatMap((node) =>
    writesTo(node, name)
      .filter((write) => isOfChild(node, write))
      .map(({ key }) => ({ node, name: key })),
  );
}

/** True for an output whose type is that of a field of the graph that the node runs. */
export const isOfChild = (node: NodeIR, write: WriteIR): boolean =>
  isEachList(node, write) || (isCall(node) && isDeclared(node, write));

/** What a graph asks of a field, the graphs that give it the value ask as well. */
function spread(all: readonly Open[], asks: "type" | "text"): void {
  const open = all.filter((one) => one.asks === asks);
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    for (const whole of top.wholes) {
      if (whole.asks !== null) continue;
      whole.asks = asks;
      open.push(whole);
    }
  }
}

/** Kosaraju's algorithm: fields that lead to each other. No recursion: graphs may run each other on and on. */
function findCircles(all: readonly Open[]): void {
  const seen = new Set<Open>();
  const order = all.flatMap((one) => finished(one, seen, ({ parts }) => parts));
  const placed = new Set<Open>();
  for (const one of order.reverse()) {
    const circle = finished(one, placed, ({ wholes }) => wholes);
    if (circle.length < 2 && !one.parts.includes(one)) continue;
    for (const member of circle) member.circle = circle;
  }
}

/** What a field leads to that was not seen before, each after all that it leads to itself. */
function finished(first: Open, seen: Set<Open>, next: (one: Open) => readonly Open[]): readonly Open[] {
  if (seen.has(first)) return [];
  seen.add(first);
  const done: Open[] = [];
  const path = [{ one: first, next: 0 }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const found = next(top.one)[top.next++];
    if (found === undefined) {
      done.push(top.one);
      path.pop();
    } else if (!seen.has(found)) {
      seen.add(found);
      path.push({ one: found, next: 0 });
    }
  }
  return done;
}
