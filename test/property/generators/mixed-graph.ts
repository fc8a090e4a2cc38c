import fc from "fast-check";
import { echo, subgraph, subgraphEach } from "../../../runtime/agents/index.js";
import type { AgentContext, AnyGraph, Splits } from "../../../runtime/graph/contract/contract.js";
import { fail } from "../../../runtime/graph/index.js";
import { type Act, pause, type Tiny, tiny } from "../../runtime/tiny.js";
import { chance } from "./chance.js";

/** Long enough for all that answers at once, on a machine with much other work, too. */
const AMPLE_MS = 120_000;
const SHORT_MS = 15;

/** What a node does, always the same, whatever the clock says. */
const KINDS = [
  "value",
  "pure",
  "signals",
  "throws",
  "retries",
  "late",
  "asks",
  "objects",
  "overdue",
  "fallback",
  "talks",
] as const;
type Kind = (typeof KINDS)[number];

export type Drawn =
  | { readonly kind: Kind; readonly isHandled: boolean }
  | {
      readonly kind: "sub" | "each";
      readonly parts: Drawn[];
      readonly isHandled: boolean;
      readonly attempts: number;
      /** In milliseconds; 0 without one. */
      readonly timeoutMs: number;
      readonly items: number;
      readonly collects: boolean;
    }
  /** Its branches meet before the next node. Nothing in them fails unhandled: which one is told could differ. */
  | { readonly kind: "split"; readonly branches: Drawn[][] };

export const mixedGraphs: fc.Arbitrary<readonly Drawn[]> = fc.letrec((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, depthIdentifier: "graph" },
    { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...KINDS), isHandled: chance(60) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom("sub" as const, "each" as const),
        parts: tie("parts") as fc.Arbitrary<Drawn[]>,
        isHandled: chance(60),
        attempts: fc.constantFrom(1, 2),
        timeoutMs: fc.constantFrom(0, 0, AMPLE_MS),
        items: fc.integer({ min: 0, max: 3 }),
        collects: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("split" as const),
        branches: fc.array(tie("parts") as fc.Arbitrary<Drawn[]>, { minLength: 2, maxLength: 3 }),
      }),
    },
  ),
  parts: fc.array(tie("part") as fc.Arbitrary<Drawn>, {
    minLength: 1,
    maxLength: 3,
    depthIdentifier: "graph",
  }),
})).parts;

const LISTS = ["none", "one", "two", "three"];

/** What a mixed graph is given: the lists that its loops run over. */
export const lists = (): { readonly [field: string]: readonly number[] } =>
  Object.fromEntries(LISTS.map((field, size) => [field, Array.from({ length: size }, (_, item) => item)]));

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const isChosen = (inputs: { readonly [param: string]: unknown }, rest: number): boolean =>
  typeof inputs["item"] !== "number" || inputs["item"] % 2 === rest;

/** Never ends by itself. */
async function hang(_: unknown, { signal }: AgentContext): Promise<never> {
  while (!signal.aborted) await pause(2);
  throw new DOMException("stopped", "AbortError");
}

const asks =
  (fallback?: string): Act =>
  (_, context) =>
    context.answer ?? context.wait({ prompt: context.node, fallback });

const agents: { readonly [K in Kind]: () => Partial<Tiny> & { readonly agent: Act } } = {
  value: () => ({
    agent: async (inputs, { node }) => {
      await soon();
      return `${node} ${String(inputs["item"])}`;
    },
  }),
  pure: () => ({ agent: echo as Act }),
  signals: () => ({
    agent: async (inputs, { node }) => (isChosen(inputs, 1) ? fail(`${node} says no`) : "yes"),
  }),
  throws: () => ({
    agent: async (inputs, { node }) => {
      await soon();
      if (isChosen(inputs, 0)) throw new Error(`${node} threw`);
      return "good";
    },
    retry: { attempts: 2, delayMs: 1 },
  }),
  retries: () => ({
    agent: async (_, { attempt }) => {
      if (attempt < 3) throw new Error(`attempt ${attempt}`);
      return attempt;
    },
    retry: { attempts: 3, delayMs: 2 },
    timeoutMs: AMPLE_MS,
  }),
  late: () => ({ agent: hang as Act, timeoutMs: SHORT_MS }),
  asks: () => ({ agent: asks() }),
  objects: () => ({
    agent: (_, context) => {
      if (context.answer === "first") throw new Error(`${context.node} wants another answer`);
      return asks()({}, context);
    },
  }),
  overdue: () => ({ agent: asks(), timeoutMs: 1 }),
  fallback: () => ({ agent: asks("nobody said"), timeoutMs: 1 }),
  talks: () => ({
    agent: async (_, context) => {
      const said = context.recall("talk").map(({ text }) => text);
      context.remember("talk", [{ role: "user", text: context.node }]);
      return said.join();
    },
  }),
};

