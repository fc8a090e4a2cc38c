import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A request with the answer to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Who is told when a connection closes; one listener of each is enough. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once when the client has gone before its answer was written, until the returned function is called. Of
 * several requests on one connection only the first answer hears that it closes: the others must ask the connection.
 */
export function onClientGone({ request: { socket }, response }: Exchange, gone: () => void): () => void {
  let isOver = false;
  const off = (): void => {
    isOver = true;
    response.off("close", leave);
    waitersOf(socket).delete(leave);
  };
  const leave = (): void => {
    if (isOver) return;
    off();
    if (!response.writableFinished) gone();
  };
  response.on("close", leave);
  waitersOf(socket).add(leave);
  if (response.destroyed || socket.destroyed) queueMicrotask(leave);
  return off;
}

function waitersOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const made = new Set<() => void>();
  waiting.set(socket, made);
  socket.once("close", () => {
    for (const leave of [...made]) leave();
  });
  return made;
}
