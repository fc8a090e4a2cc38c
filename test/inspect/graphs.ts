import {
  END,
  type FieldIR,
  type FieldType,
  type GraphIR,
  type NodeIR,
  type SplitIR,
  type Target,
} from "../../compiler/ir.js";

/** A node as tests write it: targets by name, separated by `|`. */
export interface NodeSketch {
  readonly name: string;
  readonly agent?: string;
  readonly custom?: boolean;
  readonly next?: string;
  readonly success?: string;
  readonly failure?: string;
  readonly cases?: { readonly [value: string]: string };
  readonly otherwise?: string;
  readonly limit?: readonly [visits: number, to: string];
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly prompt?: string;
  readonly description?: string;
  readonly rest?: Partial<NodeIR>;
}

export interface GraphSketch {
  readonly name?: string;
  readonly file?: string;
  /** For each split: its node, its column, where it meets, and the names of each branch's nodes. */
  readonly splits?: readonly (readonly [
    node: string,
    by: SplitIR["by"],
    meet: string,
    branches: readonly (readonly string[])[],
  ])[];
  readonly types?: { readonly [field: string]: FieldType };
  readonly inputs?: readonly string[];
}

/** Builds a graph by hand: what analysis would find is given or left plain. */
export function sketch(nodes: readonly NodeSketch[], options: GraphSketch = {}): GraphIR {
  const index = new Map(nodes.map(({ name }, i) => [name, i]));
  const target = (name: string): Target => index.get(name) ?? END;
  const list = (text = ""): readonly Target[] => (text === "" ? [] : text.split("|").map(target));
  const drafts = nodes.map((node, i) => nodeOf(node, { index: i, target, list }));
  const reachable = reach(drafts);
  return {
    name: options.name ?? "Sketch",
    file: options.file ?? "sketch.csv",
    nodes: drafts.map((node, i) => ({ ...node, reachable: reachable.has(i) })),
    fields: fieldsOf(drafts, options),
    timezone: null,
    schedule: null,
    webhook: null,
    mayFail: false,
    splits: (options.splits ?? []).map(([name, by, meet, branches]) => {
      const node = drafts[target(name)] as NodeIR;
      const targets = { next: node.next, success: node.onSuccess, failure: node.onFailure }[by];
      return {
        node: target(name),
        by,
        targets,
        meet: target(meet),
        branches: branches.map((some) => ({ own: [], others: some.map(target), stops: [] })),
        merge: {},
      };
    }),
  };
}

interface Naming {
  readonly index: number;
  readonly target: (name: string) => Target;
  readonly list: (text?: string) => readonly Target[];
}

function nodeOf(node: NodeSketch, { index, target, list }: Naming): NodeIR {
  const agent = node.agent ?? "echo";
  return {
    name: node.name,
    row: index + 2,
    index,
    description: node.description ?? "",
    agent: { type: agent, written: agent, builtin: node.custom !== true },
    settings: {},
    retry: null,
    timeoutMs: null,
    maxVisits: node.limit?.[0] ?? null,
    onLimit: node.limit === undefined ? END : target(node.limit[1]),
    merge: {},
    next: list(node.next),
    onSuccess: list(node.success),
    onFailure: list(node.failure),
    cases: Object.entries(node.cases ?? {}).map(([value, name]) => ({ value, target: target(name) })),
    otherwise: node.otherwise === undefined ? null : target(node.otherwise),
    candidates: [],
    reads: (node.reads ?? []).map((field) => ({
      param: field,
      field,
      path: [],
      optional: false,
      sure: true,
      isSet: true,
      type: null,
      held: false,
      isOpen: false,
    })),
    writes: (node.writes ?? []).map((field) => ({
      key: field,
      field,
      type: null,
      annotated: false,
      sure: true,
    })),
    items: { writes: [], reads: [] },
    prompt: node.prompt === undefined ? null : [node.prompt],
    errorInPrompt: false,
    promptFrom: null,
    mayFail: false,
    reachable: true,
    ...node.rest,
  };
}

function reach(nodes: readonly NodeIR[]): ReadonlySet<number> {
  const seen = new Set<number>(nodes.length === 0 ? [] : [0]);
  for (const v of seen) {
    const node = nodes[v] as NodeIR;
    const more = [...node.next, ...node.onSuccess, ...node.onFailure, ...node.cases.map((one) => one.target)];
    for (const w of [...more, node.otherwise ?? END, node.onLimit]) if (w !== END) seen.add(w);
  }
  return seen;
}

function fieldsOf(nodes: readonly NodeIR[], { types = {}, inputs = [] }: GraphSketch): readonly FieldIR[] {
  const names = new Set(nodes.flatMap((node) => [...node.reads, ...node.writes].map(({ field }) => field)));
  const those = (pick: (node: NodeIR) => boolean): readonly number[] =>
    nodes.flatMap((node, i) => (pick(node) ? [i] : []));
  return [...names].map((name): FieldIR => {
    const writers = those((node) => node.writes.some(({ field }) => field === name));
    const type: FieldType = (Object.hasOwn(types, name) ? types[name] : undefined) ?? { kind: "string" };
    return {
      name,
      type,
      full: type,
      mayBeLeftOut: false,
      input: inputs.includes(name) ? "optional" : writers.length === 0 ? "required" : null,
      checks: [],
      writers,
      readers: those((node) => node.reads.some(({ field }) => field === name)),
      setAtEnd: false,
      setAtSuccess: false,
    };
  });
}
