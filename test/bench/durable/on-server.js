// A chain of ten async nodes in PostgreSQL, as a graph on a worker or as bare steps of DBOS:
// node on-server.js <engine> <runs at a time> <runs> <address>. Prints milliseconds a step.
import { createExecutor } from "../../../dist/runtime/durable/index.js";
import { chainGraph, NODES, pass } from "./graphs.js";

const [engine = "", at = "1", runs = "1", address = ""] = process.argv.slice(2);
const atATime = Number(at);

const engines = {
  async graphs() {
    const graph = chainGraph(NODES);
    const executor = await createExecutor({ store: address, graphs: [graph] });
    const worker = executor.work({ concurrency: atATime });
    return async (count) => {
      await inLines(count, () => executor.start(graph, { f0: "Ada" }));
      await worker.drained();
    };
  },
  async dbos() {
    const { DBOS } = await import("@dbos-inc/dbos-sdk");
    const { default: pg } = await import("pg");
    const silent = () => {};
    const logger = { info: silent, debug: silent, warn: silent, error: silent };
    const pool = new pg.Pool({ connectionString: address, max: 10 });
    const chain = DBOS.registerWorkflow(
      async (first) => {
        let value = first;
        for (let i = 0; i < NODES; i++) value = await DBOS.runStep(() => pass({ value }), { name: `N${i}` });
        return value;
      },
      { name: "chain" },
    );
    DBOS.setConfig({ name: "bench", systemDatabasePool: pool, logger });
    await DBOS.launch();
    return (count) => inLines(count, async () => (await DBOS.startWorkflow(chain)("Ada")).getResult());
  },
};

async function inLines(count, work) {
  let left = count;
  const line = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atATime }, line));
}

const run = await engines[engine]();
await run(Math.ceil(Number(runs) / 3));
const began = performance.now();
await run(Number(runs));
console.log((performance.now() - began) / Number(runs) / NODES);
process.exit(0);
