import { DBOS } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type DbosOptions, dbosCarrier } from "../../../runtime/durable/dbos/carrier.js";
import { Engine } from "../../../runtime/durable/dbos/engine.js";
import type { DurableExecutor } from "../../../runtime/durable/executor.js";
import { setupSql } from "../../../runtime/durable/postgres/server/setup-sql.js";
import type { DurableStore } from "../../../runtime/durable/store.js";
import { CONTRACT } from "../../../runtime/graph/contract/define.js";
import { defineGraph } from "../../../runtime/graph/index.js";
import { HAS_POSTGRES } from "../../postgres/asked.js";
import { type PostgresServer, query, startServer } from "../../postgres/server.js";
import { approval, none, open, request, until } from "../executors.js";

const SCHEMA = "flowsheet_dbos";
let server: PostgresServer;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  if (HAS_POSTGRES) server = await startServer();
});
afterAll(() => server?.remove());
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});

/** A worker whose legs are workflows; what only the books of DBOS need is in PostgreSQL. */
async function newPool(url?: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: url ?? (await server.database()), max: 5 });
  pool.on("error", () => {});
  pools.push(pool);
  return pool;
}

type Book = { workflow_uuid: string; status: string; executor_id: string; application_version: string };
const books = async (pool: pg.Pool): Promise<readonly Book[]> => {
  const text = `SELECT * FROM ${SCHEMA}.workflow_status ORDER BY created_at`;
  return pool.query<Book>(text).then(
    ({ rows }) => rows,
    () => [],
  );
};
/** Runs go on before DBOS has come to be: the first one that it has books of shows that it has. */
const launched = (executor: DurableExecutor, pool: pg.Pool): Promise<void> =>
  until(async () => {
    const { run } = await executor.start(request(approval));
    await until(async () => (await executor.get(run.runId))?.status === "waiting");
    return (await books(pool)).some(({ status }) => status === "SUCCESS");
  });
const booksOf = async (pool: pg.Pool, runId: string): Promise<readonly Book[]> =>
  (await books(pool)).filter(({ workflow_uuid }) => workflow_uuid.startsWith(runId));
const ended = (executor: DurableExecutor, runId: string): Promise<void> =>
  until(async () => (await executor.get(runId))?.ended !== null);

/** Its runs are kept elsewhere: what is tested here is DBOS. */
const carriedBy = (options: Omit<DbosOptions, "root">) => ({
  wrap: (store: DurableStore): DurableStore => ({
    ...store,
    carrierOf: dbosCarrier({ ...options, root: "." }),
  }),
});

const inside: (string | undefined)[] = [];
const secretive = defineGraph()({
  name: "Secretive",
  entry: "A",
  nodes: {
    A: {
      agent: async () => {
        inside.push(DBOS.workflowID);
        return "the secret";
      },
      inputs: none,
      writes: "a",
    },
  },
  routes: { A: {} },
  fingerprint: "secretive",
}) as never as typeof approval;

test.skipIf(!HAS_POSTGRES)(
  "each leg is a workflow of DBOS: its run, its end and its worker stand there, and no value",
  async () => {
    const pool = await newPool();
    const executor = await open([approval, secretive], carriedBy({ pool, schema: SCHEMA }));
    const worker = executor.work();
    await launched(executor, pool);
    const { run } = await executor.start(request(approval, { told: "the secret" }));
    await until(async () => (await executor.get(run.runId))?.status === "waiting");
    await executor.answer(run.runId, { Ask: "the secret" });
    await ended(executor, run.runId);
    const other = await executor.start(request(secretive));
    await ended(executor, other.run.runId);
    expect(inside).toEqual([undefined]);
    await worker.stop();
    const found = [...(await booksOf(pool, run.runId)), ...(await booksOf(pool, other.run.runId))];
    expect(found.map(({ workflow_uuid, status }) => [workflow_uuid, status])).toEqual([
      [`${run.runId}.1`, "SUCCESS"],
      [`${run.runId}.2`, "SUCCESS"],
      [`${other.run.runId}.1`, "SUCCESS"],
    ]);
    expect(new Set(found.map(({ application_version }) => application_version))).toEqual(
      new Set([`flowsheet-${CONTRACT}`]),
    );
    const outputs = await pool.query(`SELECT DISTINCT output FROM ${SCHEMA}.workflow_output ORDER BY output`);
    expect(outputs.rows.map(({ output }) => JSON.parse(output).json)).toEqual(["completed", "waiting"]);
    const inputs = await pool.query(`SELECT inputs FROM ${SCHEMA}.workflow_input`);
    expect(JSON.stringify([found, inputs.rows, outputs.rows])).not.toContain("secret");
  },
);

