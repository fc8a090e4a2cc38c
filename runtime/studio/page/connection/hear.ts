import type { StreamedEvent } from "./event-stream.js";

type Listener = (event: StreamedEvent) => void;

const listeners: Listener[] = [];

/** Calls a listener with each thing that happens on the server, for as long as the page is there. */
export const hear = (listener: Listener): void => void listeners.push(listener);

export function tellListeners(event: StreamedEvent): void {
  for (const listener of listeners) listener(event);
}
