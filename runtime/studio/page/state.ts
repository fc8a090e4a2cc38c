import { computed, signal } from "@preact/signals";
import type { Drawing } from "../../draw/svg/geometry.js";
import type { Place } from "./address.js";
import { LIST } from "./address.js";
import type { Session, SheetSummary } from "./connection/requests.js";
import type { Column, GraphOfSheet, Problem, TableRow, Understood } from "./engine/messages.js";

/** A sheet as it is shown. */
export interface Opened extends Understood {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** False until the compiler has said what the rows mean. */
  readonly isUnderstood: boolean;
  readonly name: string;
  readonly etag: string;
  /** Before `::` in the names of its workflows. */
  readonly group: string;
}

export interface ChosenCell {
  readonly record: number;
  /** Index of the column in the file. */
  readonly column: number;
}

/** `waiting`: the server does not answer yet. */
export type Entry = "starting" | "waiting" | "asked" | "in";

export const entry = signal<Entry>("starting");
export const session = signal<Session | null>(null);
export const sheets = signal<readonly SheetSummary[] | null>(null);
export const place = signal<Place>(LIST);
/** The tab of the drawer that a person chose; null until then. */
export const chosenTab = signal<string | null>(null);
export const opened = signal<Opened | null>(null);
/** What keeps the present sheet from being shown. */
export const failure = signal<string | null>(null);
/** The picture of a graph as it was when it was drawn. */
export interface Drawn {
  readonly graph: GraphOfSheet;
  readonly drawing: Drawing;
}

/** The last picture stays until the next one comes. */
export const drawn = signal<Drawn | null>(null);
export const isConnected = signal(true);
export const chosen = signal<ChosenCell | null>(null);

/** What a picture is of. */
export interface Subject {
  readonly sheet: string | null;
  readonly graph: string | null;
}

/** The sheet and the graph of the run that the screen of runs shows; its owner is that screen. */
export const subjectOfRun = signal<Subject>({ sheet: null, graph: null });

/** What is looked at: what the address names, or what the shown run is of. */
export const subject = computed<Subject>(() => {
  const { screen, sheet, graph } = place.value;
  return screen === "runs" ? subjectOfRun.value : { sheet, graph };
});

/** The graph that is looked at: the one that is named, else the first. */
export const graph = computed<GraphOfSheet | null>(() => {
  const graphs = opened.value?.graphs ?? [];
  return graphs.find(({ name }) => name === subject.value.graph) ?? graphs[0] ?? null;
});

export const chosenRow = computed<TableRow | null>(
  () => opened.value?.rows.find(({ record }) => record === chosen.value?.record) ?? null,
);

export const chosenColumn = computed<Column | null>(
  () => opened.value?.columns.find(({ index }) => index === chosen.value?.column) ?? null,
);

/** The problems of each record, for its cells. */
export const problemsByRecord = computed<ReadonlyMap<number, readonly Problem[]>>(() => {
  const found = new Map<number, Problem[]>();
  for (const problem of opened.value?.problems ?? []) {
    const record = problem.span?.record ?? -1;
    const known = found.get(record);
    if (known === undefined) found.set(record, [problem]);
    else known.push(problem);
  }
  return found;
});

/** Errors first, each kind in the order of the file. */
export const problemList = computed<readonly Problem[]>(() => {
  const problems = opened.value?.problems ?? [];
  const isError = ({ severity }: Problem): boolean => severity === "error";
  return [...problems.filter(isError), ...problems.filter((one) => !isError(one))];
});
