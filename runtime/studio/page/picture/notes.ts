import type { Way } from "../../../draw/svg/geometry.js";
import type { Problem } from "../engine/messages.js";
import { type Mark, markOf, type Run } from "../run/run-state.js";
import { edgeName, type Missed } from "../tests/test-state.js";
import { takenEdges, takenWays } from "./run-way.js";
import type { Scene } from "./scene.js";

/** What a run and the problems make of a scene. Nodes are known by their records. */
export interface Notes {
  readonly marks: ReadonlyMap<number, Mark>;
  readonly wrong: ReadonlySet<number>;
  readonly taken: ReadonlySet<Way>;
  /** What no test case came to. */
  readonly untested: ReadonlySet<number>;
  readonly untestedWays: ReadonlySet<Way>;
}

export function notesOf(
  { graph, drawing: { ways, shapes } }: Scene,
  run: Run | null,
  problems: ReadonlyMap<number, readonly Problem[]>,
  missed: Missed,
): Notes {
  const numbers = new Map(graph.nodes.map(({ name }, v) => [name, v]));
  const marks = new Map<number, Mark>();
  const visited = new Set<number>();
  for (const step of run?.steps ?? []) {
    const at = numbers.get(step.node) ?? -1;
    const node = graph.nodes[at];
    if (node === undefined) continue;
    visited.add(at);
    marks.set(node.record, markOf(step));
  }
  // A run that failed stopped at its last step: it has not come to the end.
  const taken = takenEdges(graph, run?.steps ?? [], run?.status === "completed");
  const isWrong = (record: number): boolean =>
    problems.get(record)?.some(({ severity }) => severity === "error") === true;
  return {
    marks,
    taken: takenWays(ways, shapes, taken, visited),
    untested: missed.nodes,
    untestedWays: new Set(
      ways.filter(({ edge }) => edge !== null && missed.edges.has(edgeName(graph, edge))),
    ),
    wrong: new Set(graph.nodes.map(({ record }) => record).filter(isWrong)),
  };
}
