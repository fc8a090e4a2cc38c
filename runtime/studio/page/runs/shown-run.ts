import { effect, signal, untracked } from "@preact/signals";
import { replacePlace } from "../choose.js";
import { hear } from "../connection/hear.js";
import { Refusal, wordsOf } from "../connection/requests.js";
import { followRun } from "../run/follow-run.js";
import type { RunRecord } from "../run/records.js";
import { chosenStep, markOf, type Run, type Step, shownRun } from "../run/run-state.js";
import { chosen, chosenRow, graph, opened, place, subjectOfRun } from "../state.js";

/** The record of the run that is shown; null until it is read. */
export const record = signal<RunRecord | null>(null);
export const runTrouble = signal<readonly string[]>([]);

let following: AbortController | null = null;

/** Shows a run, and follows it. The one that is shown stays until it is read. */
function look(id: string): void {
  following?.abort();
  const gone = new AbortController();
  following = gone;
  followRun(id, { show, signal: gone.signal })
    .catch((error: unknown) => {
      const isGone = error instanceof Refusal && error.status === 404;
      runTrouble.value = isGone
        ? [`There is no run ${id.slice(0, 8)} here, or not for you.`]
        : wordsOf(error);
    })
    .finally(() => {
      if (following === gone) following = null;
    });
}

function show(run: Run, told: RunRecord): void {
  runTrouble.value = [];
  record.value = told;
  shownRun.value = run;
  const { sheet, graph_name: name } = told;
  if (subjectOfRun.value.sheet !== sheet || subjectOfRun.value.graph !== name)
    subjectOfRun.value = { sheet: told.sheet_gone === true ? null : sheet, graph: name };
  chooseFor(run);
}

/** A run at work moves no choice, also when a step is not there until it is tried again. */
function chooseFor(run: Run): void {
  const isAtWork = run.status === "running" || run.status === "queued";
  const isChosen = place.value.step !== null && run.steps.some(({ key }) => key === chosenStep.value);
  if (isChosen || (isAtWork && chosenStep.value !== null)) return;
  chosenStep.value = firstStep(run)?.key ?? null;
}

/** The one that the address names; else the one that failed or waits. */
function firstStep({ steps }: Run): Step | undefined {
  const marked = (mark: string): Step | undefined => steps.findLast((step) => markOf(step) === mark);
  const named = place.value.step === null ? undefined : steps[place.value.step - 1];
  return named ?? marked("failed") ?? marked("waits") ?? steps.at(-1);
}

export function lookAgain(): void {
  if (record.value !== null) look(record.value.run_id);
}

export function chooseStepOfRun(step: Step): void {
  chosenStep.value = step.key;
  const at = shownRun.value?.steps.findIndex(({ key }) => key === step.key) ?? -1;
  if (at >= 0) replacePlace({ ...place.value, step: at + 1 });
}

/** Shows the run of the address, and chooses its step and the step's node together. */
export function keepShowing(): void {
  hear(({ type, data }) => {
    const isMine = type === "resync" || (type === "run" && data["run_id"] === record.value?.run_id);
    if (place.value.screen === "runs" && isMine && following === null) lookAgain();
  });
  effect(() => {
    const { screen, run } = place.value;
    if (screen !== "runs" || run === record.peek()?.run_id) return;
    untracked(() => {
      [record.value, shownRun.value, chosenStep.value, runTrouble.value] = [null, null, null, []];
      if (run === null) following?.abort();
      else look(run);
    });
  });
  effect(() => {
    const step = shownRun.value?.steps.find(({ key }) => key === chosenStep.value);
    const node = graph.value?.nodes.find(({ name }) => name === step?.node);
    const column = opened.value?.columns.find(({ isNode }) => isNode)?.index ?? 0;
    if (place.value.screen === "runs" && node !== undefined && chosen.peek()?.record !== node.record)
      chosen.value = { record: node.record, column };
  });
  effect(() => {
    const node = chosenRow.value?.node;
    const { steps = [] } = shownRun.peek() ?? {};
    if (place.peek().screen !== "runs" || steps.find(({ key }) => key === chosenStep.peek())?.node === node)
      return;
    const step = steps.findLast((one) => one.node === node);
    if (step !== undefined) untracked(() => chooseStepOfRun(step));
  });
}
