/** The path of a request, as routes and public entries are matched against it. */
export type CanonicalPath =
  | { readonly ok: true; readonly path: string; readonly query: string }
  | { readonly ok: false };

const BAD: CanonicalPath = { ok: false };

/** Everything but visible ASCII. */
const NOT_VISIBLE = /[^\x21-\x7e]/;
/** `%2e`, `%2f`, `%5c`, controls, escaped letters and digits, and an escape that is itself escaped. */
const BAD_ESCAPE = /%(?:2[def]|5[cf]|7[ef]|[01][0-9a-f]|3[0-9]|[46][1-9a-f]|[57][0-9a]|25(?=[0-9a-f]{2}))/i;
/** What decodes to a control or a line separator outside ASCII. */
const HIDDEN = /[\u0080-\u009f\u2028\u2029]/;

/**
 * Finds the path in a request's target. There is one way to write a path: without empty or dot segments, without
 * escapes of what needs none. So nothing that is matched by one rule can mean something else to another.
 */
export function canonicalPath(target: string): CanonicalPath {
  if (NOT_VISIBLE.test(target) || target.includes("#")) return BAD;
  // Of other signs in a host each library thinks differently where the path begins.
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

const KEY_NAME = /^api[_-]?key\b/i;

/** The values of a parameter of a query, decoded. */
export function queryValues(query: string, name: string): readonly string[] {
  return query === "" ? [] : new URLSearchParams(query).getAll(name);
}

/** A request's target without what may be a key: what may be logged. */
export function withoutKey(target: string): string {
  const mark = target.indexOf("?");
  if (mark === -1) return target;
  const kept = target
    .slice(mark + 1)
    .split("&")
    .filter((part) => !isKeyPart(part));
  return target.slice(0, mark) + (kept.length === 0 ? "" : `?${kept.join("&")}`);
}

/** The parts of a target's query that may be keys. */
export function keyParts(target: string): string {
  const mark = target.indexOf("?");
  if (mark === -1) return "";
  return target
    .slice(mark + 1)
    .split("&")
    .filter(isKeyPart)
    .join("&");
}

function isKeyPart(part: string): boolean {
  const [name = ""] = [...new URLSearchParams(part).keys()];
  return KEY_NAME.test(name.trim());
}
