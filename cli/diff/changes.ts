import {
  END,
  type GraphIR,
  type Json,
  type NodeIR,
  type ReadIR,
  type Target,
  type WriteIR,
} from "../../compiler/ir.js";
import { formatType } from "../../compiler/types/format-type.js";
import { nodeDescription, settingsOf } from "../../runtime/draw/describe.js";

/** What has changed in a graph, in the order of its nodes. */
export type Change =
  | { readonly kind: "added"; readonly node: string; readonly agent: string; readonly way: string }
  | { readonly kind: "removed"; readonly node: string }
  | { readonly kind: "renamed"; readonly node: string; readonly was: string }
  /** A column of a node, or a setting of it. Null: it has none. */
  | {
      readonly kind: "changed";
      readonly node: string;
      readonly what: string;
      readonly before: string | null;
      readonly after: string | null;
    }
  | { readonly kind: "entry" | "timezone"; readonly before: string | null; readonly after: string | null };

export function changesOf(before: GraphIR, after: GraphIR): readonly Change[] {
  const renamed = renamesOf(before, after);
  const newNames = new Map([...renamed].map(([now, was]) => [was, now]));
  const old = new Map(before.nodes.map((node) => [newNames.get(node.name) ?? node.name, node]));
  const named = (name: string): string => newNames.get(name) ?? name;
  const changes: Change[] = [...wholeChanges(before, after, named)];
  for (const node of after.nodes) {
    const was = old.get(node.name);
    if (was === undefined) changes.push(addedTo(after, node));
    else {
      if (was.name !== node.name) changes.push({ kind: "renamed", node: node.name, was: was.name });
      changes.push(...nodeChanges(factsOf(before, was, named), factsOf(after, node), node.name));
    }
  }
  const here = new Set(after.nodes.map(({ name }) => name));
  for (const [name, node] of old) if (!here.has(name)) changes.push({ kind: "removed", node: node.name });
  return changes;
}

function wholeChanges(before: GraphIR, after: GraphIR, named: (name: string) => string): readonly Change[] {
  const [entry, start] = [before, after].map(({ nodes }) => nodes[0]?.name ?? null) as [string, string];
  const zone: Change = { kind: "timezone", before: before.timezone, after: after.timezone };
  return [
    ...(named(entry) === start ? [] : [{ kind: "entry" as const, before: entry, after: start }]),
    ...(before.timezone === after.timezone ? [] : [zone]),
  ];
}

/** New names with the old ones: of nodes that do the same, and else of those that read and write the same. */
function renamesOf(before: GraphIR, after: GraphIR): ReadonlyMap<string, string> {
  const names = (graph: GraphIR): ReadonlySet<string> => new Set(graph.nodes.map(({ name }) => name));
  const [had, has] = [names(before), names(after)];
  let gone = before.nodes.filter(({ name }) => !has.has(name));
  let came = after.nodes.filter(({ name }) => !had.has(name));
  const renamed = new Map<string, string>();
  for (const likeness of [doingOf, handlingOf]) {
    for (const node of came) {
      const alike = (one: NodeIR): boolean => likeness(one) === likeness(node);
      const [was, another] = gone.filter(alike);
      if (was !== undefined && another === undefined && came.filter(alike).length === 1)
        renamed.set(node.name, was.name);
    }
    const taken = new Set(renamed.values());
    gone = gone.filter(({ name }) => !taken.has(name));
    came = came.filter(({ name }) => !renamed.has(name));
  }
  return renamed;
}

const handlingOf = ({ agent, reads, writes }: NodeIR): string =>
  JSON.stringify([agent.type, reads.map(readText), writes.map(writeText)]);

const doingOf = (node: NodeIR): string =>
  JSON.stringify([handlingOf(node), node.prompt, settingsOf(node), node.maxVisits]);

type Facts = ReadonlyMap<string, string>;

/** A node as its row says it, in the order of the columns. */
function factsOf(graph: GraphIR, node: NodeIR, named: (name: string) => string = (name) => name): Facts {
  const to = (target: Target): string => (target === END ? "END" : named(graph.nodes[target]?.name ?? ""));
  const list = (targets: readonly Target[]): string => targets.map(to).join("|");
  const { prompt, prompt_from: from } = nodeDescription(node, to);
  const facts: [string, string | null][] = [
    ["description", node.description],
    ["agent_type", node.agent.written],
    ["next_node", list(node.next)],
    ["next_on_success", list(node.onSuccess)],
    ["next_on_failure", list(node.onFailure)],
    ["cases", node.cases.map(({ value, target }) => `${value} → ${to(target)}`).join(", ")],
    ["default", node.otherwise === null ? "" : to(node.otherwise)],
    ["input_fields", node.reads.map(readText).join("|")],
    ["output_field", node.writes.map(writeText).join("|")],
    ["prompt", prompt],
    ["prompt file", from],
    ["max_visits", node.maxVisits === null ? "" : `${node.maxVisits}, then ${to(node.onLimit)}`],
    ...Object.entries(settingsOf(node)).map(([name, value]): [string, string] => [name, settingText(value)]),
  ];
  return new Map(facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== ""));
}

const settingText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function readText({ param, field, path, type, optional }: ReadIR): string {
  const from = [field, ...path].join(".");
  const name = from === param ? from : `${param}=${from}`;
  return `${name}${optional ? "?" : ""}${type === null ? "" : `:${formatType(type)}`}`;
}

function writeText({ key, field, type, annotated }: WriteIR): string {
  const name = key === field ? field : `${key}=${field}`;
  return annotated && type !== null ? `${name}:${formatType(type)}` : name;
}

function nodeChanges(before: Facts, after: Facts, node: string): readonly Change[] {
  const columns = new Set([...after.keys(), ...before.keys()]);
  return [...columns].flatMap((what): readonly Change[] => {
    const [was, is] = [before.get(what) ?? null, after.get(what) ?? null];
    return was === is ? [] : [{ kind: "changed", node, what, before: was, after: is }];
  });
}

function addedTo(graph: GraphIR, node: NodeIR): Change {
  const targets = (one: NodeIR): readonly Target[] => [
    ...[...one.next, ...one.onSuccess, ...one.onFailure],
    ...[...one.cases.map(({ target }) => target), ...(one.otherwise === null ? [] : [one.otherwise])],
  ];
  const name = (target: Target): string => (target === END ? "END" : (graph.nodes[target]?.name ?? ""));
  const at = graph.nodes.indexOf(node);
  const from = graph.nodes.filter((one) => one !== node && targets(one).includes(at));
  const ways = [from.map((one) => one.name), [node.name], [...new Set(targets(node).map(name))]];
  const way = ways.flatMap((one) => (one.length === 0 ? [] : [one.join("|")])).join(" → ");
  return { kind: "added", node: node.name, agent: node.agent.written, way };
}
