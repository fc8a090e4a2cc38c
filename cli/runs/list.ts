import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { createPaint, type Style } from "../../compiler/diagnostics/paint.js";
import { quoted, visible } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import { MOMENT, readMoment } from "../../runtime/config/moment.js";
import type { RunRow, RunStatus } from "../../runtime/durable/rows.js";
import type { RowQuery } from "../../runtime/durable/store.js";
import { namesOf } from "../../runtime/graph/suspend/answerer.js";
import { type DescribedRun, describeRun } from "../../runtime/runs/describe-run.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { hasStore } from "../../runtime/runs/kept/store-place.js";
import type { SuspendedRun } from "../../runtime/runs/suspended.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { askedOf, askedText } from "../run/outcome.js";
import { systemAnswerer, systemUser } from "../run/system-user.js";
import { dueText, heldText } from "./held-text.js";
import { withRuns } from "./open.js";
import { elapsedText, untilText } from "./time-text.js";

const OPEN: readonly RunStatus[] = ["queued", "running", "waiting", "stuck"];
const ALL: readonly RunStatus[] = [...OPEN, "completed", "failed", "cancelled"];
const USUAL = 50;
const MOST = 200;

interface Listed {
  readonly runs: readonly DescribedRun[];
  readonly cursor: string | null;
  readonly total: number | null;
}

/** `runs list`: the runs of the store, newest first, and those that wait in files of their own. */
export async function listRuns(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const [extra] = operands;
  if (extra !== undefined)
    throw new UsageError(`runs list takes no ${quoted(extra)}`, `flowsheet runs show ${extra}`);
  const query = readQuery(given);
  const project = openProject(context);
  const kept = hasStore(project)
    ? await withRuns(context, project, (runs) => keptPage(runs, query))
    : { runs: [], cursor: null, total: 0 };
  const inFiles = await runsInFiles(context, project, query);
  const runs = [...kept.runs, ...inFiles];
  const total = kept.total === null ? null : kept.total + inFiles.length;
  if (given.flag("json")) context.stdout.write(jsonText({ runs, next_cursor: kept.cursor, total }));
  else tellRuns(context, { runs, cursor: kept.cursor, total }, query);
  return EXIT.done;
}

function readQuery(given: Given): RowQuery {
  const since = given.text("since");
  const from = since === null ? null : readMoment(since, Date.now(), "ago");
  if (since !== null && from === null) throw new UsageError(`--since takes ${MOMENT}, not ${quoted(since)}`);
  const graphs = given.list("graph");
  const assigned = given.text("assigned");
  return {
    ...{ status: readStatuses(given.list("status")), limit: readLimit(given.text("limit")) },
    ...(graphs.length > 0 && { graphs }),
    ...(from !== null && { since: from }),
    ...(assigned !== null && { assigned: assigned === "me" ? namesOf(systemAnswerer()) : [assigned] }),
    ...(given.flag("mine") && { userId: systemUser() }),
    ...textOf("key", given),
    ...textOf("version", given),
    ...textOf("cursor", given),
  };
}

function textOf(name: "key" | "version" | "cursor", given: Given): { readonly [name: string]: string } {
  const text = given.text(name);
  return text === null ? {} : { [name]: text };
}

/** Without one: open runs. */
export function readStatuses(given: readonly string[], usual: readonly RunStatus[] = OPEN): RunStatus[] {
  // Results of runs call suspended what lists call waiting.
  const words = given
    .flatMap((word) => word.split(","))
    .map((word) => (word === "suspended" ? "waiting" : word));
  const wrong = words.find((word) => word !== "all" && !ALL.some((status) => status === word));
  if (wrong !== undefined)
    throw new UsageError(
      `--status takes ${ALL.join(", ")} or all, not ${quoted(wrong)}`,
      "several may be given: --status failed,stuck",
    );
  if (words.includes("all")) return [...ALL];
  return words.length === 0 ? [...usual] : ALL.filter((status) => words.includes(status));
}

function readLimit(text: string | null): number {
  if (text === null) return USUAL;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw new UsageError(`--limit takes a whole number from 1 to ${MOST}, not ${quoted(text)}`);
}

async function keptPage({ executor }: KeptRuns, query: RowQuery): Promise<Listed> {
  const page = await executor.list(query).catch((error: unknown) => {
    throw isBadCursor(error) ? new UsageError(`--cursor takes what the list before has given`) : error;
  });
  const waits = await executor.store.openWaits(page.runs.map(({ runId }) => runId));
  const described = page.runs.map(async (run) =>
    describeRun(run, waits.get(run.runId) ?? [], await resultOfFailed(executor, run)),
  );
  return { runs: await Promise.all(described), cursor: page.cursor, total: page.total };
}

