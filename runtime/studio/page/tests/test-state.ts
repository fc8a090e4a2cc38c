import { computed, signal } from "@preact/signals";
import { graph, opened } from "../state.js";

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

/** What no case came to, of the graph that is looked at; null until all were run. */
export const coverage = computed<Coverage | null>(() => {
  if (tests.value?.sheet !== opened.value?.name) return null;
  return tests.value?.coverage.find((one) => one.graph === graph.value?.name) ?? null;
});

/** The nodes that no case came to, by their records. */
export const untested = computed<ReadonlySet<number>>(() => {
  const missed = new Set(coverage.value?.nodes.missed);
  const nodes = graph.value?.nodes ?? [];
  return new Set(nodes.filter(({ name }) => missed.has(name)).map(({ record }) => record));
});
