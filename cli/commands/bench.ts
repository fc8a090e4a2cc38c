import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import type { Logger, RunOptions } from "../../runtime/graph/contract/contract.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";
import { checkEffects } from "../bench/effects.js";
import { makeGenerated } from "../bench/make-generated.js";
import { IncompleteRun, Interrupted, measure, type Variant } from "../bench/measure.js";
import { type BenchReport, benchText, describeBench } from "../bench/report.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import type { Cancellation } from "../run/cancellation.js";
import { withGuard } from "../run/guard.js";
import { type OpenedRun, openRun, type Subject } from "../run/open.js";
import { projectOptions } from "../run/options.js";
import { tellFailure } from "../run/outcome.js";

export async function bench(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const runs = readRuns(given);
  const opened = await openRun(context, operands, given);
  const { project, subject } = opened;
  checkEffects(context, project, subject.family, given.flag("yes"));
  return withGuard(context, subject, async (cancellation) => {
    try {
      const report = await timeRuns(context, opened, runs, cancellation);
      const paint = createPaint(context.color(context.stdout));
      context.stdout.write(given.flag("json") ? jsonText(describeBench(report)) : benchText(report, paint));
      return EXIT.done;
    } catch (error) {
      if (error instanceof Interrupted) return EXIT.interrupted;
      if (error instanceof IncompleteRun) return tellIncomplete(context, subject, error);
      throw error;
    }
  });
}

function readRuns(given: Given): number | null {
  const text = given.text("runs");
  if (text === null) return null;
  const runs = Number(text);
  if (/^\d+$/.test(text) && runs >= 1 && runs <= 1_000_000) return runs;
  throw new UsageError(`--runs must be a whole number from 1 to 1000000, not ${JSON.stringify(text)}`);
}

const silent = (): void => {};
/** Notes of agents would repeat in every run. */
const quiet: Logger = { debug: silent, info: silent, warn: silent, error: silent };

async function timeRuns(
  context: Context,
  { project, subject, state }: OpenedRun,
  runs: number | null,
  cancellation: Cancellation,
): Promise<BenchReport> {
  const { ir, graph } = subject;
  const { signal, isInterrupted } = cancellation;
  // Only the driver is measured, so there is no signal, no time-out and no timing of nodes.
  const options: RunOptions = { ...projectOptions(context, project), timed: false, log: quiet };
  const first = await graph.run(state, { ...options, signal });
  if (isInterrupted()) throw new Interrupted();
  if (first.status !== "completed") throw new IncompleteRun(first);
  const generated = await makeGenerated(subject, project);
  const variants: readonly Variant[] = [
    { name: "interpreted", graph },
    ...("graph" in generated ? [{ name: "generated", graph: generated.graph } as const] : []),
  ];
  return {
    ...(await measure(variants, state, options, isInterrupted, runs)),
    graph: ir.name,
    nodes: ir.nodes.length,
    missing: "missing" in generated ? generated.missing : null,
    rss: process.memoryUsage().rss,
  };
}

/** A run that waits or fails cannot be timed. */
function tellIncomplete(context: Context, { placeOf }: Subject, { result }: IncompleteRun): number {
  const { waiting } = result;
  const [first] = waiting;
  if (first === undefined) {
    context.fail("only runs that complete are timed, and this one does not");
    tellFailure(context, toWorkflowResult(result, placeOf));
    return EXIT.findings;
  }
  const { node, field } = first;
  throw new UsageError(
    `${JSON.stringify(node)} waits for an answer, and nobody answers in a bench`,
    field === null || node.includes("/")
      ? "time a graph that does not wait"
      : `give the answer beforehand: --input ${field}=…`,
  );
}
