import { jsonText } from "../../compiler/diagnostics/json-text.js";
import { quoted } from "../../compiler/diagnostics/visible.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import { hasStore } from "../../runtime/runs/kept/store-place.js";
import { EXIT, UsageError } from "../failure.js";
import type { Given } from "../line/verb.js";
import type { Context } from "../process/context.js";
import { openProject } from "../project.js";
import { readKey } from "../run/key-and-times.js";
import { systemAnswerer, systemUser } from "../run/system-user.js";
import { asUsage, noteNobody, onlyOne, refuseFile } from "./change.js";
import { findId, unknownRun, withRuns } from "./open.js";

/** `runs fork`: a new run with what another had recorded before a visit. */
export async function forkRun(context: Context, operands: readonly string[], given: Given): Promise<number> {
  const word = onlyOne("fork", operands);
  const from = given.text("from");
  if (from === null)
    throw new UsageError(
      "runs fork needs --from: the node that is called first",
      `flowsheet runs show ${word} lists its visits`,
    );
  const point = { from, current: given.flag("current"), written: writtenIn(given.list("set")) };
  const key = readKey(given.text("key"));
  const project = openProject(context);
  await refuseFile(createRunStore(project.runs), word, "be forked");
  if (!hasStore(project)) throw unknownRun(word);
  return withRuns(context, project, async (runs) => {
    const { cwd, encoding } = context;
    const parent = await runs.executor.get(await findId(runs, word));
    if (parent === null) throw unknownRun(word);
    const user = systemUser();
    const starter = { key, userId: user, startedBy: user };
    const by = systemAnswerer();
    const { created, run } = await asUsage(runs.fork(parent, { ...point, by }, { starter, cwd, encoding }));
    const { runId } = run;
    const { status } = created ? run : ((await runs.executor.get(runId)) ?? run);
    if (given.flag("json")) context.stdout.write(jsonText({ run_id: runId, status, created }));
    else context.stdout.write(`${runId}  ${status}${created ? "" : "  (this key had begun it)"}\n`);
    if (status === "queued") await noteNobody(context, runs);
    return EXIT.done;
  });
}

function writtenIn(pairs: readonly string[]): { readonly [field: string]: string } {
  const written = pairs.map((pair) => {
    const cut = pair.indexOf("=");
    if (cut < 1) throw new UsageError(`--set takes field=json, not ${quoted(pair)}`);
    return [pair.slice(0, cut), pair.slice(cut + 1)];
  });
  return Object.fromEntries(written);
}
