import { resolve } from "node:path";
import { PRIVATE, replaceFile } from "../../../compiler/files/replace-file.js";
import type { RunCopy, RunStatus, VersionRow } from "../../../runtime/durable/rows.js";
import { EXIT } from "../../failure.js";
import type { Context } from "../../process/context.js";
import { countText } from "../../report.js";

export const ENDED: readonly RunStatus[] = ["completed", "failed", "cancelled"];

/** A line of an export. */
export interface Line {
  readonly version?: VersionRow;
  readonly run?: RunCopy;
}

/** Tells how many runs were written. */
export async function written(
  context: Context,
  out: string | null,
  lines: Iterable<Line> | AsyncIterable<Line>,
): Promise<number> {
  let count = 0;
  async function* texts(): AsyncGenerator<string, undefined> {
    for await (const line of lines) {
      if (line.run !== undefined) count += 1;
      yield `${JSON.stringify(line)}\n`;
    }
  }
  if (out === null) for await (const text of texts()) context.stdout.write(text);
  else await replaceFile(resolve(context.cwd, out), texts(), { mode: PRIVATE });
  context.note(`exported ${countText(count, "run")}`);
  return EXIT.done;
}

/** A run that somebody works on would go on here and there, and be done twice. */
export function withoutOpen(
  { note }: Context,
  wanted: readonly RunStatus[],
  hasWorkers: boolean,
): readonly RunStatus[] {
  const found = wanted.filter((status) => !hasWorkers || ENDED.includes(status));
  if (found.length < wanted.length)
    note("open runs are left out: somebody is at work on this store, stop it first");
  return found;
}
