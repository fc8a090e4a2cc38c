import { randomBytes } from "node:crypto";
import { closeSync, createReadStream, createWriteStream, openSync, statSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { PRIVATE } from "../../../compiler/files/replace-file.js";
import type { VersionRow } from "../../../runtime/durable/rows.js";
import { StoreError } from "../../../runtime/durable/store-error.js";
import type { KeptRuns } from "../../../runtime/runs/kept/kept-runs.js";
import { reasonOf } from "../../../runtime/workflows/open-file.js";
import { EXIT, UsageError } from "../../failure.js";
import type { Context } from "../../process/context.js";
import { openProject } from "../../project.js";
import { countText } from "../../report.js";
import { withRuns } from "../open.js";
import type { Line } from "./lines.js";
import { linesIn } from "./read-lines.js";

/** So many runs that are passed over are named: a file that is taken twice may have a million. */
const NAMED = 10;

/** `runs import`: takes what `runs export` wrote. Ids stay; a run that is there already is passed over. */
export async function importRuns(context: Context, [file, ...more]: readonly string[]): Promise<number> {
  if (file === undefined || more.length > 0)
    throw new UsageError("runs import takes one file, or - for standard input");
  if (file === "-") await spooled(context, (read) => importFrom(context, read, "standard input"));
  else await importFrom(context, () => readFrom(resolve(context.cwd, file), file), file);
  return EXIT.done;
}

type Bytes = AsyncIterable<Uint8Array>;

/** Standard input can be read once only, and it is looked at twice. */
async function spooled({ stdin }: Context, use: (read: () => Bytes) => Promise<void>): Promise<void> {
  const path = join(tmpdir(), `flowsheet-import-${randomBytes(8).toString("hex")}`);
  const fd = openSync(path, "wx+", PRIVATE);
  try {
    // A file without a name goes with its process, also when that is killed.
    unlinkSync(path);
    await pipeline(stdin.chunks(), createWriteStream(path, { fd, autoClose: false }));
    await use(() => createReadStream(path, { fd, autoClose: false, start: 0 }));
  } finally {
    closeSync(fd);
  }
}

/** All lines are looked at before anything is taken: none of them is kept in memory for that. */
async function importFrom(context: Context, read: () => Bytes, from: string): Promise<void> {
  const lines = (): AsyncIterable<Line> => linesIn(read(), from);
  for await (const _ of lines());
  await withRuns(context, openProject(context), (runs) => restore(context, runs, lines()));
}

async function* readFrom(path: string, from: string): AsyncGenerator<Uint8Array, undefined> {
  try {
    // A pipe would be empty when it is read again.
    if (!statSync(path).isFile()) throw Object.assign(new Error(), { code: "ENXIO" });
    yield* createReadStream(path);
  } catch (error) {
    throw new UsageError(`cannot open ${from}: ${reasonOf(error).why}`);
  }
}

async function restore(
  context: Context,
  { executor: { store } }: KeptRuns,
  lines: AsyncIterable<Line>,
): Promise<void> {
  let taken = 0;
  let passed = 0;
  const versions = new Map<string, VersionRow>();
  for await (const { version: kept, run } of lines) {
    if (kept !== undefined) versions.set(kept.version, kept);
    if (run === undefined) continue;
    const version = versions.get(run.run.version) ?? null;
    if (await store.restore(run, version).catch((error: unknown) => refused(run.run.runId, error)))
      taken += 1;
    else if (++passed <= NAMED)
      context.note(`${run.run.runId} is passed over: the run or its key is there already`);
  }
  if (passed > NAMED) context.note(`${passed - NAMED} more are passed over`);
  context.note(`imported ${countText(taken, "run")}`);
}

/** What one store holds, another may not be able to. */
function refused(runId: string, error: unknown): never {
  if (error instanceof StoreError && error.code === "input_invalid")
    throw new UsageError(`the run ${runId} cannot be taken: ${error.message}`);
  throw error;
}
