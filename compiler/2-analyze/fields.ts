import type { InputItem, SplitIR } from "../ir.js";
import { type FirstRead, warnAskedAgain } from "./asked-again.js";
import { isSurelyWritten, mayFail } from "./calls.js";
import { type Digraph, reachableFrom, reversed } from "./digraph.js";
import { type Dominators, findDominators } from "./dominators.js";
import { type Draft, type DraftNode, reportAt, writtenFields } from "./draft.js";
import { type Edge, edgeGraph, type Flow, type Ways } from "./edges.js";
import { findJoining } from "./joins.js";
import { createFlowSystem, type FlowSystem } from "./set-flow.js";
import { solveUnset } from "./unset.js";

/** One read of a field, by node and entry of its input_fields. */
export interface Read {
  readonly node: number;
  readonly item: InputItem;
  /** Set on every way that leads to the node, or given by the caller. */
  sure: boolean;
}

/** What is known of one field of a graph's state. */
export interface FieldUse {
  readonly name: string;
  readonly writers: readonly number[];
  /** Those that set it whenever they succeed. */
  readonly sureWriters: readonly number[];
  readonly reads: readonly Read[];
  /** Asked for by an agent that takes it from the caller when it is given. */
  readonly asked: boolean;
  input: "required" | "optional" | null;
  setAtEnd: boolean;
  setAtSuccess: boolean;
}

/** The fields of a graph's state, and who reads what. */
export interface Fields {
  /** In the order in which rows name them: inputs before outputs. */
  readonly byName: ReadonlyMap<string, FieldUse>;
  /** The reads of each node, in the order of its cell. */
  readonly readsOf: readonly (readonly Read[])[];
}

interface Gathered extends Fields {
  readonly byName: ReadonlyMap<string, MutableUse>;
}

/** Gathers the fields. Linear. */
function gatherFields(draft: Draft, flows: readonly Flow[], visited: Uint8Array): Gathered {
  const uses = new Map<string, MutableUse>();
  const use = (name: string): MutableUse => {
    const known = uses.get(name);
    if (known !== undefined) return known;
    const fresh: MutableUse = {
      name,
      writers: NO_WRITERS,
      sureWriters: NO_WRITERS,
      reads: NO_READS,
      asked: false,
      input: null,
      setAtEnd: false,
      setAtSuccess: false,
    };
    uses.set(name, fresh);
    return fresh;
  };
  const readsOf = draft.nodes.map((node) => {
    const reads = node.row.inputs.map((item): Read => ({ node: node.index, item, sure: true }));
    for (const read of reads) {
      const known = use(read.item.field);
      known.reads = appended(known.reads, read);
    }
    for (const field of writtenFields(node)) {
      const written = use(field);
      written.writers = appended(written.writers, node.index);
      if (surelyWrites(draft, node, field)) written.sureWriters = appended(written.sureWriters, node.index);
      if (node.facts?.asks === true && visited[node.index] === 1) written.asked = true;
    }
    return reads;
  });
  if (flows.some((flow) => flow.error && visited[flow.from] === 1)) use("error");
  return { byName: uses, readsOf };
}

/** What a graph gives counts as set; that it may be missing is for the types of the modules to say. */
const surelyWrites = (draft: Draft, node: DraftNode, field: string): boolean =>
  node.facts?.type !== "human" ||
  node.row.outputs.some((output) => output.field === field && isSurelyWritten(draft, node, output));

interface MutableUse extends FieldUse {
  writers: readonly number[];
  sureWriters: readonly number[];
  reads: readonly Read[];
  asked: boolean;
}

const NO_WRITERS: readonly number[] = [];
const NO_READS: readonly Read[] = [];

/** Most lists have one element, and an array that is made with it has room for no more. */
function appended<T>(list: readonly T[], element: T): readonly T[] {
  if (list.length === 0) return [element];
  (list as T[]).push(element);
  return list;
}

