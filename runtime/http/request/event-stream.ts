import type { ServerResponse } from "node:http";
import { describeResult } from "../../runs/result.js";
import type { WorkflowEvent, WorkflowStream } from "../../runs/stream.js";
import { onClientGone } from "../client-gone.js";
import type { Answer, Headers } from "./answer.js";

/** Proxies close silent connections. */
const BEAT_MS = 15_000;
/** A client that reads nothing for this time is disconnected. */
const STALLED_MS = 20_000;

export const EVENT_STREAM = "text/event-stream";

/** An event as it is sent. One without a number cannot be gone on from. */
export interface SentEvent {
  readonly id?: number;
  readonly type: string;
  readonly data: object;
}

export const streamEvents = (events: WorkflowStream): Answer =>
  streamOf(sentFrom(events), { until: events.result });

async function* sentFrom(events: WorkflowStream): AsyncGenerator<SentEvent, undefined> {
  const began = performance.now();
  for await (const event of events) {
    const time = event.type === "run_end" ? {} : { at_ms: Math.round(performance.now() - began) };
    yield { type: event.type, data: { ...describeEvent(event), ...time } };
  }
}

export interface StreamOptions {
  /** Resolves when the run that the request began is over; null without one. */
  readonly until: Promise<unknown> | null;
  readonly more?: Headers;
}

export function streamOf(
  events: AsyncIterable<SentEvent>,
  { until, more = {} }: StreamOptions,
): Extract<Answer, { readonly kind: "stream" }> {
  return {
    kind: "stream",
    until,
    write: async (response, headers) => {
      // Not with the others, which nobody can ask for afterwards.
      response.setHeader("Content-Type", EVENT_STREAM);
      response.writeHead(200, { ...headers, ...more, "X-Accel-Buffering": "no" });
      response.flushHeaders();
      dropStalled(response);
      const beat = setInterval(() => {
        if (!response.destroyed) response.write(": still running\n\n");
      }, BEAT_MS);
      try {
        for await (const event of events) await write(response, event);
      } finally {
        clearInterval(beat);
      }
      // Not after an error: an incomplete stream must not look complete.
      response.end();
    },
  };
}

async function write(response: ServerResponse, { id, type, data }: SentEvent): Promise<void> {
  if (response.destroyed) return;
  const number = id === undefined ? "" : `id: ${id}\n`;
  // JSON has no line breaks, so the data is one line.
  const isFull = !response.write(`${number}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  if (isFull) await drained(response);
}

/**
 * Disconnects a client that reads nothing. Node's own time-out does not cover streams behind other answers on the
 * connection.
 */
export function dropStalled(response: ServerResponse): void {
  response.setTimeout(STALLED_MS, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

/** Waits until the client has read the written data, or has closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const { req: request } = response;
    const done = (): void => {
      response.off("drain", done);
      off();
      resolve();
    };
    const off = onClientGone({ request, response }, done);
    response.on("drain", done);
  });
}

export function describeEvent(event: WorkflowEvent): object {
  if (event.type === "run_end") return { run_id: event.runId, result: describeResult(event.result) };
  const { runId, node, visit, branch } = event;
  const about = { run_id: runId, node, visit, branch };
  if (event.type === "node_start") return { ...about, step: event.step };
  if (event.type === "node_retry")
    return { ...about, attempt: event.attempt, error: event.error, delay_ms: event.delayMs };
  const { step, outcome, attempts, ms, error, inputs, prompt, writes } = event;
  const traced = writes === undefined ? {} : { inputs, prompt, writes };
  return { ...about, step, outcome, attempts, ms, error, ...traced };
}
