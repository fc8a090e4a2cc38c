import { randomUUID } from "node:crypto";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Answers } from "../graph/contract/contract.js";
import { type Answerer, isAssignee, refusalOf } from "../graph/suspend/answerer.js";
import { checkAnswersTo } from "../runs/answers.js";
import { aboutOf } from "./legs/open-wait.js";
import { eventOf } from "./legs/told-events.js";
import type { FullRun, GivenAnswers, NewEvent, WaitRow } from "./rows.js";
import type { Answered } from "./store.js";
import { StoreError } from "./store-error.js";

/** Answers as they are stored. Throws when somebody else is asked, when they come too late, or when they do not fit. */
export function givenAnswers(
  run: FullRun,
  waits: readonly WaitRow[],
  answers: Answers,
  answerer: Answerer,
): GivenAnswers {
  const latest = [...latestOf(waits).values()];
  const asked = latest.filter(({ waiting }) => Object.hasOwn(answers, waiting.node));
  for (const wait of asked) {
    checkAnswerer(run, wait, answerer);
    const kind = whyLate(wait);
    if (kind !== null) throw answerRefused(run.runId, { kind, node: wait.waiting.node });
  }
  const open = latest.filter((wait) => whyLate(wait) === null);
  checkAnswersTo(
    open.map(({ waiting, spec }) => ({ node: waiting.node, spec })),
    answers,
  );
  return {
    ...{ answers, by: answerer.user, at: Date.now(), token: randomUUID() },
    // What was looked at is what is answered: the node may ask somebody else meanwhile.
    waits: Object.fromEntries(asked.map(({ id, waiting }) => [waiting.node, id])),
    events: asked.map((wait) => answerEvent(wait, answerer)),
  };
}

/** By node: the open wait, or else the last one. */
function latestOf(waits: readonly WaitRow[]): ReadonlyMap<string, WaitRow> {
  const inOrder = [...waits].sort((a, b) => Number(a.ending === null) - Number(b.ending === null));
  return new Map(inOrder.map((wait) => [wait.waiting.node, wait]));
}

/** The store looks again when it takes an answer: this is for what its caller is told. */
function whyLate({ ending, until }: WaitRow): "already_answered" | "already_ended" | null {
  if (ending !== null) return ending.kind === "answer" ? "already_answered" : "already_ended";
  return until !== null && until <= Date.now() ? "already_ended" : null;
}

function checkAnswerer({ userId }: FullRun, wait: WaitRow, answerer: Answerer): void {
  if (wait.ending !== null) return;
  const refused = refusalOf(wait.waiting.node, aboutOf(wait), { starter: userId, answerer });
  if (refused !== null) throw refused;
}

/** An admin who answers what others are asked is told. */
function answerEvent(wait: WaitRow, answerer: Answerer): NewEvent {
  const about = { node: wait.waiting.node, by: answerer.user };
  return eventOf("run_answer", isAssignee(aboutOf(wait), answerer) ? about : { ...about, as: "admin" });
}

export function answerRefused(
  runId: string,
  answered: Exclude<Answered, { readonly kind: "taken" }>,
): StoreError {
  switch (answered.kind) {
    case "unknown_run":
      return new StoreError("run_not_found", `no run has the id ${quoted(runId)}`);
    case "not_waiting":
      return new StoreError("input_invalid", `${quoted(answered.node)} waits for no answer`);
    case "already_answered":
      return new StoreError("already_answered", `${quoted(answered.node)} has been answered already`);
    case "already_ended":
      return new StoreError("already_ended", `the time to answer ${quoted(answered.node)} is over`);
  }
}
