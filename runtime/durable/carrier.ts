/** What a worker needs of an engine beside the store. This file holds no code. */

import type { Lease, WorkerRow } from "./rows.js";

/** An engine that drives the legs which a worker has claimed, and keeps books of them. */
export interface Carrier {
  /** Calls `drive` once, whatever befalls the engine, and resolves when that has ended. */
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
