import type { Project } from "../../../runtime/config/folders.js";
import type { RunStatus } from "../../../runtime/durable/rows.js";
import { Salvage } from "../../../runtime/durable/salvage/salvage.js";
import { StoreError } from "../../../runtime/durable/store-error.js";
import { host } from "../../../runtime/host.js";
import { storeFile } from "../../../runtime/runs/kept/store-place.js";
import { isGone, parseOwner } from "../../../runtime/runs/owner.js";
import { EXIT } from "../../failure.js";
import type { Context } from "../../process/context.js";
import { shownPath } from "../../project.js";
import { countText } from "../../report.js";
import { withRuns } from "../open.js";
import { type Line, withoutOpen, written } from "./lines.js";

/** `runs export --salvage`: what can be read of a damaged file. Null when the file is whole. */
export async function salvageRuns(
  context: Context,
  project: Project,
  wanted: readonly RunStatus[],
  out: string | null,
): Promise<number | null> {
  if (await isWhole(context, project)) return null;
  const salvage = new Salvage(storeFile(project));
  try {
    const loss: Loss = { runs: 0, parts: 0 };
    await written(context, out, linesOf(context, salvage, wanted, loss));
    return tellLoss(context, project, salvage, loss);
  } finally {
    salvage.close();
  }
}

async function isWhole(context: Context, project: Project): Promise<boolean> {
  try {
    await withRuns(context, project, ({ executor: { store } }) => store.check());
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === "store_damaged") return false;
    throw error;
  }
}

interface Loss {
  /** Runs of which nothing but the name is left. */
  runs: number;
  /** Runs that are not whole. */
  parts: number;
}

function* linesOf(
  context: Context,
  salvage: Salvage,
  wanted: readonly RunStatus[],
  loss: Loss,
): Generator<Line, undefined> {
  const { note } = context;
  const hasWorkers = salvage.workers.some(
    ({ owner, seen, concurrency }) => Number(concurrency) > 0 && isAlive(String(owner), Number(seen)),
  );
  const statuses = withoutOpen(context, wanted, hasWorkers);
  const versions = new Set(salvage.versions.map(({ version }) => version));
  for (const version of salvage.versions) yield { version };
  for (const found of salvage.runs()) {
    if (!("copy" in found)) {
      loss.runs += 1;
      note(`${found.runId} is lost: nothing but its name can be read`);
      continue;
    }
    const { run } = found.copy;
    const missing = [...found.missing, ...(versions.has(run.version) ? [] : ["its sheet as it was"])];
    if (missing.length > 0) {
      loss.parts += 1;
      note(`${run.runId} (${run.status}) is not whole, lost are: ${missing.join(", ")}`);
    }
    if (statuses.includes(run.status)) yield { run: found.copy };
  }
}

function isAlive(owner: string, seen: number): boolean {
  const parsed = parseOwner(owner.split(".")[0] ?? "");
  return parsed !== null && !isGone(parsed, seen, host);
}

function tellLoss(
  { fail, note, cwd }: Context,
  project: Project,
  { unreadable, pages }: Salvage,
  { runs, parts }: Loss,
): number {
  const shown = shownPath(storeFile(project), cwd);
  if (runs + parts + unreadable.length === 0) {
    note(`nothing of a run is lost; ${shown} is left as it is`);
    return EXIT.done;
  }
  const lost = [
    `${countText(runs, "run")} lost`,
    `${countText(parts, "run")} not whole`,
    `${unreadable.length} of ${countText(pages, "page")} unreadable`,
  ];
  fail(`${shown} is damaged: ${lost.join(", ")}`, `move ${shown} away, then: flowsheet runs import`);
  return EXIT.findings;
}
