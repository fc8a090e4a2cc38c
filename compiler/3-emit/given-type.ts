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
  const asked = (circle === null ? null : circles.get(circle)) ?? gatherAsked(given, scope);
  if (circle !== null) circles.set(circle, asked);
  const ofAgents = asked.agents.map(
    ({ node, param }) => `${scope.use("Input")}<typeof ${scope.agent(node)}, ${stringLiteral(param)}>`,
  );
  const own = [...asked.texts, ...ofAgents, ...childTypes(asked, "type", scope)];
  // What only prompts read has a type for the sake of callers, which must not spoil that of others.
  const types = new Set(own.length > 0 ? own : childTypes(asked, "text", scope));
  types.delete("unknown");
  if (types.size === 0) return "unknown";
  const sorted = [...types].sort();
  return { kind: "fitted", flat: sorted.join(" & "), broken: () => sorted.join(" &\n    ") };
}

/** What is asked of a value: by the sheet, by custom agents, and by graphs that it is passed on to. */
interface Asked {
  readonly texts: ReadonlySet<string>;
  readonly agents: readonly Asker[];
  readonly children: readonly (Asker & { readonly part: LinkedField })[];
}

interface Asker {
  readonly node: NodeIR;
  readonly param: string;
}

/** What is asked in a circle, once for all its modules. */
const circles = new WeakMap<readonly LinkedField[], Asked>();

/** Of a circle, what its own graphs ask each other is left out. */
function gatherAsked(given: Given, scope: Scope): Asked {
  const { circle } = given;
  const texts = new Set<string>();
  const agents = new Map<string, Asker>();
  const children = new Map<LinkedField, Asker & { readonly part: LinkedField }>();
  for (const { graph, field } of circle ?? [given]) {
    for (const type of field.checks) texts.add(parenthesized(typeMembers(type)));
    for (const v of field.readers) {
      const node = graph.nodes[v]!;
      for (const { param } of wholeReads(node, field.name)) {
        if (!node.agent.builtin) agents.set(`${node.agent.type} ${param}`, { node, param });
        const part = askedPart(node, param, scope);
        if (part === null || (circle !== null && part.circle === circle)) continue;
        children.set(part, { node, param, part });
      }
    }
  }
  return { texts, agents: [...agents.values()], children: [...children.values()] };
}

const parenthesized = (members: readonly string[]): string =>
  members.length === 1 ? members[0]! : `(${members.join(" | ")})`;

const childTypes = ({ children }: Asked, asks: "type" | "text", scope: Scope): readonly string[] =>
  children
    .filter(({ part }) => part.asks === asks)
    .map(({ node, param, part }) => {
      const type = `${scope.childInput(node)}[${stringLiteral(param)}]`;
      return part.field.input === "optional" ? `Exclude<${type}, undefined>` : type;
    });

/** The field that a node gives the graph that it runs; null for one that the graph does not take. */
export function askedPart(node: NodeIR, param: string, scope: Scope): LinkedField | null {
  const child = isCall(node) ? scope.childGraph(node) : null;
  const part = child === null ? null : scope.linked(child, param);
  return part === null || part.field.input === null ? null : part;
}
