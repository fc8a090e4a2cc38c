import { computed, signal } from "@preact/signals";
import type { EdgeOfGraph, GraphOfSheet } from "../engine/messages.js";
import { chosenTab, graph, opened } from "../state.js";

export interface Compared {
  readonly what: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** An expectation that a case does not meet, or what kept it from being run. */
export interface Failure {
  readonly column: string;
  readonly cell: string | null;
  readonly message: string;
  readonly help: string | null;
  readonly compared: readonly Compared[];
}

/** What came of a case. */
export interface Outcome {
  readonly status: "passed" | "failed";
  readonly ms: number;
  readonly path: readonly string[] | null;
  readonly failures: readonly Failure[];
}

export interface Case {
  readonly name: string;
  readonly graph: string;
  readonly cell: string | null;
  readonly state: "idle" | "running" | Outcome;
}

interface Measure {
  readonly total: number;
  readonly taken: number;
  readonly missed: readonly string[];
}

export interface Coverage {
  readonly graph: string;
  readonly nodes: Measure;
  readonly edges: Measure;
}

/** The test sheet of the sheet that is shown, and its last run. */
export interface Tests {
  readonly sheet: string;
  /** The text of the sheet that it is about. */
  readonly etag: string;
  /** Null where there is no test sheet. */
  readonly file: string | null;
  readonly cases: readonly Case[];
  readonly problems: readonly { readonly message: string; readonly cell: string | null }[];
  readonly isRunning: boolean;
  /** Of the last run of all cases. */
  readonly coverage: readonly Coverage[];
  /** What went wrong. */
  readonly said: string;
}

export const tests = signal<Tests | null>(null);
/** The place of a case in the list. */
export const chosenCase = signal<number | null>(null);

/** The case that is shown: the chosen one, else the first that failed, else the first. */
export const shownCase = computed<number>(() => {
  const failed = (tests.value?.cases ?? []).findIndex(
    ({ state }) => typeof state === "object" && state.status === "failed",
  );
  return chosenCase.value ?? Math.max(0, failed);
});

/** What no case came to, of the graph that is looked at; null until all were run. */
export const coverage = computed<Coverage | null>(() => {
  if (tests.value?.sheet !== opened.value?.name) return null;
  return tests.value?.coverage.find((one) => one.graph === graph.value?.name) ?? null;
});

/** What no case came to, for the picture: nodes by their records, and edges by `edgeName`. */
export interface Missed {
  readonly nodes: ReadonlySet<number>;
  readonly edges: ReadonlySet<string>;
}

const NOTHING: Missed = { nodes: new Set(), edges: new Set() };

/** The picture shows it beside the cases. */
export const missed = computed<Missed>(() => {
  if (coverage.value === null || chosenTab.value !== "tests") return NOTHING;
  const { nodes, edges } = coverage.value;
  const names = new Set(nodes.missed);
  const all = graph.value?.nodes ?? [];
  return {
    nodes: new Set(all.filter(({ name }) => names.has(name)).map(({ record }) => record)),
    // One of several answers that lead to a node is named in brackets.
    edges: new Set(edges.missed.map((name) => name.replace(/ \(case .*\)$/, " (case)"))),
  };
});

/** As coverage names an edge. */
export function edgeName(
  { nodes }: GraphOfSheet,
  { from, to, on }: Pick<EdgeOfGraph, "from" | "to" | "on">,
): string {
  const way = on === "next" ? "" : ` (${on === "otherwise" ? "default" : on})`;
  return `${nodes[from]?.name ?? ""} -> ${nodes[to]?.name ?? "END"}${way}`;
}
