import { useId, useState } from "preact/hooks";
import { manyLines } from "../sheet/shown-text.js";
import { chordOf, isField } from "../shell/chord.js";
import type { Question } from "./run-state.js";

/** As `/resume` takes it. */
export type Answer = string | { readonly answer: string; readonly comment: string };

interface AnswerView {
  readonly question: Question;
  /** Resolves when the answer is taken or refused. */
  readonly send: (answer: Answer) => Promise<void>;
  /** Nothing is sent at present. */
  readonly isHeld?: boolean;
}

/** The ways to answer a question. */
export function AnswerForm({ question, send, isHeld = false }: AnswerView) {
  const { options, takesComment = false } = question;
  const id = useId();
  const [isSending, setSending] = useState(false);
  const [comment, setComment] = useState("");
  const answer = async (text: string): Promise<void> => {
    if (isSending || isHeld) return;
    setSending(true);
    const said = comment.trim();
    await send(said === "" ? text : { answer: text, comment: said });
    setSending(false);
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get("answer");
    if (typeof text === "string" && options === null) void answer(text);
  };
  /** Enter breaks the line of a text. With Ctrl it sends, and does not run the graph as elsewhere. */
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLFormElement }): void => {
    if (chordOf(event) !== "Ctrl+Enter" || event.isComposing || !isField(event.target)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form class="answer" aria-busy={isSending} onSubmit={onSubmit} onKeyDown={onKeyDown}>
      {options === null ? (
        <>
          <label for={`${id}-answer`}>Answer</label>
          <textarea id={`${id}-answer`} name="answer" rows={2} required />
        </>
      ) : null}
      {takesComment ? (
        <>
          <label for={`${id}-comment`}>Comment</label>
          <textarea
            id={`${id}-comment`}
            rows={1}
            placeholder="optional"
            value={comment}
            onInput={({ currentTarget }) => setComment(currentTarget.value)}
          />
        </>
      ) : null}
      <div class="options">
        {options === null ? (
          <button type="submit" class="primary" aria-disabled={isSending || isHeld}>
            Send
          </button>
        ) : (
          options.map((option, i) => (
            <button
              key={option}
              type="button"
              class={i === 0 ? "primary" : ""}
              aria-disabled={isSending || isHeld}
              onClick={() => void answer(option)}
            >
              {capital(manyLines(option))}
            </button>
          ))
        )}
      </div>
    </form>
  );
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
