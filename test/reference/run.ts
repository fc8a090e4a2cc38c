import {
  chooses,
  columnFor,
  columnOf,
  END,
  fails,
  nodeAt,
  type RefGraph,
  type RefNode,
  ranks,
  type Target,
} from "./graph.js";
import type { Fields, Outcome, Script } from "./script.js";
import { type Split, splitsOf } from "./splits.js";
import { copyOf, merge, type State, write } from "./state.js";
import { type Run, RunStopped, type Visit, visit } from "./visit.js";

export interface RunResult {
  readonly status: "completed" | "failed" | "suspended";
  /**
   * Visits in path order. A node that waits is in it: its visit has begun. Of a run that failed inside a split,
   * only what came before that split is certain (see `certain`), the branches may have got more or less far.
   */
  readonly path: readonly number[];
  /** How much of `path` does not depend on how far stopped branches got. */
  readonly certain: number;
  /** The run's own state: what unsettled branches have written is not in it. */
  readonly state: Fields;
  readonly error: {
    readonly code: "agent_failed" | "step_limit";
    readonly node: number;
    readonly message: string;
  } | null;
  /** Nodes that wait for a person, in path order. */
  readonly waiting: readonly number[];
  readonly visits: readonly Visit[];
  /** A line has ended right after a failure, of `failure` or `custom`, that no edge takes. */
  readonly unhandled: boolean;
  /** A branch of a nested split was held up by a waiting position, before it came to a stop of its own. */
  readonly heldUp: boolean;
}

/** Where something stands: a node that was come to and not yet visited, and how it was come to. */
interface Position {
  readonly node: number;
  /** The edge that led here stands in `next_on_failure`. */
  readonly failure: boolean;
}

/** Positions where it stopped; none when it ended; `"waits"` when a person must answer first. */
type Settled = readonly Position[] | "waits";

/** Where running must stop. */
interface Border {
  /** A shared node of a split that is under way. */
  readonly shared: (node: number) => boolean;
  /** The same, or as far as another position lets it come. */
  readonly stops: (node: number) => boolean;
}

const NOWHERE: Border = { shared: () => false, stops: () => false };

/** Runs up to the end, the failure, or the first suspension, when the given visits have their answers. */
function runOnce(
  graph: RefGraph,
  script: Script,
  answered: ReadonlySet<string>,
): RunResult & { asked: string[] } {
  const run: Run = {
    graph,
    script,
    answered,
    ranks: ranks(graph),
    splits: splitsOf(graph),
    counts: new Map(),
    path: [],
    visits: [],
    waiting: [],
    splitBegan: null,
    heldUp: false,
    unhandled: false,
    redirects: 0,
  };
  const state: State = { values: new Map(Object.entries(script.initial ?? {})), written: new Set() };
  const finish = (status: RunResult["status"], error: RunResult["error"]) => ({
    status,
    error,
    path: run.path,
    certain: run.splitBegan ?? run.path.length,
    state: Object.fromEntries(state.values),
    waiting: run.waiting.map((wait) => wait.node),
    visits: run.visits,
    heldUp: run.heldUp,
    unhandled: run.unhandled,
    asked: run.waiting.map((wait) => `${wait.node}/${wait.visit}`),
  });
  try {
    const settled = proceed(run, [{ node: 0, failure: false }], { state, border: NOWHERE });
    return settled === "waits" ? finish("suspended", null) : finish("completed", null);
  } catch (stopped) {
    if (!(stopped instanceof RunStopped)) throw stopped;
    run.waiting.length = 0;
    return finish("failed", { code: stopped.code, node: stopped.node, message: stopped.message });
  }
}

interface Scene {
  readonly state: State;
  readonly border: Border;
}

/**
 * Goes on from positions, none of which the border stops, until nothing is left: one at a time, lowest rank
 * first, each until it comes to a rank at or past the next waiting position, or not above its own start.
 * What the border stops is handed back.
 */
function proceed(run: Run, from: readonly Position[], { state, border }: Scene): Settled {
  const settled: Position[] = [];
  let waiting: readonly Position[] = from;
  while (waiting.length > 0) {
    const [start, ...others] = [...waiting].sort((a, b) => rank(run, a.node) - rank(run, b.node));
    if (start === undefined) break;
    const next = others[0];
    const tooFar = (node: number): boolean =>
      next !== undefined &&
      (rank(run, node) >= rank(run, next.node) || rank(run, node) <= rank(run, start.node));
    const inner: Border = { shared: border.shared, stops: (node) => border.stops(node) || tooFar(node) };
    const reached = walk(run, start.node, { state, border: inner });
    if (reached === "waits") return "waits";
    settled.push(...reached.filter((position) => border.stops(position.node)));
    waiting = distinct([...others, ...reached.filter((position) => !border.stops(position.node))]);
  }
  return distinct(settled);
}

const rank = (run: Run, node: number): number => run.ranks[node] ?? Number.POSITIVE_INFINITY;

