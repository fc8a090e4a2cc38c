import type { FieldIR, GraphIR, MergeKind, NodeIR, WriteIR } from "../ir.js";
import type { Merges } from "../merged.js";
import { itemText, sortedTypes } from "../types/typescript.js";
import { childAgent } from "./child-agent.js";
import { isAskedFor, isOfChild, type LinkedField } from "./field-links.js";
import { typeMembers } from "./field-type.js";
import { givenType } from "./given-type.js";
import { type Doc, union } from "./layout.js";
import { stringLiteral } from "./literals.js";
import {
  listMember,
  type Member,
  memberTexts,
  mergedMembers,
  mergedOf,
  mergesOf,
  plainMember,
  sheetMembers,
  toldMember,
} from "./merges.js";
import { hasGaps, isDeclared, isEachList, writesTo } from "./outputs.js";
import { isReceipt, receiptType } from "./receipt.js";
import type { Scope } from "./scope.js";

/** Gives the type of each field of a graph, as its interfaces state it. */
export function createFieldTypes(graph: GraphIR, scope: Scope): (field: FieldIR) => Doc {
  const merged = mergedOf(graph);
  const lists = new Set(
    graph.splits.flatMap(({ merge }) => Object.keys(merge).filter((key) => merge[key] === "append")),
  );
  return (field) => {
    const { name, type, writers, input } = field;
    if (name === "error") return "string";
    const circle = scope.linked(graph, name)?.circle ?? null;
    if (isAskedFor(field)) return givenType({ graph, field, circle }, scope);
    if (writers.length > 0 && circle !== null) return circleType(circle, scope);
    const writing = writesOf(graph, field);
    if (!lists.has(name) && !writing.some(isTold)) return union(typeMembers(type));
    const pieces = writing.map(({ v, node, write }) => ({
      node: v,
      type: writtenMembers(node, write, scope),
    }));
    const left = merged({ name, pieces, isGiven: input !== null }, (merge, written, held) =>
      mergedMembers(merge, written, held),
    );
    return union(using(memberTexts(left.flat()), scope));
  };
}

interface Writing {
  readonly v: number;
  readonly node: NodeIR;
  readonly write: WriteIR;
}

const writesOf = ({ nodes }: GraphIR, { name, writers }: FieldIR): readonly Writing[] =>
  writers.flatMap((v) => writesTo(nodes[v]!, name).map((write) => ({ v, node: nodes[v]!, write })));

/** True for an output of whose type an agent tells more than the sheet. */
const isTold = ({ node, write }: Writing): boolean =>
  isDeclared(node, write) || isEachList(node, write) || hasGaps(node, write);

/**
 * All fields of a circle have one type: graphs that run each other write what any of them writes, and TypeScript
 * refuses types that are made of themselves.
 */
function circleType(circle: readonly LinkedField[], scope: Scope): Doc {
  const { texts, named } = circles.get(circle) ?? gatherCircle(circle, scope);
  const members = [
    ...texts,
    ...named.flatMap(({ node, write, merge }) => mergedOnce(writtenMembers(node, write, scope), merge)),
  ];
  return union(members.length === 0 ? ["unknown"] : using(sortedTypes(members), scope));
}

/** Beside unknown other types say nothing and are left out: only what is left needs its names. */
function using(types: readonly string[], scope: Scope): readonly string[] {
  for (const name of ["Item", "Output"])
    if (types.some((type) => new RegExp(`\\b${name}<`).test(type))) scope.use(name);
  return types;
}

/** What a circle's type is made of, once for all its modules: types, and what has another name in each module. */
interface Circle {
  readonly texts: ReadonlySet<string>;
  readonly named: readonly Source[];
}

interface Source {
  readonly node: NodeIR;
  readonly write: WriteIR;
  readonly merge: MergeKind | undefined;
}

const circles = new WeakMap<readonly LinkedField[], Circle>();

function gatherCircle(circle: readonly LinkedField[], scope: Scope): Circle {
  const texts = new Set<string>();
  const mergesByGraph = new Map<GraphIR, Merges>();
  const named = new Map<string, Source>();
  for (const { graph, field } of circle) {
    // What is asked for and what is written meet here: no plain type is both.
    if (field.writers.length === 0) texts.add("unknown");
    const merges = mergesByGraph.get(graph) ?? mergesOf(graph);
    mergesByGraph.set(graph, merges);
    if (isAppendedLater(field, merges)) texts.add("readonly unknown[]");
    for (const { v, node, write } of writesOf(graph, field)) {
      const merge = merges.around(v, field.name).at(-1);
      const known = circleTexts({ node, write, merge }, circle, scope);
      for (const text of known ?? []) texts.add(text);
      // Agents of one type write the same into one output, wherever they stand.
      const key = node.agent.builtin ? `built in ${named.size}` : `${node.agent.type} ${write.key} ${merge}`;
      if (known === null && !named.has(key)) named.set(key, { node, write, merge });
    }
  }
  const found = { texts, named: [...named.values()] };
  circles.set(circle, found);
  return found;
}

/** True when a list may begin with something: in a circle, that may be made of the list. */
function isAppendedLater({ name, input, writers }: FieldIR, { naming, around }: Merges): boolean {
  const appends = naming(name).filter(({ kind }) => kind === "append");
  const isHeld = input !== null || writers.some((v) => around(v, name).length === 0);
  return appends.length > 1 || (appends.length === 1 && isHeld);
}

/** What one output adds to the type of its circle, when it has the same name in all modules; else null. */
function circleTexts(
  { node, write, merge }: Source,
  circle: readonly LinkedField[],
  scope: Scope,
): readonly string[] | null {
  // Lists of what is itself such a list have no type of their own.
  if (isEachList(node, write)) return ["readonly unknown[]"];
  if (isOfChild(node, write)) {
    const child = scope.childGraph(node);
    const part = child === null ? null : scope.linked(child, write.key);
    return part?.circle === circle ? inCircle(merge) : null;
  }
  const isPlain = write.type !== null && !isReceipt(node, write) && !hasGaps(node, write);
  return isPlain ? mergedOnce(sheetMembers(write.type), merge) : null;
}

function mergedOnce(members: readonly Member[], merge: MergeKind | undefined): readonly string[] {
  const texts = members.map(({ text }) => text);
  return merge === "sum" ? ["number"] : merge === "append" ? [listMember(texts).text] : texts;
}

const inCircle = (merge: MergeKind | undefined): readonly string[] =>
  merge === "append" ? ["readonly unknown[]"] : merge === "sum" ? ["number"] : [];

function writtenMembers(node: NodeIR, write: WriteIR, scope: Scope): readonly Member[] {
  if (isReceipt(node, write)) return [plainMember(receiptType(node, write, scope))];
  if (node.agent.builtin && isDeclared(node, write)) {
    const state = scope.childState(node);
    if (state === null) return [plainMember("unknown")];
    return [toldMember(`Exclude<${state}[${stringLiteral(write.key)}], undefined>`)];
  }
  const each = isEachList(node, write) ? childAgent(node, scope) : null;
  if (each !== null) return [toldMember(outputOf(each.name, write))];
  if (write.type?.kind === "list-of" && hasGaps(node, write)) {
    const items = [itemText(write.type.item), "null"];
    return [{ text: `readonly (${items.join(" | ")})[]`, items }];
  }
  if (write.type !== null) return sheetMembers(write.type);
  if (node.agent.builtin) return [plainMember("unknown")];
  return [toldMember(outputOf(scope.agent(node), write))];
}

const outputOf = (agent: string, { key }: WriteIR): string =>
  `Output<typeof ${agent}, ${stringLiteral(key)}>`;
