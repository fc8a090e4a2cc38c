// Measures replays, take-overs and several workers: node measure.js <folder>. Prints the figures as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createExecutor } from "../../../dist/runtime/durable/index.js";
import { sized } from "../size.js";
import { askingChain, chainGraph, NODES } from "./graphs.js";

const folder = process.argv[2] ?? "";
const WORKER = fileURLToPath(new URL("worker.js", import.meta.url));
const ROUNDS = sized(5, 1);
const PATIENCE_MS = 300_000;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
let files = 0;
const newFile = () => join(folder, `runs-${++files}.db`);
const storeOf = (file, graph) => createExecutor({ store: `sqlite:${file}`, graphs: [graph] });

async function until(isSo) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(5)) if (await isSo()) return;
  throw new Error("it did not come to be");
}

/** The time until a run that is read and replayed comes to its last node, against that of recording it. */
async function replay() {
  let called = () => {};
  const graph = askingChain(sized(2_000, 20), () => called());
  const executor = await storeOf(newFile(), graph);
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

async function hire(file, log, kind) {
  const child = spawn(process.execPath, [WORKER, file, log, kind], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { go: () => child.stdin.write("go"), end: () => child.kill("SIGKILL") };
}

/** Seconds from the death of a worker until another calls the node that it was at. */
async function takeOver() {
  const [file, log] = [newFile(), join(folder, `calls-${files}`)];
  writeFileSync(log, "");
  const calls = () => readFileSync(log, "utf8").split("\n").filter(Boolean).map(Number);
  const graph = chainGraph(1);
  const executor = await storeOf(file, graph);
  await executor.start(graph, { f0: "Ada" });
  const first = await hire(file, log, "hangs");
  first.go();
  await until(() => calls().length === 1);
  const next = await hire(file, log, "answers");
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

/** Seconds in which so many workers end a queue of runs whose nodes use the processor. */
async function drain(count) {
  const file = newFile();
  const graph = chainGraph(NODES);
  const executor = await storeOf(file, graph);
  const runs = sized(60, 3);
  for (let i = 0; i < runs; i++) await executor.start(graph, { f0: "Ada" });
  const workers = await Promise.all(Array.from({ length: count }, () => hire(file, "", "busy")));
  const began = performance.now();
  for (const { go } of workers) go();
  await until(async () => (await executor.list({ status: ["completed"], limit: 1 })).total === runs);
  const seconds = (performance.now() - began) / 1_000;
  for (const { end } of workers) end();
  await executor.close();
  return seconds;
}

const overs = [];
for (let round = 0; round < ROUNDS; round++) overs.push(await takeOver());
const drained = { one: [], three: [] };
for (let round = 0; round < sized(3, 1); round++) {
  drained.one.push(await drain(1));
  drained.three.push(await drain(3));
}
console.log(
  JSON.stringify({
    replay: await replay(),
    takeOver: median(overs),
    slowest: Math.max(...overs),
    workers: median(drained.one) / median(drained.three),
  }),
);
