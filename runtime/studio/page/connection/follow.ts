import { eventsIn, type StreamedEvent } from "./event-stream.js";
import { Refusal, type Requests } from "./requests.js";

export interface Following {
  readonly told: (event: StreamedEvent) => void;
  /** False while there is no connection; it is tried again. */
  readonly connected: (is: boolean) => void;
  readonly refused: () => void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/** Follows what changes on the server, for as long as the page is there. */
export async function follow(requests: Requests, { told, connected, refused }: Following): Promise<void> {
  let last: string | null = null;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      const headers: { readonly [name: string]: string } = last === null ? {} : { "Last-Event-ID": last };
      const response = await requests.ask("api/events", { headers });
      connected(true);
      wait = FIRST_WAIT_MS;
      for await (const event of eventsIn(response)) {
        last = event.id ?? last;
        told(event);
      }
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return refused();
    }
    connected(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
