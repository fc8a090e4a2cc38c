import type { Project, RunLimits } from "../../runtime/config/folders.js";
import type { Followed, Follower } from "../../runtime/durable/executor.js";
import type { RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { KeptRuns } from "../../runtime/runs/kept-runs.js";
import type { WorkflowResult } from "../../runtime/runs/result.js";
import type { Context } from "../process/context.js";
import type { Question } from "./ask.js";
import type { Subject } from "./open.js";
import type { Supervised } from "./supervise.js";
import { systemUser } from "./system-user.js";

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

function openKept({ env }: Context, project: Project, options: RunOptions): Promise<KeptRuns> {
  const { redact = (text) => text, services, log = console } = options;
  const shared = { redact, log, ...(services === undefined ? {} : { services }) };
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
    if (result.status !== "suspended" || asker === null) return result;
    const waits = (await executor.waits(runId)).filter(({ ending }) => ending === null);
    const questions = waits.map(
      ({ waiting, spec, until }): Question => ({ node: waiting.node, spec, until }),
    );
    const answers = await asker.ask(questions, {}, cancellation.signal);
    if (answers === null) return result;
    await executor.answer(runId, answers, { by: systemUser() });
    followed = await executor.follow(runId, follower);
  }
}

function tellLeft({ note }: Context, runId: string): void {
  const id = runId.slice(0, 8);
  note(`stopped: the run stays queued. flowsheet work goes on with it, flowsheet runs cancel ${id} ends it`);
}
