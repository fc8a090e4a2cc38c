/** What the executor needs of a store of runs. This file holds no code. */

import type { Json } from "../graph/contract/contract.js";
import type { CarrierOf } from "./legs/carrier.js";
import type { Claiming, Finish, LegEnd, LegStore } from "./legs/leg-store.js";
import type {
  EndStatus,
  EventRow,
  FullRun,
  GivenAnswers,
  Lease,
  NewEvent,
  NewRun,
  RunCopy,
  RunRow,
  RunStatus,
  ScheduleRow,
  StepRow,
  VersionRow,
  WaitRow,
} from "./rows.js";

/**
 * Whatever is resolved is kept. Calls under a lease change nothing when it is lost, and may be repeated: what the same
 * lease has written counts as done. Problems reject with a `StoreError`.
 */
export interface DurableStore extends RunStore, LegStore, ChangeStore, TimeStore, KeepingStore {
  /** The engine that workers on this store give their legs to; without one they drive them themselves. */
  readonly carrierOf?: CarrierOf;
  close(): Promise<void>;
}

/** Starting and reading runs. */
interface RunStore {
  /** The run with this id or key, which may be there already. With a claim it begins at work, limits permitting. */
  start(run: NewRun, more?: StartMore): Promise<Started>;
  run(runId: string): Promise<FullRun | null>;
  /** Ids that begin so, at most `limit`. */
  idsFrom(prefix: string, limit: number): Promise<readonly string[]>;
  list(query: RowQuery): Promise<RowPage>;
  /** By status, of the query without its status, limit and cursor. */
  counts(query: RowQuery): Promise<{ readonly [S in RunStatus]?: number }>;
  steps(runId: string): Promise<readonly StepRow[]>;
  /** Some of them, in their order. */
  stepsFrom(runId: string, query: StepQuery): Promise<StepPage>;
  waits(runId: string): Promise<readonly WaitRow[]>;
  /** The open waits of several runs, for lists. */
  openWaits(runIds: readonly string[]): Promise<ReadonlyMap<string, readonly WaitRow[]>>;
  events(runId: string, query?: EventQuery): Promise<readonly EventRow[]>;
  /** The number of its last event; 0 without one. */
  lastEvent(runId: string): Promise<number>;
  version(version: string): Promise<VersionRow | null>;
  versionsOf(graph: string): Promise<readonly VersionRow[]>;
}

export interface StartMore {
  /** What is kept of its version, unless it is kept already. A fork without it has the version of its parent. */
  readonly texts?: () => Json;
  readonly claim?: Pick<Claiming, "owner" | "limits">;
  /** The journal that a fork begins with. */
  readonly steps?: readonly StepRow[];
  readonly waits?: readonly WaitRow[];
  readonly events?: readonly NewEvent[];
  /** It waits from the first: it was driven in memory until then. */
  readonly asleep?: LegEnd;
}

export interface Started {
  readonly created: boolean;
  readonly run: FullRun;
  /** Null without a claim, and when a limit was reached. */
  readonly lease: Lease | null;
}

export interface RowQuery {
  readonly status?: readonly RunStatus[];
  readonly graphs?: readonly string[];
  readonly version?: string;
  readonly key?: string;
  readonly userId?: string;
  /** What began it in nobody's name, such as `schedule:nightly`. */
  readonly trigger?: string;
  /** Runs with an open wait whose assignees include one of these. */
  readonly assigned?: readonly string[];
  /** Only what somebody may see. */
  readonly seenBy?: Sight;
  /** Only of these graphs, or of sheets below these folders, each written with its `/`. */
  readonly within?: { readonly graphs: readonly string[]; readonly folders: readonly string[] };
  /** Of `created`. */
  readonly since?: number;
  readonly until?: number;
  readonly q?: string;
  /** Runs of sheets below one of these folders, each written with its `/`. */
  readonly under?: readonly string[];
  readonly order?: ListOrder;
  readonly limit?: number;
  readonly cursor?: string;
}

/** By when runs were created. A cursor is for pages of one order. */
export type ListOrder = "newest" | "oldest";

/** The runs that somebody may see: those that they began, and those that ask them. */
export interface Sight {
  /** A user; null for none. */
  readonly startedBy: string | null;
  /** Runs with an open wait: any, or one that asks one of these, now or after an escalation. */
  readonly asked: "anybody" | readonly string[];
}

