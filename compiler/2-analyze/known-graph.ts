import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { GraphIR, Row } from "../ir.js";
import type { Details } from "./analyze-graph.js";
import type { Draft } from "./draft.js";
import { calledBy } from "./fields/calls.js";
import type { Routed } from "./flow/failing.js";

/** All that callers can see of a graph. One that is analysed again keeps it where they see no difference. */
export interface Face {
  /** Null as long as nobody compares it. */
  readonly text: string | null;
}

/** What a graph was told of the graphs of its sheet. While the answers stay, what was made of them does. */
export class Asked {
  /** By name; null for a graph that was not understood yet. */
  readonly faces = new Map<string, Face | null>();
  readonly failing = new Map<string, boolean>();
  /** Questions to all rows of the sheet, by their keys. */
  readonly rows = new Map<string, { readonly passes: (row: Row) => boolean; readonly answer: boolean }>();
}

/** The problems of a graph by the step that finds them: those of a sheet are told step by step. */
interface Found {
  grouped: readonly Diagnostic[];
  routed: readonly Diagnostic[];
  analyzed: readonly Diagnostic[];
  called: readonly Diagnostic[];
}

const NOTHING: readonly Diagnostic[] = [];

/** A graph that is known, with what it takes to see whether that still holds. */
export class KnownGraph {
  readonly name: string;
  readonly first: Row;
  /** The names of the graphs that it runs, each once. */
  readonly calls: readonly string[];
  /** A node of it runs a graph, or should: the names of all graphs matter to it. */
  readonly usesGraphs: boolean;
  readonly found: Found = { grouped: NOTHING, routed: NOTHING, analyzed: NOTHING, called: NOTHING };
  readonly draft: () => Draft;
  routed: (() => Routed) | null = null;
  graph: GraphIR | null = null;
  face: Face = { text: null };
  /** What was asked to see how its runs end, to analyse it, and to check its calls. */
  readonly asked: { ends: Asked | null; details: Asked | null; calls: Asked | null };
  endsInFailure = false;
  /** What its own rows answer to questions that are put to all rows. */
  readonly answers = new Map<string, boolean>();

  constructor(draft: Draft, first: Row, kept: () => Draft) {
    this.name = draft.name;
    this.first = first;
    this.calls = [...new Set(draft.nodes.map(calledBy))].filter((name) => name !== null);
    this.usesGraphs = draft.nodes.some(({ facts }) => facts?.settings["graph"] !== undefined);
    this.draft = kept;
    this.asked = { ends: null, details: null, calls: null };
  }
}

export const routedOf = ({ routed }: KnownGraph): Routed => {
  if (routed === null) throw new Error("a graph is analysed before its edges are known");
  return routed();
};

/** The face of a graph that was analysed again; callers go on with the one before, where it is the same. */
export function faceOf({ graph }: KnownGraph, before: Face): Face {
  const text = JSON.stringify(graph?.fields);
  return text === before.text ? before : { text };
}

/** The graph as it is handed on. */
export function describedGraph(
  { name, draft }: KnownGraph,
  { file, kept, mayFail }: { readonly file: string; readonly kept: () => Details; readonly mayFail: boolean },
): GraphIR {
  const [entry] = draft().nodes;
  return {
    name,
    file,
    get nodes() {
      return kept().nodes();
    },
    get fields() {
      return kept().fields();
    },
    splits: kept().splits,
    timezone: entry?.timezone ?? null,
    schedule: entry?.schedule ?? null,
    ...entry?.scheduleOptions,
    webhook: entry?.webhook ?? null,
    ...(entry?.isTool === false ? { mcp: false } : {}),
    mayFail,
  };
}

const STEPS = ["grouped", "routed", "analyzed", "called"] as const;

export function moveProblems({ found }: KnownGraph, moved: (problem: Diagnostic) => Diagnostic): void {
  for (const step of STEPS) if (found[step].length > 0) found[step] = found[step].map(moved);
}

/** The header is one place for all rows: what is wrong with a column of it is said once. */
export function saidOnce(problems: readonly Diagnostic[], header: number): readonly Diagnostic[] {
  const said = new Set<number>();
  return problems.filter(({ code, span }) => {
    if (code !== "unknown-setting" || span?.record !== header) return true;
    const isNew = !said.has(span.column);
    said.add(span.column);
    return isNew;
  });
}
