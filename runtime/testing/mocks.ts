import type { EachVisit, MockIR } from "../../compiler/2-analyze/index.js";
import type { Json } from "../../compiler/ir.js";
import type { AgentContext, AgentFunction, Outcome } from "../graph/contract.js";
import { decline, fail } from "../graph/signal.js";

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

type Visits = readonly [StandIn, ...StandIn[]];

/** Stand-ins for the agents of a generated module: `graph.run(input, { nodes: { Draft: mock.returns("Hello") } })`. */
export const mock = {
  /** Succeeds with a value. */
  returns: (value: Json): StandIn => standInOf([{ kind: "return", value }]),
  /** Signals failure with a reason; may write fields all the same. */
  fails: (why: string, writes: { readonly [key: string]: Json } | null = null): StandIn =>
    standInOf([{ kind: "fail", why, writes }]),
  /** Throws. */
  throws: (why: string): StandIn => standInOf([{ kind: "throw", why }]),
  /** One stand-in a visit; the last one stands for all further visits. */
  visits:
    (...standIns: Visits): StandIn =>
    (inputs, context) =>
      atVisit(standIns, context.visit)(inputs, context),
} as const;
