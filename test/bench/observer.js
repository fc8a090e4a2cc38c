// Measures what an observer costs a node, in processor time: node test/bench/observer.js <folder>
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trace } from "@opentelemetry/api";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { Flowsheet } from "../../dist/runtime/index.js";
import { telemetry } from "../../dist/runtime/otel/index.js";
import { sized } from "./size.js";

const NODES = 100;
const RUNS = sized(100, 2);

const folder = join(process.argv[2], "observed");
mkdirSync(folder, { recursive: true });
const flowsheet = new Flowsheet({ cwd: folder, env: {}, agents: { call: async () => "called" } });

/** A row of nodes with one agent. */
async function chain(agent) {
  const rows = Array.from({ length: NODES }, (_, i) => `${agent},N${i},N${i + 1},${agent},f${i},said`);
  rows.push(`${agent},N${NODES},,${agent},f,said`);
  const file = join(folder, `${agent}.csv`);
  const header = "graph_name,node_name,next_node,agent_type,output_field,prompt";
  writeFileSync(file, `${[header, ...rows].join("\n")}\n`);
  return flowsheet.load(file);
}

/** Microseconds of processor time a node. */
async function cost(graph, options) {
  const before = process.cpuUsage();
  for (let i = 0; i < RUNS; i++) {
    const { status } = await graph.run({}, options);
    if (status !== "completed") throw new Error(`the run ${status}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RUNS / NODES;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const graphs = { calls: await chain("call"), computes: await chain("echo") };
const times = {};
const measure = async (what, options) => {
  for (const [kind, graph] of Object.entries(graphs)) {
    times[`${kind} ${what}`] ??= [];
    times[`${kind} ${what}`].push(await cost(graph, options));
  }
};
for (let i = 0; i < sized(7, 1); i++) {
  await measure("off", {});
  await measure("unheard", { observer: telemetry() });
  trace.disable();
  new NodeTracerProvider().register();
  await measure("heard", { observer: telemetry() });
  trace.disable();
}
console.log(
  JSON.stringify(Object.fromEntries(Object.entries(times).map(([what, all]) => [what, median(all)]))),
);
