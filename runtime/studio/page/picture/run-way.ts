import type { Shape, Way } from "../../../draw/svg/geometry.js";
import type { EdgeOfGraph, GraphOfSheet } from "../engine/messages.js";

/** A visit as far as its way is concerned: the node, and how it ended; null for one that has not. */
export interface Visit {
  readonly node: string;
  readonly outcome: string | null;
}

/** An edge by its ends and its origin. */
const nameOf = ({ from, to, on }: Pick<EdgeOfGraph, "from" | "to" | "on">): string => `${from} ${to} ${on}`;

/** A visit from which the run has gone on, or may yet. */
interface Left {
  readonly node: number;
  readonly outcome: string;
  /** It chose one of its targets, so that the others do not follow. */
  hasChosen: boolean;
  hasLed: boolean;
}

/** The edges that a run has taken, as far as its visits show it. */
export function takenEdges(
  { nodes, edges }: GraphOfSheet,
  visits: readonly Visit[],
  isOver: boolean,
): ReadonlySet<string> {
  const numbers = new Map(nodes.map(({ name }, v) => [name, v]));
  const byNode = grouped(edges);
  const taken = new Set<string>();
  const last = new Map<number, Left>();
  /** Edges that may be taken next, by the node that they lead to. */
  const leading = new Map<number, (readonly [EdgeOfGraph, Left])[]>();
  for (const { node, outcome } of visits) {
    const at = numbers.get(node);
    if (at === undefined) continue;
    for (const [edge, left] of leading.get(at) ?? []) {
      if (left.hasChosen) continue;
      taken.add(nameOf(edge));
      left.hasLed = true;
      left.hasChosen = isChoice(edge);
    }
    leading.delete(at);
    if (outcome === null || outcome === "waiting") continue;
    const left = { node: at, outcome, hasChosen: false, hasLed: false };
    last.set(at, left);
    for (const edge of leadOn(byNode.get(at) ?? [], outcome)) {
      const known = leading.get(edge.to);
      if (known === undefined) leading.set(edge.to, [[edge, left]]);
      else known.push([edge, left]);
    }
  }
  const ended = isOver ? [...last.values()].filter(({ hasLed }) => !hasLed) : [];
  for (const { node, outcome } of ended)
    for (const on of ["next", outcome, "case", "otherwise", "limit"]) taken.add(`${node} -1 ${on}`);
  return taken;
}

function grouped(edges: readonly EdgeOfGraph[]): ReadonlyMap<number, readonly EdgeOfGraph[]> {
  const groups = new Map<number, EdgeOfGraph[]>();
  for (const edge of edges) {
    const known = groups.get(edge.from);
    if (known === undefined) groups.set(edge.from, [edge]);
    else known.push(edge);
  }
  return groups;
}

const isChoice = ({ on }: EdgeOfGraph): boolean => on === "case" || on === "otherwise" || on === "limit";

/** The edges of an outcome; those of any outcome where it has none of its own. */
function leadOn(edges: readonly EdgeOfGraph[], outcome: string): readonly EdgeOfGraph[] {
  const own = edges.filter(({ on }) => on === outcome);
  const others = edges.filter((edge) => isChoice(edge) || (own.length === 0 && edge.on === "next"));
  return [...own, ...others];
}

/** Which ways of a drawing a run has taken; signs between them belong to it when what they lead to does. */
export function takenWays(
  ways: readonly Way[],
  shapes: readonly Shape[],
  taken: ReadonlySet<string>,
  visited: ReadonlySet<number>,
): ReadonlySet<Way> {
  const forked = new Set([...taken].map((name) => name.replace(/ -?\d+ /, " ")));
  return new Set(
    ways.filter(({ edge, to, toBar }) => {
      const end = shapes[to];
      if (edge === null) return end !== undefined && taken.size > 0 && visited.has(end.node);
      if (toBar && end?.kind === "fork") return forked.has(`${edge.from} ${edge.on}`);
      return taken.has(nameOf(edge));
    }),
  );
}
