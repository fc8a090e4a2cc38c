import { userInfo } from "node:os";
import { join } from "node:path";
import type { Given } from "../../runtime/graph/contract/contract.js";
import { Flowsheet } from "../../runtime/index.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import { createRecord } from "../../runtime/runs/record.js";

/** A run that waits in a file of its own, as versions before the store have left it. Gives its id. */
export async function suspendInFile(
  cwd: string,
  sheet: string,
  input: Given = {},
  name?: string,
): Promise<string> {
  const graph = await new Flowsheet({ cwd }).load(join(cwd, sheet), name);
  const result = await graph.run(input);
  if (result.status !== "suspended") throw new Error(`the run is ${result.status}`);
  const limits = { maxSteps: null, timeoutMs: null };
  const startedBy = `os:${userInfo().username}`;
  const record = createRecord(
    { sheet, encoding: null, limits, startedBy },
    result.checkpoint,
    result.waiting,
  );
  await createRunStore(join(cwd, ".flowsheet/runs")).add(record);
  return result.runId;
}