test.skipIf(!HAS_POSTGRES)("a second worker of the process works without DBOS", async () => {
  const pool = await newPool();
  const carried = carriedBy({ pool, schema: SCHEMA });
  const executor = await open([approval], carried);
  executor.work();
  await launched(executor, pool);
  const other = await open([approval], carried);
  const worker = other.work();
  const { run } = await other.start(request(approval));
  await until(async () => (await other.get(run.runId))?.status === "waiting");
  await worker.stop();
  expect(DBOS.isInitialized()).toBe(true);
  expect(await booksOf(pool, run.runId)).toEqual([]);
});

test.skipIf(!HAS_POSTGRES)(
  "without its database DBOS stops no run, and keeps its books again when that is back",
  async () => {
    const pool = await newPool();
    const told: string[] = [];
    const log = { warn: (message: string) => void told.push(message) };
    await server.stop();
    const executor = await open([approval], { ...carriedBy({ pool, schema: SCHEMA }), log });
    executor.work();
    const first = await executor.start(request(approval));
    await until(async () => (await executor.get(first.run.runId))?.status === "waiting");
    await until(() => told.length > 0);
    await server.start();
    await launched(executor, pool);
    expect(told).toEqual([
      expect.stringMatching(/^DBOS keeps no books of this worker's runs, which go on: .*ECONNREFUSED/),
      "DBOS keeps books of this worker's runs again",
    ]);
    const second = await executor.start(request(approval));
    await until(async () => (await executor.get(second.run.runId))?.status === "waiting");
    const id = `${second.run.runId}.1`;
    const isEnded = (book: Book): boolean => book.workflow_uuid === id && book.status === "SUCCESS";
    await until(async () => (await books(pool)).some(isEnded));
    // In the middle of its work, too.
    await server.stop("immediate");
    const third = await executor.start(request(approval));
    await until(async () => (await executor.get(third.run.runId))?.status === "waiting");
    await server.start();
    expect((await books(pool)).map(({ workflow_uuid }) => workflow_uuid)).toContain(id);
  },
);

test.skipIf(!HAS_POSTGRES)(
  "workflows of workers that are gone are ended, and ended ones are forgotten",
  async () => {
    const pool = await newPool();
    const carried = carriedBy({ pool, schema: SCHEMA, keepMs: 1_000, tidyMs: 50 });
    const executor = await open([approval], carried);
    const worker = executor.work();
    await launched(executor, pool);
    await pool.query(
      `INSERT INTO ${SCHEMA}.workflow_status (workflow_uuid, status, name, executor_id, application_name)
         VALUES ('of-the-dead', 'PENDING', 'leg', 'nobody', 'flowsheet')`,
    );
    await pool.query(
      `INSERT INTO ${SCHEMA}.workflow_status (workflow_uuid, status, name, queue_name, application_name)
         VALUES ('by-hand', 'ENQUEUED', 'leg', '_dbos_internal_queue', 'flowsheet')`,
    );
    await until(async () => (await books(pool)).length === 0);
    await worker.stop();
  },
);

test.skipIf(!HAS_POSTGRES)("DBOS asks the database nothing while nothing is at work", async () => {
  const pool = await newPool();
  const executor = await open([approval], carriedBy({ pool, schema: SCHEMA, tidyMs: 3_600_000 }));
  const worker = executor.work();
  await launched(executor, pool);
  let asked = 0;
  pool.on("acquire", () => {
    asked += 1;
  });
  // What is still to be written down comes first.
  await until(async () => {
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return asked === before;
  });
  await worker.stop();
});

test.skipIf(!HAS_POSTGRES)("the role that `runs setup` makes has the rights that DBOS needs", async () => {
  const url = await server.database();
  await query(url, setupSql({ role: "least", database: null }));
  const pool = await newPool(url.replace("flowsheet@", "least@"));
  const executor = await open([approval], carriedBy({ pool, schema: SCHEMA }));
  const worker = executor.work();
  await launched(executor, pool);
  await worker.stop();
});

test.skipIf(!HAS_POSTGRES)("another copy of the code in the process works without DBOS", async () => {
  const pool = await newPool();
  const { signal } = new AbortController();
  const about = { pool, schema: SCHEMA, root: ".", owner: "first", contract: 3, legOf: () => undefined };
  const first = await Engine.launch(about, signal);
  await first?.shutDown(1_000);
  expect(first).not.toBeNull();
  const copy = "../../../runtime/durable/dbos/engine.js?copy";
  const { Engine: EngineOfCopy } = (await import(/* @vite-ignore */ copy)) as { Engine: typeof Engine };
  expect(EngineOfCopy).not.toBe(Engine);
  expect(await EngineOfCopy.launch({ ...about, owner: "copy" }, signal)).toBeNull();
});
