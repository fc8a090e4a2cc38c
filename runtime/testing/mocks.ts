import type { EachVisit, MockIR } from "../../compiler/2-analyze/index.js";
import type { Json } from "../../compiler/ir.js";
import type { AgentContext, AgentFunction, Outcome } from "../graph/contract/contract.js";
import { decline, fail } from "../graph/contract/signal.js";

/** A stand-in for an agent. */
export type StandIn = AgentFunction<object, unknown>;

/** The entry for a visit, which counts from 1; the last one stands for all further visits. */
export function atVisit<T>(entries: EachVisit<T>, visit: number): T {
  return entries[Math.min(visit, entries.length) - 1] ?? entries[0];
}

/** Makes the stand-in that mocks describe. */
export function standInOf(mocks: EachVisit<MockIR>): StandIn {
  return (_inputs: object, context: AgentContext): Outcome<unknown> => {
    const mock = atVisit(mocks, context.visit);
    if (mock.kind === "fail") return fail(mock.why, mock.writes ?? undefined);
    if (mock.kind === "throw") throw new Error(mock.why);
    return mock.kind === "judge" && !mock.value ? decline(false) : mock.value;
  };
}

/** A stand-in that gives what an agent gives; one that never succeeds fits every agent. */
type Giving<R> = (inputs: object, context: AgentContext) => Outcome<R>;

// What a mock holds is data: its type is what the caller wrote.
const giving = <R>(mocks: EachVisit<MockIR>): Giving<R> => standInOf(mocks) as Giving<R>;

/** Stand-ins for the agents of a generated module: `graph.run(input, { nodes: { Draft: mock.returns("Hello") } })`. */
export const mock = {
  /** Succeeds with a value. */
  returns: <R extends Json>(value: R): Giving<R> => giving([{ kind: "return", value }]),
  /** Signals failure with a reason; may write fields all the same. */
  fails: (why: string, writes: { readonly [key: string]: Json } | null = null): Giving<never> =>
    giving([{ kind: "fail", why, writes }]),
  /** Throws. */
  throws: (why: string): Giving<never> => giving([{ kind: "throw", why }]),
  /** One stand-in a visit; the last one stands for all further visits. */
  visits:
    <R>(first: Giving<R>, ...others: readonly Giving<R>[]): Giving<R> =>
    (inputs, context) =>
      atVisit([first, ...others], context.visit)(inputs, context),
} as const;
