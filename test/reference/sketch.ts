import {
  type AgentKind,
  columnOf,
  END,
  type MergeKind,
  nodeAt,
  type RefGraph,
  type RefNode,
  type Target,
} from "./graph.js";
import type { Action, Fields, Script, SettledAction } from "./script.js";

/** A node as a shape writes it: lists of names with `|`, fields with spaces, `?` after an optional read. */
export interface Row {
  readonly agent?: AgentKind;
  readonly next?: string;
  readonly ok?: string;
  readonly fail?: string;
  /** `max_visits`, and where the visit after the last one goes. */
  readonly max?: number;
  readonly limit?: string;
  readonly reads?: string;
  readonly writes?: string;
  readonly merge?: { readonly [field: string]: MergeKind };
}

/** A graph by names; the first row is the entry. A string is a row's `next`. */
export interface Rows {
  readonly [name: string]: string | Row;
}

export interface Sketch {
  readonly names: readonly string[];
  readonly graph: RefGraph;
}

const words = (text: string | undefined, separator: string): readonly string[] =>
  (text ?? "")
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** The graph that rows describe. */
export function sketch(rows: Rows): Sketch {
  const names = Object.keys(rows);
  return { names, graph: { nodes: names.map((name) => nodeFrom(names, rows[name] ?? "")) } };
}

function nodeFrom(names: readonly string[], written: string | Row): RefNode {
  const row: Row = typeof written === "string" ? { next: written } : written;
  const list = (text: string | undefined): readonly Target[] =>
    words(text, "|").map((name) => indexOf(names, name));
  return {
    agent: row.agent ?? "echo",
    next: list(row.next),
    onSuccess: list(row.ok),
    onFailure: list(row.fail),
    maxVisits: row.max ?? null,
    onLimit: list(row.limit)[0] ?? END,
    reads: words(row.reads, " ").map((word) => ({
      field: word.replace("?", ""),
      optional: word.endsWith("?"),
    })),
    writes: words(row.writes, " "),
    merge: row.merge ?? {},
  };
}

/** A node's number by its name. */
export function indexOf(names: readonly string[], name: string): Target {
  const index = names.indexOf(name);
  if (index < 0 && name !== "END") throw new RangeError(`no node ${name}`);
  return name === "END" ? END : index;
}

/** The names of nodes, with spaces between. */
export function namesOf(names: readonly string[], targets: Iterable<Target>): string {
  return [...targets].map((target) => (target === END ? "END" : (names[target] ?? "?"))).join(" ");
}

/** How a run of a shape goes: by node, its visits in words, such as `fail, ok`, `to B` or `wait throw`. */
export interface Play {
  readonly acts?: { readonly [name: string]: string };
  readonly given?: Fields;
  /** By resume, the names that are answered. */
  readonly answers?: readonly string[];
  readonly maxSteps?: number;
}

/** The script that a play describes. */
export function scriptFrom({ names, graph }: Sketch, play: Play): Script {
  const actions = Object.entries(play.acts ?? {}).map(([name, acts]) => {
    const node = indexOf(names, name);
    return [node, words(acts, ",").map((act) => actionFrom(names, nodeAt(graph, node), act))] as const;
  });
  return {
    actions: Object.fromEntries(actions),
    ...(play.given === undefined ? {} : { initial: play.given }),
    ...(play.maxSteps === undefined ? {} : { maxSteps: play.maxSteps }),
    ...(play.answers === undefined
      ? {}
      : { answers: play.answers.map((answer) => words(answer, " ").map((name) => indexOf(names, name))) }),
  };
}

function actionFrom(names: readonly string[], from: RefNode, act: string): Action {
  const [verb, target = ""] = words(act, " ");
  if (verb === "wait")
    return { kind: "wait", answer: settledFrom(names, from, act.trim().slice(4).trim() || "ok") };
  return settledFrom(names, from, verb === "to" ? `to ${target}` : act);
}

function settledFrom(names: readonly string[], from: RefNode, act: string): SettledAction {
  const [verb, target = ""] = words(act, " ");
  if (verb === "fail") return { kind: "fail" };
  if (verb === "throw") return { kind: "throw" };
  if (verb === "ok") return { kind: "succeed" };
  if (verb !== "to") throw new RangeError(`no act ${act}`);
  const list = columnOf(from, from.onSuccess.length > 0 ? "success" : "next");
  return { kind: "choose", target: list.indexOf(indexOf(names, target)) };
}
