import { suggest } from "../../compiler/diagnostics/suggest.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import type { Answers, AsleepData, Checkpoint, Json } from "../graph/contract/contract.js";
import { AnswerError } from "../graph/contract/errors.js";
import { type Answerer, refusalOf } from "../graph/suspend/answerer.js";
import { convertAnswer } from "../graph/suspend/answers.js";
import { asleepIn } from "../graph/suspend/names-inside.js";
import type { RunRecord } from "./record.js";

export const checkAnswers = (checkpoint: Checkpoint, answers: Answers): void =>
  checkAnswersTo(asleepIn(checkpoint), answers);

/** Refuses answers of somebody who is not asked. Nobody works on files, so an escalation counts when it is due. */
export function checkAnswerers(
  { checkpoint, startedBy: starter = null, suspendedAt }: RunRecord,
  answers: Answers,
  answerer: Answerer,
): void {
  const waited = Date.now() - Date.parse(suspendedAt);
  for (const { node, spec } of asleepIn(checkpoint)) {
    if (!Object.hasOwn(answers, node)) continue;
    const { assignees, escalate } = spec;
    const later = escalate !== undefined && waited >= escalate.afterMs ? escalate.assignees : [];
    const asked = assignees === undefined ? spec : { ...spec, assignees: [...assignees, ...later] };
    const refused = refusalOf(node, asked, { starter, answerer });
    if (refused !== null) throw refused;
  }
}

/** `waits` are in the order in which they began. A node asks one question at a time. */
export function checkAnswersTo(waits: readonly Asked[], answers: Answers): void {
  const asleep = new Map(waits.map((one) => [one.node, one]));
  for (const [node, answer] of Object.entries(answers)) {
    const waiting = asleep.get(node);
    if (waiting === undefined) throw new AnswerError(node, notAsked(node, [...asleep.keys()]));
    const problem = problemOf(waiting, answer);
    if (problem !== null)
      throw new AnswerError(node, `the answer for ${quoted(node)} does not fit: ${problem}`);
  }
}

type Asked = Pick<AsleepData, "node" | "spec">;

export function problemOf({ spec }: Pick<AsleepData, "spec">, answer: Json): string | null {
  const converted = convertAnswer(spec, answer);
  return "problem" in converted ? converted.problem : null;
}

function notAsked(node: string, waiting: readonly string[]): string {
  const near = suggest(node, waiting);
  const names = waiting.map((name) => JSON.stringify(name)).join(", ");
  if (waiting.length === 0) return `${quoted(node)} waits for no answer; nothing does at present`;
  const help = near === null ? `what waits is ${names}` : `did you mean ${JSON.stringify(near)}?`;
  return `${quoted(node)} waits for no answer; ${help}`;
}

export const readAnswer = (pair: string, checkpoint: Checkpoint): ReturnType<typeof readAnswerTo> =>
  readAnswerTo(
    pair,
    asleepIn(checkpoint).map(({ node }) => node),
  );

/** Reads `Node=value` of a command line. Names of nodes may contain `=`, so the longest waiting name wins. */
export function readAnswerTo(
  pair: string,
  names: readonly string[],
): { readonly node: string; readonly value: string } | null {
  const [longest] = names.filter((name) => pair.startsWith(`${name}=`)).sort((a, b) => b.length - a.length);
  const cut = longest?.length ?? pair.indexOf("=");
  return cut < 1 ? null : { node: pair.slice(0, cut), value: pair.slice(cut + 1) };
}
