import type { RowQuery } from "../../durable/store.js";
import type { DescribedRun } from "../../runs/describe-run.js";
import { type IndexedRun, StoredRunError } from "../../runs/suspended.js";
import { cursorOf, readCursor } from "../request/paging.js";
import { type Caller, maySeeFiles } from "../run-access.js";
import type { Service } from "../service.js";
import { mayUse } from "../workflow-access.js";
import { describeFile, sheetOf } from "./served-runs.js";

/** Before the cursor of a page of files, so that it is none of the store. */
const MARK = "file.";

export interface FilePage {
  readonly runs: readonly DescribedRun[];
  readonly cursor: string | null;
}

/** Runs in files from before there was a store, newest first. All of them wait. */
export async function filesOf(caller: Caller, query: RowQuery): Promise<readonly IndexedRun[]> {
  const { service } = caller;
  const { status, key, userId, assigned, version } = query;
  if (!maySeeFiles(caller)) return [];
  const asksMore = [key, userId, assigned, version].some((one) => one !== undefined);
  if (asksMore || status?.includes("waiting") === false) return [];
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = query;
  const index = (await service.runner.waiting.filed()).filter((run) => {
    const time = Date.parse(run.suspendedAt);
    return time >= since && time <= until && sheetOf(service, run) !== undefined;
  });
  const found = await withWords(caller, index, query);
  return [...found].sort((one, other) => order(keyOf(one), keyOf(other)));
}

/** Reads the files, which only these filters need. */
async function withWords(
  caller: Caller,
  index: readonly IndexedRun[],
  { graphs, q }: RowQuery,
): Promise<readonly IndexedRun[]> {
  const { service } = caller;
  if (graphs === undefined && q === undefined && caller.graphs === null) return index;
  const found: IndexedRun[] = [];
  for (const run of index) {
    const told = await tell(service, run);
    if (told === null || !mayUse(caller, { graph: told.graph_name, sheet: told.sheet })) continue;
    const isWanted = graphs === undefined || graphs.includes(told.graph_name);
    const words = `${told.run_id} ${told.graph_name}`.toLowerCase();
    if (isWanted && (q === undefined || words.includes(q.trim().toLowerCase()))) found.push(run);
  }
  return found;
}

export async function pageOfFiles(
  service: Service,
  files: readonly IndexedRun[],
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<FilePage> {
  const after = cursor === null ? null : readCursor(cursor.slice(MARK.length));
  const rest = after === null ? files : files.filter((run) => order(keyOf(run), after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  // Read one by one, so that only one large state is in memory.
  const runs: DescribedRun[] = [];
  for (const run of page) {
    const told = await tell(service, run);
    if (told !== null) runs.push(told);
  }
  const isLast = page.length === rest.length;
  return { runs, cursor: isLast ? null : `${MARK}${last === undefined ? FIRST : cursorOf(keyOf(last))}` };
}

/** Comes before every file. */
const FIRST = cursorOf(["~", ""]);

export const isOfFiles = (cursor: string | null): boolean => cursor?.startsWith(MARK) === true;

async function tell(service: Service, { runId }: IndexedRun): Promise<DescribedRun | null> {
  try {
    return describeFile(service, await service.runner.waiting.findFiled(runId));
  } catch (error) {
    if (error instanceof StoredRunError) return null;
    throw error;
  }
}

type Key = readonly [time: string, id: string];
const keyOf = ({ suspendedAt, runId }: IndexedRun): Key => [suspendedAt, runId];

/** Newest first. Ids decide between equal times. */
const order = (one: Key, other: Key): number =>
  one[0] > other[0] || (one[0] === other[0] && one[1] <= other[1]) ? -1 : 1;
