import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { FlowsheetError } from "../../runtime/graph/contract/errors.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { hasStore } from "../../runtime/runs/kept/store-place.js";
import { EXIT, exitOf, helpOf, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { findId, unknownRun, withRuns } from "./open.js";

interface Changed {
  readonly run_id: string;
  readonly status: string;
}

/** `runs cancel`: each run that can be cancelled is, also when another one of the list cannot. */
export async function cancelRuns(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  if (operands.length === 0) throw new UsageError("runs cancel needs the id of a run");
  const project = openProject(context);
  const files = createRunStore(project.runs);
  const inFile = async (word: string): Promise<Changed | null> => {
    const stored = await files.find(word).catch(() => null);
    if (stored === null) return null;
    const claim = await stored.claim();
    await claim.remove();
    return { run_id: claim.record.runId, status: "cancelled" };
  };
  const inStore = async (runs: KeptRuns | null, word: string): Promise<Changed> => {
    const old = await inFile(word);
    if (old !== null) return old;
    if (runs === null) throw unknownRun(word);
    const { runId, status } = await runs.executor.cancel(await findId(runs, word));
    return { run_id: runId, status };
  };
  const all = (runs: KeptRuns | null): Promise<number> =>
    changeAll(context, operands, given, (word) => inStore(runs, word));
  return hasStore(project) ? withRuns(context, project, all) : all(null);
}

/** Problems are told one by one; the worst of them is the exit code. */
async function changeAll(
  context: Context,
  words: readonly string[],
  given: Given,
  change: (word: string) => Promise<Changed>,
): Promise<number> {
  const changed: Changed[] = [];
  let code: number = EXIT.done;
  for (const word of words) {
    try {
      changed.push(await change(word));
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof FlowsheetError)) throw error;
      context.fail(error.message, error instanceof UsageError ? error.help : helpOf(error));
      code = Math.max(code, error instanceof UsageError ? EXIT.usage : exitOf(error));
    }
  }
  tellChanged(context, changed, given.flag("json"));
  return code;
}

function tellChanged({ stdout }: Context, changed: readonly Changed[], json: boolean): void {
  if (json) stdout.write(jsonText({ runs: changed }));
  else for (const { run_id: runId, status } of changed) stdout.write(`${runId}  ${status}\n`);
}

/** `runs retry`: the same run goes on. */
export async function retryRun(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const word = onlyOne("retry", operands);
  const from = given.text("from");
  const project = openProject(context);
  await refuseFile(createRunStore(project.runs), word, "be retried");
  if (!hasStore(project)) throw unknownRun(word);
  return withRuns(context, project, async (runs) => {
    const runId = await findId(runs, word);
    const { status } = await asUsage(runs.executor.retry(runId, from));
    tellChanged(context, [{ run_id: runId, status }], given.flag("json"));
    await noteNobody(context, runs);
    return EXIT.done;
  });
}

/** What is asked for wrongly is no finding about the run. */
export async function asUsage<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof FlowsheetError) || error.code !== "input_invalid") throw error;
    throw new UsageError(error.message, helpOf(error));
  }
}

export function onlyOne(action: string, operands: readonly string[]): string {
  const [word, extra] = operands;
  if (word === undefined) throw new UsageError(`runs ${action} needs the id of a run`);
  if (extra !== undefined) throw new UsageError(`runs ${action} takes one id, not ${operands.length}`);
  return word;
}

/** Runs in files of their own have no history. */
export async function refuseFile(
  files: ReturnType<typeof createRunStore>,
  word: string,
  what: string,
): Promise<void> {
  if ((await files.find(word).catch(() => null)) === null) return;
  throw new UsageError(
    `the run ${word} is kept in a file of an earlier version, without a history: it cannot ${what}`,
    `flowsheet resume ${word} goes on with it`,
  );
}

/** Without this note, a run would stay queued and nobody would know why. */
export async function noteNobody(context: Context, { executor }: KeptRuns): Promise<void> {
  if (!(await executor.hasWorkers())) context.note("nobody is at work here: flowsheet work");
}
