// Measures what a server of many graphs keeps in memory, and whether runs leave something behind; prints JSON.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { createFlowsheetServer } from "../../../dist/runtime/http/index.js";
import { sized } from "../size.js";

const GRAPHS = sized(1_000, 20);
const NODES = 20;
const HEADER = "graph_name,node_name,next_node,agent_type,input_fields,output_field,prompt,description";

function sheet(graph) {
  const rows = Array.from({ length: NODES }, (_, i) => {
    const next = i + 1 < NODES ? `N${i + 1}` : "";
    const [from, to] = [i === 0 ? "name" : `f${i}`, `f${i + 1}`];
    return `G${graph},N${i},${next},echo,${from},${to},"Step ${i} of graph ${graph} says {${from}}",Says it`;
  });
  return `${HEADER}\n${rows.join("\n")}\n`;
}

/** What the heap holds once nothing is left to collect. */
async function heap() {
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await sleep(50);
  }
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
}

async function serve(graphs) {
  const cwd = mkdtempSync(join(tmpdir(), "flowsheet-bench-memory-"));
  mkdirSync(join(cwd, "workflows"));
  for (let i = 0; i < graphs; i++) writeFileSync(join(cwd, "workflows", `g${i}.csv`), sheet(i));
  const config =
    "authentication: {enabled: false}\nlogging: {loggers: {flowsheet: {level: ERROR, handlers: []}}}\n";
  writeFileSync(join(cwd, "flowsheet.yaml"), config);
  // A file that has just been written is not kept.
  await sleep(2_500);
  const server = createFlowsheetServer({ cwd, config: null, env: {}, console: () => {}, port: 0 });
  const running = await server.listen();
  const run = (graph) =>
    fetch(`${running.url}/execute`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ graph_name: `G${graph}`, initial_state: { name: "Ada" } }),
    }).then((answer) => answer.json());
  const stop = async () => {
    await running.stop(1_000);
    rmSync(cwd, { recursive: true, force: true });
  };
  return { url: running.url, run, stop, count: server.workflows };
}

const load = (url, amount) =>
  autocannon({
    url: `${url}/execute`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ graph_name: "G0", initial_state: { name: "Ada" } }),
    connections: 20,
    amount,
  });

const idle = await serve(1);
await idle.run(0);
await load(idle.url, sized(5_000, 100));
const before = await heap();
await load(idle.url, sized(20_000, 200));
const after = await heap();
const empty = after;
const full = await serve(GRAPHS);
if (full.count() !== GRAPHS) throw new Error(`${full.count()} workflows instead of ${GRAPHS}`);
const listed = await heap();
for (let i = 0; i < GRAPHS; i++) {
  const { status } = await full.run(i);
  if (status !== "completed") throw new Error(`G${i}: ${status}`);
}
const served = await heap();
console.log(
  JSON.stringify({
    listedMb: (listed - empty) / 1024 / 1024,
    catalogueMb: (served - empty) / 1024 / 1024,
    driftPercent: (Math.abs(after - before) / before) * 100,
  }),
);
await idle.stop();
await full.stop();
