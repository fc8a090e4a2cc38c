/** Paths that need no credential, unless the configuration names others. */
export const DEFAULT_PUBLIC_PATHS = [
  "/",
  "/health",
  "/docs",
  "/openapi.json",
  "/redoc",
  "/favicon.ico",
] as const;

/**
 * The entries that open routes of an application around the service. A list that holds all that is public without one
 * names the service's own pages with them: the application's pages at these paths are others.
 */
export function hostEntries(entries: readonly unknown[]): readonly unknown[] {
  const own: readonly unknown[] = DEFAULT_PUBLIC_PATHS;
  return own.every((path) => entries.includes(path))
    ? entries.filter((entry) => !own.includes(entry))
    : entries;
}
