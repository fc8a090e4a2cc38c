import { chooseNode } from "../choose.js";
import { counted } from "../counted.js";
import { manyLines } from "../sheet/shown-text.js";
import { graph, opened } from "../state.js";
import { RunForm } from "./run-form.js";
import { chosenStep, lastRun, type Question, type Run, run, type Step } from "./run-state.js";
import { answerRun, stopRun } from "./steer.js";
import { StepDetails } from "./step-details.js";
import { Timeline } from "./timeline.js";

const WORDS: { readonly [S in Run["status"]]: string } = {
  running: "Running",
  suspended: "Waits",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Stopped",
  refused: "Not run",
};

/** Runs the graph, and tells what each step of the run did. */
export function RunPanel() {
  const now = graph.value;
  const present = run.value;
  if (now === null)
    return opened.value?.isUnderstood === false ? null : <p class="nothing">There is no graph to run yet.</p>;
  if (present === null) return <RunForm key={now.name} graph={now.name} />;
  const { status, steps, durationMs, errors, questions } = present;
  const isOpen = status === "running" || status === "suspended";
  const took = durationMs === null ? "" : ` · ${Math.round(durationMs)} ms`;
  const shown = steps.find(({ key }) => key === chosenStep.value);
  return (
    <div class="run">
      <div class="course">
        <p class="run-head">
          <output class={`status ${status}`}>{WORDS[status]}</output>
          <span class="quiet">
            {counted(steps.length, "step")}
            {took}
          </span>
          <span class="grow" />
          {isOpen && present.id !== null ? (
            <button type="button" onClick={() => void stopRun()}>
              Stop
            </button>
          ) : null}
          {status === "running" ? null : (
            <button type="button" onClick={newRun}>
              New run
            </button>
          )}
        </p>
        {errors.map((error) => (
          <p key={error} class="said error">
            {manyLines(error)}
          </p>
        ))}
        <Timeline steps={steps} choose={chooseStep} />
      </div>
      <div class="details">
        {questions.map((question) => (
          <Asked key={question.node} question={question} />
        ))}
        {shown === undefined || questions.some(({ node }) => node === shown.node) ? null : (
          <StepDetails step={shown} />
        )}
      </div>
    </div>
  );
}

function newRun(): void {
  lastRun.value = null;
}

function chooseStep({ key, node }: Step): void {
  chosenStep.value = key;
  const record = graph.value?.nodes.find(({ name }) => name === node)?.record;
  if (record !== undefined) chooseNode(record);
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A question of the run, and the ways to answer it. */
function Asked({ question }: { readonly question: Question }) {
  const { node, prompt, options } = question;
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get("answer");
    if (typeof text === "string") void answerRun(question, text);
  };
  return (
    <form class="asked" aria-label={`${node} asks`} onSubmit={send}>
      <h3>{node}</h3>
      <p class="question">{manyLines(prompt)}</p>
      {options === null ? (
        <>
          <label for="answer">Answer</label>
          <textarea id="answer" name="answer" rows={2} required />
          <button type="submit" class="primary">
            Send
          </button>
        </>
      ) : (
        <div class="options">
          {options.map((option, i) => (
            <button
              key={option}
              type="button"
              class={i === 0 ? "primary" : ""}
              onClick={() => void answerRun(question, option)}
            >
              {capital(option)}
            </button>
          ))}
        </div>
      )}
    </form>
  );
}
