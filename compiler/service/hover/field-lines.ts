import { firsts } from "../../2-analyze/by-name.js";
import { type Family, Linker } from "../../2-analyze/fields/linker.js";
import { calledBy } from "../../2-analyze/tests/inside.js";
import type { FieldIR, GraphIR, NodeIR } from "../../ir.js";
import { type Names, typeMembers } from "../../types/typescript.js";
import type { View } from "../document.js";
import type { NameKey } from "../names/mention.js";
import { graphsOf } from "../names/scene.js";

/** The graph that owns a name, of this sheet or of another; null when nobody knows it here. */
export function graphOwning(view: View, { graph, file }: NameKey): GraphIR | null {
  if (graph === null) return null;
  const own = graphsOf(view).find((one) => one.name === graph && one.file === file);
  const other = own ?? view.world.world.otherGraph?.(graph) ?? null;
  return other?.file === file ? other : null;
}

const families = new WeakMap<View, Linker>();

/** The types of a graph's fields as its module would have them. */
function linkerOf(view: View): Linker {
  const known = families.get(view) ?? new Linker(familyOf(view));
  families.set(view, known);
  return known;
}

/** The graphs of a view and all that they run. */
function familyOf(view: View): Family {
  const own = firsts(graphsOf(view), ({ name }) => name);
  const children = new Map<NodeIR, GraphIR>();
  const graphs = new Set(graphsOf(view));
  for (const graph of graphs) {
    for (const node of graph.nodes) {
      const called = calledBy(node);
      const child =
        called === null ? null : (own.get(called) ?? view.world.world.otherGraph?.(called) ?? null);
      if (child === null) continue;
      children.set(node, child);
      graphs.add(child);
    }
  }
  return {
    graphs: [...graphs],
    childOf: (node) => children.get(node) ?? null,
    moduleOf: ({ name }) => name,
  };
}

/** A field as the line of its module's interface: `name?: type`. */
export function propertyOf(view: View, graph: GraphIR, field: FieldIR): string {
  const isKnown = graphsOf(view).includes(graph);
  const type = isKnown ? linkerOf(view).typeOf(graph, field) : field.full;
  const { writers, setAtEnd, mayBeLeftOut, input } = field;
  const isOptional = writers.length > 0 ? !setAtEnd || mayBeLeftOut : input !== "required";
  const name = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(field.name) ? field.name : JSON.stringify(field.name);
  return `${name}${isOptional ? "?" : ""}: ${typeMembers(type, names).join(" | ")}`;
}

/** Types of code are named as a module would import them. */
const names: Names = {
  literal: (text) => JSON.stringify(text),
  ofCode: {
    agent: typeName,
    state: (graph) => `${typeName(graph)}State`,
    input: (graph) => `${typeName(graph)}Input`,
    use: (name) => name,
  },
};

function typeName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
