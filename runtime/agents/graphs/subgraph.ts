import { isObject } from "../../../compiler/types/field-type.js";
import type {
  AgentFunction,
  Answers,
  AnyGraph,
  Graph,
  InsideData,
  Outcome,
} from "../../graph/contract/contract.js";
import { fail, wait } from "../../graph/contract/signal.js";
import {
  type CallDone,
  type CallEnd,
  callGraph,
  type GraphCall,
  resumeGraph,
} from "../../graph/drive/subgraph-run.js";
import type { Visit } from "../../graph/drive/visit.js";
import { nested } from "../../graph/link/marks.js";
import type { Inputs } from "../agent.js";

/**
 * Makes an agent that runs another graph with its inputs and returns its final state. `graph` is a function, so that
 * modules may import each other in cycles. `Given` is the type of inputs that may have more values: see `Passed`.
 */
export function subgraph<Input, State, Nodes, Given extends { readonly [K in keyof Input]: unknown } = Input>(
  graph: () => Graph<Input, State, Nodes>,
): AgentFunction<Given, State> {
  const child = graph as unknown as () => AnyGraph;
  // The context of a nested agent is always the visit itself.
  return nested(
    (inputs, context) => runOnce(context as Visit, child(), inputs as Inputs) as Outcome<State>,
    child,
  );
}

function runOnce(visit: Visit, graph: AnyGraph, given: Inputs): unknown {
  const call: GraphCall = { visit, graph, index: null, scope: visit.extra?.scope ?? visit.line.scope };
  const inner = takeInside(visit)?.runs[0];
  const end =
    inner === undefined ? callGraph(call, given) : resumeGraph(call, inner, answersFor(visit, null));
  return end instanceof Promise ? end.then((late) => answerOf(visit, late)) : answerOf(visit, end);
}

function answerOf(visit: Visit, end: CallEnd): unknown {
  if (end.kind === "suspended") return wait({ inside: { runs: [end.inner], done: null } });
  const whole = takesAll(visit, end);
  const entries =
    whole === null
      ? Object.fromEntries(visit.outputs.map(({ key }) => [key, end.state[key]]))
      : { [whole]: { ...end.state } };
  // An unhandled failure inside is a failure of this node.
  if (end.failure !== null) return fail(end.failure, entries);
  // An output of type `object` takes the whole answer.
  const [only] = visit.outputs;
  return visit.outputs.length === 1 && only && isObject(only.type) ? entries[only.key] : entries;
}

/** The only output when it has the type `object` and is no field of the graph: it takes the whole state. */
function takesAll({ outputs }: Visit, { state, graph }: CallDone): string | null {
  const [only] = outputs;
  if (only === undefined || outputs.length > 1 || !isObject(only.type)) return null;
  const isField = graph.nodes.some((node) => node.outputs.some(({ field }) => field === only.key));
  return isField || Object.hasOwn(state, only.key) ? null : only.key;
}

/** The suspended runs inside a visit, only once: a further attempt starts again. */
export function takeInside({ extra }: Visit): InsideData | null {
  const inside = extra?.inside ?? null;
  if (extra !== null) extra.inside = null;
  return inside;
}

/** The answers for one run inside a visit, by its own names. */
export function answersFor({ answer }: Visit, index: number | null): Answers {
  const prefix = `${index === null ? "" : `[${index}]`}/`;
  const entries = Object.entries((answer ?? {}) as Answers);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
  );
}
