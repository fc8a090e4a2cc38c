import { canWriteInto, kindOf } from "../../compiler/files/access.js";
import { CONFIG_NAME, type Project } from "../../runtime/config/folders.js";
import { otherContract } from "../../runtime/durable/legs/other-contract.js";
import type { RunRow } from "../../runtime/durable/rows.js";
import { FlowsheetError } from "../../runtime/graph/contract/errors.js";
import { createRunStore } from "../../runtime/runs/files/store.js";
import type { KeptRuns } from "../../runtime/runs/kept/kept-runs.js";
import { hasStore, isOnServer } from "../../runtime/runs/kept/store-place.js";
import { helpOf } from "../failure.js";
import type { Context } from "../process/context.js";
import { countText } from "../report.js";
import { heldText } from "../runs/held-text.js";
import { storeName, withRuns } from "../runs/open.js";
import { isReadableFolder } from "./check-project.js";
import { type Findings, ok, problem, warning } from "./finding.js";

const ABOUT = "runs";

/** A folder that cannot be read is reported with the folders. */
export async function checkRuns(context: Context, project: Project): Promise<Findings> {
  if (isOnServer(project))
    return [await checkServer(context, project), ...(await checkFiles(project))].flat();
  const kind = kindOf(project.runs);
  if (kind === null ? !canWriteInto(project.runs) : !isReadableFolder(project.runs)) return [];
  const files = await checkFiles(project);
  if (!hasStore(project)) {
    const network = await checkNetwork(project);
    return files.length + network.length > 0 ? [...network, ...files] : [ok(ABOUT, "no run waits")];
  }
  return [...(await looked(() => withRuns(context, project, checkStore))), ...files];
}

async function looked(look: () => Promise<Findings>): Promise<Findings> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof FlowsheetError)) throw error;
    return [problem(ABOUT, error.message, helpOf(error) ?? "mend that, then look again")];
  }
}

/** The tables are made by the first command that needs them, so they are made here, too. */
const checkServer = (context: Context, project: Project): Promise<Findings> =>
  looked(async () => [
    ok(ABOUT, `they are kept in ${await storeName(project)}`),
    ...(await withRuns(context, project, checkStore)),
  ]);

/** Runs in files of their own, from before there was a store. */
async function checkFiles(project: Project): Promise<Findings> {
  const { runs, unreadable } = await createRunStore(project.runs).list();
  const cut = runs.filter(({ status }) => status === "interrupted").length;
  const waits = runs.length === 1 ? "1 run waits" : `${runs.length} runs wait`;
  const cure = "flowsheet runs lists them, flowsheet resume goes on with one";
  const known =
    cut > 0
      ? warning(ABOUT, `${waits}, ${cut} of them cut short`, cure)
      : ok(ABOUT, `${waits} (flowsheet runs)`);
  return [
    ...(runs.length === 0 ? [] : [known]),
    ...unreadable.map((file) => warning(ABOUT, `${file} is damaged`, "its run is lost: remove the file")),
  ];
}

/**
 * Any folder gets a store with the first run that waits, but where every run is kept none can begin without one.
 * `network` holds the numbers of file systems that stand for a network; for tests.
 */
export async function checkNetwork(
  { file, keeping, runs }: Pick<Project, "file" | "keeping" | "runs">,
  network?: ReadonlySet<number>,
): Promise<Findings> {
  const { isOnNetwork } = await import("../../runtime/durable/sqlite/open.js");
  if (!isOnNetwork(runs, network)) return [];
  const cure = `name a folder of this machine: runs.folder in ${CONFIG_NAME}`;
  const where = `${runs} is in a network folder, where`;
  return file !== null && keeping.keep === "all"
    ? [problem(ABOUT, `${where} runs cannot be kept`, cure)]
    : [warning(ABOUT, `${where} a run that waits cannot be kept`, cure)];
}

async function checkStore({ executor }: KeptRuns): Promise<Findings> {
  const { store } = executor;
  await store.check();
  await store.probe();
  const { counts, due } = await store.stats(Date.now());
  const { runs: queued } = await executor.list({ status: ["queued"], limit: 200 });
  const isOther = (run: RunRow): boolean => otherContract(run) !== null;
  const { runs: stuck } = await store.list({ status: ["stuck"], limit: 200 });
  const told = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  const isIdle = due > 0 && !(await executor.hasWorkers());
  return [
    ok(ABOUT, told.length === 0 ? "no run is kept" : `kept: ${told.join(", ")} (flowsheet runs)`),
    ...(isIdle
      ? [warning(ABOUT, `nobody is at work here: ${countText(due, "run")} to go on with`, "flowsheet work")]
      : []),
    ...byReason(queued.filter(isOther)).map(([why, count]) =>
      warning(
        ABOUT,
        `${countText(count, "run")} held: ${why}`,
        "start a worker of that version: flowsheet work",
      ),
    ),
    ...byReason(queued.filter((run) => !isOther(run))).map(([why, count]) =>
      warning(
        ABOUT,
        `${countText(count, "run")} held: ${heldText(why)}`,
        "bring it back: held runs go on by themselves",
      ),
    ),
    ...byReason(stuck).map(([why, count]) =>
      warning(ABOUT, `${countText(count, "run")} stuck: ${why}`, "mend that, then: flowsheet runs retry"),
    ),
  ];
}

function byReason(runs: readonly RunRow[]): readonly (readonly [why: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { held } of runs) if (held !== null) counts.set(held, (counts.get(held) ?? 0) + 1);
  return [...counts];
}
