import fc from "fast-check";
import { type AgentKind, indices, type RefGraph, type RefNode } from "../../reference/graph.js";
import type { Action, Script, SettledAction } from "../../reference/script.js";
import { unsetOf } from "../../reference/unset.js";
import { chance } from "./chance.js";
import { type GraphOptions, graphs } from "./random-graphs.js";

const settledArb = (kind: AgentKind): fc.Arbitrary<SettledAction> => {
  const succeed = fc.constant<SettledAction>({ kind: "succeed" });
  const fail = fc.constant<SettledAction>({ kind: "fail" });
  if (kind === "switch") return fc.nat(5).map((target) => ({ kind: "choose", target }));
  if (kind === "failure") return fail;
  if (kind === "echo" || kind === "input") return succeed;
  const uneven = kind === "custom" ? 3 : 1;
  return fc.oneof({ weight: uneven, arbitrary: succeed }, { weight: 1, arbitrary: fail });
};

/** How a node may behave in scripts. */
export interface ScriptOptions {
  /** How many visits in a hundred throw. Default 12; nodes without `next_on_failure` throw half as often. */
  readonly throws?: number;
  /** How many visits in a hundred of other agents than `input` and `human` wait as well. Default 0. */
  readonly waits?: number;
  /** Agents that never throw. Default: none. */
  readonly calm?: readonly AgentKind[];
  /** Default 200. */
  readonly maxSteps?: number;
}

function actionArb(
  from: RefNode,
  { throws = 12, waits = 0, calm = [] }: ScriptOptions,
): fc.Arbitrary<Action> {
  const usual = from.onFailure.length > 0 ? throws * 2 : Math.ceil(throws / 4);
  const often = calm.includes(from.agent) ? 0 : usual;
  const thrown = fc.constant<SettledAction>({ kind: "throw" });
  const settled = fc.oneof(
    { weight: often, arbitrary: thrown },
    { weight: 100 - often, arbitrary: settledArb(from.agent) },
  );
  const asks = from.agent === "input" || from.agent === "human";
  const waiting = settled.map((answer): Action => ({ kind: "wait", answer }));
  return fc.oneof({ weight: asks ? 70 : waits, arbitrary: waiting }, { weight: 100, arbitrary: settled });
}

/** Enough for every shape of a run, and too few for a list that doubles each round to fill the memory. */
const FEW_STEPS = 30;

/** Two splits append to one field: in a loop, where one is in a branch of the other, its list doubles each round. */
function mayDouble(graph: RefGraph): boolean {
  const appended = graph.nodes.flatMap(({ merge }) =>
    Object.keys(merge).filter((field) => merge[field] === "append"),
  );
  return new Set(appended).size < appended.length;
}

/** Random scripts for a graph; the caller gives what is required, and sometimes more. */
export function scripts(graph: RefGraph, options: ScriptOptions = {}): fc.Arbitrary<Script> {
  const { required, optional } = unsetOf(graph);
  const acts = graph.nodes.map((from) => fc.array(actionArb(from, options), { minLength: 1, maxLength: 3 }));
  const summed = new Set(graph.nodes.flatMap((from) => Object.keys(from.merge)));
  const more = fc.subarray(optional.filter((field) => !summed.has(field)));
  const answers = fc.array(fc.subarray([...indices(graph)]), { maxLength: 3 });
  const { maxSteps = 200 } = options;
  return fc
    .tuple(fc.tuple(...acts), fc.tuple(chance(20), more), answers)
    .map(([lists, [gives, extra], answered]) => ({
      actions: Object.fromEntries(lists.map((list, at) => [at, list])),
      initial: Object.fromEntries(
        [...required, ...(gives ? extra : [])].map((field) => [field, `given ${field}`]),
      ),
      answers: answered,
      maxSteps: mayDouble(graph) ? Math.min(maxSteps, FEW_STEPS) : maxSteps,
    }));
}

/** A graph with a script for it. */
export function runs(
  options: GraphOptions & ScriptOptions = {},
): fc.Arbitrary<{ readonly graph: RefGraph; readonly script: Script }> {
  return graphs(options).chain((graph) => scripts(graph, options).map((script) => ({ graph, script })));
}
