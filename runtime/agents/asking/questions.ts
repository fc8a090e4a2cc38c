import type { FieldType, GraphIR, NodeIR } from "../../../compiler/ir.js";
import { type JsonSchema, typeSchema } from "../../../compiler/types/json-schema.js";
import { nameInside } from "../../graph/suspend/names-inside.js";
import { agentFacts } from "../facts.js";
import { askedOutputs } from "./answered.js";
import { specOf } from "./human.js";

/** A question that a run may come to, before any run. */
export interface Question {
  /** As answers name it: `Ask`, or `Call/Ask` of a graph inside. `[*]` stands for the number of an item. */
  readonly node: string;
  /** The schema of its answer. */
  readonly answer: JsonSchema;
}

/** The graph that a node of another one runs; null when it is not known. */
type GraphOf = (name: string, from: GraphIR) => GraphIR | null;

/** Graphs that run each other, or very many, have no end of names. */
const MOST = 1_000;
const DEEPEST = 8;

/** What people may be asked in a run of a graph, in the order of the sheet. */
export function questionsOf(graph: GraphIR, graphOf: GraphOf): readonly Question[] {
  const found: Question[] = [];
  const collect = (within: GraphIR, nameOf: (node: string) => string, depth: number): void => {
    for (const node of within.nodes) {
      if (found.length >= MOST) return;
      const called = calledIn(node);
      const inner = called === null || depth === 0 ? null : graphOf(called.graph, within);
      const answer = called === null ? answerTo(node) : null;
      if (answer !== null) found.push({ node: nameOf(node.name), answer });
      if (inner === null || called === null) continue;
      const place = called.each ? `${node.name}[*]` : node.name;
      collect(inner, (name) => nameOf(nameInside(place, null, name)), depth - 1);
    }
  };
  collect(graph, (node) => node, DEEPEST);
  return found;
}

/** The graph that a node runs, and whether once for each item; null for all other nodes. */
function calledIn({ agent, settings }: NodeIR): { readonly graph: string; readonly each: boolean } | null {
  const { graph, over } = settings;
  if (!agent.builtin || agent.type !== "graph" || typeof graph !== "string") return null;
  return { graph, each: over !== undefined };
}

const asks: ReadonlySet<string> = new Set(agentFacts.filter((one) => one.asks).map(({ type }) => type));

/** The schema of the answer to a node; null for a node that asks nobody. A custom agent may ask for anything. */
function answerTo(node: NodeIR): JsonSchema | null {
  if (!node.reachable) return null;
  if (!node.agent.builtin) return {};
  if (!asks.has(node.agent.type)) return null;
  return node.agent.type === "human" ? judgementOf(node) : entriesOf(node);
}

/** One value, or a mapping with an entry for each output. */
function entriesOf({ writes }: NodeIR): JsonSchema {
  const asked = askedOutputs(outputsOf(writes));
  const entries = asked.map(({ key, type }) => [key, typeSchema(type ?? { kind: "string" })] as const);
  if (entries.length < 2) return entries[0]?.[1] ?? { type: "string" };
  const properties = Object.fromEntries(entries);
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** An answer alone, or with a comment. */
function judgementOf({ settings, writes }: NodeIR): JsonSchema {
  const { interaction, options, type } = specOf({ settings, outputs: outputsOf(writes) });
  const typed = typeSchema(type ?? { kind: "string" });
  const chosen: JsonSchema = options === undefined ? typed : { type: "string", enum: [...options] };
  const answer = interaction === "approval" ? { anyOf: [chosen, { type: "boolean" }] } : chosen;
  const commented: JsonSchema = {
    type: "object",
    properties: { answer, comment: { type: "string" } },
    required: ["answer"],
    additionalProperties: false,
  };
  return { anyOf: [answer, commented] };
}

interface Output {
  readonly key: string;
  readonly field: string;
  readonly type: FieldType;
}

const outputsOf = (writes: NodeIR["writes"]): readonly Output[] =>
  writes.map(({ key, field, type }) => ({ key, field, type: type ?? { kind: "string" } }));