/** Everything that the reads of one graph are judged by. */
interface Setting {
  readonly draft: Draft;
  readonly dominators: Ways["dominators"];
  /** True when some way from node `w` leads to node `v`. */
  readonly leads: (w: number, v: number) => boolean;
  /** The nodes that a run can come to. */
  readonly visited: Uint8Array;
  readonly unset: ReadonlySet<Read>;
  readonly system: () => FlowSystem;
}

/**
 * Works out for every field whether the caller must or may give it, whether each read is sure, and whether it is set
 * at the end; reports reads that may find nothing.
 * Fields that some writer sets on every way to all their readers are settled by dominance in O(1) a read; only the
 * others go through the fixpoint.
 */
export function analyzeFields(draft: Draft, ways: Ways, splits: readonly SplitIR[]): Fields {
  const visited = reachableFrom(ways.taken, [0]);
  const fields = gatherFields(draft, ways.flows, visited);
  const uses = [...fields.byName.values()];
  const flows = ways.flows.filter(({ from }) => visited[from] === 1);
  const size = draft.nodes.length;
  const system = lazySystem({ size, flows, splits });
  const unset = new Set<Read>();
  findUnset(uses, { size, flows, splits, system }, (use, isUnset) => {
    use.setAtEnd = !isUnset(size);
    use.setAtSuccess = use.setAtEnd;
    for (const read of use.reads) if (visited[read.node] === 1 && isUnset(read.node)) unset.add(read);
  });
  findSetAtSuccess(uses, { size, flows, splits });
  const { dominators, written } = ways;
  judge({ draft, dominators, leads: createLeads(written), visited, unset, system }, fields.byName);
  return fields;
}

interface FlowWays {
  readonly size: number;
  readonly flows: readonly Flow[];
  readonly splits: readonly SplitIR[];
}

/** The ways, with their equations, which are made when they are first asked for. */
interface FlowSystems extends FlowWays {
  readonly system: () => FlowSystem;
}

function lazySystem({ size, flows, splits }: FlowWays): () => FlowSystem {
  let made: FlowSystem | null = null;
  return () => {
    made ??= createFlowSystem(size, flows, splits);
    return made;
  };
}

/** As if the ends right after a failure that no edge takes were none: which other ends a field is set at. */
function findSetAtSuccess(uses: readonly MutableUse[], ways: FlowWays): void {
  const flows = ways.flows.filter(({ unhandled }) => !unhandled);
  if (flows.length === ways.flows.length) return;
  const open = uses.filter(({ setAtEnd, sureWriters }) => !setAtEnd && sureWriters.length > 0);
  const successes = { ...ways, flows };
  findUnset(open, { ...successes, system: lazySystem(successes) }, (use, isUnset) => {
    use.setAtSuccess = !isUnset(ways.size);
  });
}

/** Tells of each field where it may be unset; the end comes after the nodes. */
function findUnset(
  uses: readonly MutableUse[],
  { size, flows, splits, system }: FlowSystems,
  put: (use: MutableUse, isUnset: (v: number) => boolean) => void,
): void {
  const dominance = createDominance(size, flows, splits.length > 0);
  const open: MutableUse[] = [];
  for (const use of uses) {
    const isUnset = use.sureWriters.length === 0 && use.name !== "error" ? () => true : dominance(use);
    if (isUnset === null) open.push(use);
    else put(use, isUnset);
  }
  if (open.length === 0) return;
  const tracked = open.map(({ sureWriters, name }) => ({ writers: sureWriters, isError: name === "error" }));
  solveUnset(system(), tracked, (first, count, isUnset) => {
    for (let field = first; field < first + count; field++) {
      put(open[field] as MutableUse, (v) => isUnset(field, v));
    }
  });
}

/** Writers checked against readers one by one; beyond this the fixpoint is cheaper. */
const MOST_PAIRS = 64;

/**
 * Answers for a field where it may be unset, when dominance alone can tell; else null. It can when every read and the
 * end come after a writer on every way there, and for a field with one writer in a graph that never splits.
 * A node with ways that leave its writes out gets a second number for "left with its writes".
 */
