import type { GraphIR, NodeIR } from "../../compiler/ir.js";
import type { World } from "../../compiler/world.js";
import { customType } from "../agents/registry.js";
import type { Folders } from "../config/folders.js";
import type { AnyAgent } from "../graph/contract/contract.js";
import { FlowsheetError } from "../graph/contract/errors.js";
import type { Environment } from "../host.js";
import type { PromptResolver } from "../prompts/resolve.js";
import { type OpenedGraph, openGraph } from "./open-graph.js";
import { understandContent } from "./read-sheet.js";
import type { VersionTexts } from "./version-texts.js";
import { createWorlds } from "./world.js";

export interface KeptSources {
  readonly folders: Folders;
  readonly env: Environment;
  readonly registered: { readonly [name: string]: AnyAgent };
}

/** An agent of the project that a kept graph needs is gone. */
export class AgentGone extends FlowsheetError {
  readonly agent: string;
  constructor(agent: string) {
    super("run_held", `there is no agent ${JSON.stringify(agent)} any more`);
    this.agent = agent;
  }
}

/** Understands and links a graph of kept texts. Custom agents are those that the project has now. */
export async function openKept(texts: VersionTexts, sources: KeptSources): Promise<OpenedGraph> {
  const { folders, registered } = sources;
  const { first, graphs, sheet, library, world } = understandKept(texts, sources);
  const { root, agents } = folders;
  checkAgents(graphs, world, registered);
  return openGraph(first, texts.graph, { root, agents, registered, sheet, library });
}

/** Understands kept texts: `graphs` are all graphs of their sheets. */
export function understandKept(texts: VersionTexts, { folders, env, registered }: KeptSources) {
  const paths = texts.sheets.map(({ shown }, index) => ({ path: `${index}`, shown, named: true }));
  const prompt: PromptResolver = (kind, name) => {
    const text = texts.prompts[`${kind} ${name}`];
    return text === undefined ? { missing: "it was not kept" } : { text };
  };
  const world = createWorlds({
    ...{ folders, env, encoding: null, sheets: [], prompt },
    ...{ unknownAgent: "warning", registered: Object.keys(registered) },
  });
  const known = new Map<number, ReturnType<typeof understandContent> | null>();
  const find = (from: string | null, name: string) => {
    const call = texts.calls.find((one) => `${one.from}` === from && one.name === name);
    const understanding = call === undefined ? null : understand(call.sheet);
    return call === undefined || understanding === null
      ? null
      : { sheet: paths[call.sheet]!, understanding, name: call.graph };
  };
  const worldOf = (index: number): World => {
    const calls = texts.calls.filter(({ from }) => from === index);
    const graphOf = (name: string): GraphIR | null => {
      const found = find(`${index}`, name);
      return found?.understanding.graphs.find((graph) => graph.name === found.name) ?? null;
    };
    const around = world(paths[index]!);
    // Without any, the texts were kept before tables were.
    const table = (name: string) => texts.tables?.[`${index} ${name}`] ?? around.table?.(name) ?? null;
    return Object.create(around, {
      table: { value: table },
      otherGraphs: { value: new Set(calls.map(({ name }) => name)) },
      otherGraph: { value: graphOf },
    }) as World;
  };
  const understand = (index: number): ReturnType<typeof understandContent> | null => {
    const before = known.get(index);
    if (before !== undefined) return before;
    // Null while it is understood: sheets may call each other.
    known.set(index, null);
    const { shown, text } = texts.sheets[index]!;
    const content = { kind: "bytes", bytes: Buffer.from(`\ufeff${text}`) } as const;
    const made = understandContent(content, { shown, encoding: null, world: worldOf(index) });
    known.set(index, made);
    return made;
  };
  const first = understand(0)!;
  const library = { find: ({ path }: { readonly path: string | null }, name: string) => find(path, name) };
  const graphs = [...known.values()].flatMap((one) => one?.graphs ?? []);
  return { first, graphs, library, sheet: paths[0]!, world: world(paths[0]!) };
}

function checkAgents(
  graphs: readonly GraphIR[],
  { customAgents, possibleAgents }: World,
  registered: KeptSources["registered"],
): void {
  if (customAgents === null) return;
  const known = new Set(
    [...customAgents, ...(possibleAgents ?? []), ...Object.keys(registered)].map(customType),
  );
  const isGone = ({ agent }: NodeIR): boolean => !agent.builtin && !known.has(customType(agent.written));
  const gone = graphs.flatMap(({ nodes }) => nodes).find(isGone);
  if (gone !== undefined) throw new AgentGone(gone.agent.written);
}
