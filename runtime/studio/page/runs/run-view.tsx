import { useState } from "preact/hooks";
import { fragmentOf, LIST, listOf } from "../address.js";
import { goTo } from "../choose.js";
import { wordsOf } from "../connection/requests.js";
import { counted } from "../counted.js";
import { clock } from "../counted-time.js";
import { Picture } from "../picture/picture.js";
import { goAgain, mayGoAgain, TriedAgain } from "../run/again.js";
import { AnswerForm } from "../run/answer-form.js";
import { whyNotAnswered } from "../run/may-answer.js";
import { type Asking, questionsBeside } from "../run/questions-beside.js";
import { changeRun, questionsOf, type RunRecord, type Waiting } from "../run/records.js";
import { chosenStep, type Run, type Step, shownRun } from "../run/run-state.js";
import { sendAnswer } from "../run/send-answer.js";
import { StatusWord } from "../run/status-word.js";
import { AskedElsewhere, StepDetails, Values } from "../run/step-details.js";
import { Timeline } from "../run/timeline.js";
import { timesOf } from "../run/told.js";
import { manyLines, oneLine } from "../sheet/shown-text.js";
import { failure, opened, session } from "../state.js";
import { KeepCase } from "../tests/keep-case.js";
import { ForkForm } from "./fork-form.js";
import { chooseStepOfRun, lookAgain, record, runTrouble } from "./shown-run.js";

const may = (what: string): boolean => session.value?.can.includes(what) === true;

/** One run: its steps in time, its way through the graph, and what one step read and wrote. */
export function RunView() {
  const [now, told] = [shownRun.value, record.value];
  const trouble = runTrouble.value.map((text) => (
    <p key={text} class="said error trouble" role="alert">
      {manyLines(text)}
    </p>
  ));
  if (now === null || told === null)
    return <>{trouble.length > 0 ? trouble : <p class="nothing">The run is looked up.</p>}</>;
  const step = now.steps.find(({ key }) => key === chosenStep.value);
  return (
    <>
      <Head run={now} told={told} />
      <TriedAgain run={now} />
      {trouble}
      <Errors told={told} />
      <div class="course" data-stop>
        {now.steps.length === 0 && !isAtWork(now) ? (
          <p class="quiet trouble">No step of this run came to its end, or none was kept.</p>
        ) : (
          <Timeline steps={now.steps} choose={chooseStepOfRun} />
        )}
        {told.next_cursor == null ? null : (
          <p class="quiet trouble">These are the first {counted(now.steps.length, "step")}.</p>
        )}
        {told.version === null ? null : <KeepCase />}
      </div>
      <div class="way-and-step">
        <section class="picture" aria-label="Picture">
          <WayOfRun told={told} />
        </section>
        <section class="step-view" aria-label="Step">
          <StepAndQuestions step={step} run={now} told={told} />
        </section>
      </div>
    </>
  );
}

const isAtWork = ({ status }: Run): boolean => status === "running" || status === "queued";

function WayOfRun({ told }: { readonly told: RunRecord }) {
  if (told.sheet_gone === true || told.sheet === null)
    return <p class="nothing">There is no picture: the sheet is not there any more.</p>;
  if (failure.value !== null) return <p class="nothing">{failure.value}</p>;
  return opened.value?.name === told.sheet ? <Picture /> : null;
}

function Head({ run, told }: { readonly run: Run; readonly told: RunRecord }) {
  const { run_id: id, graph_name: graph, sheet, created_at, started_by: by, forked_from: parent } = told;
  return (
    <header class="run-head">
      <StatusWord status={run.status} />
      <h2>
        {sheet === null || told.sheet_gone === true ? (
          oneLine(graph)
        ) : (
          <a href={fragmentOf({ ...LIST, sheet, graph })}>{oneLine(graph)}</a>
        )}
      </h2>
      <span class="quiet">
        {clock(Date.parse(created_at))} · {counted(run.steps.length, "step")}
        {timesOf(run)} · <span title={id}>{id.slice(0, 8)}</span>
        {by === null || session.value?.mode === "local" ? "" : ` · by ${manyLines(by)}`}
        {parent === undefined ? null : (
          <>
            {" · fork of "}
            <a href={fragmentOf({ ...listOf("runs"), run: parent.run_id })}>{parent.run_id.slice(0, 8)}</a>
          </>
        )}
      </span>
      <span class="grow" />
      {may("execute") ? <Deeds key={id} run={run} told={told} /> : null}
    </header>
  );
}

