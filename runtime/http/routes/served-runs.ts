import { dirname, posix, relative, resolve, sep } from "node:path";
import type { Permission } from "../../auth/permissions.js";
import type { DurableExecutor } from "../../durable/executor.js";
import { isEnded } from "../../durable/kept-result.js";
import { aboutOf } from "../../durable/legs/open-wait.js";
import type { FullRun, RunRow, WaitRow } from "../../durable/rows.js";
import { type AnswererError, refusalOf } from "../../graph/suspend/answerer.js";
import { type DescribedRun, type DescribedWait, describeRun } from "../../runs/describe-run.js";
import type { KeptRuns } from "../../runs/kept/kept-runs.js";
import type { WorkflowResult } from "../../runs/result.js";
import { StoredRunError, type SuspendedRun } from "../../runs/suspended.js";
import { HttpProblem } from "../request/problem.js";
import type { RequestContext } from "../route.js";
import {
  answererOf,
  type Caller,
  mayKnowKey,
  maySeeFiles,
  type View,
  viewOf,
  wasAsked,
} from "../run-access.js";
import type { Service } from "../service.js";
import { mayUse } from "../workflow-access.js";

/** A run of the store, or one of a file from before there was a store. */
export type ServedRun =
  | {
      readonly kind: "kept";
      readonly run: FullRun;
      readonly waits: readonly WaitRow[];
      readonly runs: KeptRuns;
      readonly executor: DurableExecutor;
      readonly view: View;
    }
  | { readonly kind: "file"; readonly run: SuspendedRun };

interface Access {
  /** What the route is for: its permission shows the whole run, too. */
  readonly does?: Permission;
  /** It takes answers: those who come too late are told so, although they see the run no more. */
  readonly answers?: boolean;
  /** It only shows: whoever has answered may look again. */
  readonly afterwards?: boolean;
}

export async function findServed(
  context: Caller & Pick<RequestContext, "params">,
  { does = "read", answers = false, afterwards = false }: Access = {},
): Promise<ServedRun> {
  const { service, params } = context;
  const runId = params.get("run_id") ?? "";
  const runs = await service.runner.kept();
  const run = (await runs?.executor.get(runId)) ?? null;
  if (runs === null || run === null) return { kind: "file", run: await findFile(context, runId) };
  const { executor } = runs;
  const waits = await executor.waits(runId);
  const view = viewOf(context, run, { waits, does, afterwards });
  const isLate = view === null && answers && wasAsked(context, waits);
  if (!isServed(context, run) || (view === null && !isLate)) throw new HttpProblem("run_not_found");
  if (view === null) throw new HttpProblem(whyLate(run, waits));
  return { kind: "kept", run, waits, runs, executor, view };
}

const whyLate = (run: RunRow, waits: readonly WaitRow[]) =>
  !isEnded(run) && waits.at(-1)?.ending?.kind === "answer" ? "already_answered" : "already_ended";

/** For what only runs of the store can do. */
export async function findKept(
  context: RequestContext,
  does?: Permission,
): Promise<Extract<ServedRun, { kind: "kept" }>> {
  const found = await findServed(context, does === undefined ? {} : { does });
  if (found.kind === "kept") return found;
  throw new HttpProblem("run_not_found", {
    detail: "the run is in a file from before runs were kept in a store: it can only be resumed",
  });
}

async function findFile(caller: Caller, runId: string): Promise<SuspendedRun> {
  const { service } = caller;
  const found = await service.runner.waiting.findFiled(runId).catch((error: unknown) => {
    if (error instanceof StoredRunError) return null;
    throw error;
  });
  if (found === null || !isServed(caller, found) || !maySeeFiles(caller))
    throw new HttpProblem("run_not_found");
  return found;
}

/** Whether the run is of what is served, and of what the caller may use. */
export function isServed(caller: Caller, run: Pick<RunRow, "sheet" | "graph">): boolean {
  const sheet = sheetOf(caller.service, run);
  return sheet !== undefined && mayUse(caller, { graph: run.graph, sheet });
}

/** The sheet in the workflows folder; null for a generated module, undefined for sheets that are not served. */
export function sheetOf({ project }: Service, { sheet }: Pick<RunRow, "sheet">): string | null | undefined {
  if (sheet === null) return undefined;
  const path = resolve(project.root, sheet);
  if (dirname(path) === project.generated && sheet.endsWith(".gen.ts")) return null;
  const way = relative(project.workflows, path).replaceAll(sep, posix.sep);
  return way.startsWith("../") ? undefined : way;
}

/** Says of runs how they are shown to the caller. A run outlives its sheet. */
export function describerOf(caller: Caller) {
  const { service } = caller;
  const known = new Set(service.catalogue.list().map(({ sheet, graphName }) => `${sheet}::${graphName}`));
  return (run: RunRow, waits: readonly WaitRow[], result: WorkflowResult | null): DescribedRun => {
    const sheet = sheetOf(service, run) ?? null;
    const key = mayKnowKey(caller, run) ? run.key : null;
    const described = describeRun({ ...run, sheet, key }, waits, result);
    const told = {
      ...described,
      waiting: described.waiting.map((one) => forCaller(one, run, waits, caller)),
    };
    const isGone = sheet !== null && !known.has(`${sheet}::${run.graph}`);
    return isGone ? { ...told, ...{ sheet_gone: true } } : told;
  };
}

/** A question says why the caller may not answer it. */
function forCaller(
  told: DescribedWait,
  { userId: starter }: RunRow,
  waits: readonly WaitRow[],
  caller: Caller,
): DescribedWait & { readonly refused?: AnswererError["code"] } {
  const wait = waits.find(({ waiting, ending }) => ending === null && waiting.node === told.node);
  const answerer = answererOf(caller);
  const refused = wait && refusalOf(told.node, aboutOf(wait), { starter, answerer });
  return refused == null ? told : { ...told, refused: refused.code };
}

/** A run of a file shows what is known of it. */
export function describeFile(service: Service, run: SuspendedRun): DescribedRun {
  const { runId, graph, suspendedAt, status, waiting } = run;
  return {
    ...{ run_id: runId, graph_name: graph, sheet: sheetOf(service, run) ?? run.sheet, version: null },
    status: status === "taken" ? "running" : "waiting",
    ...{ key: null, started_by: null, created_at: suspendedAt, started_at: null, ended_at: null },
    ...{ due_at: null, deadline_at: null, suspended_at: suspendedAt, recoveries: 0, held: null, error: null },
    waiting: waiting.map(({ node, field, prompt, options, assignees = null }) => ({
      ...{ node, field, prompt, options, assignee: assignees, until: null },
    })),
  };
}
