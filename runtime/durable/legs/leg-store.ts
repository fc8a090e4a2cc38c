/** What legs need of a store of runs. This file holds no code. */

import type { Json } from "../../graph/contract/contract.js";
import type { EndStatus, FullRun, Lease, NewEvent, NewWait, StepRow, WaitRow, WorkerRow } from "../rows.js";

/** Under a lease: `lost` when another has the run, or when it was cancelled. */
export type Kept = "kept" | "lost";

/** What one leg does with its run. */
export interface LegStore {
  /** Takes due runs: `queued`, or `waiting` whose time has come. */
  claim(claiming: Claiming): Promise<readonly Claimed[]>;
  /** What a leg goes on from; with the events that earlier legs have told, when they are asked for. */
  journal(runId: string, about: { readonly events: boolean }): Promise<KeptJournal>;
  /** All leases of an owner. */
  leasesOf(owner: string): Promise<readonly Lease[]>;
  record(lease: Lease, record: LegRecord): Promise<Kept>;
  /** Gives the row as it is, when the wait is known already; null when the lease is lost. */
  openWait(lease: Lease, wait: NewWait): Promise<WaitRow | null>;
  /** Ends the wait of this id, unless it has ended; gives the row as it then is. */
  endWait(
    lease: Lease,
    id: string,
    ending: { readonly kind: "over"; readonly at: number },
  ): Promise<WaitRow | null>;
  /** The run waits, or is queued at once when a wait has ended whose id is not among `seen`. */
  suspend(lease: Lease, end: Suspension): Promise<Kept>;
  /** Of a run that was cancelled meanwhile only the result is kept. */
  finish(lease: Lease, end: LegEnd & Finish): Promise<Kept>;
  /** Back to `queued`. */
  giveBack(lease: Lease, back: GivenBack): Promise<Kept>;
  beat(worker: WorkerRow): Promise<void>;
  workers(): Promise<readonly WorkerRow[]>;
  leave(owner: string): Promise<void>;
  /** Takes runs at work from owners that are gone. `seen` is the owner's last beat, null without one. */
  sweep(sweeping: Sweeping): Promise<Swept>;
}

export interface Claiming {
  readonly owner: string;
  readonly now: number;
  readonly limit: number;
  readonly contract: number;
  /** Only this run, when it is due. */
  readonly runId?: string;
  readonly graphs?: readonly string[];
  /** Runs at work at a time, by the name of their graph, over all workers. */
  readonly limits?: { readonly [graph: string]: number };
}

export interface Claimed {
  readonly lease: Lease;
  readonly run: FullRun;
}

/** Of steps it holds only what a replay reads. */
export interface KeptJournal {
  readonly steps: readonly Pick<StepRow, "id" | "seq" | "pure" | "ended" | "worked" | "result">[];
  readonly waits: readonly WaitRow[];
  readonly events: readonly Json[];
}

export interface LegRecord {
  readonly steps: readonly StepRow[];
  readonly events: readonly NewEvent[];
  /** Chosen anew for each record; the same one again was a lost acknowledgement. */
  readonly token: string;
}

export interface LegEnd {
  readonly at: number;
  /** Pure visits that no record has taken yet. */
  readonly steps: readonly StepRow[];
  readonly result: Json;
  readonly events: readonly NewEvent[];
  readonly worked: number;
}

export interface Suspension extends LegEnd {
  readonly seen: ReadonlySet<string>;
  /** The waits that the run still asks. All other open ones are gone. Without it none of them is. */
  readonly asked?: readonly string[];
  /** Waits that are opened and ended with it. */
  readonly waits?: { readonly open: readonly NewWait[]; readonly over: readonly string[] };
}

export interface Finish {
  readonly status: EndStatus;
  readonly errorCode: string | null;
  /** Values are deleted, times and outcomes stay. */
  readonly erase?: boolean;
}

export interface GivenBack {
  readonly due: number;
  readonly held: string | null;
  readonly worked: number;
}

export interface Sweeping {
  readonly isGone: (owner: string, seen: number | null) => boolean;
  readonly now: number;
  /** A run whose workers have died more often than this since its last new record is stuck. */
  readonly recoveries: number;
}

export interface Swept {
  readonly taken: readonly string[];
  readonly stuck: readonly string[];
}
