import { isDeepStrictEqual } from "node:util";
import { suggest } from "../../../compiler/diagnostics/suggest.js";
import { quoted } from "../../../compiler/diagnostics/visible.js";
import type { AnyGraph, Json, StateData } from "../../graph/contract/contract.js";
import { CONTRACT } from "../../graph/contract/define.js";
import { type Answerer, refusalOf } from "../../graph/suspend/answerer.js";
import { optionsOf, type SetValues } from "../legs/kept-options.js";
import type { GraphSource } from "../legs/leg-world.js";
import { aboutOf } from "../legs/open-wait.js";
import type { EventRow, FullRun, Parent, StepRow, WaitRow } from "../rows.js";
import type { DurableStore } from "../store.js";
import { StoreError } from "../store-error.js";
import { type FoundVisit, findVisit, isOfVisit, recordedVisits } from "./find-visit.js";
import { fitOf } from "./fits.js";
import { graphAt } from "./graph-at.js";
import { readSet, type Wanted } from "./set-values.js";

/** Where a fork leaves its parent, and what is other from there on. */
export interface ForkPoint extends Wanted {
  /** A node, for its last visit, or one visit of it: `Node#2`. */
  readonly from: string;
  /** On the graph as it now is, when what was recorded before fits it. */
  readonly current?: boolean;
  /** Who forks: what was asked of others stays theirs. Without it whoever may change the store itself. */
  readonly by?: Answerer;
}

/** All that is recorded of a run. */
export interface Recording {
  readonly steps: readonly StepRow[];
  readonly waits: readonly WaitRow[];
  readonly events: readonly EventRow[];
}

/** The journal that a fork begins with. */
export interface Forked {
  readonly parent: Parent;
  readonly steps: readonly StepRow[];
  readonly waits: readonly WaitRow[];
  readonly set: readonly SetValues[];
}

/** The visit that a run is forked from, or retried from. */
export function visitIn(
  runId: string,
  { steps, events }: Omit<Recording, "waits">,
  from: string,
): FoundVisit {
  const visit = findVisit(steps, from, events);
  if (visit !== null) return visit;
  const near = suggest(from, new Set(recordedVisits(steps).map(({ node }) => node)));
  throw new StoreError("input_invalid", `the run ${runId} has no visit of ${quoted(from)}`, {
    pointer: "/from",
    help:
      near === null
        ? `flowsheet runs show ${runId} lists its visits`
        : `did you mean ${JSON.stringify(near)}?`,
  });
}

function refuseErased({ runId, isErased }: FullRun): void {
  if (!isErased) return;
  throw new StoreError("run_erased", `the values of the run ${runId} were erased when it ended`, {
    help: "start it anew: nothing is left that it could go on with",
  });
}

/** What a fork looks at. */
export interface ForkWorld {
  readonly store: DurableStore;
  readonly graphs: GraphSource;
  readonly redact: (text: string) => string;
}

/** The journal of a fork. Refuses values that do not fit, and a graph as it now is that the journal does not fit. */
export async function planFork(
  { store, graphs, redact }: ForkWorld,
  parent: FullRun,
  { point, current }: { readonly point: ForkPoint; readonly current: AnyGraph | null },
): Promise<Forked> {
  refuseErased(parent);
  const { runId, contract } = parent;
  if (current !== null && contract !== CONTRACT) throw misfit(runId, "another version of flowsheet began it");
  const [steps, waits, events] = await Promise.all([
    store.steps(runId),
    store.waits(runId),
    store.events(runId),
  ]);
  const visit = visitIn(runId, { steps, events }, point.from);
  const isSet = Object.keys({ ...point.set, ...point.written }).length > 0;
  const graph = isSet ? (current ?? (await graphOf(graphs, parent))) : null;
  const values = graph === null ? null : readSet(placeOf(graph, visit.node), point);
  const forked = forkOf(parent, { steps, waits, events }, visit, values);
  if (isSet && point.by !== undefined) refuseAnswered(forked.waits, point.by);
  if (current !== null) await refuseMisfit(current, parent, forked, redact);
  return forked;
}

/** Whoever was asked by name has answered for the values of then, and for no others. Who forks has started the fork. */
function refuseAnswered(waits: readonly WaitRow[], answerer: Answerer): void {
  const starter = answerer.user ?? "";
  for (const wait of waits) {
    if (wait.ending?.kind !== "answer") continue;
    const refusal = refusalOf(wait.waiting.node, aboutOf(wait), { starter, answerer });
    if (refusal !== null) throw refusal;
  }
}

async function graphOf(graphs: GraphSource, run: FullRun): Promise<AnyGraph> {
  const opened = await graphs.open(run);
  if (!("held" in opened)) return opened.graph;
  throw opened.error ?? new StoreError("run_held", `its graph cannot be opened here: ${opened.held}`);
}

function placeOf(graph: AnyGraph, node: string): AnyGraph {
  const found = graphAt(graph, node);
  if ("graph" in found) return found.graph;
  throw new StoreError(
    "run_stale",
    `${JSON.stringify(found.gone)}, in front of which values are set, is gone`,
  );
}

async function refuseMisfit(
  graph: AnyGraph,
  { runId, given }: FullRun,
  { steps, waits, set }: Forked,
  redact: (text: string) => string,
): Promise<void> {
  const options = { set } as unknown as Json;
  const fit = await fitOf(graph, { run: { runId, given, options }, steps, waits }, redact);
  if (fit.fits) return;
  // A run from its first step is begun as any other is, and its failure is told as theirs.
  const isFromFirst = waits.length + set.length === 0 && steps.every(({ pure }) => pure);
  if (isFromFirst && fit.wouldFail === true) return;
  throw misfit(runId, fit.why);
}

const misfit = (runId: string, why: string): StoreError =>
  new StoreError("run_stale", `the run ${runId} does not fit its graph as it now is: ${why}`);

/** What was recorded before a visit. Questions without an answer at that time are asked anew. */
function forkOf(
  parent: FullRun,
  { steps, waits }: Recording,
  visit: FoundVisit,
  values: StateData | null,
): Forked {
  const { id, node, after, recorded } = visit;
  const wasEnded = (wait: WaitRow): boolean =>
    wait.endedAt !== null && !isOfVisit(wait.id, id) && (recorded === null || wait.endedAt <= recorded);
  return {
    parent: { runId: parent.runId, at: `${node}#${visit.visit}` },
    steps: steps.filter(({ seq }) => seq <= after),
    waits: waits.filter(wasEnded),
    set: setsBefore(parent, visit, values),
  };
}

/** Of a fork's fork: what was set before stays, and what is set in front of the same visit is added to it. */
function setsBefore(
  parent: FullRun,
  { id: at, node, visit, after: seq }: FoundVisit,
  values: StateData | null,
): readonly SetValues[] {
  const before = (optionsOf(parent).set ?? []).filter((one) => one.seq <= seq);
  if (values === null) return before;
  const here = before.find((one) => one.at === at)?.values;
  return [...before.filter((one) => one.at !== at), { at, node, visit, seq, values: { ...here, ...values } }];
}

/** A key that began something else begins no fork. */
export const isSameFork = (run: FullRun, { parent, set }: Forked): boolean =>
  run.parent?.runId === parent.runId &&
  run.parent.at === parent.at &&
  (run.isErased || isDeepStrictEqual(optionsOf(run).set ?? [], set));
