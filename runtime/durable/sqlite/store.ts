import type { DurableStore } from "../store.js";
import { changes } from "./changes.js";
import { claims } from "./claims.js";
import { createCommits } from "./commits.js";
import { keeping } from "./keeping.js";
import { legs } from "./legs.js";
import { lists } from "./lists.js";
import { type OpenOptions, openDatabases } from "./open.js";
import { owners } from "./owners.js";
import { reads } from "./reads.js";
import { starts } from "./starts.js";
import { times } from "./times.js";

/** The store of one machine: a file, shared by any number of processes. */
export async function openSqliteStore(file: string, options: OpenOptions = {}): Promise<DurableStore> {
  const databases = await openDatabases(file, options);
  const commits = createCommits(databases);
  const reader = databases.fast;
  return {
    ...starts(commits, reader),
    ...reads(reader),
    ...lists(reader),
    ...claims(commits, reader),
    ...legs(commits, reader),
    ...owners(commits, reader),
    ...changes(commits),
    ...times(commits, reader),
    ...keeping(commits, reader),
    close: async () => {
      commits.flush();
      databases.close();
    },
  };
}