/** Visits node after node as long as there is exactly one to go on with and nothing stops it. */
function walk(run: Run, start: number, scene: Scene): Settled {
  let at = start;
  for (;;) {
    const reached = step(run, at, scene);
    if (reached === "waits") return reached;
    const [only, ...more] = reached;
    if (only === undefined || more.length > 0 || scene.border.stops(only.node)) return reached;
    at = only.node;
  }
}

/** One visit and what it leads to: one position, none at END, or those where a split has settled. */
function step(run: Run, at: number, scene: Scene): Settled {
  const from = nodeAt(run.graph, at);
  const done = run.counts.get(at) ?? 0;
  if (from.maxVisits !== null && done >= from.maxVisits) return redirect(run, at);
  const outcome = visit(run, at, scene.state);
  if (outcome === "waits") return "waits";
  const column = columnFor(from, outcome.kind);
  if (outcome.kind === "thrown" && column === null) throw new RunStopped("agent_failed", at, outcome.message);
  for (const [field, value] of Object.entries(outcome.writes)) write(scene.state, field, value);
  if (column === null && outcome.kind === "failure" && fails(from)) run.unhandled = true;
  if (column === null || column === "limit") return [];
  const targets = columnOf(from, column);
  if (chooses(from) || targets.length < 2)
    return towards(targetOf(from, targets, outcome), column === "failure");
  const split = run.splits.find((candidate) => candidate.node === at && candidate.by === column);
  if (split === undefined) throw new Error(`node ${at} splits by ${column} unforeseen`);
  return runSplit(run, split, scene);
}

function targetOf(from: RefNode, targets: readonly Target[], outcome: Outcome): Target {
  const index = chooses(from) && outcome.kind === "success" ? outcome.choice : 0;
  return targets[index % Math.max(targets.length, 1)] ?? END;
}

const towards = (target: Target, failure: boolean): Settled =>
  target === END ? [] : [{ node: target, failure }];

/**
 * The visit after the last one goes elsewhere. It is no visit, and the edge is an ordinary one. A round of
 * nodes that all have had their last visit would go on for ever without a step: the step limit ends it.
 */
function redirect(run: Run, at: number): Settled {
  run.redirects += 1;
  if (run.redirects > 10 * run.graph.nodes.length)
    throw new RunStopped("step_limit", at, "only nodes past their last visit");
  return towards(nodeAt(run.graph, at).onLimit, false);
}

/** Runs the branches one after the other, each on its own copy, then merges and decides where to go on. */
function runSplit(run: Run, split: Split, { state, border }: Scene): Settled {
  const outermost = run.splitBegan === null;
  if (outermost) run.splitBegan = run.path.length;
  const inner: Border = {
    shared: (node) => split.shared.has(node) || border.shared(node),
    stops: (node) => split.shared.has(node) || border.stops(node),
  };
  const branches = split.targets.map((target) => {
    const own = copyOf(state);
    const [first] = target === END ? [] : [{ node: target, failure: split.by === "failure" }];
    const settled =
      first === undefined
        ? []
        : inner.stops(target)
          ? [first]
          : proceed(run, [first], { state: own, border: inner });
    return { own, settled };
  });
  if (outermost) run.splitBegan = null;
  if (branches.some((branch) => branch.settled === "waits")) return "waits";
  merge(run.graph, split, { state, branches: branches.map((branch) => branch.own) });
  const positions = branches.flatMap((branch) => (branch.settled === "waits" ? [] : branch.settled));
  return decide(run, positions, inner);
}

/**
 * Arrivals over a failure edge decide for all; equal positions become one. A branch that was only held up by
 * a waiting position has not arrived anywhere: it neither decides nor is dropped.
 */
function decide(run: Run, positions: readonly Position[], border: Border): readonly Position[] {
  const heldUp = positions.filter((position) => !border.shared(position.node));
  const arrived = positions.filter((position) => border.shared(position.node));
  const failures = arrived.filter((position) => position.failure);
  if (heldUp.length > 0) run.heldUp = true;
  return distinct([...heldUp, ...(failures.length > 0 ? failures : arrived)]);
}

/** One position a node; it counts as come to over a failure edge when one of them was. */
function distinct(positions: readonly Position[]): readonly Position[] {
  const nodes = [...new Set(positions.map((position) => position.node))];
  return nodes.map((node) => ({
    node,
    failure: positions.some((position) => position.node === node && position.failure),
  }));
}

/**
 * The whole story of a run: its result, and after each suspension the result of the resume. A resume is the
 * same run again with more answers: nothing here depends on time, so all that was done comes out the same.
 */
export function simulate(graph: RefGraph, script: Script): readonly RunResult[] {
  const answered = new Set<string>();
  const results: RunResult[] = [];
  for (;;) {
    const { asked, ...result } = runOnce(graph, script, answered);
    results.push(result);
    if (result.status !== "suspended") return results;
    const wanted = script.answers?.[results.length - 1];
    const given = asked.filter((key) => wanted === undefined || wanted.includes(Number(key.split("/")[0])));
    // A resume that answers nothing would wait for ever.
    for (const key of given.length > 0 ? given : asked) answered.add(key);
  }
}
