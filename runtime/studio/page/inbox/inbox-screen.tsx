import { useEffect, useState } from "preact/hooks";
import { fragmentOf, listOf } from "../address.js";
import { Refusal, wordsOf } from "../connection/requests.js";
import { counted } from "../counted.js";
import { since } from "../counted-time.js";
import { type RunRecord, readRun, statusOf } from "../run/records.js";
import { WORDS } from "../run/status-word.js";
import { place } from "../state.js";
import { Answered, answersOf } from "./answered.js";
import { CardOf, CardTold } from "./card.js";
import {
  type Card,
  cards,
  cardsOf,
  hasMore,
  inboxTrouble,
  isMine,
  keepReading,
  placeOf,
  told,
  waitsSince,
} from "./inbox-state.js";
import { useWatchedCards } from "./steady.js";
import { readVisit, takeVisit, visitIn, visits } from "./visits.js";

keepReading();

/** What waits for an answer, or the one question that the address names. */
export function InboxScreen() {
  const { run } = place.value;
  return run === null ? <AllCards /> : <OneRun key={run} id={run} />;
}

/** So many cards are shown at once. */
const SHOWN = 20;

function AllCards() {
  const [most, setMost] = useState(SHOWN);
  const watched = useWatchedCards();
  const waiting = cards.value;
  const mine = (waiting ?? []).filter(isMine);
  const others = (waiting ?? []).filter((card) => !isMine(card));
  const toldOf = [...told.value.values()].map(({ card }) => card);
  const wanted = [...mine.slice(0, most), ...toldOf].sort((a, b) => placeOf(a) - placeOf(b));
  const shown = whole(wanted);
  const isWhole = shown.length === wanted.length;
  useEffect(() => {
    for (const card of [...mine.slice(0, most), ...others.slice(0, most)]) void readVisit(card);
  }, [waiting, most]);
  return (
    <main class="inbox" ref={watched}>
      <h1 tabIndex={-1}>Waiting for you</h1>
      <p class="quiet">{waiting === null ? "" : summaryOf(mine)}</p>
      <Trouble words={inboxTrouble.value} />
      {shown.map((card) => (
        <OneCard key={card.key} card={card} isAlone={false} />
      ))}
      {isWhole && (waiting !== null || inboxTrouble.value.length > 0) ? null : <div class="card skeleton" />}
      {mine.length > most ? (
        <button type="button" class="more" onClick={() => setMost(most + SHOWN)}>
          More
        </button>
      ) : null}
      {others.length === 0 || !isWhole ? null : (
        <>
          <h2>Asked of others</h2>
          {whole(others.slice(0, most)).map((card) => (
            <OneCard key={card.key} card={card} isAlone={false} />
          ))}
        </>
      )}
    </main>
  );
}

/** The first cards of which all is known: a card that is shown does not grow any more. */
function whole(wanted: readonly Card[]): readonly Card[] {
  const end = wanted.findIndex(({ key }) => !visits.value.has(key) && !told.value.has(key));
  return end < 0 ? wanted : wanted.slice(0, end);
}

function summaryOf(mine: readonly Card[]): string {
  const [first] = mine;
  if (first === undefined) return "Nothing waits for you.";
  const number = hasMore.value
    ? `More than ${counted(mine.length, "question")}`
    : counted(mine.length, "question");
  return `${number}. The longest has waited ${since(waitsSince(first))}.`;
}

function OneCard({ card, isAlone }: { readonly card: Card; readonly isAlone: boolean }) {
  const words = told.value.get(card.key)?.words;
  return words === undefined ? (
    <CardOf card={card} isAlone={isAlone} />
  ) : (
    <CardTold card={card} words={words} />
  );
}

const Trouble = ({ words }: { readonly words: readonly string[] }) => (
  <>
    {words.map((text) => (
      <p key={text} class="said error" role="alert">
        {text}
      </p>
    ))}
  </>
);

type Looked =
  | { readonly kind: "cards"; readonly cards: readonly Card[] }
  | { readonly kind: "answered"; readonly run: RunRecord }
  | { readonly kind: "nothing"; readonly words: string };

/** The questions of one run, whatever else waits: what a link leads to. */
function OneRun({ id }: { readonly id: string }) {
  const [looked, setLooked] = useState<Looked | null>(null);
  const waiting = cards.value;
  useEffect(() => {
    let isHere = true;
    lookFor(id).then((found) => isHere && setLooked(found));
    return () => {
      isHere = false;
    };
    // What waits has changed.
  }, [id, waiting]);
  const answered = [...told.value.values()].filter(({ card }) => card.run.run_id === id);
  const open = looked?.kind === "cards" ? looked.cards : [];
  const shown = [...answered.map(({ card }) => card), ...open.filter(({ key }) => !told.value.has(key))];
  return (
    <main class="inbox">
      <h1 tabIndex={-1}>{looked?.kind === "answered" ? "Already answered" : "Waiting for you"}</h1>
      {looked === null ? <div class="card skeleton" /> : null}
      {shown.map((card) => (
        <OneCard key={card.key} card={card} isAlone={true} />
      ))}
      {looked?.kind === "answered" && shown.length === 0 ? <Answered run={looked.run} /> : null}
      {looked?.kind === "nothing" && shown.length === 0 ? <p class="quiet">{looked.words}</p> : null}
      <p>
        <a href={fragmentOf(listOf("inbox"))}>All that waits</a>
      </p>
    </main>
  );
}

async function lookFor(id: string): Promise<Looked> {
  try {
    const run = await readRun(id, "steps");
    const found = cardsOf(run);
    for (const { key, wait } of found) takeVisit(key, visitIn(run, wait.node));
    if (found.length > 0) return { kind: "cards", cards: found };
    if (answersOf(run).length > 0) return { kind: "answered", run };
    const word = WORDS[statusOf(run.status)].toLowerCase();
    return { kind: "nothing", words: `Nothing waits in this run: ${word}.` };
  } catch (error) {
    const isGone = error instanceof Refusal && error.status === 404;
    const words = isGone ? "There is no such question for you any more." : wordsOf(error).join(" ");
    return { kind: "nothing", words };
  }
}
