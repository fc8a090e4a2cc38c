import { setTimeout as pause } from "node:timers/promises";
import { CONTRACT } from "../graph/contract/define.js";
import { LET_GO } from "../runs/let-go.js";
import type { WorkflowResult } from "../runs/result.js";
import { isEnded, resultOf } from "./kept-result.js";
import { hasJournal } from "./legs/asleep.js";
import type { Claimed } from "./legs/leg-store.js";
import type { Guest } from "./legs/leg-world.js";
import type { Legs } from "./legs/legs.js";
import { otherContract } from "./legs/other-contract.js";
import type { FullRun, RunRow, RunStatus } from "./rows.js";
import type { StartedRun } from "./starts.js";
import type { DurableStore } from "./store.js";
import { StoreError } from "./store-error.js";

/** Whoever starts or resumes a run and stays until it ends or waits. */
export interface Follower extends Guest {
  /** Aborted, it cancels the run; with the reason `LET_GO` the run stays for others. */
  readonly signal?: AbortSignal | undefined;
  /** False: it is left to other workers, and only its end is waited for. */
  readonly works?: boolean;
  /** Says what is waited for. */
  readonly note?: (message: string) => void;
  /** The run is stored, and nothing of it is at work yet. */
  readonly begun?: (started: StartedRun) => void;
}

/** The run is at work no more: it has ended, waits, or was let go of. */
export type Followed =
  | {
      readonly kind: "result";
      readonly result: WorkflowResult;
      /** Call it after the result was delivered: a run without a journal is then forgotten. */
      readonly told: () => Promise<void>;
    }
  | { readonly kind: "let_go"; readonly runId: string };

const POLL_MS = 25;
const LONGEST_POLL_MS = 250;

export interface FollowingOptions {
  readonly store: DurableStore;
  readonly legs: Legs;
  readonly limits: { readonly [graph: string]: number };
  readonly recoveries: number;
  readonly known: (runId: string) => Promise<FullRun>;
  /** As whoever reads the run is told it. */
  readonly statusOf: (run: RunRow) => Promise<RunStatus>;
  readonly cancel: (runId: string) => Promise<RunRow>;
}

/** Those who stay with a run of this process until it ends or waits. */
export class Following {
  readonly #options: FollowingOptions;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** Works on the run when nobody else does, and stays until it has ended or waits. */
  async follow(runId: string, follower: Follower, first: Claimed | null): Promise<Followed> {
    let claimed = first;
    let wait = POLL_MS;
    let isNoted = false;
    for (;;) {
      if (claimed !== null) {
        const followed = await this.#workHere(claimed, follower);
        if (followed !== null) return followed;
      }
      const run = await this.#options.known(runId);
      const rest = await this.#restOf(run, follower);
      if (rest !== null) return rest;
      if (run.status === "running") await this.#freeOfDead(run);
      const found = follower.works === false ? null : await this.#claimOne(runId);
      claimed = found;
      if (found !== null) continue;
      if (run.status === "queued" && run.due <= Date.now() && !isNoted) {
        const full = `as many runs of "${run.graph}" are at work as may be`;
        follower.note?.(`the run ${runId} waits: ${otherContract(run) ?? full}`);
        isNoted = true;
      }
      await pause(wait);
      wait = Math.min(wait * 2, LONGEST_POLL_MS);
    }
  }

  /** Whoever follows a run need have no worker that takes it from a dead owner. */
  async #freeOfDead(run: RunRow): Promise<void> {
    const { store, legs, recoveries, statusOf } = this.#options;
    if ((await statusOf(run)) === "running") return;
    const isGone = (owner: string, seen: number | null): boolean => legs.isGone(owner, seen);
    await store.sweep({ isGone, now: Date.now(), recoveries });
  }

  async #claimOne(runId: string): Promise<Claimed | null> {
    const { store, legs, limits } = this.#options;
    await legs.beat();
    const about = { owner: legs.owner, contract: CONTRACT, limits };
    return (await store.claim({ ...about, now: Date.now(), limit: 1, runId }))[0] ?? null;
  }

  /** Null when the run goes on elsewhere, or at once. */
  async #workHere(claimed: Claimed, follower: Follower): Promise<Followed | null> {
    const outcome = await this.#options.legs.run(claimed, follower, follower.signal);
    const { runId } = claimed.lease;
    switch (outcome.kind) {
      case "ended":
        return this.#ended(claimed.run, outcome.result as unknown as WorkflowResult);
      case "let_go":
        return { kind: "let_go", runId };
      case "held":
        throw (
          outcome.error ?? new StoreError("run_held", `the run ${runId} cannot go on here: ${outcome.why}`)
        );
      case "broken":
        throw outcome.error;
      case "waiting":
      case "lost":
        return null;
    }
  }

  #ended(run: FullRun, result: WorkflowResult): Followed {
    const { store } = this.#options;
    return {
      kind: "result",
      result,
      told: async () => (hasJournal(run) ? undefined : store.forget(run.runId)),
    };
  }

  /** What to give whoever follows a run that is not at work; null while it goes on. */
  async #restOf(run: FullRun, { signal }: Follower): Promise<Followed | null> {
    const { runId, status } = run;
    if (isEnded(run)) return this.#ended(run, resultOf(run));
    if (status === "waiting" && run.due > Date.now())
      return { kind: "result", result: resultOf(run), told: async () => {} };
    if (status === "stuck")
      throw new StoreError(
        "run_stuck",
        `the run ${runId} is stuck: ${run.held ?? "its worker died too often"}`,
        {
          help: `flowsheet runs retry ${runId}`,
        },
      );
    if (signal?.aborted !== true) return null;
    if (signal.reason === LET_GO) return { kind: "let_go", runId };
    const row = await this.#options.cancel(runId).catch(() => null);
    const ended = row === null ? await this.#options.known(runId) : { ...run, ...row };
    return this.#ended(ended, resultOf(ended));
  }
}
