import { answersText } from "../../http/openapi/operation.js";
import { type SentEvent, streamOf } from "../../http/request/event-stream.js";
import type { RequestContext, Route } from "../../http/route.js";
import { mustBeLocal } from "../only-local.js";
import { debugRoomOf } from "./debug-room.js";

export const debugEvents: Route = {
  method: "GET",
  path: "/studio/api/debug/{id}/events",
  permission: "execute",
  operation: {
    operationId: "studioDebugEvents",
    summary: "What a debugger tells",
    tag: "studio",
    answers: {
      "200": answersText(
        "text/event-stream",
        "`stop` before a node, `ask` where a node waits, and the events of runs. The header `Last-Event-ID` goes on after one.",
      ),
    },
    problems: ["debugger_not_found"],
  },
  handle: (context) => {
    mustBeLocal(context);
    const { service, caller, params } = context;
    const id = params.get("id") ?? "";
    debugRoomOf(service).mustHave(id);
    const stream = streamOf(read(context, id), { until: null });
    return { ...stream, write: (...to) => service.streams.use(caller, () => stream.write(...to)) };
  },
};

async function* read(context: RequestContext, id: string): AsyncGenerator<SentEvent, undefined> {
  const { service, signal } = context;
  const { session, leave } = debugRoomOf(service).read(id);
  try {
    yield* session.told.read(lastOf(context), () => signal.aborted || service.slots.isClosed());
  } finally {
    leave();
  }
}

function lastOf({ request }: RequestContext): number {
  const given = String(request.headers["last-event-id"] ?? "");
  return /^\d{1,16}$/.test(given) ? Number(given) : 0;
}
