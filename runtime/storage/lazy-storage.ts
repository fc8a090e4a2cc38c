import type { Storage } from "../graph/services.js";

/** The storage over a data folder; what it takes is loaded with the first call. */
export function lazyStorage(root: string): Storage {
  let made: Promise<Storage> | null = null;
  const storage = (): Promise<Storage> => {
    made ??= import("./storage.js").then(({ createStorage }) => createStorage(root));
    return made;
  };
  return {
    read: async (request) => (await storage()).read(request),
    write: async (request) => (await storage()).write(request),
  };
}
