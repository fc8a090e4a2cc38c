import type { FieldIR, GraphIR, NodeIR } from "../../ir.js";
import { type FieldOfGraph, type FieldType, isUnion, LIST, UNKNOWN } from "../../types/field-type.js";
import { allOf, fieldsIn, isFieldOfGraph, membersOf, replaceFields, unionOf } from "../../types/union.js";
import { createDigraph, findComponents } from "../flow/digraph.js";

/** All graphs whose modules are printed together. */
export interface Family {
  readonly graphs: readonly GraphIR[];
  readonly childOf: (node: NodeIR) => GraphIR | null;
  readonly moduleOf: (graph: GraphIR) => string;
}

/** A field with its number among the fields of all graphs. */
export interface Linked {
  readonly graph: GraphIR;
  readonly field: FieldIR;
  readonly index: number;
}

/** A given value must have a certain type, must only be printable, or may be anything. */
export type Asks = "type" | "text" | null;

/** Completes the types of graphs that run each other. Linear in their nodes and fields. */
export class Linker {
  readonly #family: Family;
  readonly #children = new Map<GraphIR, ReadonlyMap<string, GraphIR>>();
  readonly #byName = new Map<GraphIR, ReadonlyMap<string, Linked>>();
  #component: Int32Array = new Int32Array(0);
  /** The fields of each strongly connected component whose types depend on each other. */
  readonly #circles = new Map<number, readonly Linked[]>();
  readonly #asks: Asks[] = [];
  readonly #circleTypes = new Map<number, FieldType>();

  constructor(family: Family) {
    this.#family = family;
    const all: Linked[] = [];
    for (const graph of family.graphs) {
      const linked = graph.fields.map((field, i): Linked => ({ graph, field, index: all.length + i }));
      for (const one of linked) all.push(one);
      this.#byName.set(graph, new Map(linked.map((one) => [one.field.name, one])));
      const called = graph.nodes.flatMap((node) => {
        const child = family.childOf(node);
        return child === null ? [] : [[String(node.settings["graph"]), child] as const];
      });
      this.#children.set(graph, new Map(called));
    }
    const parts = all.map(({ graph, field }) =>
      fieldsIn(field.full)
        .flatMap((ref) => this.#find(graph, ref) ?? [])
        .filter((part) => field.writers.length > 0 || part.field.input !== null),
    );
    const from = parts.flatMap((list, index) => list.map(() => index));
    const to = parts.flat().map(({ index }) => index);
    const { of, count } = findComponents(createDigraph(all.length, { from, to }));
    this.#component = of;
    const members: Linked[][] = Array.from({ length: count }, () => []);
    for (const one of all) members[of[one.index] as number]?.push(one);
    // Components are numbered in topological order: dependencies have higher numbers.
    for (let c = count - 1; c >= 0; c--) {
      const circle = members[c] ?? [];
      const leads = circle.flatMap(({ index }) => parts[index] ?? []);
      this.#asks[c] = asksIn(circle, leads.map(this.#asksOf));
      if (leads.some(({ index }) => of[index] === c)) this.#circles.set(c, circle);
    }
  }

  typeOf(graph: GraphIR, field: FieldIR): FieldType {
    const one = this.#byName.get(graph)?.get(field.name);
    const c = one === undefined ? -1 : (this.#component[one.index] as number);
    const circle = this.#circles.get(c);
    if (circle === undefined) return this.#resolved({ graph, type: field.full }, -1);
    const type = this.#circleTypes.get(c) ?? this.#circleType(circle, c);
    this.#circleTypes.set(c, type);
    return type;
  }

  /**
   * All fields of a circle have one type, since TypeScript refuses types that refer to themselves.
   * Fields that are asked for and fields that are written have no simple type in common.
   */
  #circleType(circle: readonly Linked[], c: number): FieldType {
    const asked = circle.filter(({ field }) => field.writers.length === 0);
    if (asked.length > 0 && asked.length < circle.length) return UNKNOWN;
    const types = circle.flatMap(({ graph, field }) =>
      (allOf(field.full) ?? membersOf(field.full)).map((type): TypeIn => ({ graph, type })),
    );
    if (asked.length > 0) return this.#allAsked(types, c);
    const isNew = ({ graph, type }: TypeIn): boolean =>
      !isFieldOfGraph(type) || type.as !== "state" || this.#find(graph, type, c) !== null;
    return unionOf(types.filter(isNew).map((one) => this.#resolved(one, c)));
  }

  /** Replaces names of graphs by names of modules. A reference into the same circle becomes a plain type. */
  #resolved({ graph, type }: TypeIn, c: number): FieldType {
    const members = allOf(type)?.map((one): TypeIn => ({ graph, type: one }));
    if (members !== undefined) return this.#allAsked(members, c);
    return replaceFields(type, (ref) => {
      const child = this.#children.get(graph)?.get(ref.graph);
      if (child === undefined) return ref.known;
      const part = this.#byName.get(child)?.get(ref.name);
      if (part !== undefined && this.#component[part.index] === c) return ref.as === "state" ? UNKNOWN : LIST;
      return { ...ref, graph: this.#family.moduleOf(child) };
    });
  }

  /** The type of a field that only prompts read must not narrow the types of other readers. */
  #allAsked(types: readonly TypeIn[], c: number): FieldType {
    const own = types.flatMap(({ type }) => (isFieldOfGraph(type) ? [] : [type]));
    const passed = types.flatMap(({ graph, type }) => {
      const part = isFieldOfGraph(type) ? this.#find(graph, type, c) : null;
      return isFieldOfGraph(type) && part !== null ? [{ type, part }] : [];
    });
    const asking = (asks: Asks): readonly FieldType[] =>
      passed
        .filter(({ part }) => part.field.input !== null && this.#asksOf(part) === asks)
        .map(({ type, part }) => ({
          ...type,
          graph: this.#family.moduleOf(part.graph),
          as: part.field.input === "optional" ? "optional-input" : "input",
        }));
    const members = [...own, ...asking("type")];
    return { kind: "all", members: members.length > 0 ? members : asking("text") };
  }

  find(graph: GraphIR, field: string): Linked | undefined {
    return this.#byName.get(graph)?.get(field);
  }

  asksOf(one: Linked): Asks {
    return this.#asksOf(one);
  }

  readonly #asksOf = ({ index }: Linked): Asks => this.#asks[this.#component[index] as number] ?? null;

  /** Null for an unknown field, and for one in the circle. */
  #find(graph: GraphIR, { graph: name, name: field }: FieldOfGraph, circle = -1): Linked | null {
    const child = this.#children.get(graph)?.get(name);
    const found = child === undefined ? undefined : this.#byName.get(child)?.get(field);
    return found === undefined || this.#component[found.index] === circle ? null : found;
  }
}

/** A type, with the graph that resolves its names. */
interface TypeIn {
  readonly graph: GraphIR;
  readonly type: FieldType;
}

/** A graph that passes a field on asks its own caller for the same. */
function asksIn(circle: readonly Linked[], parts: readonly Asks[]): Asks {
  const own = circle.map(({ field: { writers, checks, full, type } }): Asks => {
    const isTaken = allOf(full)?.some((one) => !isFieldOfGraph(one)) === true;
    if (writers.length > 0 || checks.length > 0 || isTaken) return "type";
    // Only the default for fields that prompts alone read is a union.
    return isUnion(type) ? "text" : null;
  });
  const found = own.some((asks) => asks !== null) ? own : parts;
  return found.includes("type") ? "type" : found.includes("text") ? "text" : null;
}
