/** Paths that need no credential, unless the configuration names others. */
export const DEFAULT_PUBLIC_PATHS = [
  "/",
  "/health",
  "/docs",
  "/openapi.json",
  "/redoc",
  "/favicon.ico",
] as const;
