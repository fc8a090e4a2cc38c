import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint } from "../../compiler/diagnostics/paint.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import { createRunStore } from "../../runtime/runs/store.js";
import { describeSuspended, type SuspendedRun } from "../../runtime/runs/suspended.js";
import { EXIT } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { askedText } from "../run/outcome.js";
import { openRunner } from "../run/resume-kept.js";

export async function runs(context: Context, _operands: readonly string[], given: Given): Promise<number> {
  const { stdout } = context;
  const project = openProject(context);
  const { runs: inFiles, unreadable } = await createRunStore(project.runs).list();
  const runner = await openRunner(context, project);
  const kept = (await runner?.keptRuns()) ?? [];
  await runner?.close(0);
  const suspended = [...kept, ...inFiles].sort((a, b) => (a.suspendedAt < b.suspendedAt ? -1 : 1));
  for (const file of unreadable) context.note(`${file} is damaged: it is passed over`);
  if (given.flag("json"))
    stdout.write(jsonText({ runs: suspended.map(describeSuspended), total: suspended.length }));
  else if (suspended.length === 0) context.note("no run waits");
  else stdout.write(suspended.map((run) => runText(run, context)).join("\n"));
  return EXIT.done;
}

const STATUS = {
  waiting: "",
  taken: "  is being resumed",
  interrupted: "  was cut short: resume it again",
  ended: "  has ended: resume it to see how",
} as const;

function runText(
  { runId, graph, sheet, suspendedAt, status, waiting }: SuspendedRun,
  context: Context,
): string {
  const paint = createPaint(context.color(context.stdout));
  const from = sheet === null ? "" : `  ${visible(sheet)}`;
  const head = `${paint("strong", runId)}  ${visible(graph)}${from}  ${paint("quiet", suspendedAt)}${STATUS[status]}`;
  const waits = waiting.map((one) => `  ${visible(one.node)}${askedText(one)}`);
  return `${[head, ...waits].join("\n")}\n`;
}
