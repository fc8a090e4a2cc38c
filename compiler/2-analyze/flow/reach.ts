import { indexOf } from "../../1-parse/text/page.js";
import { END, type SplitIR, type Target } from "../../ir.js";
import { type Draft, type DraftNode, LOST, type Routes, reportAt } from "../draft.js";
import { groupBy } from "../group-by.js";
import { choosesFromNothing } from "../settings/check-needs.js";
import { type BranchNumber, createBranches, NO_BRANCH } from "./branches.js";
import { createDigraph, type Digraph, findComponents, reachableFrom } from "./digraph.js";
import { type Edge, edgeGraph, outcomeColumns, type Ways } from "./edges.js";

/** The nodes that the entry leads to, over the edges as written; reports the others. Linear. */
export function findReachable(draft: Draft, graph: Digraph): Uint8Array {
  const seen = reachableFrom(graph, [0]);
  // No cell names the nodes that an orchestrator without a list chooses from.
  if (draft.nodes.some(choosesFromNothing)) return seen;
  const mayBeNamed = draft.incomplete ? createMayBeNamed(draft, graph) : () => false;
  const entry = (draft.nodes[0] as DraftNode).row.node.name;
  for (const node of draft.nodes) {
    if (seen[node.index] === 1 || mayBeNamed(node)) continue;
    const { name, at } = node.row.node;
    reportAt(draft, node, "unreachable-node", { name, entry }, { span: at, column: "node_name" });
  }
  return seen;
}

/**
 * True for a node that some unreadable cell of the graph may name. A row that could not be read names a node when
 * all the words of its name stand in that row. Linear in the damaged rows.
 */
