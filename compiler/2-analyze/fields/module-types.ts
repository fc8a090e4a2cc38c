import type { FieldIR, GraphIR, NodeIR, ReadIR } from "../../ir.js";
import { type FieldType, isPrintable } from "../../types/field-type.js";
import { isRunValue } from "../../types/run-values.js";
import { once } from "../flow/once.js";
import { type Family, Linker } from "./linker.js";

/** The types of a graph's module, for whoever prints it. */
export interface ModuleTypes {
  /** References to other graphs name their modules. */
  readonly of: (field: FieldIR) => FieldType;
  /** Inputs of a called graph for which its own input type is too narrow. */
  readonly passed: (node: NodeIR) => Passed;
}

export interface Passed {
  /** Fields that only prompts read, and that are given something other than text, numbers or booleans. */
  readonly printed: ReadonlySet<string>;
  readonly isUnset: boolean;
}

const NOTHING: Passed = { printed: new Set(), isUnset: false };

/** Completes the types of graphs that run each other. Linear in their nodes and fields. */
export function linkTypes(family: Family): (graph: GraphIR) => ModuleTypes {
  const linker = new Linker(family);
  return (graph) => {
    const passed = once(() => passedIn(graph, family, linker));
    return {
      of: (field) => linker.typeOf(graph, field),
      passed: (node) => {
        const child = family.childOf(node);
        return (child === null ? undefined : passed().get(child)) ?? NOTHING;
      },
    };
  };
}

/** True for a node that runs another graph once. */
const isCall = ({ agent, settings }: NodeIR): boolean =>
  agent.builtin && agent.type === "graph" && settings["over"] === undefined;

function passedIn(graph: GraphIR, family: Family, linker: Linker): ReadonlyMap<GraphIR, Passed> {
  const all = new Map<GraphIR, { printed: Set<string>; isUnset: boolean }>();
  for (const node of graph.nodes) {
    const child = isCall(node) ? family.childOf(node) : null;
    if (child === null) continue;
    const passed = all.get(child) ?? { printed: new Set<string>(), isUnset: false };
    all.set(child, passed);
    for (const read of node.reads) {
      const part = linker.find(child, read.param);
      if (part === undefined || part.field.input === null) continue;
      if (linker.asksOf(part) === "text" && !isPlain(graph, read, linker)) passed.printed.add(read.param);
      else if (part.field.input === "optional" && mayBeUndefined(read)) passed.isUnset = true;
    }
  }
  return all;
}

function isPlain(graph: GraphIR, { field, path, type }: ReadIR, linker: Linker): boolean {
  if (isRunValue(field)) return true;
  if (type !== null) return isPrintable(type);
  const own = path.length > 0 ? undefined : linker.find(graph, field);
  return own !== undefined && (linker.asksOf(own) === "text" || isPrintable(own.field.type));
}

const mayBeUndefined = ({ isSet, path, optional, type }: ReadIR): boolean =>
  !isSet || (path.length > 0 && (optional || type === null));
