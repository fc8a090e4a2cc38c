/** A graph as data. Both its producers, the printed module and `link`, use it, so that they cannot differ. */

import {
  END,
  type FieldType,
  type GraphIR,
  type Json,
  type MergeKind,
  type NodeIR,
  type PromptIR,
  type Target,
} from "./ir.js";
import { isOpen } from "./types/field-type.js";

type OneOrList<T> = T | readonly T[];
type Name = string | null;

type NodeData = {
  readonly takes?: OneOrList<TakeData>;
  readonly writes?: OneOrList<string | WriteData>;
  readonly settings?: { readonly [name: string]: Json };
  readonly retry?: { readonly attempts: number; readonly [name: string]: number };
  readonly timeoutMs?: number;
  readonly maxVisits?: number;
  readonly merge?: { readonly [field: string]: MergeKind } | readonly { field: string; kind: MergeKind }[];
};

type TakeData = {
  readonly param: string;
  readonly field?: string;
  readonly path?: readonly string[];
  readonly optional?: boolean;
  readonly type: FieldType;
};

type WriteData = {
  readonly field: string;
  readonly key?: string;
  readonly type?: FieldType;
};

type RouteData = {
  readonly next?: OneOrList<Name>;
  readonly success?: OneOrList<Name>;
  readonly failure?: OneOrList<Name>;
  readonly limit?: Name;
  readonly cases?: { readonly [value: string]: Name };
  readonly otherwise?: Name;
  readonly about?: { readonly [node: string]: string };
};

type InputData = {
  readonly required?: boolean;
  readonly types?: readonly FieldType[];
};

type BranchData =
  | readonly string[]
  | { readonly own: readonly string[]; readonly others?: readonly string[] };

/** Leaves out undefined and empty entries. */
const filled = <T extends object>(entries: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => !isNothing(value))) as T;

const isNothing = (value: unknown): boolean =>
  value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

function oneOrList<T>(list: readonly T[]): OneOrList<T> {
  const [only] = list;
  return only !== undefined && list.length === 1 ? only : list;
}

const isInherited = (name: string): boolean => name in Object.prototype;

/** A record by field. TypeScript takes names such as `toString` for inherited methods: with one, it is a list. */
function byField<T>(
  entries: readonly (readonly [string, T])[],
  listed: (field: string, one: T) => object,
): object {
  return entries.some(([field]) => isInherited(field))
    ? entries.map(([field, one]) => listed(field, one))
    : Object.fromEntries(entries);
}

/** Where a node names a number of attempts alone. */
export const RETRY_DEFAULTS = { delayMs: 0, factor: 2, maxDelayMs: 30_000 } as const;

/** The options of a node beside its inputs and its prompt, without the defaults of the contract. */
export function nodeData({ agent, reads, writes, settings, retry, ...node }: NodeIR): NodeData {
  const { cases, default: otherwise, ...others } = settings;
  const usual: { readonly [name: string]: number } = RETRY_DEFAULTS;
  return filled<NodeData>({
    takes: oneOrList(
      reads.flatMap(({ param, field, path, optional, type, held }) =>
        held && type !== null
          ? [
              filled<TakeData>({
                param,
                field: differs(field, param),
                path,
                optional: optional || undefined,
                type,
              }),
            ]
          : [],
      ),
    ),
    writes: oneOrList(
      writes.map(({ key, field, type, annotated }) =>
        key === field && !annotated
          ? field
          : filled<WriteData>({ field, key: differs(key, field), type: (annotated && type) || undefined }),
      ),
    ),
    // The routes hold the cases of a switch.
    settings: agent.builtin && agent.type === "switch" ? others : settings,
    retry: retry === null ? undefined : (leftOut(retry, usual) as NodeData["retry"]),
    timeoutMs: node.timeoutMs ?? undefined,
    maxVisits: node.maxVisits ?? undefined,
    merge: byField(Object.entries(node.merge), (field, kind) => ({ field, kind })) as NodeData["merge"],
  });
}

const differs = (name: string, other: string): string | undefined => (name === other ? undefined : name);

const leftOut = (policy: object, usual: { readonly [name: string]: number }): object =>
  Object.fromEntries(Object.entries(policy).filter(([name, value]) => usual[name] !== value));

/** When a node is named END, null stands for the end. */
export function routeData({ nodes }: GraphIR): (node: NodeIR) => RouteData {
  const end = nodes.some(({ name }) => name === "END") ? null : "END";
  const nameOf = (target: Target): Name => (target === END ? end : nodes[target]!.name);
  return ({ next, onSuccess, onFailure, maxVisits, onLimit, cases, otherwise, candidates }) =>
    filled<RouteData>({
      next: oneOrList(next.map(nameOf)),
      success: oneOrList(onSuccess.map(nameOf)),
      failure: oneOrList(onFailure.map(nameOf)),
      limit: maxVisits === null || onLimit === END ? undefined : nameOf(onLimit),
      cases: Object.fromEntries(cases.map(({ value, target }) => [value, nameOf(target)])),
      otherwise: otherwise === null ? undefined : nameOf(otherwise),
      about: Object.fromEntries(candidates.map(({ target, about }) => [nodes[target]!.name, about])),
    });
}

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
    const data = filled<InputData>({ required: input === "required" || undefined, types });
    return [[name, data] as const];
  });
  const inputs = byField(given, (field, input) => ({ field, ...input }));
  return given.length === 0 ? {} : { inputs: inputs as { readonly [field: string]: InputData } };
}

/**
 * The lowest version of the runtime's contract that can run the graph.
 * A runtime of contract 1 does not check types, and does not accept a text as a prompt.
 */
export function contractOf({ nodes }: GraphIR): number {
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
