import { stat } from "node:fs/promises";
import { join } from "node:path";
import { versionOf } from "../../../compiler/files/version.js";
import type { RunRecord } from "../record.js";
import type { IndexedRun } from "../suspended.js";
import { type RunFile, readFileName } from "./names.js";

/** The order in which the runs of these files wait. */
export type RunIndex = (names: readonly string[]) => Promise<readonly IndexedRun[]>;

/**
 * Caches the index entry of each file, not the run's state, which may be large. So a page of a listing reads only its
 * own runs.
 */
export function createRunIndex(
  folder: string,
  read: (file: RunFile) => Promise<RunRecord | "gone" | "damaged">,
): RunIndex {
  const known = new Map<string, { readonly run: IndexedRun | null; readonly version: string }>();
  const indexed = async (file: RunFile): Promise<IndexedRun | null> => {
    const version = await versionAt(join(folder, file.name));
    const found = known.get(file.name);
    if (found?.version === version) return found.run;
    const record = await read(file);
    const run = typeof record === "string" ? null : indexOf(record);
    if (version !== null) known.set(file.name, { run, version });
    return run;
  };
  return async (names) => {
    const there = new Set(names);
    for (const name of known.keys()) if (!there.has(name)) known.delete(name);
    const runs = new Map<string, IndexedRun>();
    for (const name of names) {
      const file = readFileName(name);
      const run = file === null ? null : await indexed(file);
      if (run !== null) runs.set(run.runId, run);
    }
    return [...runs.values()];
  };
}

const indexOf = ({ runId, sheet, suspendedAt }: RunRecord): IndexedRun => ({ runId, sheet, suspendedAt });

/** Null when the file is gone. */
async function versionAt(path: string): Promise<string | null> {
  try {
    return versionOf(await stat(path));
  } catch {
    return null;
  }
}
