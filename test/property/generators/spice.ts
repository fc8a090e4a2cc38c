import fc from "fast-check";
import {
  type AgentKind,
  END,
  type MergeKind,
  node,
  type RefNode,
  type Target,
} from "../../reference/graph.js";
import { chance, maybe } from "./chance.js";

/** Fields that several nodes may write; each node has one of its own beside. */
const COMMON_FIELDS = ["x", "y", "z"] as const;

/** What the makers of graphs are asked for. */
export interface GraphSize {
  readonly maxNodes: number;
  readonly acyclic: boolean;
  readonly agents: readonly AgentKind[];
}

/** Everything about a node but its place. */
export interface Spice {
  readonly agent: AgentKind;
  /** Where a failure goes: nowhere, to one of the handlers, or to a node by number. */
  readonly failure: { readonly to: "none" | "handler" | "any" | "end"; readonly pick: number };
  readonly reads: readonly { readonly pick: number; readonly optional: boolean }[];
  readonly common: number | null;
  readonly own: boolean;
  readonly merge: MergeKind | null;
  readonly maxVisits: number;
}

/** Any node, place apart. */
export function spiceArb(agents: readonly AgentKind[]): fc.Arbitrary<Spice> {
  return fc.record({
    agent: fc.constantFrom(...agents),
    failure: fc.record({
      to: fc.constantFrom("none", "none", "none", "handler", "handler", "any", "end"),
      pick: fc.nat(20),
    }),
    reads: fc.array(fc.record({ pick: fc.nat(30), optional: chance(25) }), { maxLength: 2 }),
    common: maybe(25, fc.nat(COMMON_FIELDS.length - 1)),
    own: chance(70),
    merge: maybe(60, fc.constantFrom<MergeKind>("append", "last", "sum")),
    maxVisits: fc.integer({ min: 1, max: 3 }),
  });
}

/** The graph that a node stands in. */
export interface Surroundings {
  readonly bodies: number;
  readonly handlers: readonly number[];
}

/** A node in its place. */
export function finish(
  laid: { spice: Spice; part: Partial<RefNode>; at: number },
  around: Surroundings,
): RefNode {
  const { spice, part, at } = laid;
  // Only a block that chooses is a switch: a single target is no choice.
  const agent = part.agent ?? (spice.agent === "switch" ? "echo" : spice.agent);
  const failure = part.onFailure ?? failureOf(spice, around);
  const merged = spice.merge === null ? {} : { [COMMON_FIELDS[spice.common ?? 0] ?? "x"]: spice.merge };
  return node({
    ...part,
    agent,
    onFailure: failure,
    reads: readsOf(spice, around),
    writes: [
      ...(spice.own ? [`own${at}`] : []),
      ...(spice.common === null ? [] : [COMMON_FIELDS[spice.common] ?? "x"]),
    ],
    merge: merged,
  });
}

function failureOf(spice: Spice, { bodies, handlers }: Surroundings): readonly Target[] {
  const { to, pick } = spice.failure;
  if (to === "handler" && handlers.length > 0) return [handlers[pick % handlers.length] ?? END];
  if (to === "any" && bodies > 0) return [pick % bodies];
  return to === "end" ? [END] : [];
}

function readsOf(spice: Spice, { bodies }: Surroundings): RefNode["reads"] {
  const names = [
    ...COMMON_FIELDS,
    "given",
    "error",
    ...Array.from({ length: bodies }, (_, at) => `own${at}`),
  ];
  const reads = spice.reads.map(({ pick, optional }) => ({
    field: names[pick % names.length] ?? "x",
    optional,
  }));
  return reads.filter((read, index) => reads.findIndex((other) => other.field === read.field) === index);
}
