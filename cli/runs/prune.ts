import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import { readDuration } from "../../runtime/config/duration.js";
import type { EndStatus } from "../../runtime/durable/rows.js";
import type { Pruning } from "../../runtime/durable/store.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { hasStore } from "../../runtime/runs/kept/store-place.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { withRuns } from "./open.js";

const ENDED: readonly EndStatus[] = ["completed", "failed", "cancelled"];
/** So many are forgotten in one transaction, so that nobody waits long. */
const BATCH = 500;

/** `runs prune`: forgets runs that ended long ago. */
export async function pruneRuns(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  if (operands.length > 0) throw new UsageError(`runs prune takes no ${quoted(operands[0] ?? "")}`);
  const project = openProject(context);
  const older = olderThan(given.text("older"), project.keeping.retentionMs);
  const isDry = given.flag("dryRun");
  const about = { endedBefore: Date.now() - older + 1, statuses: readEnded(given.list("status")) };
  const pruned = hasStore(project)
    ? await withRuns(context, project, (runs) => prune(runs, about, isDry))
    : 0;
  if (given.flag("json")) context.stdout.write(jsonText({ pruned }));
  else
    context.stdout.write(`${isDry ? "would forget" : "forgot"} ${pruned} ${pruned === 1 ? "run" : "runs"}\n`);
  return EXIT.done;
}

function olderThan(text: string | null, retentionMs: number | null): number {
  if (text === null && retentionMs !== null) return retentionMs;
  if (text === null)
    throw new UsageError("runs are kept for ever here (runs.retention)", "say how old they are: --older 30d");
  const ms = readDuration(text);
  if (ms !== null) return ms;
  throw new UsageError(`--older takes a time such as 30d or 12h, not ${quoted(text)}`);
}

function readEnded(given: readonly string[]): readonly EndStatus[] {
  const words = given.flatMap((word) => word.split(","));
  const wrong = words.find((word) => word !== "all" && !ENDED.some((status) => status === word));
  if (wrong !== undefined)
    throw new UsageError(
      `--status takes ${ENDED.join(", ")} or all, not ${quoted(wrong)}`,
      "only runs that have ended are forgotten",
    );
  const isAll = words.length === 0 || words.includes("all");
  return isAll ? ENDED : ENDED.filter((status) => words.includes(status));
}

async function prune(
  { executor: { store } }: KeptRuns,
  about: Pick<Pruning, "endedBefore" | "statuses">,
  isDry: boolean,
): Promise<number> {
  if (isDry) return store.prune({ ...about, limit: Number.MAX_SAFE_INTEGER, dryRun: true });
  let all = 0;
  for (;;) {
    const pruned = await store.prune({ ...about, limit: BATCH });
    all += pruned;
    if (pruned < BATCH) break;
  }
  if (all > 0) await store.compact();
  return all;
}
