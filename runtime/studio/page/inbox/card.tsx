import { useEffect, useRef, useState } from "preact/hooks";
import { fragmentOf, listOf } from "../address.js";
import { clock, since, timeOf } from "../counted-time.js";
import { type Answer, AnswerForm } from "../run/answer-form.js";
import { sendAnswer } from "../run/send-answer.js";
import { Fields } from "../run/step-details.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { session } from "../state.js";
import { answering, type Card, isMine, readInbox, tell, waitsSince } from "./inbox-state.js";
import { outcomeOf } from "./outcome.js";
import { hasMoved } from "./steady.js";
import { type Visit, visits } from "./visits.js";

interface CardView {
  readonly card: Card;
  /** It is the only one: what came of it stays. */
  readonly isAlone: boolean;
}

/** A question with what is needed to answer it. */
export function CardOf({ card, isAlone }: CardView) {
  const { run, wait } = card;
  const visit = visits.value.get(card.key) ?? null;
  const [said, say] = useState("");
  const send = async (answer: Answer): Promise<void> => {
    const asked = { id: run.run_id, isFile: run.version === null };
    answering.add(card.key);
    const sent = await sendAnswer(asked, wait.node, answer);
    answering.delete(card.key);
    if (sent.kind === "taken") {
      const word = typeof answer === "string" ? answer : answer.answer;
      tell(card, `Answered “${word}”. The run goes on.`, true);
      tell(card, await outcomeOf(asked, wait.node, word), isAlone);
    } else if (sent.isOver) tell(card, sent.words, isAlone);
    else say(sent.words);
    void readInbox();
  };
  const name = `${run.graph_name}: ${wait.node}`;
  return (
    <article class="card" aria-label={name} data-card={card.key}>
      <header>
        <h2>{oneLine(run.graph_name)}</h2>
        <span class="quiet">
          <a href={fragmentOf({ ...listOf("inbox"), run: run.run_id })}>{oneLine(wait.node)}</a> · waits{" "}
          {since(timeOf(visit?.asks?.opened_at) ?? waitsSince(card))}
        </span>
      </header>
      <p class="question">{manyLines(wait.prompt)}</p>
      <Inputs visit={visit} />
      <Terms card={card} visit={visit} />
      {isMine(card) ? (
        <AnswerForm
          question={{ ...wait, takesComment: typeof visit?.asks?.interaction === "string" }}
          send={send}
          isHeld={hasMoved.value}
        />
      ) : null}
      <output class="said error">{said}</output>
    </article>
  );
}

function Inputs({ visit }: { readonly visit: Visit | null }) {
  const inputs = visit?.inputs;
  const entries = typeof inputs === "object" && inputs !== null ? Object.entries(inputs) : [];
  return entries.length === 0 ? null : <Fields entries={entries} />;
}

/** Who is asked, and by when. */
function Terms({ card, visit }: { readonly card: Card; readonly visit: Visit | null }) {
  const { assignee, until } = card.wait;
  const [end, reminder, later] = [until, visit?.asks?.remind_at, visit?.asks?.escalate_at].map(timeOf);
  const terms = [
    assignee === null ? null : `Asked of ${manyLines(assignee.join(", "))}`,
    end == null ? null : `to answer until ${clock(end)}`,
    reminder == null ? null : `reminder at ${clock(reminder)}`,
    later == null ? null : `from ${clock(later)} others are asked, too`,
  ].filter((one) => one !== null);
  const isStarter = card.wait.refused === "starter_may_not_answer";
  if (isStarter) terms.unshift("You began this run: somebody else has to answer");
  const isOthers = !isMine(card) && !isStarter ? ` You are ${session.value?.who ?? "somebody else"}.` : "";
  if (terms.length === 0) return null;
  const text = terms.join(", ");
  return (
    <p class="quiet">
      {text.slice(0, 1).toUpperCase() + text.slice(1)}.{isOthers}
    </p>
  );
}

/** What came of a card: it has the focus that the pressed button had. */
export function CardTold({ card, words }: { readonly card: Card; readonly words: string }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
    return () => document.querySelector<HTMLElement>(".inbox h1")?.focus();
  }, []);
  return (
    <article
      class="card told"
      data-card={card.key}
      aria-label={`${card.run.graph_name}: ${card.wait.node}`}
      tabIndex={-1}
      ref={ref}
    >
      <output>{manyLines(words)}</output>
    </article>
  );
}
