import fc from "fast-check";
import type { AgentKind, RefGraph } from "../../reference/graph.js";
import { isClean } from "../../reference/splits.js";
import { blockGraph } from "./block-graph.js";
import { wildGraph } from "./wild-graph.js";

/** What a generated graph may hold. */
export interface GraphOptions {
  /** Default 10. */
  readonly maxNodes?: number;
  /** No cycle, and so no visit limits. Default false. */
  readonly acyclic?: boolean;
  /** Only graphs that the product accepts. Default false: most of them are. */
  readonly clean?: boolean;
  /** Default: all kinds. */
  readonly agents?: readonly AgentKind[];
}

const KINDS: readonly AgentKind[] = ["echo", "custom", "branching", "failure", "switch", "input", "human"];
/** Random graphs. A good share has splits in splits, shared handlers, loops and choices. */
export function graphs(options: GraphOptions = {}): fc.Arbitrary<RefGraph> {
  const full = { maxNodes: 10, acyclic: false, clean: false, agents: KINDS, ...options };
  const any = fc.oneof({ weight: 3, arbitrary: blockGraph(full) }, { weight: 2, arbitrary: wildGraph(full) });
  return full.clean ? any.filter((graph) => isClean(graph)) : any;
}