/** Newest first, unless asked otherwise. `total` is null over 10,000. */
export interface RowPage {
  readonly runs: readonly RunRow[];
  readonly cursor: string | null;
  readonly total: number | null;
}

export interface StepQuery {
  readonly after: number;
  readonly limit: number;
  /** Of their values together. One step is given, however large it is. */
  readonly bytes: number;
}

export interface StepPage {
  readonly steps: readonly StepRow[];
  readonly isLast: boolean;
}

export interface EventQuery {
  readonly after?: number;
  readonly limit?: number;
}

/** What people do with runs. Null when there is no such run. */
interface ChangeStore {
  /** All of the answers or none. A waiting run becomes `queued`. */
  answer(runId: string, given: GivenAnswers): Promise<Answered>;
  /** Queued, waiting, stuck and running runs end at once; the leg of a running one loses its lease. */
  cancel(runId: string, cancelled: Cancelled): Promise<RunRow | null>;
  /** Queues a failed, cancelled or stuck run again, without these steps, and without waits opened after `after`. */
  retry(runId: string, again: Again): Promise<RunRow | null>;
  /** Pins a queued or waiting run to a version, unless it was claimed or changed since that epoch. */
  move(runId: string, version: VersionRow, change: Moving): Promise<RunRow | null>;
}

export interface Change {
  readonly at: number;
  readonly events: readonly NewEvent[];
}

export interface Cancelled extends Change, Pick<Finish, "erase"> {}

export interface Moving extends Change {
  readonly epoch: number;
}

export interface Again extends Change {
  /** The run as it was when it was looked at. It is refused when the run has gone on since, also when it has ended again. */
  readonly was?: Pick<RunRow, "status" | "epoch">;
  readonly forget: readonly string[];
  readonly after: number | null;
}

/** `node` is the first one that is refused. */
export type Answered =
  | { readonly kind: "taken" }
  | { readonly kind: "unknown_run" }
  | { readonly kind: "not_waiting" | "already_answered" | "already_ended"; readonly node: string };

/** Reminders and schedules. */
interface TimeStore {
  /** Open waits of open runs, whose reminder or escalation is due. Other branches may be at work. */
  dueNotices(now: number, limit: number): Promise<readonly DueNotice[]>;
  /** Sets both times, if they are still as they were; false when another was faster, or the run has ended. */
  notice(due: DueNotice, next: Notice): Promise<boolean>;
  schedules(): Promise<readonly ScheduleRow[]>;
  /** One that is there already stays as it is. */
  addSchedule(schedule: ScheduleRow): Promise<void>;
  /** Moves `next` on, if it is still the same. */
  advance(schedule: ScheduleRow, to: number): Promise<boolean>;
  /** If its `next` is still the same. */
  forgetSchedule(schedule: ScheduleRow): Promise<void>;
}

export interface DueNotice {
  readonly run: RunRow;
  readonly wait: WaitRow;
}

export interface Notice {
  readonly remindAt: number | null;
  readonly escalateAt: number | null;
  readonly about: Json;
  readonly events: readonly NewEvent[];
}

/** Keeping and forgetting. */
interface KeepingStore {
  /** Rejects when nothing can be written. */
  probe(): Promise<void>;
  /** Rejects when a part of the store is damaged. Reads all of it, unless it has more bytes than these. */
  check(most?: number): Promise<void>;
  stats(now: number): Promise<StoreStats>;
  /** Forgets ended runs, at most `limit`, and versions that none names any more; gives how many runs. */
  prune(pruning: Pruning): Promise<number>;
  /** Forgets a run that has ended; any other one stays. */
  forget(runId: string): Promise<void>;
  /** Runs in the order in which they came, behind the one of that number. */
  named(
    status: readonly RunStatus[],
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly NamedRun[]>;
  copy(runId: string): Promise<RunCopy | null>;
  /** With its version, when that is known. False when a run of that id is there. */
  restore(copy: RunCopy, version: VersionRow | null): Promise<boolean>;
  /** Gives room back to the disk. */
  compact(): Promise<void>;
}

export interface NamedRun {
  readonly n: number;
  readonly runId: string;
  readonly version: string;
}

export interface Pruning {
  readonly endedBefore: number;
  readonly statuses: readonly EndStatus[];
  readonly limit: number;
  readonly dryRun?: boolean;
}

export interface StoreStats {
  readonly counts: { readonly [S in RunStatus]?: number };
  /** When the oldest open wait was opened. */
  readonly oldestWait: number | null;
  /** Queued runs whose time has come. */
  readonly due: number;
}
