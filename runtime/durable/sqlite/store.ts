import { closable } from "../closable.js";
import type { DurableStore } from "../store.js";
import { changes } from "./changes.js";
import { claims } from "./claims.js";
import { createCommits } from "./commits.js";
import { damaged } from "./database.js";
import { journals } from "./journals.js";
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
  const store = readable(databases.path, {
    ...starts(commits, reader),
    ...reads(reader),
    ...lists(reader),
    ...claims(commits, reader),
    ...journals(reader),
    ...legs(commits, reader),
    ...owners(commits, reader),
    ...changes(commits),
    ...times(commits, reader),
    ...keeping(commits, reader, databases.path),
    close: async () => {
      commits.flush();
      databases.close();
    },
  });
  return closable(databases.path, store);
}

/** A value that is no JSON comes from a page that was overwritten. */
function readable(path: string, store: DurableStore): DurableStore {
  const refused = (error: unknown): never => {
    throw error instanceof SyntaxError ? damaged(path, error) : error;
  };
  const calls = Object.entries(store).map(
    ([name, call]: [string, (...given: unknown[]) => Promise<unknown>]) => [
      name,
      (...given: unknown[]) => call(...given).catch(refused),
    ],
  );
  return Object.fromEntries(calls) as DurableStore;
}
