import type { Folders } from "./config/folders.js";
import type { Services } from "./graph/contract.js";
import { lazyStorage } from "./storage/lazy-storage.js";

/** What the runs of a project lend their agents. Each service is made when it is first called. */
export function createServices({ data }: Pick<Folders, "data">): Services {
  return {
    storage: lazyStorage(data),
  };
}
