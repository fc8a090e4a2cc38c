import { chooseNode } from "../choose.js";
import { counted } from "../counted.js";
import { debuggingHere } from "../debug/debug-state.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { later } from "../shell/later.js";
import { graph, opened } from "../state.js";
import { mayGoAgain, TriedAgain } from "./again.js";
import { AnswerForm } from "./answer-form.js";
import { whyNotAnswered } from "./may-answer.js";
import { type Asking, questionsBeside } from "./questions-beside.js";
import { RunForm } from "./run-form.js";
import { chosenStep, lastRun, markOf, type Question, run, type Step } from "./run-state.js";
import { StatusWord } from "./status-word.js";
import { answerRun, keepTogether, keepUp, retryRun, stopRun } from "./steer.js";
import { AskedElsewhere, StepDetails, Values } from "./step-details.js";
import { Timeline } from "./timeline.js";
import { timesOf } from "./told.js";

keepUp();
keepTogether();

const DebugPanel = later("DebugPanel");
const KeepCase = later("KeepCase");

/** Runs the graph, and tells what each step of the run did. */
export function RunPanel() {
  const now = graph.value;
  const present = run.value;
  if (now === null)
    return opened.value?.isUnderstood === false ? null : <p class="nothing">There is no graph to run yet.</p>;
  if (present === null) return <RunForm key={now.name} graph={now.name} />;
  if (debuggingHere.value !== null) return <DebugPanel />;
  const { status, steps, errors, questions } = present;
  const isOpen = status === "queued" || status === "running" || status === "suspended";
  const shown = steps.find(({ key }) => key === chosenStep.value);
  const { here, elsewhere } = questionsBeside(questions, steps, shown);
  return (
    <div class="run">
      <div class="course">
        <p class="run-head">
          <StatusWord status={status} />
          <span class="quiet">
            {counted(steps.length, "step")}
            {timesOf(present)}
          </span>
          <span class="grow" />
          {isOpen && present.id !== null ? (
            <button type="button" onClick={() => void stopRun()}>
              Stop
            </button>
          ) : null}
          {mayGoAgain(present) ? (
            <button type="button" class="primary" onClick={() => void retryRun()}>
              Again
            </button>
          ) : null}
          {status === "running" ? null : (
            <button type="button" onClick={newRun}>
              New run
            </button>
          )}
        </p>
        <TriedAgain run={present} />
        {errors.map((error) => (
          <p key={error} class="said error">
            {manyLines(error)}
          </p>
        ))}
        {status === "failed" ? <FailedRow steps={steps} /> : null}
        <Timeline steps={steps} choose={chooseStep} />
        <KeepCase />
      </div>
      <div class="details">
        <AskedElsewhere steps={elsewhere} choose={chooseStep} />
        {here.map((asking) => (
          <Asked key={asking.question.node} {...asking} />
        ))}
        {shown === undefined || here.some(({ step }) => step === shown) ? null : <StepDetails step={shown} />}
      </div>
    </div>
  );
}

/** Leads to the row at which the run failed. */
function FailedRow({ steps }: { readonly steps: readonly Step[] }) {
  const step = steps.findLast((one) => markOf(one) === "failed");
  const record = graph.value?.nodes.find(({ name }) => name === step?.node)?.record;
  if (step === undefined || record === undefined) return null;
  return (
    <p>
      <button type="button" onClick={() => chooseStep(step)}>
        {oneLine(step.node)}, row {record + 1}
      </button>
    </p>
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

/** A question of the run, and the ways to answer it. */
function Asked({ question, step }: Asking<Question>) {
  const why = whyNotAnswered(question);
  return (
    <section class="asked" aria-label={`${question.node} asks`}>
      <h3>{question.node}</h3>
      <p class="question">{manyLines(question.prompt)}</p>
      {why === null ? (
        <AnswerForm question={question} send={(answer) => answerRun(question, answer)} />
      ) : (
        <p class="quiet">{why}</p>
      )}
      <Values name="Reads" values={step?.inputs} />
    </section>
  );
}
