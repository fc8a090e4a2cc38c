import type { Storage } from "../graph/contract/services.js";
import { lazily } from "../lazy.js";

/** The implementation is loaded with the first call. */
export function lazyStorage(root: string): Storage {
  const storage = lazily(async () => (await import("./storage.js")).createStorage(root));
  return {
    read: async (request) => (await storage()).read(request),
    write: async (request) => (await storage()).write(request),
  };
}
