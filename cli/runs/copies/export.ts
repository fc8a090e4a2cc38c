import { quoted } from "../../../compiler/diagnostics/visible.js";
import type { RunStatus } from "../../../runtime/durable/rows.js";
import type { DurableStore, NamedRun } from "../../../runtime/durable/store.js";
import type { KeptRuns } from "../../../runtime/runs/kept/kept-runs.js";
import { hasStore, isOnServer } from "../../../runtime/runs/kept/store-place.js";
import { UsageError } from "../../failure.js";
import type { Given } from "../../line/verb.js";
import type { Context } from "../../process/context.js";
import { openProject } from "../../project.js";
import { withRuns } from "../open.js";
import { ENDED, type Line, withoutOpen, written } from "./lines.js";

const ALL: readonly RunStatus[] = ["queued", "running", "waiting", "stuck", ...ENDED];
const PAGE = 200;

/** `runs export`: everything that is kept of runs, one a line, behind the versions that they began with. */
export async function exportRuns(
  context: Context,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  if (operands.length > 0) throw new UsageError(`runs export takes no ${quoted(operands[0] ?? "")}`);
  const project = openProject(context);
  const wanted = readStatuses(given.list("status"));
  const out = given.text("out");
  if (given.flag("salvage") && isOnServer(project))
    throw new UsageError(
      "--salvage reads a damaged file, and these runs are on a server",
      "restore its backup: its own tools make it, such as pg_dump",
    );
  if (!hasStore(project)) return written(context, out, []);
  if (given.flag("salvage")) {
    const { salvageRuns } = await import("./salvage.js");
    const code = await salvageRuns(context, project, wanted, out);
    if (code !== null) return code;
  }
  return withRuns(context, project, async (runs) =>
    written(context, out, linesOf(runs, await exportable(context, runs, wanted))),
  );
}

function readStatuses(given: readonly string[]): readonly RunStatus[] {
  const words = given.flatMap((word) => word.split(","));
  const wrong = words.find((word) => word !== "all" && !ALL.some((status) => status === word));
  if (wrong !== undefined)
    throw new UsageError(`--status takes ${ALL.join(", ")} or all, not ${quoted(wrong)}`);
  return words.length === 0 || words.includes("all") ? ALL : ALL.filter((status) => words.includes(status));
}

async function exportable(
  context: Context,
  { executor }: KeptRuns,
  wanted: readonly RunStatus[],
): Promise<readonly RunStatus[]> {
  return withoutOpen(context, wanted, await executor.hasWorkers());
}

async function* linesOf(
  { executor: { store } }: KeptRuns,
  status: readonly RunStatus[],
): AsyncGenerator<Line, undefined> {
  const known = new Set<string>();
  for await (const { runId, version } of namedRuns(store, status)) {
    const row = known.has(version) ? null : await store.version(version);
    known.add(version);
    if (row !== null) yield { version: row };
    const run = await store.copy(runId);
    if (run !== null) yield { run };
  }
}

async function* namedRuns(
  store: DurableStore,
  status: readonly RunStatus[],
): AsyncGenerator<NamedRun, undefined> {
  for (let after = 0; ; ) {
    const page = await store.named(status, { after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.n ?? after;
  }
}