function createMayBeNamed(draft: Draft, graph: Digraph): (node: DraftNode) => boolean {
  const targets = new Set(graph.to);
  const { sheet } = draft.analysis;
  const words = new Set<string>();
  for (const { row } of draft.nodes) {
    if (!row.damaged) continue;
    const cells = indexOf(sheet).recordAt(row.record)?.cells ?? [];
    for (const [column, { start, end }] of cells.entries()) {
      if (column === row.node.at.column) continue;
      for (const word of wordsOf(sheet.text.slice(start, end))) words.add(word);
    }
  }
  return ({ index, row }) => {
    const own = wordsOf(row.node.name);
    // Of two rows of one name only the first one is gone to.
    const isSecond = draft.byName.get(row.node.name) !== index;
    return isSecond || targets.has(index) || own.every((word) => words.has(word));
  };
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Reports each group of nodes that a run can enter and never leave. Linear. */
export function checkCycles(
  draft: Draft,
  routes: readonly Routes[],
  { flows }: Ways,
  reachable: Uint8Array,
  splits: readonly SplitIR[],
): void {
  if (draft.incomplete) return;
  const others = waysOut(draft, routes);
  const all = others.length === 0 ? flows : [...flows, ...others];
  const isStuck = (ends: Uint8Array, v: number): boolean => reachable[v] === 1 && ends[v] === 0;
  let ends = findEnding(draft, all);
  if (draft.nodes.every(({ index }) => !isStuck(ends, index))) return;
  const open = findEscapes(draft, splits, (v) => isStuck(ends, v));
  if (open.size > 0) ends = findEnding(draft, all, open);
  const stuck = draft.nodes.map(({ index }) => index).filter((v) => isStuck(ends, v));
  if (stuck.length > 0) reportStuck(draft, all, stuck);
}

/** Reports the groups of stuck nodes that do not only lead into another such group. */
function reportStuck(draft: Draft, flows: readonly Edge[], stuck: readonly number[]): void {
  const among = new Set(stuck);
  const inside = flows.filter(({ from, to }) => among.has(from) && among.has(to));
  const components = findComponents(edgeGraph(draft.nodes.length, inside));
  const trapped = new Map(groupBy(stuck, (v) => components.of[v] as number));
  for (const { from, to } of inside)
    if (components.of[from] !== components.of[to]) trapped.delete(components.of[from] as number);
  const leaving = new Set(flows.filter(({ to }) => !among.has(to)).map(({ from }) => from));
  for (const members of trapped.values()) {
    reportCycle(draft, members, members.find((v) => leaving.has(v)) ?? null);
  }
}

/**
 * The nodes from which a run may end: by some step all of whose targets may. A step is one thing that a node may do: it
 * leads to one target, or to all of several at the same time. The end of a branch ends that branch alone, so a branch
 * that always comes back to where it began goes round for ever. Linear.
 */
function findEnding(draft: Draft, flows: readonly Edge[], open?: ReadonlySet<string>): Uint8Array {
  const size = draft.nodes.length;
  const targets = new Int32Array(flows.length);
  /** The step of each way, named by its first one, and how many targets a step waits for. */
  const steps = new Int32Array(flows.length);
  const missing = new Int32Array(flows.length);
  flows.forEach((flow, i) => {
    const { from, to, column } = flow;
    targets[i] = to === END ? size : to;
    steps[i] = i > 0 && isOneStep(draft, flows[i - 1] as Edge, flow) ? (steps[i - 1] as number) : i;
    if (steps[i] === i || !open?.has(`${from} ${column}`)) missing[steps[i] as number]! += 1;
  });
  const comingTo = createDigraph(size + 1, { from: targets, to: steps });
  const ends = new Uint8Array(size);
  const ended = [size];
  for (let v = ended.pop(); v !== undefined; v = ended.pop()) {
    for (let i = comingTo.start[v] as number; i < (comingTo.start[v + 1] as number); i++) {
      const step = comingTo.to[i] as number;
      missing[step]! -= 1;
      const { from } = flows[step] as Edge;
      if (missing[step] !== 0 || ends[from] === 1) continue;
      ends[from] = 1;
      ended.push(from);
    }
  }
  return ends;
}

/** Two ways of one outcome are gone at the same time, unless its node chooses one; they stand side by side. */
function isOneStep(draft: Draft, before: Edge, { from, column }: Edge): boolean {
  if (before.from !== from || before.column !== column || column === "case" || column === "limit")
    return false;
  return (draft.nodes[from] as DraftNode).facts?.chooses !== true;
}

/** The splits of stuck nodes out of which a failure may lead: it decides where the run goes on, for all branches. */
function findEscapes(
  draft: Draft,
  splits: readonly SplitIR[],
  isStuck: (v: number) => boolean,
): ReadonlySet<string> {
  const { inmost, around, others, splitOf } = createBranches(draft.nodes.length, splits);
  const failing = new Set<BranchNumber>();
  /** Branches that have been gone through from the inside, and so those around them. */
  const passed = new Set<BranchNumber>();
  for (const { index, row } of draft.nodes) {
    if (row.onFailure.length === 0) continue;
    for (const branch of others(index)) failing.add(branch);
    for (let at = inmost(index); at !== NO_BRANCH && !passed.has(at); at = around(at)) passed.add(at);
  }
  const open = new Set([...failing, ...passed].map(splitOf));
  const leaving = splits.filter(
    ({ node, by }, split) => isStuck(node) && (by === "failure" || open.has(split)),
  );
  return new Set(leaving.map(({ node, by }) => `${node} ${by}`));
}

/** Ways that analysis does not follow: a target that is misspelt, and the failure that a custom agent may signal. */
function waysOut(draft: Draft, routes: readonly Routes[]): readonly Edge[] {
  const ways: Edge[] = [];
  for (const { index, facts } of draft.nodes) {
    const route = routes[index] as Routes;
    const column = outcomeColumns(route).failure;
    const add = (to: Target): void => {
      if (to !== LOST) ways.push({ from: index, to, column });
    };
    // Not one of the targets that are gone to at the same time.
    if (losesWay(route)) ways.push({ from: index, to: END, column: "case" });
    if (facts !== null) continue;
    const failing = route[column];
    if (failing.length === 0) add(END);
    else failing.forEach(add);
  }
  return ways;
}

/** Some target of the node names nothing; cases without a target are left out. */
const losesWay = ({ next, success, failure, onLimit, otherwise }: Routes): boolean =>
  onLimit === LOST || otherwise === LOST || [next, success, failure].some((list) => list.includes(LOST));

/** `split`: a node of the cycle that also leads out of it, but always at the same time back. */
function reportCycle(draft: Draft, members: readonly number[], split: number | null): void {
  const first = draft.nodes[split ?? (members[0] as number)] as DraftNode;
  const nodes = members.map((v) => (draft.nodes[v] as DraftNode).row.node.name);
  const params = { nodes, split: split === null ? null : first.row.node.name };
  reportAt(draft, first, "endless-cycle", params, { span: first.row.node.at, column: "node_name" });
}
