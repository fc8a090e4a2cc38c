// A process that works on the runs of a store: node worker.js <store> <log> <kind of node>
// It says when it is ready, and begins when it is told anything.
import { appendFileSync } from "node:fs";
import { createExecutor } from "../../../dist/runtime/durable/index.js";
import { askingChain, busy, chainGraph, NODES } from "./graphs.js";

const [store = "", log = "", kind = ""] = process.argv.slice(2);
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
  asks: () => askingChain(1, () => {}),
  answers: () =>
    chainGraph(
      1,
      told(async () => "done"),
    ),
};

const executor = await createExecutor({ store, graphs: [graphs[kind]()] });
process.stdin.once("data", () => executor.work());
console.log("ready");
