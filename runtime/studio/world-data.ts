import type { FoundTable, GraphIR } from "../../compiler/ir.js";
import type { AgentFacts, World } from "../../compiler/world.js";
import type { KnownTool } from "../net/assistants/kept-types.js";
import { lackKey } from "./asked.js";

/** What the page's analysis is told about the world outside a sheet: data, so that it can go over the wire. */
export interface WorldData {
  readonly unknownAgent: World["unknownAgent"];
  readonly customAgents: readonly string[];
  readonly possibleAgents: readonly string[];
  /** Files that may be meant to give agents that sheets name, and give none. */
  readonly passedOver: readonly PassedOver[];
  /** The texts of `file:` and `prompt:` references of the sheets, or why they lead nowhere. */
  readonly prompts: readonly KnownPrompt[];
  readonly sheets: readonly KnownSheet[];
  /** The connections of the configuration with their kinds; null without a configuration. */
  readonly connections: readonly (readonly [name: string, kind: string])[] | null;
  /** What the tools of `mcp.servers` declare. */
  readonly tools: readonly KnownTool[];
  /** The tables that formulas of the sheets look things up in; those that are too large for a page are left out. */
  readonly tables: readonly KnownTable[];
  /** What nodes of the sheets lack on the server's machine. */
  readonly lacks: readonly KnownLack[];
}

interface PassedOver {
  readonly type: string;
  readonly file: string;
  readonly what: string;
  readonly cure: string;
}

interface KnownPrompt {
  readonly kind: "file" | "prompt";
  readonly name: string;
  readonly text?: string;
  readonly missing?: string;
}

interface KnownLack {
  /** Of an agent's type and the settings that decide which model it asks. */
  readonly key: string;
  readonly what: string;
  readonly cure: string;
}

interface KnownTable {
  readonly sheet: string;
  readonly name: string;
  readonly found: FoundTable;
}

interface KnownSheet {
  readonly name: string;
  /** Before `::`, where other sheets call its graphs. */
  readonly group: string;
  readonly graphs: readonly string[];
  /** The graphs that other sheets call. */
  readonly called: readonly GraphIR[];
}

/**
 * The world around a sheet. It says of a prompt that it does not know what a new file would give: none is there. Of a
 * table that it does not know it says nothing.
 */
export function worldFrom(data: WorldData, sheet: string, agents: readonly AgentFacts[]): World {
  const prompts = new Map(data.prompts.map((one) => [`${one.kind} ${one.name}`, one]));
  const lacks = new Map(data.lacks.map((one) => [one.key, one]));
  const others = graphsAround(data, sheet);
  const tables = new Map(data.tables.flatMap((one) => (one.sheet === sheet ? [[one.name, one.found]] : [])));
  return {
    agents,
    customAgents: new Set(data.customAgents),
    possibleAgents: new Set(data.possibleAgents),
    passedOver: (type) => data.passedOver.find((one) => one.type === type) ?? null,
    unknownAgent: data.unknownAgent,
    prompt: (kind, name) => {
      const { text, missing = "there is no such file" } = prompts.get(`${kind} ${name}`) ?? {};
      return text === undefined ? { missing } : { text };
    },
    connections: data.connections === null ? null : new Map(data.connections),
    tool: (server, tool) =>
      data.tools.find((one) => one.server === server && one.tool === tool)?.types ?? null,
    table: (name) => tables.get(name) ?? null,
    otherGraphs: new Set(others.keys()),
    otherGraph: (name) => others.get(name) ?? null,
    lacks: (type, settings) => lacks.get(lackKey(type, settings)) ?? null,
  };
}

/** The names by which a sheet may call graphs of others: those that mean one graph alone. Its own need their sheet. */
function graphsAround({ sheets }: WorldData, own: string): ReadonlyMap<string, GraphIR | null> {
  const found = new Map<string, (GraphIR | null)[]>();
  const add = (name: string, graph: GraphIR | null): void => {
    found.set(name, [...(found.get(name) ?? []), graph]);
  };
  for (const { name: sheet, group, graphs, called } of sheets)
    for (const name of graphs) {
      const graph = called.find((one) => one.name === name) ?? null;
      if (sheet !== own) add(name, graph);
      add(`${group}::${name}`, graph);
    }
  return new Map(
    [...found].flatMap(([name, [graph = null, ...more]]) => (more.length === 0 ? [[name, graph]] : [])),
  );
}
