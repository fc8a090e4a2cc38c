import type { Headers as Named } from "../exchange.js";
import type { SafeFetch } from "../safe-fetch.js";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface Guarded {
  readonly secrets: Named;
  readonly headers: Named;
  readonly signal: AbortSignal | undefined;
}

/** The answer comes whole, so a stream that never ends is never opened: it would only tell what nobody asked for. */
const NO_STREAM = 405;
/** Statuses that have no body. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);
/** The time of the call is the limit. */
const LONGEST_MS = 600_000;

/** `fetch` for the library of the protocol, with the rules of the network. */
export const guardedFetch =
  (send: SafeFetch, { secrets, headers: more, signal: outer }: Guarded): Fetch =>
  async (url, init = {}) => {
    const { method = "GET", body } = init;
    if (method === "GET") return new Response(null, { status: NO_STREAM });
    const given = Object.fromEntries(new Headers(init.headers));
    const signals = [outer, init.signal].filter((one) => one !== undefined && one !== null);
    const {
      status,
      headers,
      body: bytes,
    } = await send({
      ...{ url: String(url), method, secrets, timeoutMs: LONGEST_MS },
      headers: { ...given, ...more },
      body: typeof body === "string" ? body : undefined,
      signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
    });
    const type = headers["content-type"];
    const content = EMPTY.has(status) ? null : new Uint8Array(bytes);
    return new Response(content, { status, headers: type === undefined ? {} : { "content-type": type } });
  };
