import { useEffect, useState } from "preact/hooks";
import { fragmentOf, listOf } from "../address.js";
import { Refusal, wordsOf } from "../connection/requests.js";
import { counted } from "../counted.js";
import { since } from "../counted-time.js";
import { readRun, statusOf } from "../run/records.js";
import { WORDS } from "../run/status-word.js";
import { place } from "../state.js";
import { CardOf, CardTold } from "./card.js";
import {
  type Card,
  cards,
  cardsOf,
  hasMore,
  inboxTrouble,
  isMine,
  keepReading,
  told,
  waitsSince,
} from "./inbox-state.js";

keepReading();

/** What waits for an answer, or the one question that the address names. */
export function InboxScreen() {
  const { run } = place.value;
  return <main class="inbox">{run === null ? <AllCards /> : <OneRun key={run} id={run} />}</main>;
}

/** So many cards are shown at once. */
const SHOWN = 20;

function AllCards() {
  const [most, setMost] = useState(SHOWN);
  const waiting = cards.value;
  const mine = (waiting ?? []).filter(isMine);
  const others = (waiting ?? []).filter((card) => !isMine(card));
  const shown = [...mine.slice(0, most), ...[...told.value.values()].map(({ card }) => card)].sort(
    (a, b) => waitsSince(a) - waitsSince(b),
  );
  return (
    <>
      <h1 tabIndex={-1}>Waiting for you</h1>
      <p class="quiet">{waiting === null ? "" : summaryOf(mine)}</p>
      <Trouble words={inboxTrouble.value} />
      {waiting === null && inboxTrouble.value.length === 0 ? <div class="card skeleton" /> : null}
      {shown.map((card) => (
        <OneCard key={card.key} card={card} isAlone={false} />
      ))}
      {mine.length > most ? (
        <button type="button" class="more" onClick={() => setMost(most + SHOWN)}>
          More
        </button>
      ) : null}
      {others.length === 0 ? null : (
        <>
          <h2>Asked of others</h2>
          {others.slice(0, most).map((card) => (
            <OneCard key={card.key} card={card} isAlone={false} />
          ))}
        </>
      )}
    </>
  );
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
    <>
      <h1 tabIndex={-1}>Waiting for you</h1>
      {looked === null ? <div class="card skeleton" /> : null}
      {shown.map((card) => (
        <OneCard key={card.key} card={card} isAlone={true} />
      ))}
      {looked?.kind === "nothing" && shown.length === 0 ? <p class="quiet">{looked.words}</p> : null}
      <p>
        <a href={fragmentOf(listOf("inbox"))}>All that waits</a>
      </p>
    </>
  );
}

async function lookFor(id: string): Promise<Looked> {
  try {
    const run = await readRun(id, "questions");
    const found = cardsOf(run);
    if (found.length > 0) return { kind: "cards", cards: found };
    return {
      kind: "nothing",
      words: `Nothing waits in this run: ${WORDS[statusOf(run.status)].toLowerCase()}.`,
    };
  } catch (error) {
    const isGone = error instanceof Refusal && error.status === 404;
    const words = isGone
      ? "There is no such question for you: it was answered, or the link is for somebody else."
      : wordsOf(error).join(" ");
    return { kind: "nothing", words };
  }
}
