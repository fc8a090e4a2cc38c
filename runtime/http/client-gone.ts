import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The callbacks of each connection. One listener for each is enough. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once when the client closes before its answer is written. The returned function stops that. With several
 * requests on one connection, Node tells only the first response, so the socket is watched.
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