function createDominance(
  size: number,
  flows: readonly Flow[],
  splits: boolean,
): (use: FieldUse) => ((v: number) => boolean) | null {
  const mixed = new Uint8Array(size);
  for (const { from, writes } of flows) if (!writes) mixed[from] = 1;
  const after = (v: number): number => (mixed[v] === 1 ? size + 1 + v : v);
  const edges: Edge[] = flows.map(({ from, to, writes }) => ({
    from: writes ? after(from) : from,
    to,
    column: "next",
  }));
  for (let v = 0; v < size; v++) if (mixed[v] === 1) edges.push({ from: v, to: after(v), column: "next" });
  const end = 2 * size + 1;
  const dominators = findDominators(edgeGraph(end, edges), 0);
  const afterFailure = createAfterFailure(size, flows, dominators);
  return ({ name, sureWriters: writers, reads }) => {
    if (name === "error")
      return reads.every(({ node }) => afterFailure(node)) ? (v) => !afterFailure(v) : null;
    if (writers.length * (reads.length + 1) > MOST_PAIRS) return null;
    const isUnset = (v: number): boolean => {
      const place = v === size ? end : v;
      return !writers.some((writer) => writer !== v && dominators.dominates(after(writer), place));
    };
    const exact = writers.length === 1 && !splits;
    return exact || !(isUnset(size) || reads.some(({ node }) => isUnset(node))) ? isUnset : null;
  };
}

/** Whether every way to a node passes one that is only come to by failures: then `error` is set. */
function createAfterFailure(
  size: number,
  flows: readonly Flow[],
  { parent }: Dominators,
): (v: number) => boolean {
  const ordinary = new Uint8Array(size);
  ordinary[0] = 1;
  for (const { to, error } of flows) if (!error && to >= 0) ordinary[to] = 1;
  const known = new Map<number, boolean>();
  return (v) => {
    const path: number[] = [];
    let at = v;
    let answer: boolean | undefined;
    while (answer === undefined) {
      path.push(at);
      const above = parent[at] as number;
      if (at < size && ordinary[at] === 0) answer = true;
      else if (above < 0 || above === at) answer = false;
      else answer = known.get(above);
      at = above;
    }
    for (const one of path) known.set(one, answer);
    return answer;
  };
}

/** Answers whether one node leads to another; the nodes that lead somewhere are searched once for each place asked for. */
function createLeads(graph: Digraph): (w: number, v: number) => boolean {
  let back: Digraph | null = null;
  let place = -1;
  let seen: Uint8Array = new Uint8Array(0);
  return (w, v) => {
    if (place !== v) {
      back ??= reversed(graph);
      const before: number[] = [];
      for (let i = back.start[v] as number; i < (back.start[v + 1] as number); i++)
        before.push(back.to[i] as number);
      seen = reachableFrom(back, before);
      place = v;
    }
    return seen[w] === 1;
  };
}

/** `never`: no writer comes before the read at all. */
type Verdict = "required" | "silent" | "warn" | "never" | "optional";

/** Decides on every read of something unset: required fields first, since what the caller must give is always set. */
function judge(setting: Setting, byName: ReadonlyMap<string, FieldUse>): void {
  const uses = [...byName.values()];
  const verdicts = new Map<Read, Verdict>();
  for (const use of uses) {
    for (const read of use.reads)
      if (setting.unset.has(read)) verdicts.set(read, judgeRead(setting, use, read));
    const required = use.reads.some((read) => verdicts.get(read) === "required");
    const given = use.asked || use.reads.some((read) => verdicts.has(read) && use.name !== "error");
    use.input = required ? "required" : given ? "optional" : null;
    if (required) use.setAtEnd = use.setAtSuccess = true;
    for (const read of use.reads) read.sure = required || !setting.unset.has(read);
  }
  if (setting.draft.incomplete || verdicts.size === 0) return;
  warnAskedAgain(setting.draft, firstReads(uses, verdicts), setting.leads);
  const doubtful = uses.flatMap((use) =>
    use.reads.flatMap((read) => {
      const verdict = read.sure ? undefined : verdicts.get(read);
      return verdict === "never" || verdict === "warn" ? [{ use, read, verdict }] : NO_DOUBTS;
    }),
  );
  if (doubtful.length === 0) return;
  const joins = findSilent(setting, byName, doubtful);
  for (const { use, read, verdict } of doubtful)
    if (verdict === "never" || !joins.has(read.node)) warn(setting.draft, use, read);
}

