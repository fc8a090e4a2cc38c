import type { Answered, Answers, Checkpoint, Json, WaitingFor } from "../../graph/contract/contract.js";
import { asleepIn, type Sleeping } from "../../graph/suspend/names-inside.js";
import type { FullRun, NewWait, WaitRow } from "../rows.js";
import type { Suspension } from "./leg-store.js";
import { newWait } from "./open-wait.js";

/**
 * A run that was driven in memory until it began to wait. It has no journal: it goes on from the checkpoint that
 * stands beside its result, and is forgotten when its result has been told.
 */
export const hasJournal = ({ options }: Pick<FullRun, "options">): boolean =>
  (options as { readonly journal?: boolean } | null)?.journal !== false;

/** The mark of a run without a journal, among the settings of its start. */
export const WITHOUT_JOURNAL = { journal: false } as const;

/** What a run has come to, with the checkpoint that it goes on from. */
export const withCheckpoint = (told: Json, checkpoint: Checkpoint): Json => ({
  ...(told as { readonly [key: string]: Json }),
  checkpoint: checkpoint as unknown as Json,
});

export function checkpointOf({ result }: Pick<FullRun, "result">): Checkpoint | null {
  const { checkpoint = null } = (result ?? {}) as { readonly checkpoint?: Checkpoint | null };
  return checkpoint;
}

/** The waits of a run that begins to wait. */
export const firstWaits = (
  checkpoint: Checkpoint,
  waiting: readonly WaitingFor[],
  opened: number,
): readonly WaitRow[] =>
  sleepersOf(checkpoint, waiting).map((one) => ({
    ...waitOf(one, one.asleep.id, opened),
    ...{ ending: null, answeredBy: null, endedAt: null },
  }));

interface Sleeper {
  readonly asleep: Sleeping;
  readonly waiting: WaitingFor;
}

/** Both lists are in the order of the path. */
function sleepersOf(checkpoint: Checkpoint, waiting: readonly WaitingFor[]): readonly Sleeper[] {
  return asleepIn(checkpoint).map((asleep, index) => ({ asleep, waiting: waiting[index]! }));
}

const waitOf = ({ asleep, waiting }: Sleeper, id: string, opened: number): NewWait => ({
  ...newWait({ waiting, timeoutMs: null, spec: asleep.spec }, { id, seq: 0, opened }),
  until: asleep.until,
});

/** What a run without a journal goes on from: its waits, and the time at which those that are open were not over. */
export interface Decided {
  readonly waits: readonly WaitRow[];
  readonly at: number;
}

/**
 * Which of its waits are over is the store's to say, once: an answer that was taken before counts. `end` ends a wait,
 * unless it has ended, and gives its row.
 */
export async function decideWaits(
  checkpoint: Checkpoint,
  waits: readonly WaitRow[],
  end: (id: string, at: number) => Promise<WaitRow>,
): Promise<Decided> {
  const last = asleepIn(checkpoint).flatMap(({ id }) => lastOf(waits, id) ?? []);
  // The clock may have been set back since one was found to be over.
  const over = last.flatMap(({ ending, until }) => (ending?.kind === "over" ? (until ?? []) : []));
  const at = Math.max(Date.now(), ...over);
  const late = last.filter(({ ending, until }) => ending === null && until !== null && until <= at);
  const ended = new Map<string, WaitRow>();
  for (const { id } of late) ended.set(id, await end(id, at));
  return { waits: waits.map((wait) => ended.get(wait.id) ?? wait), at };
}

/** The answers that a run goes on with. */
export interface Given {
  readonly answers: Answers;
  readonly answered: { readonly [node: string]: Answered };
}

export function answersIn(checkpoint: Checkpoint, waits: readonly WaitRow[]): Given {
  const answers: { [node: string]: Json } = {};
  const answered: { [node: string]: Answered } = {};
  for (const { node, id } of asleepIn(checkpoint)) {
    const wait = lastOf(waits, id);
    if (wait?.ending?.kind !== "answer") continue;
    answers[node] = wait.ending.answer;
    answered[node] = { by: wait.answeredBy ?? undefined, at: new Date(wait.endedAt ?? 0).toISOString() };
  }
  return { answers, answered };
}

/**
 * What becomes of the waits when the run waits again. One that goes on keeps its row. `seen` are those whose end the
 * leg knew: a visit that still sleeps after that has asked once more.
 */
export function changedWaits(
  checkpoint: Checkpoint,
  waiting: readonly WaitingFor[],
  {
    waits,
    seen,
    now,
  }: { readonly waits: readonly WaitRow[]; readonly seen: ReadonlySet<string>; readonly now: number },
): NonNullable<Suspension["waits"]> {
  const going = new Set<string>();
  const open: NewWait[] = [];
  for (const one of sleepersOf(checkpoint, waiting)) {
    const last = lastOf(waits, one.asleep.id);
    if (last !== null && !seen.has(last.id) && last.until === one.asleep.until) going.add(last.id);
    else open.push(waitOf(one, nextId(one.asleep.id, last), now));
  }
  const over = waits.filter(({ id, ending }) => ending === null && !going.has(id)).map(({ id }) => id);
  return { open, over };
}

/** A visit may ask again: its further waits have the number of the question behind the id, from 2. */
function lastOf(waits: readonly WaitRow[], id: string): WaitRow | null {
  const ofVisit = waits.filter((wait) => numberOf(wait.id, id) > 0);
  return ofVisit.reduce<WaitRow | null>(
    (last, wait) => (last === null || numberOf(wait.id, id) > numberOf(last.id, id) ? wait : last),
    null,
  );
}

const nextId = (id: string, last: WaitRow | null): string =>
  last === null ? id : `${id}|${numberOf(last.id, id) + 1}`;

/** 0 for the wait of another visit. */
function numberOf(waitId: string, id: string): number {
  if (waitId === id) return 1;
  const rest = waitId.startsWith(`${id}|`) ? waitId.slice(id.length + 1) : "";
  return /^\d+$/.test(rest) ? Number(rest) : 0;
}
