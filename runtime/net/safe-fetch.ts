import { METHODS } from "node:http";
import { checkHost, type NetworkRules, type Resolve, resolveWithSystem } from "./checked-addresses.js";
import { deadline, until } from "./deadline.js";
import { type Answer, exchange, type Headers } from "./exchange.js";
import { NetworkError } from "./network-error.js";

export interface NetworkRequest {
  readonly url: string;
  /** GET by default. */
  readonly method?: string | undefined;
  readonly headers?: Headers | undefined;
  /** Headers that hold a secret. They go to the first origin alone, over TLS or to a host of one's own. */
  readonly secrets?: Headers | undefined;
  /** The address is a secret itself: it is treated like one, and no redirect is followed. */
  readonly secretAddress?: boolean | undefined;
  /** The configuration names its host, which is listed by that as far as it is public. */
  readonly isConfigured?: boolean | undefined;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of all redirects together; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** After decompression; 10 MB by default. */
  readonly maxBytes?: number | undefined;
}

export interface NetworkAnswer extends Answer {
  /** The address that answered, after redirects. */
  readonly url: string;
}

export type SafeFetch = (request: NetworkRequest) => Promise<NetworkAnswer>;

export interface NetworkWorld {
  readonly resolve?: Resolve;
  readonly ca?: string;
}

const TIMEOUT_MS = 30_000;
const LARGEST = 10_000_000;
const REDIRECTS = 5;

/**
 * Makes the one way of built-in agents to hosts outside. It connects only to addresses that it has checked, and checks
 * every redirect anew.
 */
export function createSafeFetch(rules: NetworkRules, world: NetworkWorld = {}): SafeFetch {
  return async (request) => {
    const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
    const { signal, over } = deadline(timeoutMs, request.signal);
    try {
      return await until(signal, follow(stepOf(request), { rules, world, signal, request }));
    } catch (error) {
      if (!signal.aborted || request.signal?.aborted === true) throw error;
      throw new NetworkError("time-out", `${hostIn(request.url)} did not answer within ${timeoutMs} ms`);
    } finally {
      over();
    }
  };
}

interface Step {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly secrets: Headers;
  readonly body: Uint8Array | null;
}

interface Following {
  readonly rules: NetworkRules;
  readonly world: NetworkWorld;
  readonly signal: AbortSignal;
  readonly request: NetworkRequest;
}

async function follow(first: Step, { rules, world, signal, request }: Following): Promise<NetworkAnswer> {
  let step = first;
  for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
    const { url, method, body } = step;
    const isConfigured = request.isConfigured === true && url.origin === first.url.origin;
    const ruling = isConfigured ? { ...rules, others: true } : rules;
    const { addresses, isOwn } = await checkHost(url, ruling, world.resolve ?? resolveWithSystem);
    signal.throwIfAborted();
    const holdsSecret = request.secretAddress === true || Object.keys(step.secrets).length > 0;
    if (holdsSecret && url.protocol !== "https:" && !isOwn) throw new NetworkError("refused", unsafe(url));
    const headers = { ...step.headers, ...step.secrets };
    const { ca } = world;
    const maxBytes = request.maxBytes ?? LARGEST;
    const answer = await exchange({ url, method, headers, body, addresses, signal, maxBytes, ca });
    const next = request.secretAddress === true ? null : redirected(step, answer);
    if (next === null) return { ...answer, url: url.href };
    step = next;
  }
  throw new NetworkError("redirects", `${first.url.host} redirects more than ${REDIRECTS} times`);
}

const unsafe = (url: URL): string =>
  `the secret of a connection is not sent to ${url.host} over http: write https, ` +
  "or list a host of your own network in network.allow";

/** Set by the request itself, or able to make two requests of one. */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|proxy-.*)$/i;

function stepOf({ url: written, method = "GET", headers = {}, secrets = {}, body }: NetworkRequest): Step {
  if (!URL.canParse(written)) throw new NetworkError("bad-request", "the address is none");
  const name = method.toUpperCase();
  if (!METHODS.includes(name) || name === "CONNECT" || name === "TRACE")
    throw new NetworkError("bad-request", `there is no method ${JSON.stringify(method.slice(0, 40))}`);
  for (const [header, value] of Object.entries({ ...headers, ...secrets })) checkHeader(header, value);
  const url = new URL(written);
  url.hash = "";
  return { url, method: name, headers, secrets, body: bytesOf(body) };
}

function checkHeader(name: string, value: string): void {
  if (
    /^[!#$%&'*+.^`|~\w-]+$/.test(name) &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value) &&
    !OWN_HEADERS.test(name)
  )
    return;
  throw new NetworkError("bad-request", `the header ${JSON.stringify(name.slice(0, 80))} cannot be sent`);
}

const bytesOf = (body: string | Uint8Array | undefined): Uint8Array | null =>
  body === undefined ? null : typeof body === "string" ? Buffer.from(body) : body;

/** Headers that another origin may see. All others may hold what is meant for the first one. */
const HARMLESS = /^(?:accept|accept-language|content-type|content-language|user-agent)$/i;

/** The request that an answer asks for; null when it asks for none. */
function redirected(step: Step, { status, headers }: Answer): Step | null {
  const to = headers["location"];
  if (!REDIRECTING.has(status) || to === undefined) return null;
  if (!URL.canParse(to, step.url.href))
    throw new NetworkError("redirects", `${step.url.host} redirects to what is no address`);
  const url = new URL(to, step.url.href);
  url.hash = "";
  const isSame = url.origin === step.url.origin;
  const becomesGet = (status === 303 && step.method !== "HEAD") || (status < 303 && step.method === "POST");
  // A body may hold secrets, too. That includes https to http, which is another origin.
  if (step.body !== null && !becomesGet && !isSame)
    throw new NetworkError("redirects", `${step.url.host} redirects a request with a body to ${url.host}`);
  const kept = Object.entries(step.headers).filter(
    ([name]) => (isSame || HARMLESS.test(name)) && !(becomesGet && /^content-/i.test(name)),
  );
  return {
    url,
    headers: Object.fromEntries(kept),
    secrets: isSame ? step.secrets : {},
    method: becomesGet ? "GET" : step.method,
    body: becomesGet ? null : step.body,
  };
}

const REDIRECTING: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const hostIn = (url: string): string => (URL.canParse(url) ? new URL(url).host : "the host");
