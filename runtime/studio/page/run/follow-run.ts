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
      for await (const event of eventsIn(response)) {
        last = event.id ?? last;
        if (event.type === "run_end") break;
        if (event.type === "run_wait") {
          // Told again of a wait that is over, it goes on.
          record = await readRun(id, "steps");
          run = runOf(record);
          if (!isAtWork(record)) break;
        } else run = withEvent(run, event);
        if (signal.aborted) return;
        show(run, record);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.status < 500 && error.status !== 429) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
