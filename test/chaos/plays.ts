import type {
  Answers,
  AnyGraph,
  Given,
  Result,
  StateData,
  WaitingFor,
} from "../../runtime/graph/contract/contract.js";
import type { RefGraph } from "../reference/graph.js";
import type { Script } from "../reference/script.js";
import { answersFor } from "../runtime/play.js";
import { buildGraph, type Pace } from "../runtime/reference-graph.js";
import { SHAPES } from "./shapes.js";

/** A graph by chance, and what its agents do. */
export interface Play {
  readonly graph: RefGraph;
  readonly script: Script;
}

/** What is run, by name: a shape, or a play by its number: `R17`. */
export interface Piece {
  readonly graph: AnyGraph;
  readonly given: Given;
  readonly maxSteps: number | null;
  readonly answers: (waiting: readonly Pick<WaitingFor, "node">[], leg: number) => Answers;
}

const PACES: readonly Pace[] = ["sync", "promise", "later", "thenable"];

export function pieceOf(name: string, plays: readonly Play[]): Piece {
  const play = name.startsWith("R") ? plays[Number(name.slice(1))] : undefined;
  const answers = (script: Script | null): Piece["answers"] => {
    return (waiting, leg) => answersFor(waiting as readonly WaitingFor[], script?.answers?.[leg]);
  };
  if (play === undefined) {
    const graph = SHAPES[name];
    if (graph === undefined) throw new Error(`no shape ${name}`);
    return { graph, given: {}, maxSteps: null, answers: answers(null) };
  }
  const { graph, script } = play;
  return {
    graph: buildGraph(graph, script, PACES, (node) => `N${node}`).graph,
    given: { ...script.initial },
    maxSteps: script.maxSteps ?? null,
    answers: answers(script),
  };
}

/** The run in memory, undisturbed; null when it asks for ever. */
export async function inMemory(name: string, plays: readonly Play[]): Promise<Result<StateData> | null> {
  const { graph, given, maxSteps, answers } = pieceOf(name, plays);
  const options = maxSteps === null ? {} : { maxSteps };
  let result = await graph.run(given, options);
  for (let leg = 0; result.status === "suspended"; leg++) {
    if (leg > 12) return null;
    // What is overdue goes on without an answer.
    if (name === "overdue") await new Promise((resolve) => setTimeout(resolve, 80));
    const given = name === "overdue" ? {} : answers(result.waiting, leg);
    const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as typeof result.checkpoint;
    result = await pieceOf(name, plays).graph.resume(checkpoint, given, options);
  }
  return result;
}

type Told = Pick<Result<StateData>, "status" | "state" | "path" | "steps"> & {
  readonly error: { readonly code: string; readonly message: string; readonly node: string | null } | null;
};

/** What must be the same however often the run was disturbed. */
export function comparable({ status, state, path, steps, error }: Told): string {
  const way = status === "completed" ? [path, steps] : null;
  return JSON.stringify([status, state, way, error && [error.code, error.message, error.node]]);
}
