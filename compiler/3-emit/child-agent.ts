import type { NodeIR } from "../ir.js";
import { stringLiteral } from "./literals.js";
import { childSettings, type Scope } from "./scope.js";

/** The agent that runs another graph. It needs a typed constant, or TypeScript could not infer its type. */
export function childAgent(
  node: NodeIR,
  scope: Scope,
): { readonly name: string; readonly type: string; readonly made: string } | null {
  const value = node.agent.builtin && node.agent.type === "graph" ? scope.child(node) : null;
  if (value === null) return null;
  const isEach = childSettings(node).over !== undefined;
  const type = isEach
    ? `${scope.use("EachFunction")}<${eachState(node, scope)}>`
    : `${scope.use("AgentFunction")}<${passedType(node, scope)}, ${scope.childState(node)}>`;
  const made = `${scope.agent(node)}(() => ${value})`;
  return {
    name: scope.own(`${isEach ? "each" : "run"}${capitalized(value)}`, `${type} ${made}`),
    type,
    made,
  };
}

/** `Partial`, since an item that failed leaves null also in lists of fields that a run always sets. */
const eachState = (node: NodeIR, scope: Scope): string | null =>
  childSettings(node).onError === "collect" ? `Partial<${scope.childState(node)}>` : scope.childState(node);

/** The input type of a called graph, widened for what the nodes of this graph give. */
function passedType(node: NodeIR, scope: Scope): string | null {
  const input = scope.childInput(node);
  const { printed, isUnset } = scope.types.passed(node);
  if (!isUnset && printed.size === 0) return input;
  const names = [...printed].sort().map(stringLiteral).join(" | ");
  return `${scope.use("Passed")}<${input}${names === "" ? "" : `, ${names}`}>`;
}

const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
