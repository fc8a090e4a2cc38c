/** A graph as data. Both its producers, the printed module and `link`, use it, so that they cannot differ. */

import {
  END,
  type FieldType,
  type GraphIR,
  type NodeIR,
  type PromptIR,
  type ReadIR,
  type Retry,
  type Target,
  type WriteIR,
} from "./ir.js";
import { isOpen } from "./types/field-type.js";
import { isRunValue } from "./types/run-values.js";
import type { ScheduleOptions } from "./types/schedule-options.js";

type OneOrList<T> = T | readonly T[];

type BranchData =
  | readonly string[]
  | { readonly own: readonly string[]; readonly others?: readonly string[] };

/** Leaves out undefined and empty entries. A loop, because lists of entries cost twice the time for each node. */
function filled<T extends object>(entries: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Partial<T> = {};
  for (const key in entries) if (!isNothing(entries[key])) kept[key] = entries[key];
  return kept as { readonly [K in keyof T]?: Exclude<T[K], undefined> };
}

function isNothing(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === undefined;
  for (const _ in value) return false;
  return true;
}

function oneOrList<T>(list: readonly T[]): OneOrList<T> {
  const [only] = list;
  return only !== undefined && list.length === 1 ? only : list;
}

const isInherited = (name: string): boolean => name in Object.prototype;

/** A record by field. TypeScript takes names such as `toString` for inherited methods: with one, it is a list. */
function byField<T, L>(
  entries: readonly (readonly [string, T])[],
  listed: (field: string, one: T) => L,
): { readonly [field: string]: T } | readonly L[] {
  return entries.some(([field]) => isInherited(field))
    ? entries.map(([field, one]) => listed(field, one))
    : Object.fromEntries(entries);
}

/** Where a node names a number of attempts alone. */
export const RETRY_DEFAULTS = { delayMs: 0, factor: 2, maxDelayMs: 30_000 } as const;

/** The options of a node beside its inputs and its prompt, without the defaults of the contract. */
export function nodeData(node: NodeIR) {
  const { reads, writes, retry } = node;
  return filled({
    takes: oneOrList(
      reads.flatMap((read) => (read.held && read.type !== null ? takeData(read, read.type) : [])),
    ),
    writes: oneOrList(writes.map(writeData)),
    tables: oneOrList(node.compute?.tables ?? []),
    settings: ownSettings(node),
    retry: retry === null ? undefined : retryData(retry),
    timeoutMs: node.timeoutMs ?? undefined,
    maxVisits: node.maxVisits ?? undefined,
    merge: byField(Object.entries(node.merge), (field, kind) => ({ field, kind })),
  });
}

/** The routes hold the cases of a switch, and `compute` a condition. */
function ownSettings({ agent, settings, compute }: NodeIR): NodeIR["settings"] {
  if (compute !== undefined) {
    const { if: condition, ...others } = settings;
    return others;
  }
  if (!agent.builtin || agent.type !== "switch") return settings;
  const { cases, default: otherwise, ...others } = settings;
  return others;
}

const takeData = ({ param, field, path, optional }: ReadIR, type: FieldType) => ({
  param,
  ...filled({ field: differs(field, param), path, optional: optional || undefined }),
  type,
});

const writeData = ({ key, field, type, annotated }: WriteIR) =>
  key === field && !annotated
    ? field
    : { field, ...filled({ key: differs(key, field), type: (annotated && type) || undefined }) };

const differs = (name: string, other: string): string | undefined => (name === other ? undefined : name);

function retryData({ attempts, ...others }: Retry) {
  const usual: { readonly [name: string]: number } = RETRY_DEFAULTS;
  const own = Object.entries(others).filter(([name, value]) => usual[name] !== value);
  return { attempts, ...(Object.fromEntries(own) as Partial<typeof others>) };
}

/** When a node is named END, null stands for the end. */
export function routeData({ nodes }: GraphIR) {
  const end = nodes.some(({ name }) => name === "END") ? null : "END";
  const nameOf = (target: Target): string | null => (target === END ? end : nodes[target]!.name);
  return ({ next, onSuccess, onFailure, maxVisits, onLimit, cases, otherwise, candidates }: NodeIR) =>
    filled({
      next: oneOrList(next.map(nameOf)),
      success: oneOrList(onSuccess.map(nameOf)),
      failure: oneOrList(onFailure.map(nameOf)),
      limit: maxVisits === null || onLimit === END ? undefined : nameOf(onLimit),
      cases: Object.fromEntries(cases.map(({ value, target }) => [value, nameOf(target)])),
      otherwise: otherwise === null ? undefined : nameOf(otherwise),
      about: Object.fromEntries(candidates.map(({ target, about }) => [nodes[target]!.name, about])),
    });
}

/** When runs of a graph begin by themselves. */
export const scheduleData = ({
  schedule,
  catchUp,
  overlap,
}: Pick<GraphIR, "schedule" | keyof ScheduleOptions>) => ({
  ...(schedule === null ? {} : { schedule }),
  ...(catchUp === undefined ? {} : { catchUp }),
  ...(overlap === undefined ? {} : { overlap }),
});

/** Nodes of inner branches are not listed again. */
export function splitData({ nodes, splits }: GraphIR) {
  const names = (list: readonly number[]): readonly string[] => list.map((v) => nodes[v]!.name);
  const splitting = new Set(splits.map(({ node }) => node));
  const data: { [node: string]: { [edge: string]: readonly BranchData[] } } = Object.create(null);
  for (const { node, by, branches } of splits) {
    const { name } = nodes[node]!;
    const parts = branches.map(({ own, others }): BranchData => {
      if (others.length === 0 && !own.some((v) => splitting.has(v))) return names(own);
      return { own: names(own), ...(others.length > 0 && { others: names(others) }) };
    });
    data[name] = { ...data[name], [by]: parts };
  }
  return splits.length === 0 ? {} : { splits: data };
}

/** `declared` holds types that only the code of agents declares. */
export function inputData({ fields }: GraphIR, declared: ReadonlyMap<string, FieldType> = new Map()) {
  const given = fields.flatMap(({ name, input, checks }) => {
    if (input === null) return [];
    const taken = declared.get(name);
    const types = checks.length > 0 || taken === undefined ? checks : [taken];
    const data = filled({ required: input === "required" || undefined, types });
    return [[name, data] as const];
  });
  const inputs = byField(given, (field, input) => ({ field, ...input }));
  return given.length === 0 ? {} : { inputs };
}

/**
 * The lowest version of the runtime's contract that can run the graph.
 * A runtime of contract 1 does not check types, and does not accept a text as a prompt. One of contract 2 gives nodes
 * no values of the run, and one of contract 3 no formulas.
 */
export function contractOf({ nodes }: GraphIR): number {
  if (nodes.some(({ compute }) => compute !== undefined)) return 4;
  if (nodes.some(({ reads }) => reads.some(({ field }) => isRunValue(field)))) return 3;
  const needsNew = nodes.some(
    ({ prompt, reads, writes }) =>
      (prompt !== null && isFixed(prompt)) ||
      reads.some(({ held }) => held) ||
      writes.some(({ annotated, type }) => annotated && type !== null && !isOpen(type)),
  );
  return needsNew ? 2 : 1;
}

/** True for a prompt without placeholders. */
export const isFixed = (prompt: PromptIR): boolean => prompt.every((part) => typeof part === "string");