/** Whether the person of these tests answers a node: of others the time ends. */
export const isAnswered = (name: string): boolean => /(?:asks|objects)$/.test(name);

interface Plan {
  readonly nodes: { [name: string]: Tiny };
  readonly splits: { [node: string]: { next: string[][] } };
}

/** Builds the graph anew, as another process would. All names are different, also of the graphs inside. */
export function mixedGraph(drawn: readonly Drawn[]): AnyGraph {
  let count = 0;
  const nameOf = (kind: string): string => `N${count++}${kind}`;

  function graphOf(parts: readonly Drawn[], isSafe: boolean): { graph: AnyGraph; fields: readonly string[] } {
    const plan: Plan = { nodes: {}, splits: {} };
    const end = nameOf("end");
    plan.nodes[end] = { agent: agents.pure().agent, reads: ["item"] };
    const entry = addAll(plan, parts, { next: end, isSafe });
    // The entry is the first node.
    const { [entry]: first, ...others } = plan.nodes;
    const graph = tiny({ [entry]: first!, ...others }, plan.splits as Splits);
    return { graph, fields: Object.keys(plan.nodes).filter((name) => !/split$/.test(name)) };
  }

  interface Place {
    readonly next: string;
    readonly isSafe: boolean;
    readonly own?: string[];
  }

  /** Adds nodes from the last to the first, and gives the name of the first. */
  function addAll(plan: Plan, parts: readonly Drawn[], { next, isSafe, own }: Place): string {
    return parts.reduceRight(
      (then, part) => add(plan, part, { next: then, isSafe, ...(own && { own }) }),
      next,
    );
  }

  function add(plan: Plan, part: Drawn, { next, isSafe, own = [] }: Place): string {
    const name = nameOf(part.kind);
    own.push(name);
    if (part.kind === "split") {
      const branches = part.branches.map((parts) => {
        const inside: string[] = [];
        const first = addAll(plan, parts, { next, isSafe: true, own: inside });
        return { first, inside };
      });
      plan.nodes[name] = { agent: echo as Act, writes: [], next: branches.map(({ first }) => first) };
      plan.splits[name] = { next: branches.map(({ inside }) => inside) };
      own.push(...branches.flatMap(({ inside }) => inside));
      return name;
    }
    const isHandled = isSafe || part.isHandled;
    const route = isHandled ? { success: next, failure: next } : { next };
    plan.nodes[name] =
      part.kind === "sub" || part.kind === "each"
        ? { ...nested(part, isSafe), ...route }
        : { ...agents[part.kind](), reads: ["item"], ...route };
    return name;
  }

  function nested(part: Extract<Drawn, { readonly attempts: number }>, isSafe: boolean): Tiny {
    const { kind, parts, attempts, timeoutMs, items, collects } = part;
    const { graph, fields } = graphOf(parts, isSafe);
    const common = { writes: fields, reads: ["item", ...LISTS], retry: { attempts, delayMs: 1 }, timeoutMs };
    if (kind === "sub") return { ...common, agent: subgraph(() => graph) as unknown as Act };
    const over = LISTS[items]!;
    return {
      ...common,
      agent: subgraphEach(() => graph) as unknown as Act,
      settings: collects ? { over, on_error: "collect", concurrency: 2 } : { over },
      writes: collects ? [...fields, "errors"] : fields,
    };
  }

  return graphOf(drawn, false).graph;
}
