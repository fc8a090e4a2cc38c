import { type Fields, followAll, minus, type UnsetOptions } from "./flow.js";
import {
  columnFor,
  columnOf,
  END,
  fails,
  indices,
  isText,
  nodeAt,
  type RefGraph,
  type RefNode,
  reach,
} from "./graph.js";

/*
 * What is set where. The rules speak of one U(v) a node and of splits that nest; here the run is followed with
 * sets of fields instead of values, each split in the company of the splits that are under way around it. Where
 * each node runs in one company only (`plain`), that is the rules' fixpoint. Where a node of a branch can also
 * be come to from outside its split, one U a node would have to choose whose join counts; the answer here is
 * the union over all companies.
 *
 * Readings, where the text leaves room:
 * - Flow follows the outcomes that can happen: a success (not of `failure`), a throw or signalled failure into
 *   a filled `next_on_failure`, and for agents that signal by nature a failure into `next_node` or the end.
 *   A column that no such outcome takes carries nothing.
 * - A run's end in a split counts when every branch has an end: U there is the intersection over the branches
 *   of the union over their ends. Else somebody goes on, and the end is found there.
 * - A field that one read makes required is given by the caller, and then no read of it is unset.
 * - `?` silences every rule for that read; it makes the field optional, not required.
 * - Nodes that flow never comes to read nothing and write nothing; a writer reaches v over the written edges.
 * - Dominance is over the written edges, from the entry.
 * - At a stop come to by a failure edge `error` is set, as the rules say, although the failure may be that of a
 *   `branching` or a `human`, which set none: of `error` alone, what is said here is not sure.
 * - A read of `error` is never reported, but `error` counts as another field that is always set.
 */

export interface MaybeUnset {
  readonly node: number;
  readonly field: string;
}

export interface Unset {
  /** By node: the fields that may be unset on arrival, or null when no way leads there. */
  readonly before: readonly (ReadonlySet<string> | null)[];
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly maybeUnset: readonly MaybeUnset[];
  readonly setAtEnd: readonly string[];
  /** Set at every end that is not right after a failure that no edge takes; null where there may be no such end. */
  readonly setAtSuccess: readonly string[] | null;
  /** A run may end right after such a failure. */
  readonly mayFail: boolean;
  /**
   * Each node runs in one company of splits only, and in that of every split whose branch it belongs to: then
   * the rules, which know one U a node, leave no room. A graph with a join that never comes to pass, or that
   * never ends, is not plain either: there anything may be said.
   */
  readonly plain: boolean;
}

/** All fields that a node reads or writes, and `error`. */
export function fieldsOf(graph: RefGraph): readonly string[] {
  const named = graph.nodes.flatMap((from) => [...from.reads.map((read) => read.field), ...from.writes]);
  return [...new Set([...named, "error"])].sort();
}

function dominates(graph: RefGraph, one: number, other: number): boolean {
  return !reach(graph, 0, new Set([one])).has(other);
}

/** What a read of a field that may be unset asks for. */
type Demand = "required" | "optional" | "warned";

interface Read {
  readonly at: number;
  readonly field: string;
  readonly optional: boolean;
}

function demandOf(graph: RefGraph, read: Read, before: readonly (Fields | null)[]): Demand {
  const reader = nodeAt(graph, read.at);
  const writers = indices(graph).filter((at) => nodeAt(graph, at).writes.includes(read.field));
  if (read.optional) return "optional";
  if (writers.length === 0) return "required";
  const reaching = writers.filter(
    (at) => before[at] != null && (at === read.at || comesTo(graph, at, read.at)),
  );
  if (reaching.length === 0) return "warned";
  if (reaching.every((at) => dominates(graph, read.at, at))) return isText(reader) ? "optional" : "required";
  return isText(reader) && before[read.at]?.has(joinedBy(reader)) === false ? "optional" : "warned";
}

/** All that a node reads, as one name: it is unset where none of them is set. */
const joinedBy = ({ reads }: RefNode): string =>
  reads
    .map(({ field }) => field)
    .sort()
    .join("|");

/** Over one edge at least: a node comes to itself only in a cycle. */
function comesTo(graph: RefGraph, from: number, to: number): boolean {
  const source = nodeAt(graph, from);
  const targets = [...source.next, ...source.onSuccess, ...source.onFailure, ...columnOf(source, "limit")];
  return targets.some((target) => target !== END && reach(graph, target).has(to));
}

/** Works out what is set where, and what the caller must and may give. */
export function unsetOf(graph: RefGraph, options: UnsetOptions = {}): Unset {
  const fields = fieldsOf(graph);
  const followed = new Set([...fields, ...graph.nodes.map(joinedBy)]);
  const first = followAll(graph, options, followed);
  // Another field being always set may hang on its being required, so demands are asked for in two rounds.
  const required = requiredBy(graph, first.before);
  const { before, atEnd, plain } = followAll(graph, options, minus(followed, required));
  const success = followAll(graph, { ...options, successes: true }, minus(new Set(fields), required));
  const reads = readsOf(graph, before).filter(({ at, field }) => before[at]?.has(field));
  const optional = new Set([...reads.map((read) => read.field), ...asked(graph, before)]);
  return {
    before: before.map((set) => set && new Set([...set].filter((name) => fields.includes(name)))),
    plain,
    required,
    optional: [...minus(optional, required)].sort(),
    maybeUnset: reads
      .filter((read) => demandOf(graph, read, before) === "warned")
      .map(({ at, field }) => ({ node: at, field })),
    setAtEnd: fields.filter((field) => !atEnd.has(field)),
    setAtSuccess: success.plain ? fields.filter((field) => !success.atEnd.has(field)) : null,
    mayFail: indices(graph).some((at) => before[at] !== null && endsFailing(nodeAt(graph, at), options)),
  };
}

/** A failure that no edge takes; nobody knows it of a `custom` agent that does not declare it. */
const endsFailing = (from: RefNode, { customSignals = false }: UnsetOptions): boolean =>
  fails(from) && (customSignals || from.agent !== "custom") && columnFor(from, "failure") === null;

function readsOf(graph: RefGraph, before: readonly (Fields | null)[]): readonly Read[] {
  return indices(graph)
    .filter((at) => before[at] !== null)
    .flatMap((at) => nodeAt(graph, at).reads.map((read) => ({ ...read, at })))
    .filter((read) => read.field !== "error");
}

function requiredBy(graph: RefGraph, before: readonly (Fields | null)[]): readonly string[] {
  const demanding = readsOf(graph, before)
    .filter(({ at, field }) => before[at]?.has(field))
    .filter((read) => demandOf(graph, read, before) === "required");
  return [...new Set(demanding.map((read) => read.field))].sort();
}

/** The fields that `input` and `human` ask for: the caller may answer beforehand. */
function asked(graph: RefGraph, before: readonly (Fields | null)[]): readonly string[] {
  const asking = indices(graph).filter((at) => ["input", "human"].includes(nodeAt(graph, at).agent));
  return asking
    .filter((at) => before[at] !== null)
    .flatMap((at) => nodeAt(graph, at).writes)
    .filter((field) => field !== "error");
}
