import { type Addressed, canonicalPath, cutKey } from "../../auth/index.js";
import { HttpProblem } from "./problem.js";

/** A request's target in its plain form. */
export interface Target {
  /** Percent-encoding is kept as it came. */
  readonly path: string;
  /** What follows the `?`, not decoded. */
  readonly query: string;
  /** The part of it that was cut, which may hold a key. */
  readonly keys: string;
}

/** The address that the client asked for, also where the service is mounted under a path. */
export const addressOf = (request: Addressed): string => request.originalUrl ?? request.url ?? "/";

const MAX_URL = 8 * 1024;

/**
 * Reads the target of a request. What is not in its plain form is refused, so that whoever decides by the path and
 * whoever serves it see the same one. A key in the query is cut from the request: nothing that reads its address
 * later, such as a log, sees it.
 */
export function readTarget(request: Addressed): Target {
  const url = request.url ?? "/";
  // First of all: an address that is refused is logged, too.
  const keys = cutKey(request);
  if (url.length > MAX_URL)
    throw new HttpProblem("url_too_long", { detail: `an address may have ${MAX_URL} bytes`, close: true });
  const target = canonicalPath(url);
  if (!target.ok) throw new HttpProblem("path_invalid");
  return { ...target, keys };
}

/** What comes after the folder that the service is mounted under; null for a path outside of it. */
export function withoutBase(path: string, base: string): string | null {
  if (base === "") return path;
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : null;
}
