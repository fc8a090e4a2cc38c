// Workers as processes, and what is asked of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sized } from "../size.js";

const WORKER = fileURLToPath(new URL("worker.js", import.meta.url));
const PATIENCE_MS = 300_000;

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

export async function until(isSo, everyMs = 5) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(everyMs)) if (await isSo()) return;
  throw new Error("it did not come to be");
}

/** A worker on a store, which begins when it is told to. */
export async function hire(store, log, kind) {
  const child = spawn(process.execPath, [WORKER, store, log, kind], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { pid: child.pid, go: () => child.stdin.write("go"), end: () => child.kill("SIGKILL") };
}

/** Whoever asks often takes the processor from the workers that are measured. */
const SELDOM_MS = 200;

/**
 * Seconds in which so many workers that stand ready end a queue of runs whose nodes use the processor. With nodes that
 * only wait for the store, one worker keeps the store busy, and more of them have nothing to gain.
 * Each run says itself when it ended.
 */
export async function drain({ store, executor, graph, runs, count }) {
  const workers = await Promise.all(Array.from({ length: count }, () => hire(store, "", "busy")));
  for (const { go } of workers) go();
  const due = Date.now() + sized(5_000, 500);
  for (let i = 0; i < runs; i++) await executor.start(graph, { f0: "Ada" }, { at: new Date(due) });
  await pause(due - Date.now());
  await until(
    async () => (await executor.list({ status: ["queued", "running"], limit: 1 })).total === 0,
    SELDOM_MS,
  );
  const last = (await executor.list({ status: ["completed"], limit: runs })).runs;
  for (const { end } of workers) end();
  if (last.length !== runs) throw new Error(`${last.length} of ${runs} runs were completed`);
  return (Math.max(...last.map(({ ended }) => ended)) - due) / 1_000;
}
