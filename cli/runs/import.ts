import { resolve } from "node:path";
import type { RunCopy, VersionRow } from "../../runtime/durable/rows.js";
import type { KeptRuns } from "../../runtime/runs/kept-runs.js";
import { openSheet, readPieces } from "../../runtime/workflows/open-sheet.js";
import { EXIT, UsageError } from "../failure.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { countText } from "../report.js";
import { withRuns } from "./open.js";

interface Line {
  readonly version?: VersionRow;
  readonly run?: RunCopy;
}

/** `runs import`: takes what `runs export` wrote. Ids stay; a run that is there already is passed over. */
export async function importRuns(context: Context, [file, ...more]: readonly string[]): Promise<number> {
  if (file === undefined || more.length > 0)
    throw new UsageError("runs import takes one file, or - for standard input");
  const lines = readLines(await textOf(context, file), file === "-" ? "standard input" : file);
  await withRuns(context, openProject(context), (runs) => restore(context, runs, lines));
  return EXIT.done;
}

async function textOf({ stdin, cwd }: Context, file: string): Promise<string> {
  const opened = file === "-" ? await readPieces(stdin.chunks()) : openSheet(resolve(cwd, file));
  if (opened.kind === "bytes") return new TextDecoder().decode(opened.bytes);
  throw new UsageError(`cannot open ${file}: ${opened.kind === "failed" ? opened.why : "it is too large"}`);
}

/** All of them are looked at before anything is taken. */
function readLines(text: string, from: string): readonly Line[] {
  return text.split("\n").flatMap((line, i) => {
    if (line === "") return [];
    const read = readLine(line);
    if (read !== null) return [read];
    throw new UsageError(`line ${i + 1} of ${from} is nothing that runs export wrote`);
  });
}

function readLine(line: string): Line | null {
  try {
    const read = JSON.parse(line) as Line | null;
    return isVersion(read?.version) || isRun(read?.run) ? read : null;
  } catch {
    return null;
  }
}

const isVersion = (row: VersionRow | undefined): boolean =>
  typeof row?.version === "string" && typeof row.graph === "string" && typeof row.contract === "number";

const isRun = (copy: RunCopy | undefined): boolean =>
  /^[0-9a-f]{32}$/.test(copy?.run?.runId ?? "") &&
  [copy?.steps, copy?.waits, copy?.events].every((rows) => Array.isArray(rows)) &&
  [copy?.run.graph, copy?.run.version, copy?.run.status].every((text) => typeof text === "string");

async function restore(
  context: Context,
  { executor: { store } }: KeptRuns,
  lines: readonly Line[],
): Promise<void> {
  let taken = 0;
  for (const { version, run } of lines) {
    if (version !== undefined) await store.keepVersion(version);
    if (run === undefined) continue;
    if (await store.restore(run)) taken += 1;
    else context.note(`${run.run.runId} is passed over: the run or its key is there already`);
  }
  context.note(`imported ${countText(taken, "run")}`);
}
