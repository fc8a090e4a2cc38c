import { effect, signal, untracked } from "@preact/signals";
import type { StreamedEvent } from "../connection/event-stream.js";
import { hear } from "../connection/hear.js";
import { wordsOf } from "../connection/requests.js";
import { type KeptStatus, listRuns, type RunPage, type RunSummary } from "../run/records.js";
import { entry, place } from "../state.js";
import { GROUPS, type Group, isOf } from "./groups.js";

export interface Listed {
  readonly runs: ReadonlyMap<string, RunSummary>;
  /** Where the next page of each group begins; null when all are here. */
  readonly cursors: ReadonlyMap<string, string | null>;
  readonly counts: { readonly [S in KeptStatus]: number };
}

/** The name of the one group that is looked at; null for all. */
export const chosenGroup = signal<string | null>(null);
/** What is searched for. */
export const words = signal("");
/** Null until the first answer. */
export const listed = signal<Listed | null>(null);
export const listTrouble = signal<readonly string[]>([]);

const PAGE = 50;
/** Things that happen one after the other are looked up together. */
const QUIET_MS = 300;

export const groupsShown = (): readonly Group[] =>
  GROUPS.filter(({ name }) => chosenGroup.value === null || name === chosenGroup.value);

export const runsIn = (group: Group, { runs }: Listed): readonly RunSummary[] =>
  [...runs.values()]
    .filter((run) => isOf(group, run))
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.run_id.localeCompare(a.run_id));

const pageOf = ({ statuses }: Group, cursor: string | null = null): Promise<RunPage> =>
  listRuns({
    ...{ status: statuses.join(","), limit: `${PAGE}` },
    ...(words.value.trim() === "" ? {} : { q: words.value.trim() }),
    ...(cursor === null ? {} : { cursor }),
  });

/** The number of the last question: answers to older ones are dropped. */
let asked = 0;

/** Reads the first page of each group again. What was read behind it stays. */
export async function readList(): Promise<void> {
  const number = ++asked;
  const groups = groupsShown();
  try {
    const pages = await Promise.all(groups.map((group) => pageOf(group)));
    if (number !== asked) return;
    let next = listed.value;
    for (const [i, group] of groups.entries()) next = withFirst(next, group, pages[i]!);
    listed.value = next;
    listTrouble.value = [];
  } catch (error) {
    if (number === asked) listTrouble.value = wordsOf(error);
  }
}

export async function readMore(group: Group): Promise<void> {
  const number = asked;
  const cursor = listed.value?.cursors.get(group.name) ?? null;
  if (cursor === null) return;
  try {
    const page = await pageOf(group, cursor);
    const now = listed.value;
    if (number !== asked || now === null) return;
    const runs = new Map([...now.runs, ...page.runs.map((run) => [run.run_id, run] as const)]);
    listed.value = { ...now, runs, cursors: new Map(now.cursors).set(group.name, page.next_cursor) };
  } catch (error) {
    listTrouble.value = wordsOf(error);
  }
}

function withFirst(known: Listed | null, group: Group, { runs, next_cursor, counts }: RunPage): Listed {
  const last = runs.at(-1)?.created_at ?? "";
  const isBehind = (run: RunSummary): boolean =>
    isOf(group, run) && next_cursor !== null && run.created_at < last;
  const others = [...(known?.runs.values() ?? [])].filter((run) => !isOf(group, run) || isBehind(run));
  const hasMore = others.some((run) => isOf(group, run));
  const cursor = hasMore ? (known?.cursors.get(group.name) ?? next_cursor) : next_cursor;
  return {
    runs: new Map([...others, ...runs].map((run) => [run.run_id, run])),
    cursors: new Map(known?.cursors ?? []).set(group.name, cursor),
    counts,
  };
}

let timer: ReturnType<typeof setTimeout> | undefined;

function readListSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void readList(), QUIET_MS);
}

function told({ type, data }: StreamedEvent): void {
  if (place.value.screen !== "runs" || !["run", "waits", "resync"].includes(type)) return;
  const run = type === "run" ? listed.value?.runs.get(String(data["run_id"])) : undefined;
  if (run !== undefined && listed.value !== null) {
    const status = String(data["status"]) as KeptStatus;
    const runs = new Map(listed.value.runs).set(run.run_id, { ...run, status });
    listed.value = { ...listed.value, runs };
  }
  readListSoon();
}

/** Reads the list while it is looked at. Other words make another list. */
export function keepListing(): void {
  hear(told);
  let last = words.value;
  effect(() => {
    const isHere = entry.value === "in" && place.value.screen === "runs";
    if (words.value !== last) {
      last = words.value;
      listed.value = null;
    }
    chosenGroup.value;
    if (isHere) void untracked(readList);
  });
}
