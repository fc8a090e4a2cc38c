import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import type { Project } from "../../runtime/config/folders.js";
import type { Logger, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { createRedactor } from "../../runtime/runs/redact.js";
import { toWorkflowResult } from "../../runtime/runs/result.js";
import { createServices } from "../../runtime/services.js";
import { type BenchReport, benchText } from "../bench/bench-text.js";
import { describeBench } from "../bench/describe-bench.js";
import { checkEffects } from "../bench/effects.js";
import { makeGenerated } from "../bench/make-generated.js";
import { IncompleteRun, Interrupted, measure, type Variant } from "../bench/measure.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { readGivenState } from "../run/given-state.js";
import { createLeash, type Leash } from "../run/leash.js";
import { chooseSheet, openSubject, type Subject } from "../run/open.js";
import { tellFailure } from "../run/outcome.js";
import { watchAgents } from "../run/watch-agents.js";

/** `flowsheet bench`: times a graph, interpreted and generated in turn. */
export async function bench(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const runs = readRuns(given);
  const project = openProject(context);
  const sheet = await chooseSheet(context, project, { operands, given });
  if (sheet.path === null && given.text("state") === "-")
    throw new UsageError("standard input cannot be the sheet and the state");
  const choice = { sheet, graph: given.text("graph"), encoding: context.encoding };
  const subject = await openSubject(context, project, choice);
  const state = await readGivenState(context, subject, given);
  checkEffects(context, project, { family: subject.family, accepted: given.flag("yes") });
  const leash = createLeash(context);
  const done = await watchAgents(context, subject);
  try {
    const report = await perform(context, subject, { project, state, runs, leash });
    const { stdout, color } = context;
    stdout.write(
      given.flag("json") ? jsonText(describeBench(report)) : benchText(report, createPaint(color(stdout))),
    );
    return EXIT.done;
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof IncompleteRun) return tellIncomplete(context, subject, error);
    throw error;
  } finally {
    leash.end();
    done();
  }
}

function readRuns(given: Given): number | null {
  const text = given.text("runs");
  if (text === null) return null;
  const runs = Number(text);
  if (/^\d+$/.test(text) && runs >= 1 && runs <= 1_000_000) return runs;
  throw new UsageError(`--runs must be a whole number from 1 to 1000000, not ${JSON.stringify(text)}`);
}

interface Performance {
  readonly project: Project;
  readonly state: StateData;
  readonly runs: number | null;
  readonly leash: Leash;
}

const silent = (): void => {};
/** What agents note would be noted in each of the runs. */
const quiet: Logger = { debug: silent, info: silent, warn: silent, error: silent };

async function perform(
  context: Context,
  subject: Subject,
  { project, state, runs, leash }: Performance,
): Promise<BenchReport> {
  const { ir, graph } = subject;
  const redact = createRedactor(context.env, project.configuration);
  const { maxSteps } = project.execution;
  // No signal, no time-out and no clock of its own: the driver is timed, not what watches over it.
  const options: RunOptions = {
    timed: false,
    log: quiet,
    redact,
    services: createServices({ project, env: context.env, redact }),
    ...(maxSteps === null ? {} : { maxSteps }),
  };
  const first = await graph.run(state, { ...options, signal: leash.signal });
  if (leash.isInterrupted()) throw new Interrupted();
  if (first.status !== "completed") throw new IncompleteRun(first);
  const generated = await makeGenerated(subject, project);
  const variants: readonly Variant[] = [
    { name: "interpreted", graph },
    ...("graph" in generated ? [{ name: "generated", graph: generated.graph } as const] : []),
  ];
  return {
    ...(await measure({ variants, state, options, isInterrupted: leash.isInterrupted }, runs)),
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
