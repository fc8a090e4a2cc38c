import type { RemoteJWKSet } from "jose";

export class KeysUnavailableError extends Error {
  constructor(cause: unknown) {
    super("the keys of the identity service cannot be fetched", { cause });
    this.name = "KeysUnavailableError";
  }
}

export interface RemoteKeys {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly fetch?: typeof fetch | undefined;
  readonly jwksTimeoutMs?: number | undefined;
  readonly clock?: () => number;
}

const TIMEOUT_MS = 5_000;
const MAX_SIZE = 1_000_000;
/**
 * After a failure, no new attempt is made for this time. Otherwise tokens of strangers would cause endless requests.
 */
const REST_MS = 5_000;
const CACHE_MS = 600_000;

/** The public keys of a service. They are fetched on demand, without following redirects. */
export async function createRemoteKeys(options: RemoteKeys): Promise<RemoteJWKSet> {
  const jose = await import("jose");
  const { url, headers = {}, jwksTimeoutMs = TIMEOUT_MS, clock = Date.now } = options;
  const get = options.fetch ?? fetch;
  let failedAt = Number.NEGATIVE_INFINITY;
  const fetchKeys = async (address: string, init: RequestInit): Promise<Response> => {
    if (clock() - failedAt < REST_MS && clock() >= failedAt) throw new KeysUnavailableError(null);
    try {
      const response = await get(address, { ...init, redirect: "error" });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      const body = await readCapped(response);
      if (!isKeySet(JSON.parse(body))) throw new Error("that is no set of keys");
      return new Response(body, { status: 200 });
    } catch (error) {
      failedAt = clock();
      throw new KeysUnavailableError(error);
    }
  };
  return jose.createRemoteJWKSet(new URL(url), {
    timeoutDuration: jwksTimeoutMs,
    cacheMaxAge: CACHE_MS,
    headers,
    [jose.customFetch]: fetchKeys,
  });
}

/** Checked here, because a wrong key set would be fetched again for each token. */
const isKeySet = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "keys" in data && Array.isArray(data.keys);

async function readCapped(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_SIZE) throw new Error("the set of keys is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
