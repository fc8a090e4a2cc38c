import { END, type GraphIR, type NodeIR, type Target } from "../../compiler/ir.js";
import { agentFacts } from "../agents/facts.js";
import { chooses, wayOf } from "./choices.js";
import { type CaseRun, visitKey } from "./run-case.js";

/** What of a graph its cases have come to: names of everything there is, and of what was taken. */
export interface Coverage {
  readonly graph: string;
  readonly nodes: Measure;
  readonly edges: Measure;
  readonly outcomes: Measure;
}

export interface Measure {
  readonly total: number;
  readonly taken: number;
  /** What was never taken, in the order of the sheet. */
  readonly missed: readonly string[];
}

/** The share that was taken, in percent; of nothing, all. */
export const percentOf = ({ total, taken }: Measure): number => (total === 0 ? 100 : (100 * taken) / total);

/** Gathers what the runs of one graph come to. */
export interface CoverageCounter {
  readonly add: (run: CaseRun) => void;
  readonly coverage: () => Coverage;
}

type Outcome = "success" | "failure" | "thrown";

/** A way out of a node, as it is named in reports: `Ask -> Greet`. */
interface EdgeFacts {
  readonly name: string;
  readonly to: Target;
}

/** The ways out of one node. */
interface Ways {
  /** By outcome: the targets of its column. Choosing nodes take one of `chosen` on success. */
  readonly by: { readonly [O in Outcome]: readonly EdgeFacts[] };
  readonly chosen: ReadonlyMap<string, EdgeFacts> | null;
  readonly limit: EdgeFacts | null;
  readonly outcomes: readonly Outcome[];
}

/** Counts the nodes, edges and outcomes that runs of a graph take. */
export function createCoverage(graph: GraphIR): CoverageCounter {
  const ways = graph.nodes.map((node) => waysOf(graph, node));
  const indexOf = new Map(graph.nodes.map(({ name }, index) => [name, index]));
  const taken = { nodes: new Set<string>(), edges: new Set<string>(), outcomes: new Set<string>() };
  return {
    add: (run) => {
      const visits = graph.nodes.map(() => 0);
      for (const event of run.events) {
        const index = event.type === "run_end" ? undefined : indexOf.get(event.node);
        if (index === undefined || event.type === "run_end") continue;
        if (event.type === "node_start") {
          visits[index] = Math.max(visits[index] ?? 0, event.visit);
          taken.nodes.add(event.node);
        } else if (event.type === "node_end" && event.outcome !== "waiting") {
          const answer = run.choices.get(visitKey(event.node, event.visit));
          note({ graph, ways, taken, visits }, { index, outcome: event.outcome, answer });
        }
      }
    },
    coverage: () => measure(graph, ways, taken),
  };
}

interface Taken {
  readonly nodes: Set<string>;
  readonly edges: Set<string>;
  readonly outcomes: Set<string>;
}

interface Ended {
  readonly index: number;
  readonly outcome: Outcome;
  readonly answer: string | undefined;
}

interface Counting {
  readonly graph: GraphIR;
  readonly ways: readonly Ways[];
  readonly taken: Taken;
  readonly visits: readonly number[];
}

function note(counting: Counting, { index, outcome, answer }: Ended): void {
  const { graph, ways, taken } = counting;
  const { by, chosen } = ways[index] as Ways;
  const node = graph.nodes[index] as NodeIR;
  taken.outcomes.add(outcomeName(node, outcome));
  if (outcome === "thrown" && isUnknown(node) && node.onFailure.length > 0)
    taken.outcomes.add(outcomeName(node, "failure"));
  const one = outcome === "success" && chosen !== null ? chosen.get(wayKey(graph, node, answer)) : undefined;
  const edges = chosen !== null && outcome === "success" ? (one === undefined ? [] : [one]) : by[outcome];
  for (const { name, to } of edges) {
    taken.edges.add(name);
    noteLimits(counting, to);
  }
}

/** A node that has had its last visit sends on whoever comes to it. */
function noteLimits({ graph, ways, taken, visits }: Counting, from: Target): void {
  const passed = new Set<Target>();
  for (let at = from; at !== END && !passed.has(at); ) {
    passed.add(at);
    const { maxVisits, onLimit } = graph.nodes[at] as NodeIR;
    if (maxVisits === null || (visits[at] ?? 0) < maxVisits) return;
    taken.edges.add(ways[at]?.limit?.name ?? "");
    at = onLimit;
  }
}

