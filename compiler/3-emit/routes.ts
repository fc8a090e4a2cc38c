import { type BranchIR, END, type GraphIR, type NodeIR, type SplitIR, type Target } from "../ir.js";
import { docComment } from "./comments.js";
import { braces, brackets, type Doc, entry, layOut, oneOrList } from "./layout.js";
import { propertyKey, stringLiteral } from "./literals.js";
import { longString } from "./long-text.js";
import type { Scope } from "./scope.js";

/** Where each outcome leads. */
export function emitRoutes(graph: GraphIR, scope: Scope): string {
  const { one, list } = createTargets(graph);
  const lines = graph.nodes.map((node) => {
    const { next, onSuccess, onFailure, maxVisits, onLimit, cases, otherwise, candidates } = node;
    const routes: readonly Doc[] = [
      ...entry("next", list(next)),
      ...entry("success", list(onSuccess)),
      ...entry("failure", list(onFailure)),
      ...entry("limit", maxVisits !== null && onLimit !== END && one(onLimit)),
      ...entry(
        "cases",
        cases.length > 0 &&
          braces(cases.flatMap(({ value, target }) => entry(propertyKey(value), one(target)))),
      ),
      ...entry("otherwise", otherwise !== null && one(otherwise)),
      ...entry("about", candidates.length > 0 && emitAbout(graph, node)),
    ];
    return nodeLine(node.name, braces(routes));
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

function nodeLine(name: string, value: Doc): string {
  const head = `  ${propertyKey(name)}: `;
  return `${head}${layOut(value, { indent: 2, column: head.length, tail: 1 })},\n`;
}

interface Targets {
  readonly one: (target: Target) => string;
  /** Null for no targets. */
  readonly list: (targets: readonly Target[]) => Doc | null;
}

/** Targets by name; when a node is named END, null stands for the end. */
function createTargets({ nodes }: GraphIR): Targets {
  const end = nodes.some(({ name }) => name === "END") ? "null" : '"END"';
  const one = (target: Target): string => (target === END ? end : stringLiteral(nodes[target]!.name));
  const list: Targets["list"] = (targets) => oneOrList(targets.map(one));
  return { one, list };
}

/** The nodes that each branch of a split runs alone; null when nothing splits. */
export function emitSplits(graph: GraphIR, scope: Scope): string | null {
  if (graph.splits.length === 0) return null;
  const name = (node: number): string => graph.nodes[node]!.name;
  const names = (nodes: readonly number[]): Doc => brackets(nodes.map((v) => stringLiteral(name(v))));
  const splitting = new Map<number, readonly SplitIR[]>();
  for (const split of graph.splits) splitting.set(split.node, [...(splitting.get(split.node) ?? []), split]);
  const lines = [...splitting].map(([node, splits]) => {
    const columns = splits.flatMap(({ by, branches }) =>
      entry(by, brackets(branches.map((branch) => branchNodes(branch, { names, splitting })))),
    );
    return nodeLine(name(node), braces(columns));
  });
  const docs = docComment("The nodes that each branch of a split runs alone, before the branches meet.", 0);
  const type = `${scope.use("Splits")}<${scope.names.node}>`;
  return `${docs}const splits: ${type} = {\n${lines.join("")}};`;
}

interface BranchNames {
  readonly names: (nodes: readonly number[]) => Doc;
  readonly splitting: ReadonlyMap<number, unknown>;
}

/** A plain list where nothing splits again: what inner branches own is not listed twice, however deep they nest. */
function branchNodes({ own, others }: BranchIR, { names, splitting }: BranchNames): Doc {
  if (others.length === 0 && !own.some((v) => splitting.has(v))) return names(own);
  return braces([...entry("own", names(own)), ...entry("others", others.length > 0 && names(others))]);
}
