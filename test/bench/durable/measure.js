// Measures replays, take-overs and several workers: node measure.js <folder>. Prints the figures as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createExecutor } from "../../../dist/runtime/durable/index.js";
import { sized } from "../size.js";
import { drain, hire, median, until } from "./crew.js";
import { askingChain, chainGraph, NODES } from "./graphs.js";

const folder = process.argv[2] ?? "";
const ROUNDS = sized(5, 1);

let files = 0;
const newStore = () => `sqlite:${join(folder, `runs-${++files}.db`)}`;
const storeOf = (store, graph) => createExecutor({ store, graphs: [graph] });

/** The time until a run that is read and replayed comes to its last node, against that of recording it. */
async function replay() {
  let called = () => {};
  const graph = askingChain(sized(2_000, 20), () => called());
  const executor = await storeOf(newStore(), graph);
  const worker = executor.work();
  const timeOf = async (work) => {
    const asked = new Promise((resolve) => {
      called = resolve;
    });
    const began = performance.now();
    await work();
    await asked;
    return performance.now() - began;
  };
  const ratios = [];
  // V8 compiles the code in the first two rounds.
  for (let round = -2; round < 2 * ROUNDS; round++) {
    let run;
    const recorded = await timeOf(async () => {
      run = await executor.start(graph, { f0: "Ada" }, { maxSteps: 10_000 });
    });
    await until(async () => (await executor.get(run.runId)).status === "waiting");
    const replayed = await timeOf(() => executor.answer(run.runId, { Ask: "yes" }));
    if (round >= 0) ratios.push(replayed / recorded);
    await run.result();
  }
  await worker.stop();
  await executor.close();
  return median(ratios);
}

/** Seconds from the death of a worker until another calls the node that it was at. */
async function takeOver() {
  const [store, log] = [newStore(), join(folder, `calls-${files}`)];
  writeFileSync(log, "");
  const calls = () => readFileSync(log, "utf8").split("\n").filter(Boolean).map(Number);
  const graph = chainGraph(1);
  const executor = await storeOf(store, graph);
  await executor.start(graph, { f0: "Ada" });
  const first = await hire(store, log, "hangs");
  first.go();
  await until(() => calls().length === 1);
  const next = await hire(store, log, "answers");
  next.go();
  // It has looked for work, and found none.
  await pause(500);
  const killed = performance.timeOrigin + performance.now();
  first.end();
  await until(() => calls().length === 2);
  next.end();
  await executor.close();
  return (calls()[1] - killed) / 1_000;
}

async function drained(count) {
  const store = newStore();
  const graph = chainGraph(NODES);
  const executor = await storeOf(store, graph);
  const seconds = await drain({ store, executor, graph, runs: sized(180, 3), count });
  await executor.close();
  return seconds;
}

const overs = [];
for (let round = 0; round < ROUNDS; round++) overs.push(await takeOver());
const times = { one: [], three: [] };
for (let round = 0; round < sized(3, 1); round++) {
  times.one.push(await drained(1));
  times.three.push(await drained(3));
}
console.log(
  JSON.stringify({
    replay: await replay(),
    takeOver: median(overs),
    slowest: Math.max(...overs),
    workers: median(times.one) / median(times.three),
  }),
);
