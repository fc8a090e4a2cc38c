import type {
  AnyGraph,
  Json,
  Result,
  RunEvent,
  RunOptions,
  RunOrigin,
  StateData,
} from "../../graph/contract/contract.js";
import type { FullRun } from "../rows.js";
import type { DurableStore } from "../store.js";

/** A graph as the run began with it, on this worker. */
export interface Runnable {
  readonly graph: AnyGraph;
  /** Services, the log and the redactor. */
  readonly options: RunOptions;
  /** The form in which results are kept: a `WorkflowResult`. */
  readonly describe: (result: Result<StateData>) => Json;
  readonly placeOf?: RunOrigin["placeOf"];
}

/** Finds the graph of a run; `held` says why it cannot go on here. */
export interface GraphSource {
  readonly open: (run: FullRun) => Promise<Runnable | Held>;
}

export interface Held {
  readonly held: string;
  /** For whoever waits for the run here. */
  readonly error?: Error;
}

/** Whoever waits for the run in this process. */
export interface Guest {
  readonly on?: ((event: RunEvent) => void) | undefined;
  readonly trace?: boolean | undefined;
}

export interface LegSettings {
  /** What is kept of a visit beside its result: `results` leaves out inputs and prompts. */
  readonly record: "full" | "results";
  /** Values are deleted when the run has ended. */
  readonly erase: boolean;
}

export interface LegWorld {
  readonly store: DurableStore;
  readonly graphs: GraphSource;
  readonly settings: LegSettings;
}

/** Why a leg is stopped: its lease is lost, its worker stops, or whoever waits for it does no longer. */
export type StopReason = "lost" | "let_go" | "cancel";

/** What became of a leg. `broken` is for the worker to give back. */
export type LegOutcome =
  | { readonly kind: "ended" | "waiting"; readonly result: Json }
  | { readonly kind: "lost" }
  | { readonly kind: "let_go" }
  | { readonly kind: "held"; readonly why: string; readonly error: Error | null }
  | { readonly kind: "broken"; readonly error: unknown };
