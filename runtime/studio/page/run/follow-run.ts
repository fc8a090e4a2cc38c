import { eventsIn } from "../connection/event-stream.js";
import { server } from "../connection/present.js";
import { Refusal } from "../connection/requests.js";
import { type RunRecord, readRun, runOf } from "./records.js";
import type { Run } from "./run-state.js";
import { withEvent } from "./told.js";

export interface RunFollower {
  /** Given with each thing that the run tells. */
  readonly show: (run: Run, record: RunRecord) => void;
  /** Aborted when nobody looks any more. */
  readonly signal: AbortSignal;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** Values of steps are read so often while the run is at work. */
const READ_EACH_MS = 1_000;

/** The record as it is now, with the steps that are at work: those are recorded when they end. */
function merged(record: RunRecord, run: Run): Run {
  const kept = runOf(record);
  const known = new Set(kept.steps.map(({ key }) => key));
  const others = run.steps.filter(({ key }) => !known.has(key));
  return { ...kept, steps: [...kept.steps, ...others] };
}

const isAtWork = ({ status }: RunRecord): boolean => status === "queued" || status === "running";

/**
 * Reads a run, and follows it while it is at work. A connection that breaks is made again. Rejects when there is no such
 * run.
 */
export async function followRun(id: string, { show, signal }: RunFollower): Promise<void> {
  let last = "0";
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      let record = await readRun(id, "steps");
      if (signal.aborted) return;
      let run = runOf(record);
      show(run, record);
      if (!isAtWork(record)) return;
      const path = `../runs/${encodeURIComponent(id)}/events`;
      const response = await server().ask(path, { signal, headers: { "Last-Event-ID": last } });
      wait = FIRST_WAIT_MS;
      let read = performance.now();
      let hasEnded = false;
      for await (const event of eventsIn(response)) {
        last = event.id ?? last;
        hasEnded = event.type === "run_end";
        if (hasEnded) break;
        if (event.type === "run_wait") {
          // Told again of a wait that is over, it goes on.
          record = await readRun(id, "steps");
          run = runOf(record);
          if (!isAtWork(record)) {
            show(run, record);
            return;
          }
        } else run = withEvent(run, event);
        if (event.type === "node_end" && performance.now() - read > READ_EACH_MS) {
          record = await readRun(id, "steps");
          run = merged(record, run);
          read = performance.now();
        }
        if (signal.aborted) return;
        show(run, record);
      }
      if (hasEnded) continue;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.status < 500 && error.status !== 429) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
