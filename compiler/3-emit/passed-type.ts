import type { GraphIR, NodeIR, ReadIR } from "../ir.js";
import { isPrintable } from "../types/field-type.js";
import { askedPart } from "./given-type.js";
import { stringLiteral } from "./literals.js";
import { isSure } from "./node-reads.js";
import { isCall } from "./outputs.js";
import type { Scope } from "./scope.js";

/** What nodes pass to one graph beyond what its interface of inputs takes from others. */
interface Passed {
  /** Fields that only prompts read, which are given what is no text, number or boolean. */
  readonly printed: Set<string>;
  /** Something is given that may be undefined. */
  isUnset: boolean;
}

/** The inputs of the graph that a node runs, as the nodes here may give them: one type for all of them. */
export function passedType(node: NodeIR, scope: Scope): string | null {
  const input = scope.childInput(node);
  const child = scope.childGraph(node);
  const passed = child === null ? undefined : passedIn(scope).get(child);
  if (passed === undefined || (!passed.isUnset && passed.printed.size === 0)) return input;
  const printed = [...passed.printed].sort().map(stringLiteral).join(" | ");
  return `${scope.use("Passed")}<${input}${printed === "" ? "" : `, ${printed}`}>`;
}

const known = new WeakMap<Scope, ReadonlyMap<GraphIR, Passed>>();

function passedIn(scope: Scope): ReadonlyMap<GraphIR, Passed> {
  const found = known.get(scope) ?? findPassed(scope);
  known.set(scope, found);
  return found;
}

function findPassed(scope: Scope): ReadonlyMap<GraphIR, Passed> {
  const all = new Map<GraphIR, Passed>();
  for (const node of scope.graph.nodes) {
    const child = isCall(node) ? scope.childGraph(node) : null;
    if (child === null) continue;
    const passed = all.get(child) ?? { printed: new Set(), isUnset: false };
    all.set(child, passed);
    for (const read of node.reads) {
      const part = askedPart(node, read.param, scope);
      if (part?.asks === "text" && !isPlain(read, scope)) passed.printed.add(read.param);
      else if (part?.field.input === "optional" && mayBeUndefined(read, scope)) passed.isUnset = true;
    }
  }
  return all;
}

/** True for what has the type of fields that only prompts read. */
function isPlain({ field, path, type }: ReadIR, scope: Scope): boolean {
  if (type !== null) return isPrintable(type);
  const own = path.length > 0 ? null : scope.linked(scope.graph, field);
  return own !== null && (own.asks === "text" || isPrintable(own.field.type));
}

const mayBeUndefined = (read: ReadIR, scope: Scope): boolean =>
  !isSure(read, scope) || (read.path.length > 0 && (read.optional || read.type === null));
