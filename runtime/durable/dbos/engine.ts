import { setTimeout as pause } from "node:timers/promises";
import type { DBOSConfig, DBOS as Sdk, WorkflowStatusString } from "@dbos-inc/dbos-sdk";
import { loadPackage } from "../../optional-packages.js";

/** DBOS is one in a process: its configuration and its workflows are of the process. */
let isTaken = false;
/** What becomes of the leg of a workflow, when it was claimed here. */
let legOf: (workflowId: string) => Promise<string> | undefined = () => undefined;

const NAME = "leg";
/** What DBOS starts by itself, after a restart or by somebody's hand, drives nothing: the store says what is due. */
const PASSED = "passed";

const PACKAGE = "@dbos-inc/dbos-sdk";
/** Where the loop for schedules cannot be stopped, it looks seldom. */
const SELDOM_MS = 3_600_000;

const load = async (root: string) => {
  const { DBOS, Error: errors } = (await loadPackage(PACKAGE, root)) as typeof import("@dbos-inc/dbos-sdk");
  const drive = (_runId: string, _graph: string): Promise<string> =>
    legOf(DBOS.workflowID ?? "") ?? Promise.resolve(PASSED);
  try {
    return { DBOS, leg: DBOS.registerWorkflow(drive, { name: NAME }) };
  } catch (error) {
    // Another copy of this file, such as that of a bundle, has come first in this process.
    if (error instanceof errors.DBOSConflictingRegistrationError) return null;
    throw error;
  }
};

/**
 * DBOS looks each second for queues, deadlines and schedules, and none of them is used: a worker with nothing to do would
 * spend half of its time on that. A later version may have no such door.
 */
async function rest(root: string): Promise<void> {
  try {
    const parts = await loadPackage(`${PACKAGE}/internal/dbos-executor`, root);
    const { DBOSExecutor } = parts as typeof import("@dbos-inc/dbos-sdk/internal/dbos-executor");
    await DBOSExecutor.globalInstance?.deactivateEventReceivers();
    await DBOSExecutor.globalInstance?.stopWorkflowTimeoutSweep();
  } catch {}
}

type Loaded = NonNullable<Awaited<ReturnType<typeof load>>>;
/** A workflow is registered once. */
let loaded: Promise<Loaded | null> | null = null;

function loadOnce(root: string): Promise<Loaded | null> {
  loaded ??= load(root).catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

/** Of connections to PostgreSQL. */
export type Pool = NonNullable<DBOSConfig["systemDatabasePool"]>;

export interface EngineOptions {
  readonly pool: Pool;
  /** The schema of DBOS's own tables. */
  readonly schema: string;
  /** The folder whose packages count. */
  readonly root: string;
  readonly owner: string;
  readonly contract: number;
  readonly legOf: typeof legOf;
}

/** Nothing is told by DBOS itself: while the database is away, the store tells it once. */
const SILENT = { info() {}, debug() {}, warn() {}, error() {} };
/** So many workflows are looked at in one statement. */
const BATCH = 500;
const ENDED: WorkflowStatusString[] = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"];

/** The DBOS of this process, which keeps a workflow for each leg. */
export class Engine {
  readonly #dbos: typeof Sdk;
  readonly #leg: Loaded["leg"];

  private constructor({ DBOS, leg }: Loaded) {
    this.#dbos = DBOS;
    this.#leg = leg;
  }

  /** Null when another worker of this process, or a program around it, has DBOS already. */
  static async launch(options: EngineOptions, signal: AbortSignal): Promise<Engine | null> {
    if (isTaken) return null;
    isTaken = true;
    try {
      const parts = await loadOnce(options.root);
      if (parts === null || parts.DBOS.isInitialized()) {
        isTaken = false;
        return null;
      }
      legOf = options.legOf;
      parts.DBOS.setConfig(configOf(options));
      await alone(options, signal, () => parts.DBOS.launch());
      await rest(options.root);
      return new Engine(parts);
    } catch (error) {
      isTaken = false;
      throw error;
    }
  }

  /** Resolves when the workflow was begun, or when DBOS knew one of this id. */
  async start(workflowId: string, { runId, graph }: { runId: string; graph: string }): Promise<void> {
    const about = { workflowID: workflowId, workflowAttributes: { run: runId, graph } };
    await this.#dbos.startWorkflow(this.#leg, about)(runId, graph);
  }

  /** Ends the workflows of workers that are gone, and those in a queue; forgets those that ended before a time. */
  async tidy(isLiving: (owner: string) => boolean, endedBefore: number): Promise<void> {
    const about = { workflowName: NAME, limit: BATCH, loadInput: false, loadOutput: false };
    const open = await this.#dbos.listWorkflows({ ...about, status: ["PENDING", "ENQUEUED"] });
    // One in a queue was put there by somebody's hand, and nobody here takes from a queue.
    const isCut = ({ status, executorId }: (typeof open)[number]): boolean =>
      status === "ENQUEUED" || (executorId !== undefined && !isLiving(executorId));
    const cut = open.filter(isCut);
    if (cut.length > 0) await this.#dbos.cancelWorkflows(cut.map(({ workflowID }) => workflowID));
    const completedBefore = new Date(endedBefore).toISOString();
    for (let found = BATCH; found === BATCH; ) {
      const ended = await this.#dbos.listWorkflows({ ...about, status: ENDED, completedBefore });
      if (ended.length > 0) await this.#dbos.deleteWorkflows(ended.map(({ workflowID }) => workflowID));
      found = ended.length;
    }
  }

  /** Writes down what has just ended, as long as that takes no longer than this. */
  async shutDown(patienceMs: number): Promise<void> {
    const down = this.#dbos.shutdown({ workflowCompletionTimeoutMS: patienceMs }).then(
      () => {
        isTaken = false;
      },
      () => {},
    );
    await within(2 * patienceMs, down);
    legOf = () => undefined;
  }
}

/** Resolves after this time at the latest: a database that is away keeps DBOS from its end. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([work, pause(ms, undefined, { signal }).catch(() => {})]);
  over.abort();
}

function configOf({ pool, schema, owner, contract }: EngineOptions): DBOSConfig {
  return {
    name: "flowsheet",
    systemDatabasePool: pool,
    systemDatabaseSchemaName: schema,
    executorID: owner,
    applicationVersion: `flowsheet-${contract}`,
    // A pooler in front of the database hands no notices on.
    useListenNotify: false,
    schedulerPollingIntervalMs: SELDOM_MS,
    logger: SILENT,
  };
}

const LOCK_PAUSE_MS = 100;

/**
 * One process at a time: the tables are made when DBOS is launched, and two that make them at once both fail. The lock
 * is tried for and not waited for: a waiting statement would keep `CREATE INDEX CONCURRENTLY` from its end.
 */
async function alone({ pool, schema }: EngineOptions, signal: AbortSignal, work: () => Promise<void>) {
  const client = await pool.connect();
  const ignore = (): void => {};
  client.on("error", ignore);
  try {
    for (;;) {
      await client.query("BEGIN");
      // With its value apart, the statement would hold its snapshot until the transaction ends.
      const name = client.escapeLiteral(`flowsheet ${schema}`);
      const { rows } = await client.query<{ mine: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS mine`,
      );
      if (rows[0]?.mine === true) break;
      await client.query("ROLLBACK");
      await pause(LOCK_PAUSE_MS, undefined, { signal });
    }
    await work();
  } finally {
    await client.query("ROLLBACK").catch(ignore);
    client.removeListener("error", ignore);
    client.release();
  }
}
