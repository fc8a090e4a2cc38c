import type { Project, RunLimits } from "../../runtime/config/folders.js";
import type { Followed, Follower } from "../../runtime/durable/following.js";
import type { RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import type { WorkflowResult } from "../../runtime/runs/result.js";
import type { Context } from "../process/context.js";
import type { Subject } from "./open.js";
import { ownQuestions, questionsIn, withPeople } from "./own-questions.js";
import type { Supervised } from "./supervise.js";
import { systemAnswerer, systemUser } from "./system-user.js";

/** A run that the command begins. */
export interface Begun {
  readonly project: Project;
  readonly subject: Subject;
  readonly state: StateData;
  readonly limits: RunLimits;
  readonly wish: { readonly key: string | null; readonly deadline: number | null };
}

/** Runs a graph and keeps the run, so that another process can go on with it. Null when it was left to others. */
export async function keepRun(
  context: Context,
  { project, subject, state, limits, wish: { key, deadline } }: Begun,
  supervised: Supervised,
): Promise<WorkflowResult | null> {
  const { runId, ...options } = supervised.options;
  const kept = await openKept(context, project, options);
  try {
    const about = {
      ...kept.about(subject.sheet.path, limits),
      ...{ key, userId: systemUser(), startedBy: systemUser() },
      ...(deadline === null ? {} : { deadline }),
      ...(runId === undefined ? {} : { runId }),
    };
    const follower = followerOf(context, supervised);
    const first = await kept.executor.runHere(kept.request(subject, state, about), follower);
    return await askOn(context, kept, first, supervised, follower);
  } finally {
    await kept.close(0);
  }
}

export function openKept({ env }: Context, project: Project, options: RunOptions): Promise<KeptRuns> {
  const { redact = (text) => text, services, observer, log = console } = options;
  const shared = { redact, log, ...(services && { services }), ...(observer && { observer }) };
  return KeptRuns.open({ project, env, registered: {}, options: shared, redact, log });
}

const followerOf = ({ note, tell }: Context, { options, cancellation }: Supervised): Follower => ({
  note,
  on: options.on,
  trace: options.trace,
  signal: cancellation.signal,
  begun: ({ run }) => tell("run", run.runId),
});

/** Asks a person at once for the answers that the run waits for. */
async function askOn(
  context: Context,
  { executor }: KeptRuns,
  first: Followed,
  { asker, cancellation }: Supervised,
  follower: Follower,
): Promise<WorkflowResult | null> {
  let followed = first;
  for (;;) {
    if (followed.kind === "let_go") {
      tellLeft(context, followed.runId);
      return null;
    }
    const { result } = followed;
    const { runId } = result;
    if (result.status !== "suspended") return result;
    const open = questionsIn(await executor.waits(runId));
    const told = withPeople(result, open, systemUser());
    if (asker === null) return told;
    const questions = ownQuestions(context, open, systemUser());
    const answers = questions.length === 0 ? null : await asker.ask(questions, {}, cancellation.signal);
    if (answers === null && !(await cancellation.decided())) return told;
    if (answers === null) await executor.cancel(runId);
    else await executor.answer(runId, answers, systemAnswerer());
    followed = await executor.follow(runId, follower);
  }
}

function tellLeft({ note }: Context, runId: string): void {
  const id = runId.slice(0, 8);
  note(`stopped: the run stays queued. flowsheet work goes on with it, flowsheet runs cancel ${id} ends it`);
}
