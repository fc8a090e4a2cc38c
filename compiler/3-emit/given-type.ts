import type { NodeIR } from "../ir.js";
import { type LinkedField, wholeReads } from "./field-links.js";
import { typeMembers } from "./field-type.js";
import type { Doc } from "./layout.js";
import { stringLiteral } from "./literals.js";
import { isCall } from "./outputs.js";
import type { Scope } from "./scope.js";

type Given = Pick<LinkedField, "graph" | "field" | "circle">;

/** What only the caller gives has the type that all its readers take. */
export function givenType(given: Given, scope: Scope): Doc {
  const { circle } = given;
  if (circle?.some(({ field }) => field.writers.length > 0)) return "unknown";
  const members = circle ?? [given];
  const asked = members.flatMap((one) => [
    ...ownTypes(one, scope),
    ...childTypes(one, given, { scope, asks: "type" }),
  ]);
  const types = new Set(
    asked.length > 0 ? asked : members.flatMap((one) => childTypes(one, given, { scope, asks: "text" })),
  );
  types.delete("unknown");
  if (types.size === 0) return "unknown";
  const sorted = [...types].sort();
  return { kind: "fitted", flat: sorted.join(" & "), broken: () => sorted.join(" &\n    ") };
}

/** What the sheet says, and what custom agents take. */
function ownTypes({ graph, field }: Given, scope: Scope): readonly string[] {
  const types = field.checks.map((type) => parenthesized(typeMembers(type)));
  for (const v of field.readers) {
    const node = graph.nodes[v]!;
    if (node.agent.builtin) continue;
    for (const { param } of wholeReads(node, field.name))
      types.push(`${scope.use("Input")}<typeof ${scope.agent(node)}, ${stringLiteral(param)}>`);
  }
  return types;
}

const parenthesized = (members: readonly string[]): string =>
  members.length === 1 ? members[0]! : `(${members.join(" | ")})`;

interface Asked {
  readonly scope: Scope;
  /** What only prompts read has a type for the sake of callers, which must not spoil that of others. */
  readonly asks: "type" | "text";
}

/** What the graphs ask that the value is passed on to, without those of its own circle. */
function childTypes({ graph, field }: Given, { circle }: Given, { scope, asks }: Asked): readonly string[] {
  return field.readers.flatMap((v) => {
    const node = graph.nodes[v]!;
    return wholeReads(node, field.name).flatMap(({ param }) => {
      const part = askedPart(node, param, scope);
      if (part === null || part.asks !== asks || (circle !== null && part.circle === circle)) return [];
      const type = `${scope.childInput(node)}[${stringLiteral(param)}]`;
      return [part.field.input === "optional" ? `Exclude<${type}, undefined>` : type];
    });
  });
}

/** The field that a node gives the graph that it runs; null for one that the graph does not take. */
export function askedPart(node: NodeIR, param: string, scope: Scope): LinkedField | null {
  const child = isCall(node) ? scope.childGraph(node) : null;
  const part = child === null ? null : scope.linked(child, param);
  return part === null || part.field.input === null ? null : part;
}
