import type { IncomingMessage, ServerResponse } from "node:http";

/** Tells browsers which other origins may use the service; answers their questions by itself. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => "answered" | "to be answered";

/** Makes the headers for the origins that are allowed; `*` allows all. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  return ({ method, headers }, response) => {
    const { origin } = headers;
    if (origin === undefined || !(allowed.has(origin) || allowed.has("*"))) return "to be answered";
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Vary", "Origin, X-API-Key, Authorization");
    response.setHeader("Access-Control-Expose-Headers", "X-Request-Id, Retry-After");
    if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined)
      return "to be answered";
    response.writeHead(204, {
      "Access-Control-Allow-Methods": "GET, HEAD, POST",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, X-API-Key, X-Request-Id",
      "Access-Control-Max-Age": "600",
    });
    response.end();
    return "answered";
  };
}
