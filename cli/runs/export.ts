import { resolve } from "node:path";
import { PRIVATE, replaceFile } from "../../compiler/files/replace-file.js";
import type { RunStatus } from "../../runtime/durable/rows.js";
import type { DurableStore } from "../../runtime/durable/store.js";
import type { KeptRuns } from "../../runtime/runs/kept-runs.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { countText } from "../report.js";
import { hasStore, withRuns } from "./open.js";

const ENDED: readonly RunStatus[] = ["completed", "failed", "cancelled"];
const ALL: readonly RunStatus[] = ["queued", "running", "waiting", "stuck", ...ENDED];
const PAGE = 200;

/** `runs export`: everything that is kept of runs, one a line, behind the versions that they began with. */
export async function exportRuns(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  if (operands.length > 0) throw new UsageError(`runs export takes no ${JSON.stringify(operands[0])}`);
  const project = openProject(context);
  const wanted = readStatuses(given.list("status"));
  const out = given.text("out");
  const lines = hasStore(project)
    ? await withRuns(context, project, async (runs) => linesOf(runs, await exportable(context, runs, wanted)))
    : [];
  if (out === null) context.stdout.write(lines.join(""));
  else await replaceFile(resolve(context.cwd, out), lines, { mode: PRIVATE });
  context.note(`exported ${countText(lines.filter((line) => line.startsWith('{"run"')).length, "run")}`);
  return EXIT.done;
}

function readStatuses(given: readonly string[]): readonly RunStatus[] {
  const words = given.flatMap((word) => word.split(","));
  const wrong = words.find((word) => word !== "all" && !ALL.some((status) => status === word));
  if (wrong !== undefined)
    throw new UsageError(`--status takes ${ALL.join(", ")} or all, not ${JSON.stringify(wrong)}`);
  return words.length === 0 || words.includes("all") ? ALL : ALL.filter((status) => words.includes(status));
}

/** A run that somebody works on would go on here and there, and be done twice. */
async function exportable(
  context: Context,
  { executor }: KeptRuns,
  wanted: readonly RunStatus[],
): Promise<readonly RunStatus[]> {
  const isFree = !(await executor.hasWorkers());
  const found = wanted.filter((status) => isFree || ENDED.includes(status));
  if (found.length < wanted.length)
    context.note("open runs are left out: somebody is at work on this store, stop it first");
  return found;
}

async function linesOf({ executor: { store } }: KeptRuns, status: readonly RunStatus[]): Promise<string[]> {
  const versions = new Map<string, string>();
  const runs: string[] = [];
  for (const { runId, version } of await rowsOf(store, status)) {
    const copy = await store.copy(runId);
    if (copy === null) continue;
    runs.push(`${JSON.stringify({ run: copy })}\n`);
    const row = versions.has(version) ? null : await store.version(version);
    if (row !== null) versions.set(version, `${JSON.stringify({ version: row })}\n`);
  }
  return [...versions.values(), ...runs];
}

async function rowsOf(
  store: DurableStore,
  status: readonly RunStatus[],
): Promise<readonly { readonly runId: string; readonly version: string }[]> {
  const found: { readonly runId: string; readonly version: string }[] = [];
  let cursor: string | null = null;
  do {
    const page = await store.list({ status, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    found.push(...page.runs);
    cursor = page.cursor;
  } while (cursor !== null);
  return found.reverse();
}
