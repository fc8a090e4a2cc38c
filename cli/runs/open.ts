import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import type { StoreTrouble } from "../../runtime/durable/trouble.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { isOnServer } from "../../runtime/runs/kept/store-place.js";
import { UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { shownPath } from "../project.js";
import { projectOptions } from "../run/options.js";

/** Opens the store of runs, and makes it when there is none. */
export async function withRuns<T>(
  context: Context,
  project: Project,
  use: (runs: KeptRuns) => Promise<T>,
  trouble?: StoreTrouble,
): Promise<T> {
  const { KeptRuns: Kept } = await import("../../runtime/runs/kept/kept-runs.js");
  // A worker goes on with runs that others began.
  const isWorker = trouble !== undefined;
  const { maxSteps: _, ...options } = projectOptions(context, project, isWorker) as ReturnType<
    typeof projectOptions
  > & {
    maxSteps?: number;
  };
  const { redact, log } = options;
  const runs = await Kept.open({ project, env: context.env, registered: {}, options, redact, log, trouble });
  try {
    return await use(runs);
  } finally {
    await runs.close(0);
  }
}

/** Where the runs are, for people: the folder, or server and database. */
export async function storeName({ runs, keeping: { store } }: Project): Promise<string> {
  if (store === "sqlite") return runs;
  const { readAddress } = await import("../../runtime/durable/postgres/server/address.js");
  return readAddress(store.reveal()).shown;
}

/** Where the runs are: the folder as messages name it, or server and database. */
export const shownStore = async ({ cwd }: Context, project: Project): Promise<string> =>
  isOnServer(project) ? storeName(project) : shownPath(project.runs, cwd);

const LEAST = 4;

/** The run that has this id, or whose id alone begins so. */
export async function findId(runs: KeptRuns, word: string): Promise<string> {
  const found = await findIdIfAny(runs, word);
  if (found !== null) return found;
  throw unknownRun(word);
}

export async function findIdIfAny({ executor: { store } }: KeptRuns, word: string): Promise<string | null> {
  const prefix = word.toLowerCase();
  if (!/^[0-9a-f]+$/.test(prefix)) return null;
  if (prefix.length < LEAST)
    throw new UsageError(`${quoted(word)} is too short: an id needs ${LEAST} characters or more`);
  const [first = null, second] = await store.idsFrom(prefix, 2);
  if (second === undefined) return first;
  throw new UsageError(
    `several runs begin with ${quoted(word)}: ${first}, ${second}, …`,
    "write more of the id",
  );
}

export const unknownRun = (word: string): UsageError =>
  new UsageError(
    `no run has the id ${quoted(word)}`,
    "flowsheet runs list --status all shows all that are kept",
  );
