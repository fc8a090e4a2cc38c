export const DEFAULT_PUBLIC_PATHS = [
  "/",
  "/health",
  "/docs",
  "/openapi.json",
  "/redoc",
  "/favicon.ico",
] as const;

export type IsPublic = (path: string) => boolean;

/** Why an entry is not well-formed; null when it is. */
export function publicEntryFault(entry: unknown): string | null {
  if (typeof entry !== "string") return "it is no text";
  if (!entry.startsWith("/")) return "it does not begin with /";
  const path = entry.endsWith("/*") ? entry.slice(0, -2) : entry;
  if (entry === "/*") return "it would open everything";
  if (path.includes("*")) return "* may only be the whole last part, as in /static/*";
  if (/[%?#\\;]/.test(path)) return "it may not hold %, ?, #, \\ or ;";
  if (/[^\x21-\x7e]/.test(path)) return "it may hold nothing but visible ASCII";
  if (/\/\/|\/\.{1,2}(?:\/|$)/.test(path)) return "it has an empty part, or one that is . or ..";
  return path.length > 1 && path.endsWith("/") ? "it ends with /" : null;
}

/**
 * Makes the test for public paths. An entry is one exact path, or `/prefix/*` for all paths below `/prefix/`. Other
 * entries match nothing.
 */
export function createIsPublic(entries: readonly unknown[]): IsPublic {
  const exact = new Set<string>();
  const below: string[] = [];
  for (const entry of entries) {
    if (typeof entry !== "string" || publicEntryFault(entry) !== null) continue;
    if (entry.endsWith("/*")) below.push(entry.slice(0, -1));
    else exact.add(entry);
  }
  return (path) =>
    exact.has(path) || below.some((prefix) => path.length > prefix.length && path.startsWith(prefix));
}

/**
 * The entries for routes of the surrounding application. The service's own default pages are left out: the
 * application's pages at these paths are different ones.
 */
export function hostEntries(entries: readonly unknown[]): readonly unknown[] {
  const own: readonly unknown[] = DEFAULT_PUBLIC_PATHS;
  return own.every((path) => entries.includes(path))
    ? entries.filter((entry) => !own.includes(entry))
    : entries;
}

const PROTECTED = [
  "/execute",
  "/workflows",
  "/workflows/{workflow_name}",
  "/runs",
  "/runs/{run_id}",
  "/validation/csv",
  "/metrics",
];

export function protectedRoutesIn(entry: string): readonly string[] {
  const isPublic = createIsPublic([entry]);
  return PROTECTED.filter((route) => isPublic(route.replace(/\{\w+\}/, "x")));
}