interface DeedsView {
  readonly run: Run;
  readonly told: RunRecord;
}

/** What may be done with a run as it is now. */
function Deeds({ run, told }: DeedsView) {
  const { run_id: id } = told;
  const [isBusy, setBusy] = useState(false);
  const act = async (deed: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await deed();
    } catch (error) {
      runTrouble.value = wordsOf(error);
    }
    setBusy(false);
  };
  const stop = (): Promise<void> =>
    act(async () => {
      await changeRun(id, "cancel");
      lookAgain();
    });
  const again = (): Promise<void> =>
    act(async () => {
      await goAgain(id);
      shownRun.value = { ...run, status: "queued" };
      lookAgain();
    });
  const first = run.steps[0];
  const anew = (from: string): Promise<void> =>
    act(async () => {
      const forked = await changeRun(id, "fork", { from, current: true });
      goTo({ ...listOf("runs"), run: forked.run_id });
    });
  return (
    <>
      {isAtWork(run) || run.status === "suspended" || run.status === "stuck" ? (
        <button type="button" aria-disabled={isBusy} onClick={() => void stop()}>
          Stop
        </button>
      ) : null}
      {mayGoAgain(run) ? (
        <button type="button" class="primary" aria-disabled={isBusy} onClick={() => void again()}>
          Again
        </button>
      ) : null}
      {/completed|failed|cancelled/.test(run.status) && first !== undefined ? (
        <button type="button" aria-disabled={isBusy} onClick={() => void anew(`${first.node}#1`)}>
          New run
        </button>
      ) : null}
    </>
  );
}

function Errors({ told }: { readonly told: RunRecord }) {
  const { error, held, sheet, graph_name: graph, status } = told;
  return (
    <>
      {held === null ? null : (
        <p class="said warning trouble">It cannot go on at present: {manyLines(held)}.</p>
      )}
      {error === null || status === "cancelled" ? null : (
        <p class="said error trouble">
          {manyLines(error.message || error.code)}{" "}
          {error.node === null || sheet === null || told.sheet_gone === true ? null : (
            <a href={fragmentOf({ ...LIST, sheet, graph, node: error.node })}>
              {oneLine(placeOfError(error))}
            </a>
          )}
        </p>
      )}
    </>
  );
}

function placeOfError({ node, line = null, cell = null }: NonNullable<RunRecord["error"]>): string {
  return [node, line === null ? null : `row ${line}`, cell === null ? null : `cell ${cell}`]
    .filter((one) => one !== null)
    .join(", ");
}

interface StepView extends DeedsView {
  readonly step: Step | undefined;
}

/** The chosen step; where it asks, its question. */
function StepAndQuestions({ step, run, told }: StepView) {
  const { here, elsewhere } = questionsBeside(questionsOf(told), run.steps, step);
  const isAsked = here.some((asking) => asking.step !== undefined && asking.step === step);
  return (
    <>
      <AskedElsewhere steps={elsewhere} choose={chooseStepOfRun} />
      <Questions asking={here} told={told} />
      {step === undefined ? null : (
        <div key={step.key}>
          {isAsked ? null : <StepDetails step={step} />}
          {may("execute") && told.version !== null && step.outcome !== null ? (
            <ForkForm step={step} id={told.run_id} />
          ) : null}
        </div>
      )}
    </>
  );
}

interface QuestionsView {
  readonly asking: readonly Asking<Waiting>[];
  readonly told: RunRecord;
}

/** What waits is answered here, too. */
function Questions({ asking, told }: QuestionsView) {
  const { run_id: id } = told;
  const [said, say] = useState("");
  return (
    <>
      {asking.map(({ question, step }) => (
        <div key={question.node} class="asked">
          <h3>{oneLine(question.node)}</h3>
          <p class="question">{manyLines(question.prompt)}</p>
          <Values name="Reads" values={step?.inputs} />
          {whyNotAnswered(question) === null ? (
            <AnswerForm
              question={question}
              send={async (answer) => {
                const asked = { id, isFile: told.version === null };
                const outcome = await sendAnswer(asked, question.node, answer);
                say(outcome.kind === "taken" ? "" : outcome.words);
                lookAgain();
              }}
            />
          ) : (
            <p class="quiet">{whyNotAnswered(question)}</p>
          )}
        </div>
      ))}
      <output class="said error">{said}</output>
    </>
  );
}