function measure(graph: GraphIR, ways: readonly Ways[], taken: Taken): Coverage {
  const edges = ways.flatMap(({ by, chosen, limit, outcomes }) => [
    ...outcomes.flatMap((outcome) => (outcome === "success" && chosen !== null ? [] : by[outcome])),
    ...(chosen?.values() ?? []),
    ...(limit === null ? [] : [limit]),
  ]);
  const outcomes = graph.nodes.flatMap((node, i) =>
    (ways[i]?.outcomes ?? [])
      .filter((outcome) => hasEdge(node, outcome))
      .map((outcome) => outcomeName(node, outcome)),
  );
  const of = (names: readonly string[], found: ReadonlySet<string>): Measure => {
    const all = [...new Set(names)];
    const missed = all.filter((name) => !found.has(name));
    return { total: all.length, taken: all.length - missed.length, missed };
  };
  return {
    graph: graph.name,
    nodes: of(
      graph.nodes.map(({ name }) => name),
      taken.nodes,
    ),
    edges: of(
      edges.map(({ name }) => name),
      taken.edges,
    ),
    outcomes: of(outcomes, taken.outcomes),
  };
}

const outcomeName = ({ name }: NodeIR, outcome: Outcome): string => `${name}: ${outcome}`;

function hasEdge(node: NodeIR, outcome: Outcome): boolean {
  if (outcome === "thrown") return node.onFailure.length > 0;
  const own = outcome === "success" ? node.onSuccess : node.onFailure;
  return own.length + node.next.length > 0 || (outcome === "success" && node.cases.length > 0);
}

function waysOf(graph: GraphIR, node: NodeIR): Ways {
  const edge = (to: Target, by: string): EdgeFacts => {
    const target = to === END ? "END" : (graph.nodes[to]?.name ?? "");
    return { name: `${node.name} -> ${target}${by === "next" ? "" : ` (${by})`}`, to };
  };
  const list = (targets: readonly Target[], by: string): readonly EdgeFacts[] =>
    targets.length > 0 ? targets.map((to) => edge(to, by)) : [edge(END, by)];
  const own = (targets: readonly Target[], by: string): readonly EdgeFacts[] =>
    targets.length > 0 ? list(targets, by) : list(node.next, "next");
  const failure = own(node.onFailure, "failure");
  return {
    by: {
      success: own(node.onSuccess, "success"),
      failure,
      thrown: node.onFailure.length > 0 ? failure : [],
    },
    chosen: chosenOf(graph, node, edge),
    limit: node.maxVisits === null ? null : edge(node.onLimit, "limit"),
    outcomes: outcomesOf(node),
  };
}

/** The ways of a node that goes to one of several: each listed target, each case, the default. */
function chosenOf(
  graph: GraphIR,
  node: NodeIR,
  edge: (to: Target, by: string) => EdgeFacts,
): ReadonlyMap<string, EdgeFacts> | null {
  if (!chooses(graph, graph.nodes.indexOf(node))) return null;
  const listed = node.onSuccess.length > 0 ? node.onSuccess : node.next;
  const by = node.onSuccess.length > 0 ? "success" : "next";
  return new Map([
    ...listed.map((to) => [`listed ${to}`, edge(to, by)] as const),
    ...node.cases.map(({ value, target }) => [`case ${value}`, edge(target, `case ${value}`)] as const),
    ...(node.otherwise === null ? [] : [["default", edge(node.otherwise, "default")] as const]),
  ]);
}

function wayKey(graph: GraphIR, node: NodeIR, answer: string | undefined): string {
  const way = answer === undefined ? null : wayOf(graph, node, answer);
  if (way === null) return "";
  return way.kind === "listed"
    ? `listed ${way.target}`
    : way.kind === "case"
      ? `case ${way.value}`
      : "default";
}

/** How visits of a node can end, as far as its agent is known. */
function outcomesOf(node: NodeIR): readonly Outcome[] {
  const { agent, onFailure, mayFail } = node;
  const facts = agent.builtin ? agentFacts.find(({ type }) => type === agent.type) : undefined;
  const thrown: readonly Outcome[] = onFailure.length > 0 ? ["thrown"] : [];
  if (facts === undefined || isUnknown(node))
    return onFailure.length > 0 || mayFail ? ["success", "failure"] : ["success"];
  if (facts.outcome === "fails") return ["failure", ...thrown];
  return facts.outcome === "signals" ? ["success", "failure", ...thrown] : ["success", ...thrown];
}

/** What a custom agent may do is not known, nor what those in a graph may: their failure edge is one outcome, however it is taken. */
const isUnknown = ({ agent }: NodeIR): boolean => !agent.builtin || agent.type === "graph";
