import { END, type GraphIR, type NodeIR, type Target } from "../../compiler/ir.js";
import { folded } from "../../compiler/types/yes-no.js";
import { agentFacts } from "../agents/facts.js";
import { chooses } from "./choices.js";
import { type CaseRun, visitKey } from "./run-case.js";

/** The coverage of a graph: the names of all parts, and of those that the cases took. */
export interface Coverage {
  readonly graph: string;
  readonly nodes: Measure;
  readonly edges: Measure;
  readonly outcomes: Measure;
}

export interface Measure {
  readonly total: number;
  readonly taken: number;
  /** The parts that no case took, in the order of the sheet. */
  readonly missed: readonly string[];
}

/** The share in percent; 100 when there are no parts. */
export const percentOf = ({ total, taken }: Measure): number => (total === 0 ? 100 : (100 * taken) / total);

type Outcome = "success" | "failure" | "thrown";

/** A way from a node, as reports name it: `Ask -> Greet`. */
interface Way {
  readonly name: string;
  readonly to: Target;
}

interface Ways {
  /** By outcome. */
  readonly by: { readonly [O in Outcome]: readonly Way[] };
  /** For a node that chooses on success: the ways with the answers that lead there; null is any other answer. */
  readonly choices: readonly (Way & { readonly answer: string | null })[] | null;
  readonly limit: Way | null;
  readonly outcomes: readonly Outcome[];
}

export class CoverageCounter {
  readonly #graph: GraphIR;
  readonly #ways: readonly Ways[];
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #taken = { nodes: new Set<string>(), edges: new Set<string>(), outcomes: new Set<string>() };

  constructor(graph: GraphIR) {
    this.#graph = graph;
    this.#ways = graph.nodes.map((node) => waysOf(graph, node));
    this.#indexOf = new Map(graph.nodes.map(({ name }, index) => [name, index]));
  }

  add({ events, choices }: CaseRun): void {
    const visits = this.#graph.nodes.map(() => 0);
    for (const event of events) {
      const index = event.type === "run_end" ? undefined : this.#indexOf.get(event.node);
      if (index === undefined) continue;
      if (event.type === "node_start") {
        visits[index] = Math.max(visits[index] ?? 0, event.visit);
        this.#taken.nodes.add(event.node);
      } else if (event.type === "node_end" && event.outcome !== "waiting") {
        this.#noteOutcome(this.#graph.nodes[index] as NodeIR, event.outcome);
        const answer = choices.get(visitKey(event.node, event.visit));
        for (const { name, to } of waysTaken(this.#ways[index] as Ways, event.outcome, answer)) {
          this.#taken.edges.add(name);
          this.#noteLimits(to, visits);
        }
      }
    }
  }

  #noteOutcome(node: NodeIR, outcome: Outcome): void {
    this.#taken.outcomes.add(outcomeName(node, outcome));
    if (outcome === "thrown" && isUnknown(node) && node.onFailure.length > 0)
      this.#taken.outcomes.add(outcomeName(node, "failure"));
  }

