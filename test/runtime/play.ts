import type { Answers, Result, StateData, WaitingFor } from "../../runtime/graph/contract/contract.js";
import type { RefGraph } from "../reference/graph.js";
import { type RunResult, simulate } from "../reference/run.js";
import type { Script } from "../reference/script.js";
import { buildGraph, type Pace, type Seen } from "./reference-graph.js";

/** What the driver made of a script: the run, and each resume. */
export interface Played {
  readonly result: Result<StateData>;
  readonly seen: readonly Seen[];
}

const nameOf = (node: number): string => `N${node}`;

/** Plays a script on the driver, each suspension through JSON, answered as the script wants. */
export async function playScript(
  ref: RefGraph,
  script: Script,
  paces: readonly Pace[],
): Promise<readonly Played[]> {
  const played: Played[] = [];
  let { graph, seen } = buildGraph(ref, script, paces, nameOf);
  const options = script.maxSteps === undefined ? {} : { maxSteps: script.maxSteps };
  let result: Result<StateData> = await graph.run({ ...script.initial }, options);
  for (;;) {
    played.push({ result, seen });
    if (result.status !== "suspended") return played;
    const checkpoint = JSON.parse(JSON.stringify(result.checkpoint)) as typeof result.checkpoint;
    // A graph of its own, as in another process.
    ({ graph, seen } = buildGraph(ref, script, paces, nameOf));
    result = await graph.resume(
      checkpoint,
      answersFor(result.waiting, script.answers?.[played.length - 1]),
      options,
    );
  }
}

/** What a script answers to what waits. */
export function answersFor(waiting: readonly WaitingFor[], wanted: readonly number[] | undefined): Answers {
  const names = waiting.map(({ node }) => node);
  const given = names.filter((name) => wanted === undefined || wanted.map(nameOf).includes(name));
  // A resume that answers nothing would wait for ever.
  return Object.fromEntries((given.length > 0 ? given : names).map((name) => [name, "answer"]));
}

/** A result in the form in which the reference and the driver are compared. */
export interface Comparable {
  readonly status: string;
  readonly path: readonly string[];
  readonly state: object;
  readonly error: { readonly code: string; readonly node: string | null } | null;
  readonly waiting: readonly string[];
}

/** What the reference says, as far as it is certain. */
export function expectedOf(ref: RefGraph, script: Script): readonly Comparable[] {
  return simulate(ref, script).map(comparable);
}

function comparable({ status, path, certain, state, error, waiting }: RunResult): Comparable {
  // In a split that fails, it depends on the clock how far the others get, and who fails first.
  const isCertain = status !== "failed" || certain === path.length;
  return {
    status,
    path: (status === "failed" ? path.slice(0, certain) : path).map(nameOf),
    state,
    error: error === null || !isCertain ? null : { code: error.code, node: nameOf(error.node) },
    waiting: waiting.map(nameOf),
  };
}

/** What the driver gave, without what is not certain. */
export function actualOf(played: readonly Played[], expected: readonly Comparable[]): readonly Comparable[] {
  return played.map(({ result }, index) => {
    const { status, state, path, error } = result;
    const waiting: readonly WaitingFor[] = result.waiting;
    const certain = expected[index];
    const isCertain = status !== "failed" || certain?.error !== null;
    return {
      status,
      path: status === "failed" ? path.slice(0, certain?.path.length) : path,
      state,
      error: error === null || !isCertain ? null : { code: error.code, node: error.node },
      waiting: waiting.map(({ node }) => node),
    };
  });
}
