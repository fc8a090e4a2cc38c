import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { visible } from "../../compiler/diagnostics/visible.js";
import type { Project } from "../../runtime/config/folders.js";
import type { RunFit } from "../../runtime/durable/edits/moves.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import type { EditedSheets } from "../../runtime/runs/kept/edited-sheets.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { hasStore } from "../../runtime/runs/kept/store-place.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { refuseFile } from "./change.js";
import { findId, unknownRun, withRuns } from "./open.js";

/** `runs move`: pins open runs to their sheets as they now are, where they fit. */
export async function moveRuns(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const all = given.flag("all");
  checkNamed(operands, all, given.list("graph").length > 0);
  const project = openProject(context);
  for (const word of operands) await refuseFile(createRunStore(project.runs), word, "be moved");
  if (hasStore(project))
    return withRuns(context, project, (runs) => moveKept(context, project, runs, operands, given));
  const [first] = operands;
  if (first !== undefined) throw unknownRun(first);
  return tellMoved(context, [], given);
}

function checkNamed(operands: readonly string[], all: boolean, hasGraph: boolean): void {
  if (all && operands.length > 0) throw new UsageError("runs move takes ids or --all, not both");
  if (!all && hasGraph)
    throw new UsageError("--graph goes with --all", "flowsheet runs move --all --graph …");
  if (!all && operands.length === 0)
    throw new UsageError("runs move needs the id of a run", "flowsheet runs move --all moves those that fit");
}

async function moveKept(
  context: Context,
  project: Project,
  runs: KeptRuns,
  operands: readonly string[],
  given: Given,
): Promise<number> {
  const { cwd, encoding } = context;
  const moving = { dryRun: given.flag("dryRun") };
  const edited = runs.edited({ cwd, encoding });
  const graphs = given.list("graph");
  if (given.flag("all"))
    return tellMoved(context, await edited.moveAll(graphs.length > 0 ? { graphs } : {}, moving), given);
  const { fits, isUnknown } = await moveNamed(context, { project, runs, edited }, operands, moving);
  const code = tellMoved(context, fits, given);
  if (isUnknown) return EXIT.usage;
  return fits.some((one) => !one.fits) ? EXIT.findings : code;
}

interface Kept {
  readonly project: Project;
  readonly runs: KeptRuns;
  readonly edited: EditedSheets;
}

/** An id that is not known is told, and the others are moved. */
async function moveNamed(
  context: Context,
  { runs, edited }: Kept,
  words: readonly string[],
  moving: { readonly dryRun: boolean },
): Promise<{ readonly fits: readonly RunFit[]; readonly isUnknown: boolean }> {
  const fits: RunFit[] = [];
  let isUnknown = false;
  for (const word of words) {
    try {
      const run = await runs.executor.store.run(await findId(runs, word));
      if (run === null) throw unknownRun(word);
      fits.push(await edited.move(run, moving));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      context.fail(error.message, error.help);
      isUnknown = true;
    }
  }
  return { fits, isUnknown };
}

function tellMoved({ stdout, note }: Context, fits: readonly RunFit[], given: Given): number {
  const moved = fits.filter((one) => one.fits);
  const stay = fits.filter((one) => !one.fits);
  if (given.flag("json")) {
    const staying = stay.map(({ runId, why, node }) => ({ run_id: runId, why, node }));
    stdout.write(jsonText({ moved: moved.map(({ runId }) => runId), stay: staying }));
    return EXIT.done;
  }
  if (fits.length === 0) note("no open run is of an earlier version");
  for (const fit of fits) stdout.write(`${fitText(fit, given.flag("dryRun"))}\n`);
  return EXIT.done;
}

function fitText({ runId, fits, from, to, why, reworded }: RunFit, dryRun: boolean): string {
  if (!fits) return `${runId}  stays  ${visible(why ?? "")}`;
  const way = from === to ? `is on ${short(from)} already` : `${short(from)} → ${short(to ?? "")}`;
  const said = reworded.length === 0 ? "" : `  (asked otherwise before: ${reworded.map(visible).join(", ")})`;
  return `${runId}  ${dryRun ? "fits" : "moved"}  ${way}${said}`;
}

const short = (version: string): string => version.slice(0, 4);
