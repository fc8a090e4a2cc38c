import type { EachVisit, MockIR } from "../../compiler/2-analyze/tests/case-ir.js";
import type { Json } from "../../compiler/ir.js";
import type { AgentContext, AgentFunction, Outcome } from "../graph/contract/contract.js";
import { decline, fail } from "../graph/contract/signal.js";

export type StandIn = AgentFunction<object, unknown>;

/** The entry for a visit, counted from 1. The last one is used for all further visits. */
export function atVisit<T>(entries: EachVisit<T>, visit: number): T {
  return entries[Math.min(visit, entries.length) - 1] ?? entries[0];
}

export function standInOf(mocks: EachVisit<MockIR>): StandIn {
  return (_inputs: object, context: AgentContext): Outcome<unknown> => {
    const mock = atVisit(mocks, context.visit);
    if (mock.kind === "fail") return fail(mock.why, mock.writes ?? undefined);
    if (mock.kind === "throw") throw new Error(mock.why);
    return mock.kind === "judge" && !mock.value ? decline(false) : mock.value;
  };
}

/** A stand-in with the agent's result type. One that never succeeds fits every agent. */
type Giving<R> = (inputs: object, context: AgentContext) => Outcome<R>;

// Values of mocks are data with the type that the caller wrote.
const giving = <R>(mocks: EachVisit<MockIR>): Giving<R> => standInOf(mocks) as Giving<R>;

/** Stand-ins for the agents of a generated module: `graph.run(input, { nodes: { Draft: mock.returns("Hello") } })`. */
export const mock = {
  /** Succeeds with a value. */
  returns: <R extends Json>(value: R): Giving<R> => giving([{ kind: "return", value }]),
  /** Signals failure with a reason. It may also write fields. */
  fails: (why: string, writes: { readonly [key: string]: Json } | null = null): Giving<never> =>
    giving([{ kind: "fail", why, writes }]),
  /** Throws. */
  throws: (why: string): Giving<never> => giving([{ kind: "throw", why }]),
  /** One stand-in for each visit. The last one is used for all further visits. */
  visits:
    <R>(first: Giving<R>, ...others: readonly Giving<R>[]): Giving<R> =>
    (inputs, context) =>
      atVisit([first, ...others], context.visit)(inputs, context),
} as const;
