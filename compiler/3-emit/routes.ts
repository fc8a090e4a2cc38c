import { type BranchIR, END, type GraphIR, type NodeIR, type SplitIR, type Target } from "../ir.js";
import { docComment } from "./comments.js";
import { braces, brackets, type Doc, layOut } from "./layout.js";
import { propertyKey, stringLiteral } from "./literals.js";
import { longString } from "./long-text.js";
import type { Scope } from "./scope.js";

/** Where each outcome leads. */
export function emitRoutes(graph: GraphIR, scope: Scope): string {
  const { one, list } = createTargets(graph);
  const lines = graph.nodes.map((node) => {
    const routes: readonly Doc[] = [
      ...(node.next.length === 0 ? [] : [["next: ", list(node.next)]]),
      ...(node.onSuccess.length === 0 ? [] : [["success: ", list(node.onSuccess)]]),
      ...(node.onFailure.length === 0 ? [] : [["failure: ", list(node.onFailure)]]),
      ...(node.maxVisits === null || node.onLimit === END ? [] : [`limit: ${one(node.onLimit)}`]),
      ...(node.cases.length === 0
        ? []
        : [
            [
              "cases: ",
              braces(node.cases.map(({ value, target }) => `${propertyKey(value)}: ${one(target)}`)),
            ],
          ]),
      ...(node.otherwise === null ? [] : [`otherwise: ${one(node.otherwise)}`]),
      ...(node.candidates.length === 0 ? [] : [["about: ", emitAbout(graph, node)]]),
    ];
    return entry(node.name, braces(routes));
  });
  const docs =
    "Where each outcome leads; an outcome without target ends the run, a throw without `failure` fails it.";
  const type = `${scope.use("Routes")}<${scope.names.node}>`;
  return `${docComment(docs, 0)}const routes: ${type} = {\n${lines.join("")}};`;
}

/** What an agent that compares its targets knows of them. */
function emitAbout(graph: GraphIR, { candidates }: NodeIR): Doc {
  const items = candidates.map(
    ({ target, about }): Doc => [
      `${propertyKey(graph.nodes[target]!.name)}:`,
      longString(about, { hangs: true }),
    ],
  );
  return braces(items);
}

function entry(name: string, value: Doc): string {
  const head = `  ${propertyKey(name)}: `;
  return `${head}${layOut(value, { indent: 2, column: head.length, tail: 1 })},\n`;
}

interface Targets {
  readonly one: (target: Target) => string;
  readonly list: (targets: readonly Target[]) => Doc;
}

/** Targets by name; when a node is named END, null stands for the end. */
function createTargets({ nodes }: GraphIR): Targets {
  const end = nodes.some(({ name }) => name === "END") ? "null" : '"END"';
  const one = (target: Target): string => (target === END ? end : stringLiteral(nodes[target]!.name));
  const list = (targets: readonly Target[]): Doc => {
    const [only] = targets;
    return only !== undefined && targets.length === 1 ? one(only) : brackets(targets.map(one));
  };
  return { one, list };
}

/** The nodes that each branch of a split runs alone; null when nothing splits. */
export function emitSplits(graph: GraphIR, scope: Scope): string | null {
  if (graph.splits.length === 0) return null;
  const name = (node: number): string => graph.nodes[node]!.name;
  const names = (nodes: readonly number[]): Doc => brackets(nodes.map((v) => stringLiteral(name(v))));
  const splitting = new Set(graph.splits.map(({ node }) => node));
  const lines = [...groupByNode(graph.splits)].map(([node, splits]) => {
    const columns = splits.map(({ by, branches }): Doc => {
      const parts = branches.map((branch) => branchNodes(branch, { names, splitting }));
      return [`${by}: `, brackets(parts)];
    });
    return entry(name(node), braces(columns));
  });
  const docs = docComment("The nodes that each branch of a split runs alone, before the branches meet.", 0);
  const type = `${scope.use("Splits")}<${scope.names.node}>`;
  return `${docs}const splits: ${type} = {\n${lines.join("")}};`;
}

interface BranchNames {
  readonly names: (nodes: readonly number[]) => Doc;
  readonly splitting: ReadonlySet<number>;
}

/** A plain list where nothing splits again: what inner branches own is not listed twice, however deep they nest. */
function branchNodes({ own, others }: BranchIR, { names, splitting }: BranchNames): Doc {
  if (others.length === 0 && !own.some((v) => splitting.has(v))) return names(own);
  const rest: readonly Doc[] = others.length === 0 ? [] : [["others: ", names(others)]];
  return braces([["own: ", names(own)], ...rest]);
}

function groupByNode(splits: readonly SplitIR[]): ReadonlyMap<number, readonly SplitIR[]> {
  const groups = new Map<number, SplitIR[]>();
  for (const split of splits) {
    const group = groups.get(split.node);
    if (group === undefined) groups.set(split.node, [split]);
    else group.push(split);
  }
  return groups;
}
