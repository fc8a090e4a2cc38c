import { visible } from "../../compiler/diagnostics/visible.js";
import { aboutOf } from "../../runtime/durable/legs/open-wait.js";
import type { WaitRow } from "../../runtime/durable/rows.js";
import { refusalOf } from "../../runtime/graph/suspend/answerer.js";
import type { WorkflowResult } from "../../runtime/runs/result.js";
import type { Context } from "../process/context.js";
import type { Question } from "./ask.js";
import { systemAnswerer } from "./system-user.js";

/** The questions that whoever types may answer. Those of others are told. */
export function ownQuestions(
  { note }: Pick<Context, "note">,
  questions: readonly Question[],
  starter: string | null,
): readonly Question[] {
  const answerer = systemAnswerer();
  return questions.filter(({ node, spec }) => {
    const refused = refusalOf(node, spec, { starter, answerer });
    if (refused !== null) note(visible(refused.message));
    return refused === null;
  });
}

/** The result with who is asked, whether that is whoever looks, and what waits for a time alone. */
export function withPeople(
  result: WorkflowResult,
  questions: readonly Question[],
  starter: string | null,
): WorkflowResult {
  const answerer = systemAnswerer();
  const waiting = result.waiting.map((one) => {
    const question = questions.find(({ node }) => node === one.node);
    if (question === undefined) return one;
    const { spec: asked, until } = question;
    if (asked.limitMs !== undefined) return { ...one, wakesAt: until };
    const refused = refusalOf(one.node, asked, { starter, answerer })?.code;
    return { ...one, assignees: asked.assignees, refused };
  });
  return { ...result, waiting };
}

/** Whether whoever looks may answer a question of the store. */
export const mayAnswer = (wait: WaitRow, starter: string | null): boolean =>
  refusalOf(wait.waiting.node, aboutOf(wait), { starter, answerer: systemAnswerer() }) === null;

/** The open questions of a run of the store. */
export const questionsIn = (waits: readonly WaitRow[]): readonly Question[] =>
  waits
    .filter(({ ending }) => ending === null)
    .map((wait) => {
      const { assignees, notStarter } = aboutOf(wait);
      return { node: wait.waiting.node, spec: { ...wait.spec, assignees, notStarter }, until: wait.until };
    });
