import type { IncomingMessage } from "node:http";
import type { Answer } from "./answer.js";

/** Adds the CORS headers. Returns the answer of a preflight request, else null. */
export type Cors = (request: IncomingMessage, headers: { [name: string]: string }) => Answer | null;

const EXPOSED = "X-Request-Id, Retry-After, Location, Idempotency-Replayed";
const TAKEN = "Authorization, Content-Type, X-API-Key, X-Request-Id, Idempotency-Key, Last-Event-ID";

/** Makes the headers for the allowed origins; `*` allows all. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  return ({ method, headers: { origin, "access-control-request-method": asked } }, headers) => {
    // Also for refused origins: a cache must not give their answer to an allowed one.
    headers["Vary"] = "Origin, X-API-Key, Authorization";
    if (origin === undefined || !(allowed.has(origin) || allowed.has("*"))) return null;
    headers["Access-Control-Allow-Origin"] = origin;
    headers["Access-Control-Expose-Headers"] = EXPOSED;
    return method === "OPTIONS" && asked !== undefined ? PREFLIGHT : null;
  };
}

const PREFLIGHT: Answer = {
  kind: "stream",
  until: null,
  write: async (response, headers) => {
    response.writeHead(204, {
      ...headers,
      "Access-Control-Allow-Methods": "GET, HEAD, POST",
      "Access-Control-Allow-Headers": TAKEN,
      "Access-Control-Max-Age": "600",
    });
    response.end();
  },
};
