// A process that works on the runs of a store: node worker.js <file> <log> <kind of node>
// It says when it is ready, and begins when it is told anything.
import { appendFileSync } from "node:fs";
import { createExecutor } from "../../../dist/runtime/durable/index.js";
import { busy, chainGraph, NODES } from "./graphs.js";

const [file = "", log = "", kind = ""] = process.argv.slice(2);
const BUSY_MS = 4;

/** Says when it was called. */
const told = (answer) => () => {
  appendFileSync(log, `${performance.timeOrigin + performance.now()}\n`);
  return answer();
};

const graphs = {
  busy: () => chainGraph(NODES, busy(BUSY_MS)),
  hangs: () =>
    chainGraph(
      1,
      told(() => new Promise(() => {})),
    ),
  answers: () =>
    chainGraph(
      1,
      told(async () => "done"),
    ),
};

const executor = await createExecutor({ store: `sqlite:${file}`, graphs: [graphs[kind]()] });
process.stdin.once("data", () => executor.work());
console.log("ready");