  /** A node without visits left follows its limit route. */
  #noteLimits(from: Target, visits: readonly number[]): void {
    const passed = new Set<Target>();
    for (let at = from; at !== END && !passed.has(at); ) {
      passed.add(at);
      const { maxVisits, onLimit } = this.#graph.nodes[at] as NodeIR;
      if (maxVisits === null || (visits[at] ?? 0) < maxVisits) return;
      this.#taken.edges.add(this.#ways[at]?.limit?.name ?? "");
      at = onLimit;
    }
  }

  coverage(): Coverage {
    const { name, nodes } = this.#graph;
    const ways = this.#ways.flatMap(({ by, choices, limit, outcomes }) => [
      ...outcomes.flatMap((outcome) => (outcome === "success" && choices !== null ? [] : by[outcome])),
      ...(choices ?? []),
      ...(limit === null ? [] : [limit]),
    ]);
    const outcomes = nodes.flatMap((node, i) => {
      const leading = this.#ways[i]?.outcomes.filter((outcome) => hasEdge(node, outcome)) ?? [];
      return leading.map((outcome) => outcomeName(node, outcome));
    });
    return {
      graph: name,
      nodes: measure(nodes.map(nameOf), this.#taken.nodes),
      edges: measure(ways.map(nameOf), this.#taken.edges),
      outcomes: measure(outcomes, this.#taken.outcomes),
    };
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name;

function measure(names: readonly string[], taken: ReadonlySet<string>): Measure {
  const all = [...new Set(names)];
  const missed = all.filter((name) => !taken.has(name));
  return { total: all.length, taken: all.length - missed.length, missed };
}

/** The rules of the driver: the exact answer, else ignoring case, else the default. */
function waysTaken({ by, choices }: Ways, outcome: Outcome, given: string | undefined): readonly Way[] {
  if (outcome !== "success" || choices === null) return by[outcome];
  if (given === undefined) return [];
  for (const fold of [(text: string) => text.trim(), folded]) {
    const found = choices.find(({ answer }) => answer !== null && fold(answer) === fold(given));
    if (found !== undefined) return [found];
  }
  return choices.filter(({ answer }) => answer === null);
}

const outcomeName = ({ name }: NodeIR, outcome: Outcome): string => `${name}: ${outcome}`;

function hasEdge(node: NodeIR, outcome: Outcome): boolean {
  if (outcome === "thrown") return node.onFailure.length > 0;
  const own = outcome === "success" ? node.onSuccess : node.onFailure;
  return own.length + node.next.length > 0 || (outcome === "success" && node.cases.length > 0);
}

function waysOf(graph: GraphIR, node: NodeIR): Ways {
  const { onSuccess, onFailure, next, cases, otherwise, maxVisits, onLimit } = node;
  const targetName = (to: Target): string => (to === END ? "END" : (graph.nodes[to]?.name ?? ""));
  const way = (to: Target, by: string): Way => ({
    name: `${node.name} -> ${targetName(to)}${by === "next" ? "" : ` (${by})`}`,
    to,
  });
  const column = (own: readonly Target[], by: string): readonly Way[] => {
    if (own.length > 0) return own.map((to) => way(to, by));
    return next.length > 0 ? next.map((to) => way(to, "next")) : [way(END, "next")];
  };
  const [success, failure] = [column(onSuccess, "success"), column(onFailure, "failure")];
  const listed = onSuccess.length + next.length > 0 ? success : [];
  const choices = [
    ...listed.map((one) => ({ ...one, answer: targetName(one.to) })),
    ...cases.map(({ value, target }) => ({ ...way(target, `case ${value}`), answer: value })),
    ...(otherwise === null ? [] : [{ ...way(otherwise, "default"), answer: null }]),
  ];
  return {
    by: { success, failure, thrown: onFailure.length > 0 ? failure : [] },
    choices: chooses(graph, graph.nodes.indexOf(node)) ? choices : null,
    limit: maxVisits === null ? null : way(onLimit, "limit"),
    outcomes: outcomesOf(node),
  };
}

/** The outcomes of a node, as far as its agent is known. */
function outcomesOf(node: NodeIR): readonly Outcome[] {
  const { agent, onFailure, mayFail } = node;
  const facts = agent.builtin ? agentFacts.find(({ type }) => type === agent.type) : undefined;
  const thrown: readonly Outcome[] = onFailure.length > 0 ? ["thrown"] : [];
  if (facts === undefined || isUnknown(node))
    return onFailure.length > 0 || mayFail ? ["success", "failure"] : ["success"];
  if (facts.outcome === "fails") return ["failure", ...thrown];
  return facts.outcome === "signals" ? ["success", "failure", ...thrown] : ["success", ...thrown];
}

/** Their failures are unknown, so thrown and signalled ones are one outcome. */
const isUnknown = ({ agent }: NodeIR): boolean => !agent.builtin || agent.type === "graph";
