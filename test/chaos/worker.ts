import { appendFileSync, readFileSync } from "node:fs";
import type { Ops } from "../../runtime/graph/contract/contract.js";
import { openExecutor } from "./open-executor.js";
import { type Play, pieceOf } from "./plays.js";

/** A worker as a process. It writes each call and each record to a log, so that all can be counted. */
const [at = "", log = "", playsFile = "", deadAfterMs = "30000", where = ""] = process.argv.slice(2);
const plays = JSON.parse(readFileSync(playsFile, "utf8")) as readonly Play[];
const JITTER_MS = 8;

const noted = (runId: string, ops: Ops): Ops => ({
  ...ops,
  step: (id, work, about) =>
    ops.step(
      id,
      async () => {
        appendFileSync(log, `called ${runId} ${id}\n`);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * JITTER_MS));
        return work();
      },
      about,
    ),
});

const executor = await openExecutor(at, {
  deadAfterMs: Number(deadAfterMs),
  isApart: where === "apart",
  graphOf: (name) => {
    const { graph } = pieceOf(name, plays);
    return {
      ...graph,
      run: (given, options = {}) =>
        graph.run(given, {
          ...options,
          ...(options.ops === undefined ? {} : { ops: noted(options.runId ?? "", options.ops) }),
        }),
    };
  },
  recorded: (runId, ids) => {
    for (const id of ids) appendFileSync(log, `recorded ${runId} ${id}\n`);
  },
});

executor.work({ concurrency: 10 });
process.on("SIGTERM", () => {
  void executor.close(5_000).then(() => process.exit(0));
});
console.log("at work");
