import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Exchange } from "./client-gone.js";
import { EVENT_STREAM } from "./request/event-stream.js";

/** The pauses between the probes; the last one is repeated. */
const PAUSES_MS = [100, 100, 1_000] as const;

/**
 * A client that has closed its side may still read, or may have gone: TCP tells both in one way. So the server goes on,
 * and writes interim answers: to one that has gone they fail, which closes the connection.
 */
export function answerHalfClosed(server: Server, current: (socket: Socket) => Exchange | undefined): void {
  // Without this, Node ends the connection before the answer is there.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  server.on("connection", (socket: Socket) => {
    socket.once("end", () => probe(socket, () => current(socket)));
  });
}

function probe(socket: Socket, current: () => Exchange | undefined): void {
  let times = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    timer = setTimeout(look, PAUSES_MS[times] ?? PAUSES_MS[PAUSES_MS.length - 1]);
    timer.unref();
    times++;
  };
  const look = (): void => {
    const exchange = current();
    if (exchange === undefined || !socket.writable) return;
    if (writeNothing(exchange)) next();
    else socket.end();
  };
  socket.once("close", () => clearTimeout(timer));
  next();
}

/** Writes what means nothing to a reader. False for a client of HTTP/1.0, which knows no such thing. */
function writeNothing({ request, response }: Exchange): boolean {
  if (!response.headersSent) {
    if (request.httpVersionMinor === 0) return false;
    response.writeProcessing();
  } else if (!response.writableEnded && response.getHeader("Content-Type") === EVENT_STREAM)
    response.write(":\n\n");
  return true;
}
