// Measures workers on PostgreSQL: node measure-server.js <address>. Prints the figures as JSON.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createExecutor } from "../../../dist/runtime/durable/index.js";
import { sized } from "../size.js";
import { drain, hire, median, until } from "./crew.js";
import { askingChain, chainGraph, NODES } from "./graphs.js";

const store = process.argv[2] ?? "";
const WAITING = sized(10_000, 20);
const IDLE_MS = sized(20_000, 200);

/** Runs that wait for people, all of them at once. */
async function waiting() {
  const graph = askingChain(1, () => {});
  const executor = await createExecutor({ store, graphs: [graph], concurrency: 20 });
  const worker = executor.work();
  const runs = [];
  while (runs.length < WAITING)
    runs.push(...(await Promise.all(Array.from({ length: 20 }, () => executor.start(graph, { f0: "Ada" })))));
  await worker.drained();
  await worker.stop();
  return { executor, runs };
}

/** Of a core, in percent. Null where the system does not tell. */
function usedBy(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // In hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

/** What a worker costs that has nothing to do, and how soon it ends a run that was answered elsewhere. */
async function idle() {
  const { executor, runs } = await waiting();
  const worker = await hire(store, "", "asks");
  worker.go();
  // What a worker begins with is over, and what it repeats is compiled.
  await pause(sized(20_000, 1_000));
  const [before, began] = [usedBy(worker.pid), performance.now()];
  await pause(IDLE_MS);
  const share = before === null ? null : (usedBy(worker.pid) - before) / (performance.now() - began);
  const times = [];
  for (const { runId } of runs.slice(0, sized(20, 2))) {
    await pause(Math.random() * 300);
    const answered = performance.now();
    await executor.answer(runId, { Ask: "yes" });
    await until(async () => (await executor.get(runId)).status === "completed");
    times.push(performance.now() - answered);
  }
  worker.end();
  await executor.close();
  return { idle: share === null ? null : share * 100, answered: median(times), slowest: Math.max(...times) };
}

/** So many that the last ones count for little: by then some workers have nothing more to claim. */
const DRAINED = sized(540, 3);

async function workers() {
  const graph = chainGraph(NODES);
  const executor = await createExecutor({ store, graphs: [graph] });
  const times = { one: [], three: [] };
  for (let round = 0; round < sized(3, 1); round++) {
    times.one.push(await drain({ store, executor, graph, runs: DRAINED, count: 1 }));
    times.three.push(await drain({ store, executor, graph, runs: DRAINED, count: 3 }));
  }
  await executor.close();
  return median(times.one) / median(times.three);
}

console.log(JSON.stringify({ workers: await workers(), ...(await idle()) }));
process.exit(0);
