import type { IncomingMessage } from "node:http";
import type { Target } from "./gate.js";
import { HttpProblem } from "./problem.js";

const MAX_URL = 8 * 1024;

/**
 * Reads the target of a request. What is not in its plain form is refused, so that whoever decides by the path and
 * whoever serves it see the same one. A key in the query is cut from the request: nothing that reads its address
 * later, such as a log, sees it.
 */
export function readTarget(request: IncomingMessage & { originalUrl?: string }): Target {
  const url = request.url ?? "/";
  if (url.length > MAX_URL)
    throw new HttpProblem("url_too_long", { detail: `an address may have ${MAX_URL} bytes`, close: true });
  // Proxies may send the whole address; the host in it decides nothing.
  const own = url.replace(/^https?:\/\/[^/?#]*/i, "");
  const cut = own.indexOf("?");
  const path = cut === -1 ? own : own.slice(0, cut);
  const query = new URLSearchParams(cut === -1 ? "" : own.slice(cut + 1));
  if (query.has("api_key")) {
    request.url = withoutKey(url);
    if (request.originalUrl !== undefined) request.originalUrl = withoutKey(request.originalUrl);
  }
  if (own.includes("#") || !isPlainPath(path === "" ? "/" : path)) throw new HttpProblem("path_invalid");
  return { path: path === "" ? "/" : path, query };
}

/** An address without the parameters of its query that are, or spell, `api_key`. */
export function withoutKey(url: string): string {
  const cut = url.indexOf("?");
  if (cut === -1) return url;
  const kept = url
    .slice(cut + 1)
    .split("&")
    .filter((part) => !new URLSearchParams(part).has("api_key"));
  return kept.length === 0 ? url.slice(0, cut) : `${url.slice(0, cut)}?${kept.join("&")}`;
}

/** One spelling for one path: no dot segments, no empty parts, nothing escaped that need not be. */
export function isPlainPath(path: string): boolean {
  if (!/^\/[!-~]*$/.test(path) || /[\\;]|\/\//.test(path)) return false;
  if (path.split("/").some((part) => part === "." || part === "..")) return false;
  return !path.includes("%") || isPlainlyEscaped(path);
}

function isPlainlyEscaped(path: string): boolean {
  for (const [escaped, digits = ""] of path.matchAll(/%(.{0,2})/g)) {
    if (!/^[0-9A-Fa-f]{2}$/.test(digits)) return false;
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    if (escaped.length !== 3 || /[\w.~/\\-]/.test(letter)) return false;
  }
  try {
    const decoded = decodeURIComponent(path);
    // What still reads as escaped would be decoded again by somebody.
    return !/%[0-9A-Fa-f]{2}/.test(decoded) && !/[\p{Cc}\u2028\u2029]/u.test(decoded);
  } catch {
    return false;
  }
}

/** What comes after the folder that the service is mounted under; null for a path outside of it. */
export function withoutBase(path: string, base: string): string | null {
  if (base === "") return path;
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : null;
}
