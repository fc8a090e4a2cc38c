import { answersText } from "../../http/openapi/operation.js";
import { type SentEvent, streamOf } from "../../http/request/event-stream.js";
import type { RequestContext, Route } from "../../http/route.js";
import { roomOf } from "./room.js";

export const events: Route = {
  method: "GET",
  path: "/studio/api/events",
  permission: "read",
  instead: "answer",
  operation: {
    operationId: "studioEvents",
    summary: "What changes: sheets, what is around them, runs, and how many wait",
    tag: "studio",
    answers: {
      "200": answersText(
        "text/event-stream",
        "`sheet`, `world`, `generated`, `run`, `waits`, and `resync` when some were missed. The header `Last-Event-ID` goes on after one.",
      ),
    },
  },
  handle: (context) => {
    const { service, signal, caller } = context;
    const isOver = (): boolean => signal.aborted || service.slots.isClosed();
    const stream = streamOf(read(context, isOver), { until: null });
    return { ...stream, write: (...to) => service.streams.use(caller, () => stream.write(...to)) };
  },
};

async function* read(context: RequestContext, isOver: () => boolean): AsyncGenerator<SentEvent, undefined> {
  const room = roomOf(context.service);
  const leave = await room.enter();
  try {
    yield* room.hub.read(context, lastEventOf(context), isOver);
  } finally {
    leave();
  }
}

/** A text that is no number of ours means that some were missed. */
function lastEventOf({ request }: RequestContext): number | null {
  const given = request.headers["last-event-id"];
  if (given === undefined) return null;
  return /^\d{1,16}$/.test(String(given)) ? Number(given) : 0;
}
