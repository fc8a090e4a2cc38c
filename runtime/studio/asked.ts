import type { Json } from "../../compiler/ir.js";
import type { World } from "../../compiler/world.js";

type Settings = { readonly [name: string]: Json };

/** What the analysis of a sheet asked of the world. */
export interface Asked {
  readonly prompts: ReadonlyMap<string, { readonly kind: "file" | "prompt"; readonly name: string }>;
  /** Names of graphs of other sheets, as the sheet writes them. */
  readonly graphs: ReadonlySet<string>;
  readonly lacks: ReadonlyMap<string, { readonly type: string; readonly settings: Settings }>;
  /** Names of the tables that its formulas look things up in. */
  readonly tables: ReadonlySet<string>;
  /** Types of agents that are unknown. */
  readonly unknown: ReadonlySet<string>;
}

/** A world that notes what it is asked. */
export function noteAsked(world: World): { readonly world: World; readonly asked: Asked } {
  const prompts: Map<string, { kind: "file" | "prompt"; name: string }> = new Map();
  const graphs = new Set<string>();
  const lacks: Map<string, { type: string; settings: Settings }> = new Map();
  const unknown = new Set<string>();
  const tables = new Set<string>();
  const { prompt, otherGraph, passedOver, table } = world;
  const noting: World = Object.create(world, {
    prompt: {
      value: (kind: "file" | "prompt", name: string) => {
        prompts.set(`${kind} ${name}`, { kind, name });
        return prompt?.(kind, name);
      },
    },
    otherGraph: {
      value: (name: string) => {
        graphs.add(name);
        return otherGraph?.(name) ?? null;
      },
    },
    table: {
      value: (name: string) => {
        tables.add(name);
        return table?.(name) ?? null;
      },
    },
    passedOver: {
      value: (type: string) => {
        unknown.add(type);
        return passedOver?.(type) ?? null;
      },
    },
    lacks: {
      value: (type: string, settings: Settings) => {
        lacks.set(lackKey(type, settings), { type, settings: modelSettings(settings) });
        return world.lacks(type, settings);
      },
    },
  });
  return { world: noting, asked: { prompts, graphs, lacks, tables, unknown } };
}

/** The settings that decide which model a node asks. */
const modelSettings = ({
  provider = null,
  llm = null,
  strategy = null,
  fallback = null,
}: Settings): Settings => ({
  provider,
  llm,
  strategy,
  fallback,
});

/** One text for all nodes that lack the same. */
export const lackKey = (type: string, settings: Settings): string =>
  JSON.stringify([type, ...Object.values(modelSettings(settings))]);
