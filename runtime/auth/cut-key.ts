import type { IncomingMessage } from "node:http";
import { keyParts, withoutKey } from "./canonical-path.js";

/** A request as Node gives it; Express adds the target as it came in. */
export interface Addressed extends IncomingMessage {
  originalUrl?: string;
}

/** What was cut, for the next handler on the way of the same request. */
const cut = new WeakMap<IncomingMessage, string>();

/**
 * Cuts keys from a request's address, so that nothing that reads it later, such as a log, sees them. Gives the part
 * of the query that held them.
 */
export function cutKey(request: Addressed): string {
  const { url = "/", originalUrl } = request;
  const keys = keyParts(originalUrl ?? url) || keyParts(url);
  if (keys === "") return cut.get(request) ?? "";
  cut.set(request, keys);
  request.url = withoutKey(url);
  if (originalUrl !== undefined) request.originalUrl = withoutKey(originalUrl);
  return keys;
}
