import type { ServerResponse } from "node:http";
import { describeResult } from "../../runs/result.js";
import type { WorkflowEvent, WorkflowStream } from "../../runs/stream.js";
import { onClientGone } from "../client-gone.js";
import type { Answer } from "./answer.js";

/** Proxies close silent connections. */
const BEAT_MS = 15_000;
/** A client that reads nothing for this time is disconnected. */
const STALLED_MS = 20_000;

export function streamEvents(events: WorkflowStream): Answer {
  return {
    kind: "stream",
    until: events.result,
    write: async (response, headers) => {
      const type = "text/event-stream";
      response.writeHead(200, { ...headers, "Content-Type": type, "X-Accel-Buffering": "no" });
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

async function write(response: ServerResponse, event: WorkflowEvent): Promise<void> {
  if (response.destroyed) return;
  // JSON has no line breaks, so the data is one line.
  const isFull = !response.write(`event: ${event.type}\ndata: ${JSON.stringify(describeEvent(event))}\n\n`);
  if (isFull) await drained(response);
}

/**
 * Disconnects a client that reads nothing. Node's own time-out does not cover streams behind other answers on the
 * connection.
 */
function dropStalled(response: ServerResponse): void {
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
