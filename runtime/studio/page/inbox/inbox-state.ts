import { computed, effect, signal, untracked } from "@preact/signals";
import { hear } from "../connection/hear.js";
import { wordsOf } from "../connection/requests.js";
import { timeOf } from "../counted-time.js";
import { listRuns, type RunSummary, type Waiting } from "../run/records.js";
import { entry, place, session } from "../state.js";
import { forgetVisits } from "./visits.js";

/** A question with its run. */
export interface Card {
  readonly key: string;
  readonly run: RunSummary;
  readonly wait: Waiting;
}

/** What came of a card that was answered here. */
export interface Told {
  readonly card: Card;
  readonly words: string;
}

/** The longest wait first, but none leaves its place while somebody looks; null until they are read. */
export const cards = signal<readonly Card[] | null>(null);
/** There are more than were read. */
export const hasMore = signal(false);
export const told = signal<ReadonlyMap<string, Told>>(new Map());
export const inboxTrouble = signal<readonly string[]>([]);

export const mayAnswer = (): boolean => session.value?.can.includes("answer") === true;

/** Whether the question is the caller's to answer. */
export function isMine({ wait }: Card): boolean {
  const names = session.value?.asked_as ?? null;
  if (wait.refused !== undefined) return false;
  return names === null || wait.assignee === null || wait.assignee.some((one) => names.includes(one));
}

/** How many questions wait for the caller. */
export const waitingCount = computed(() => (cards.value ?? []).filter(isMine).length);

export const waitsSince = ({ run }: Card): number => timeOf(run.suspended_at) ?? timeOf(run.created_at) ?? 0;

export const cardsOf = (run: RunSummary): readonly Card[] =>
  run.waiting.map((wait) => ({ key: `${run.run_id} ${wait.node}`, run, wait }));

const MOST = 200;
const QUIET_MS = 300;
let asked = 0;

export async function readInbox(): Promise<void> {
  const number = ++asked;
  try {
    const page = await listRuns({ status: "waiting", order: "oldest", limit: `${MOST}` });
    if (number !== asked) return;
    const next = page.runs.flatMap(cardsOf).sort((a, b) => waitsSince(a) - waitsSince(b));
    tellGone(next);
    cards.value = inPlace(next);
    forgetVisits((key) => next.some((card) => card.key === key));
    hasMore.value = page.next_cursor !== null;
    inboxTrouble.value = [];
  } catch (error) {
    if (number === asked) inboxTrouble.value = wordsOf(error);
  }
}

/** The places of the cards that are looked at, in the order in which they came. */
const places = new Map<string, number>();
export const placeOf = ({ key }: Card): number => places.get(key) ?? Number.POSITIVE_INFINITY;

/** What somebody looks at stays where it is: others come behind it. */
function inPlace(next: readonly Card[]): readonly Card[] {
  if (place.value.screen !== "inbox") places.clear();
  for (const { key } of next) if (!places.has(key)) places.set(key, places.size);
  return [...next].sort((a, b) => placeOf(a) - placeOf(b));
}

/** The cards whose answer is on its way. */
export const answering = new Set<string>();

/** A card that others have answered says so in its place, before it goes. */
function tellGone(next: readonly Card[]): void {
  if (place.value.screen !== "inbox") return;
  for (const card of cards.value ?? [])
    if (
      isMine(card) &&
      !answering.has(card.key) &&
      !told.value.has(card.key) &&
      !next.some(({ key }) => key === card.key)
    )
      tell(card, "Not open any more: it was answered or is over.", false);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads what waits when the page is opened, and again when that changes. */
export function keepReading(): void {
  effect(() => {
    if (entry.value === "in" && mayAnswer()) void untracked(readInbox);
  });
  hear(({ type }) => {
    if (!mayAnswer() || (type !== "waits" && type !== "resync")) return;
    clearTimeout(timer);
    timer = setTimeout(() => void readInbox(), QUIET_MS);
  });
}

const TOLD_MS = 8_000;

/** Says for a while what came of a card, which waits no longer. */
export function tell(card: Card, words: string, stays: boolean): void {
  told.value = new Map(told.value).set(card.key, { card, words });
  forgetVisits((key) => key !== card.key);
  cards.value = cards.value?.filter(({ key }) => key !== card.key) ?? null;
  if (stays) return;
  setTimeout(() => {
    const left = new Map(told.value);
    // A later word stays its own time.
    if (left.get(card.key)?.words === words) left.delete(card.key);
    told.value = left;
  }, TOLD_MS);
}
