import type { Understanding } from "../../compiler/compile.js";
import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import { subgraph } from "../agents/graphs/subgraph.js";
import { subgraphEach } from "../agents/graphs/subgraph-each.js";
import type { AnyAgent, AnyGraph } from "../graph/contract/contract.js";
import { DefinitionError } from "../graph/contract/errors.js";
import { link } from "../graph/link/link.js";
import type { SheetPath } from "./find-sheets.js";
import type { Library } from "./library.js";

/** `runs` are the graphs it calls, by the names it uses for them. */
export interface Member {
  readonly ir: GraphIR;
  readonly sheet: SheetPath;
  readonly understanding: Understanding;
  readonly runs: ReadonlyMap<string, Member>;
}

/** Without a library only graphs of the same sheet are found. */
export interface FamilySources {
  readonly sheet?: SheetPath;
  readonly library?: Pick<Library, "find">;
}

/** The graph first, then all it calls, directly or indirectly, each once. */
export function gatherFamily(
  understanding: Understanding,
  ir: GraphIR,
  { sheet = NO_SHEET, library }: FamilySources,
): readonly Member[] {
  type Open = Member & { readonly runs: Map<string, Member> };
  const members = new Map<string, Member>();
  const open: Open[] = [];
  const meet = (found: Omit<Member, "runs">): Member => {
    const key = `${found.sheet.path ?? ""}\n${found.ir.name}`;
    const known = members.get(key);
    if (known !== undefined) return known;
    const member = { ...found, runs: new Map<string, Member>() };
    members.set(key, member);
    open.push(member);
    return member;
  };
  meet({ sheet, understanding, ir });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { runs, ...from } = next;
    for (const name of new Set(from.ir.nodes.map(graphOf))) {
      if (name === null) continue;
      const own = graphNamed(from.understanding, name);
      const found = own === undefined ? library?.find(from.sheet, name) : { ...from, name };
      const graph = own ?? (found && graphNamed(found.understanding, found.name));
      if (found && graph) runs.set(name, meet({ ...found, ir: graph }));
    }
  }
  return [...members.values()];
}

const graphNamed = ({ graphs }: Understanding, name: string): GraphIR | undefined =>
  graphs.find((graph) => graph.name === name);

const NO_SHEET: SheetPath = { path: null, shown: "", named: true };

const graphOf = ({ agent, settings }: NodeIR): string | null => {
  const name = settings["graph"];
  return agent.builtin && agent.type === "graph" && typeof name === "string" ? name : null;
};

/** Null when the node calls no graph, or an unknown one. */
export type ChildOf = (graph: GraphIR, node: NodeIR) => GraphIR | null;

export function createChildOf(family: readonly Member[]): ChildOf {
  const members = new Map(family.map((member) => [member.ir, member]));
  return (graph, node) => members.get(graph)?.runs.get(graphOf(node) ?? "")?.ir ?? null;
}

/** Called graphs are linked on their first call. */
export function linkFamily(
  [first]: readonly Member[],
  find: (type: string) => AnyAgent | undefined,
): AnyGraph {
  if (first === undefined) throw new DefinitionError("there is no graph");
  const linked = new Map<Member, AnyGraph>();
  const linkMember = (member: Member): AnyGraph => {
    const known = linked.get(member);
    if (known !== undefined) return known;
    const graph = link(member.ir, {
      find: (type, node) => {
        const called = member.runs.get(graphOf(node) ?? "");
        if (called === undefined) return find(type);
        const child = (): AnyGraph => linkMember(called);
        return (node.settings["over"] === undefined ? subgraph(child) : subgraphEach(child)) as AnyAgent;
      },
    });
    linked.set(member, graph);
    return graph;
  };
  return linkMember(first);
}
