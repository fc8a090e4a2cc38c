import { createNear, type Near } from "../../diagnostics/suggest.js";
import type { GraphIR } from "../../ir.js";
import { fieldsByName, firsts, nearFields, nodesByName } from "../by-name.js";
import { once } from "../flow/once.js";
import { type GraphOf, namesInside } from "./inside.js";

/** Fields that a run may have without any node naming them. */
export const ALWAYS: readonly string[] = ["error", "errors"];

/** What the cells of a case may name of its graph. */
export interface TestedGraph {
  readonly graph: GraphIR;
  readonly graphOf: GraphOf;
  readonly nearNodes: Near;
  /** The nodes, and those of the graphs that they run. */
  readonly nearInside: Near;
  readonly hasField: (name: string) => boolean;
  /** The fields that nodes name: these can be given. */
  readonly nearNamed: Near;
  readonly nearFields: Near;
}

/** The graphs that cases are about, by name: what is worked out of one is there for all its cases. */
export function createTestedGraphs(graphs: readonly GraphIR[]) {
  const byName = firsts(graphs, ({ name }) => name);
  const known = new Map<GraphIR, TestedGraph>();
  const graphOf: GraphOf = (name) => byName.get(name) ?? null;
  const names = [...byName.keys()];
  const twice = new Set(graphs.flatMap((graph) => (byName.get(graph.name) === graph ? [] : [graph.name])));
  return {
    names,
    /** Worksheets of one workbook may have graphs of one name. */
    isAmbiguous: (name: string): boolean => twice.has(name),
    near: createNear(names),
    find: (name: string): GraphIR | null => byName.get(name) ?? null,
    of(graph: GraphIR): TestedGraph {
      const tested = known.get(graph) ?? createTested(graph, graphOf);
      known.set(graph, tested);
      return tested;
    },
  };
}

function createTested(graph: GraphIR, graphOf: GraphOf): TestedGraph {
  const nodes = once(() => createNear(nodesByName(graph).keys()));
  const inside = once(() => createNear(namesInside(graph, graphOf)));
  const fields = once(() => createNear(new Set([...fieldsByName(graph).keys(), ...ALWAYS])));
  return {
    graph,
    graphOf,
    nearNodes: (name) => nodes()(name),
    nearInside: (name) => inside()(name),
    hasField: (name) => fieldsByName(graph).has(name) || ALWAYS.includes(name),
    nearNamed: (name) => nearFields(graph, name),
    nearFields: (name) => fields()(name),
  };
}

export type TestedGraphs = ReturnType<typeof createTestedGraphs>;
