import { setTimeout as pause } from "node:timers/promises";
import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { suggest } from "../../compiler/diagnostics/suggest.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import { isCall } from "../../runtime/durable/edits/find-visit.js";
import { hasJournal } from "../../runtime/durable/legs/asleep.js";
import { redactData } from "../../runtime/graph/tell/redact.js";
import { describeEnd, describeRun, describeVisits, withEnds } from "../../runtime/runs/describe-run.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { hasStore } from "../../runtime/runs/kept/store-place.js";
import type { StoredRun } from "../../runtime/runs/suspended.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { onlyOne } from "./change.js";
import { describeFile, runText } from "./list.js";
import { findId, unknownRun, withRuns } from "./open.js";
import { footLines, headLines, type Look, type Shown, visitLines, visitText } from "./picture.js";
import { type Visit, visitsOf } from "./visits.js";

const POLL_MS = 200;

/** `runs show`: what happened in a run, visit by visit. */
export async function showRun(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const word = onlyOne("show", operands);
  const project = openProject(context);
  const inFile = await createRunStore(project.runs)
    .find(word)
    .catch(() => null);
  if (inFile !== null) return showFile(context, inFile, given);
  if (!hasStore(project)) throw unknownRun(word);
  return withRuns(context, project, async (runs) => {
    const runId = await findId(runs, word);
    if (given.flag("follow")) await follow(context, runs, runId, given);
    else tell(context, await load(runs, runId), given);
    const run = await runs.executor.get(runId);
    if (run !== null && !hasJournal(run))
      context.note("this run was kept when it began to wait: it has no history");
    return EXIT.done;
  });
}

/** Runs in files of their own have no history. */
function showFile(context: Context, { about }: StoredRun, given: Given): number {
  const run = describeFile(about);
  context.stdout.write(given.flag("json") ? jsonText(run) : runText(context, run));
  context.note("this run is kept in a file of an earlier version, without a history");
  return EXIT.done;
}

interface Loaded extends Shown {
  readonly steps: Awaited<ReturnType<KeptRuns["executor"]["steps"]>>;
}

async function load({ executor, redact }: KeptRuns, runId: string): Promise<Loaded> {
  const [run, recorded, waits] = await Promise.all([
    executor.get(runId),
    executor.steps(runId),
    executor.waits(runId),
  ]);
  if (run === null) throw unknownRun(runId);
  const { resultOf } = await import("../../runtime/durable/kept-result.js");
  const { optionsOf } = await import("../../runtime/durable/legs/kept-options.js");
  const steps = withEnds(run, recorded, waits);
  const isRunning = run.status === "running";
  return {
    set: redactData(optionsOf(run).set ?? [], redact) as Loaded["set"],
    ...{ run, steps, waits, result: run.ended === null ? null : resultOf(run) },
    visits: visitsOf(steps, {
      events: isRunning ? await executor.events(runId) : [],
      isOver: run.ended !== null,
    }),
    hasWorkers: run.status === "queued" && (await executor.hasWorkers()),
  };
}

function tell(context: Context, shown: Loaded, given: Given): void {
  const node = given.text("node");
  const look = lookOf(context);
  if (given.flag("json")) context.stdout.write(jsonOf(shown, node));
  else if (node !== null) context.stdout.write(nodeText(shown, node, look));
  else context.stdout.write(pictureText(shown, look));
}

const pictureText = (shown: Shown, look: Look): string =>
  `${[...headLines(shown, look), ...visitLines(shown, look), ...footLines(shown, look)].join("\n")}\n`;

const lookOf = ({ color, stdout }: Context): Look => ({
  paint: createPaint(color(stdout)),
  width: stdout.columns() ?? 80,
});

function jsonOf({ run, steps, waits, result }: Loaded, node: string | null): string {
  const calls = steps.filter(isCall);
  const rows = node === null ? calls : calls.filter((step) => isOf(step.node, step.visit, node));
  const end = result === null ? {} : describeEnd(result);
  return jsonText({ ...describeRun(run, waits, result), ...end, visits: describeVisits(rows, waits) });
}

/** `Node`, or one visit of it: `Node#2`. */
const isOf = (node: string, visit: number, wanted: string): boolean =>
  node === wanted || `${node}#${visit}` === wanted;

function nodeText({ run, visits, waits }: Loaded, node: string, look: Look): string {
  const found = visits.filter((visit) => isOf(visit.node, visit.number, node));
  if (found.length === 0) throw unvisited(run.runId, visits, node);
  return found.map((visit) => visitText(visit, waits, look)).join("\n");
}

function unvisited(runId: string, visits: readonly Visit[], node: string): UsageError {
  const names = [...new Set(visits.map((visit) => visit.node))];
  const near = suggest(node, names);
  return new UsageError(
    `the run ${runId} has no visit of ${quoted(node)}`,
    near === null ? `it has visited ${names.join(", ") || "no node"}` : `did you mean ${near}?`,
  );
}

/** Shows visits as they are recorded, until the run ends. As JSON it is shown once, at its end. */
async function follow(context: Context, runs: KeptRuns, runId: string, given: Given): Promise<void> {
  const isPlain = !given.flag("json") && given.text("node") === null;
  const look = lookOf(context);
  let shown = await load(runs, runId);
  if (isPlain) context.stdout.write(`${headLines(shown, look).join("\n")}\n`);
  const told = new Set<string>();
  for (;;) {
    if (isPlain) tellNew(context, shown, look, told);
    if (shown.run.ended !== null) break;
    await pause(POLL_MS);
    shown = await load(runs, runId);
  }
  if (!isPlain) tell(context, shown, given);
  else context.stdout.write(`${[shown.run.status, ...footLines(shown, look)].join("\n")}\n`);
}

/** Each visit once, when it has an outcome, and once more when that changes. */
function tellNew({ stdout }: Context, shown: Loaded, look: Look, told: Set<string>): void {
  const lines = visitLines(shown, look);
  shown.visits.forEach((visit, at) => {
    const state = `${visit.calls[0]?.id ?? visit.node}|${visit.calls.length}|${visit.outcome}`;
    if (visit.outcome === "at work" || told.has(state)) return;
    told.add(state);
    stdout.write(`${lines[at]}\n`);
  });
}
