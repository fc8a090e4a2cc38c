import type { Lease, WorkerRow } from "../rows.js";

/** An engine that keeps books of the legs which a worker has claimed. */
export interface Carrier {
  /** Calls `drive` once, outside of the engine and whatever befalls it, and resolves when that has ended. */
  carry(leg: CarriedLeg, drive: () => Promise<LegEnded>): Promise<void>;
  stop(): Promise<void>;
}

export interface CarriedLeg {
  readonly lease: Lease;
  readonly graph: string;
}

/** What became of the run: its status, or why the leg is over. No value of it. */
export type LegEnded = string;

export interface CarrierWorld {
  /** Of the worker, as in its leases. */
  readonly owner: string;
  readonly contract: number;
  /** Those that live. */
  readonly workers: () => Promise<readonly WorkerRow[]>;
  /** Called with what keeps the engine from its work. The worker goes on without it. */
  readonly tell: (message: string) => void;
}

export type CarrierOf = (world: CarrierWorld) => Carrier;
