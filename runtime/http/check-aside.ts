import { Worker } from "node:worker_threads";
import type { Report } from "../../compiler/diagnostics/report.js";
import { HttpProblem } from "./problem.js";

/** Sheets that are checked at the same time: each takes a processor. */
const MOST = 2;
const MEMORY_MB = 1_024;

let busy = 0;

/** Checks a large sheet in a thread of its own. */
export async function checkAside(program: string, bytes: Uint8Array, signal: AbortSignal): Promise<Report> {
  if (busy >= MOST)
    throw new HttpProblem("overloaded", {
      detail: "other large sheets are being checked",
      headers: { "Retry-After": "2" },
      close: true,
    });
  busy++;
  const worker = new Worker(program, {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const stop = (): void => void worker.terminate();
  signal.addEventListener("abort", stop);
  try {
    return await new Promise<Report>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () =>
        reject(new HttpProblem("overloaded", { headers: { "Retry-After": "2" }, close: true })),
      );
    });
  } finally {
    busy--;
    signal.removeEventListener("abort", stop);
  }
}
