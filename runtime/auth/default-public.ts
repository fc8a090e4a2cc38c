/** Paths that need no credential, unless the configuration names others. */
export const DEFAULT_PUBLIC_PATHS = [
  "/",
  "/health",
  "/docs",
  "/openapi.json",
  "/redoc",
  "/favicon.ico",
] as const;

/** Whether a list says no more than what holds without one. */
export const isDefaultPublic = (entries: readonly unknown[]): boolean =>
  entries.length === DEFAULT_PUBLIC_PATHS.length &&
  DEFAULT_PUBLIC_PATHS.every((path) => entries.includes(path));