const isBadCursor = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly code?: unknown }).code === "input_invalid";

/** Only failed runs have a message that a list shows. */
async function resultOfFailed(executor: KeptRuns["executor"], { runId, status }: RunRow) {
  if (status !== "failed") return null;
  const [run, { resultOf }] = await Promise.all([
    executor.get(runId),
    import("../../runtime/durable/kept-result.js"),
  ]);
  return run === null ? null : resultOf(run);
}

/** Of runs that wait in a file each no version, key or user is known. */
async function runsInFiles(
  context: Context,
  project: Project,
  { status = [], graphs, since, key, version, cursor, assigned, userId }: RowQuery,
): Promise<readonly DescribedRun[]> {
  if ([key, version, cursor, assigned, userId].some((one) => one !== undefined)) return [];
  const { runs, unreadable } = await createRunStore(project.runs).list();
  for (const file of unreadable) context.note(`${file} is damaged: it is passed over`);
  return runs
    .map(describeFile)
    .filter((run) => status.some((one) => one === run.status))
    .filter((run) => graphs === undefined || graphs.includes(run.graph_name))
    .filter((run) => since === undefined || Date.parse(run.suspended_at ?? "") >= since);
}

export function describeFile({
  runId,
  graph,
  sheet,
  suspendedAt,
  status,
  waiting,
}: SuspendedRun): DescribedRun {
  const nothing = { version: null, key: null, started_by: null, created_at: null, started_at: null };
  const never = { ended_at: null, due_at: null, deadline_at: null, recoveries: 0, held: null, error: null };
  return {
    ...{ run_id: runId, graph_name: graph, sheet, ...nothing, ...never, suspended_at: suspendedAt },
    status: status === "taken" ? "running" : "waiting",
    waiting: waiting.map(({ node, field, prompt, options, assignees = null }) => ({
      ...{ node, field, prompt, options, assignee: assignees, until: null },
    })),
  };
}

function tellRuns(context: Context, { runs, cursor, total }: Listed, { status = [] }: RowQuery): void {
  const { stdout, note } = context;
  if (runs.length === 0) {
    const isUsual = status.length === OPEN.length && OPEN.every((one) => status.includes(one));
    note(isUsual ? "no run is open: --status all shows those that have ended" : "there is no such run");
    return;
  }
  stdout.write(runs.map((run) => runText(context, run)).join("\n"));
  if (cursor === null) return;
  const all = total === null ? "more than 10000" : `${total}`;
  note(`${runs.length} of ${all}: more with --cursor ${cursor}`);
}

export function runText(context: Context, run: DescribedRun): string {
  const paint = createPaint(context.color(context.stdout));
  const since = run.ended_at ?? (run.status === "waiting" ? run.suspended_at : run.created_at);
  const head = [
    paint("strong", run.run_id),
    paint(statusPaint(run.status), run.status.padEnd(9)),
    visible(run.graph_name),
    run.sheet === null ? "" : visible(run.sheet),
    since === null ? "" : paint("quiet", `${elapsedText(Date.now() - Date.parse(since))} ago`),
  ];
  const facts = [
    run.key === null ? "" : `key ${visible(run.key)}`,
    run.held === null ? "" : `${run.status === "stuck" ? "" : "held: "}${heldText(run.held)}`,
    // The status says it already.
    run.error === null || run.status === "cancelled"
      ? ""
      : `${run.error.code}${at(run.error.node)}: ${firstLine(run.error.message)}`,
    dueText({ ...run, due: timeOf(run.due_at), hasBegun: run.started_at !== null }) ?? "",
  ].filter(Boolean);
  const waits = run.waiting.map(
    (one) =>
      `${visible(one.node)}${askedText({ ...one, type: null })}${askedOf(one.assignee)}${untilText(timeOf(one.until))}`,
  );
  return `${[head.filter(Boolean).join("  "), ...[...facts, ...waits].map((line) => `  ${line}`)].join("\n")}\n`;
}

const at = (node: string | null): string => (node === null ? "" : ` at ${visible(node)}`);
const firstLine = (text: string): string => visible(text.split("\n", 1)[0] ?? "");
const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export function statusPaint(status: string): Style {
  if (status === "completed") return "help";
  if (status === "failed" || status === "stuck") return "error";
  return status === "waiting" ? "warning" : "strong";
}
