import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** A request of Node. Express adds the original address and the path of the mount. */
export interface IncomingRequest extends IncomingMessage {
  originalUrl?: string;
  readonly baseUrl?: string;
}

/**
 * The client's request id when it has a plain form, else a new one. A key in the wrong header must not become an id.
 */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^(?!.*(?:fsk_|eyJ))[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** The form of a path that routes and public entries are compared with. */
export type CanonicalPath =
  | { readonly ok: true; readonly path: string; readonly query: string }
  | { readonly ok: false };

const BAD: CanonicalPath = { ok: false };

const NOT_VISIBLE = /[^\x21-\x7e]/;
/** `%2e`, `%2f`, `%5c`, controls, escaped letters and digits, and a twice escaped `%`. */
const BAD_ESCAPE = /%(?:2[def]|5[cf]|7[ef]|[01][0-9a-f]|3[0-9]|[46][1-9a-f]|[57][0-9a]|25(?=[0-9a-f]{2}))/i;
/** Controls and line separators outside ASCII. */
const HIDDEN = /[\u0080-\u009f\u2028\u2029]/;

/**
 * Reads the path of a request's target. Each path has one form: no empty or dot segments, no needless escapes. So all
 * rules see the same path.
 */
export function canonicalPath(target: string): CanonicalPath {
  if (NOT_VISIBLE.test(target) || target.includes("#")) return BAD;
  // With other signs in the host, libraries disagree on where the path begins.
  const local = /^https?:\/\/[\w.:[\]-]*(?=[/?]|$)(.*)$/i.exec(target)?.[1] ?? target;
  const mark = local.indexOf("?");
  const path = mark === -1 ? local : local.slice(0, mark);
  const query = mark === -1 ? "" : local.slice(mark + 1);
  return isCanonical(path) ? { ok: true, path, query } : BAD;
}

function isCanonical(path: string): boolean {
  if (!path.startsWith("/") || /\/\/|[\\;]|\/\.{1,2}(?:\/|$)/.test(path)) return false;
  if (!path.includes("%")) return true;
  if (/%(?![0-9a-f]{2})/i.test(path) || BAD_ESCAPE.test(path)) return false;
  try {
    return !HIDDEN.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The path below the base path; null for a path outside. */
export function withoutBase(path: string, base: string): string | null {
  if (base === "") return path;
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : null;
}

/** The removed part, for later handlers of the same request. */
const cut = new WeakMap<IncomingMessage, string>();

/**
 * Removes keys from the address of a request, so that later readers, such as logs, cannot see them. Returns the
 * removed part of the query.
 */
export function cutKey(request: IncomingRequest): string {
  const { url = "/", originalUrl } = request;
  const keys = splitQuery(originalUrl ?? url).keys || splitQuery(url).keys;
  if (keys === "") return cut.get(request) ?? "";
  cut.set(request, keys);
  request.url = withoutKey(url);
  if (originalUrl !== undefined) request.originalUrl = withoutKey(originalUrl);
  return keys;
}

/** The address without possible keys, for logs. */
export function withoutKey(address: string): string {
  const { path, keys, rest } = splitQuery(address);
  if (keys === "") return address;
  return rest.length === 0 ? path : `${path}?${rest.join("&")}`;
}

const KEY_NAME = /^api[_-]?key\b/i;

function isKey(part: string): boolean {
  const [name = ""] = new URLSearchParams(part).keys();
  return KEY_NAME.test(name.trim());
}

/** Takes the parts of the query that may be keys out of an address. */
function splitQuery(address: string) {
  const mark = address.indexOf("?");
  if (mark === -1) return { path: address, keys: "", rest: [] };
  const parts = address.slice(mark + 1).split("&");
  const keys = parts.filter(isKey).join("&");
  return { path: address.slice(0, mark), keys, rest: parts.filter((part) => !isKey(part)) };
}
