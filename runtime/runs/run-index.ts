import { stat } from "node:fs/promises";
import { join } from "node:path";
import { versionOf } from "../../compiler/files/version.js";
import type { RunRecord } from "./record.js";
import { type RunFile, readFileName } from "./run-files.js";

/** Where a run stands among those that wait. */
export interface IndexedRun {
  readonly runId: string;
  readonly sheet: string | null;
  readonly suspendedAt: string;
}

/** Tells of the files with these names in what order their runs wait. */
export type RunIndex = (names: readonly string[]) => Promise<readonly IndexedRun[]>;

interface Known {
  /** Null for a file that is no run. */
  readonly run: IndexedRun | null;
  /** Another text is another file, or has another time. */
  readonly mark: string;
}

/**
 * An index of a folder of runs. A file is read once, and its run's state, which may be large, is forgotten: whoever asks
 * for a page pays for its runs alone, and for a look at the others.
 */
export function createRunIndex(
  folder: string,
  read: (file: RunFile) => Promise<RunRecord | "gone" | "damaged">,
): RunIndex {
  const known = new Map<string, Known>();
  const indexed = async (file: RunFile): Promise<IndexedRun | null> => {
    const mark = await markOf(join(folder, file.name));
    const found = known.get(file.name);
    if (found?.mark === mark) return found.run;
    const record = await read(file);
    const run = typeof record === "string" ? null : placeOf(record);
    if (mark !== null) known.set(file.name, { run, mark });
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

const placeOf = ({ runId, sheet, suspendedAt }: RunRecord): IndexedRun => ({ runId, sheet, suspendedAt });

/** Null for what is not there any more. */
async function markOf(path: string): Promise<string | null> {
  try {
    return versionOf(await stat(path));
  } catch {
    return null;
  }
}