/** The reads that begin a loop and are surely given: what is required or annotated. Texts join what is there. */
function firstReads(uses: readonly FieldUse[], verdicts: ReadonlyMap<Read, Verdict>): readonly FirstRead[] {
  const isGiven = (read: Read): boolean => {
    const verdict = verdicts.get(read);
    return verdict === "required" || (verdict === "silent" && read.item.type !== null);
  };
  return uses.flatMap((use) =>
    use.asked && use.name !== "error" ? use.reads.filter(isGiven).map((read) => ({ use, read })) : [],
  );
}

/** A read that may find nothing, and is not yet forgiven. */
interface Doubt {
  readonly use: FieldUse;
  readonly read: Read;
  readonly verdict: "warn" | "never";
}

const NO_DOUBTS: readonly Doubt[] = [];

/** Text agents join what is there: they are silent as long as something always is. */
function findSilent(
  { draft, system }: Setting,
  byName: ReadonlyMap<string, FieldUse>,
  doubtful: readonly Doubt[],
): ReadonlySet<number> {
  const texts = new Set(doubtful.map(({ read }) => read.node).filter((v) => isText(draft, v)));
  const sure = findSure(byName.values());
  const open = [...texts].filter((v) => !sure.has(v)).map((v) => draft.nodes[v] as DraftNode);
  return new Set([...sure].filter((v) => texts.has(v)).concat([...findJoining(open, byName, system)]));
}

/** The rules of a read that some way reaches before a write, in their order. */
function judgeRead({ draft, dominators, leads, visited }: Setting, use: FieldUse, read: Read): Verdict {
  if (use.name === "error") return "silent";
  if (read.item.optional) return "optional";
  if (use.writers.length === 0) return "required";
  // A writer that every way to it passes through this node can only come before in a later round of a loop.
  const earlier = use.writers.filter(
    (writer) => visited[writer] === 1 && (writer === read.node || leads(writer, read.node)),
  );
  if (earlier.length === 0) return "never";
  const { dominates } = dominators();
  if (!earlier.every((writer) => dominates(read.node, writer))) return "warn";
  return isText(draft, read.node) ? "silent" : "required";
}

const isText = (draft: Draft, v: number): boolean => (draft.nodes[v] as DraftNode).facts?.text === true;

/** The nodes that read something that is always set. */
function findSure(uses: Iterable<FieldUse>): ReadonlySet<number> {
  const nodes = new Set<number>();
  for (const { reads } of uses) for (const { node, sure } of reads) if (sure) nodes.add(node);
  return nodes;
}

function warn(draft: Draft, use: FieldUse, read: Read): void {
  const node = draft.nodes[read.node] as DraftNode;
  const writers = use.writers.map((v) => draft.nodes[v] as DraftNode);
  const names = (nodes: readonly DraftNode[]): readonly string[] => nodes.map(({ row }) => row.node.name);
  // Without either list a failure ends the run.
  const failing = writers.filter(
    (writer) => mayFail(draft, writer) && writer.row.onFailure.length === 0 && writer.row.next.length > 0,
  );
  const params = {
    field: use.name,
    reader: node.row.node.name,
    writers: names(writers),
    failing: names(failing),
  };
  reportAt(draft, node, "maybe-unset", params, { span: read.item.at, column: "input_fields" });
}
