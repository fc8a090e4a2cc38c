// Measures one program in a process of its own: node measure.js <project> <kind> <shape as JSON> <steady|first>.
// Prints { first, each, state }: milliseconds from nothing to the first result, nanoseconds a node visit from then
// on, and a digest of the state at the end, by which all kinds of one shape must agree.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sized } from "../size.js";

const [, , folder = "", kind = "", json = "{}", what = "steady"] = process.argv;
const { id, visits, input } = JSON.parse(json);
const load = (...parts) => import(pathToFileURL(join(folder, ...parts)).href);
const ours = (entry) => load("node_modules/flowsheet/dist", entry, "index.js");

const programs = {
  bare: async () => (await load("hand", `bare-${id}.js`)).run,
  careful: async () => (await load("hand", `careful-${id}.js`)).run,
  generated: async () => runOf(graphIn(await load("generated", `${id}.gen.js`))),
  interpreted: async () => runOf(await interpret()),
  library: runWorkflow,
};

const graphIn = (module) => Object.values(module).find((value) => value?.name === id);
// Hand-written code reads no clock either.
const UNTIMED = { timed: false };
const runOf = (graph) => (given) => graph.run(given, UNTIMED);

/** The way from the sheet to a graph in memory. */
async function interpret() {
  const [{ understandSheet }, { link }, agents] = await Promise.all([
    ours("compiler"),
    ours("runtime/graph"),
    load("agents/agents.js"),
  ]);
  const byType = new Map(Object.entries(agents).map(([name, agent]) => [name.toLowerCase(), agent]));
  const world = {
    agents: [],
    customAgents: new Set(byType.keys()),
    unknownAgent: "error",
    prompt: null,
    otherGraphs: null,
    lacks: () => null,
  };
  const file = `workflows/${id}.csv`;
  const { graphs } = understandSheet({ file, bytes: readFileSync(join(folder, file)) }, world);
  return link(graphs[0], { find: (type) => byType.get(type.toLowerCase()) });
}

/** The library's own call, which looks each time whether the sheet has changed. */
async function runWorkflow() {
  const { Flowsheet } = await ours("runtime");
  process.chdir(folder);
  const flowsheet = new Flowsheet();
  const csvPath = join(folder, "workflows", `${id}.csv`);
  return (initialState) => flowsheet.runWorkflow({ csvPath, graphName: id, initialState });
}

/** The time that this process itself has worked: what others do on the machine does not count. */
function spent() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function measureEach(run) {
  const WARM_MS = sized(1_500, 20);
  const BATCH_MS = sized(20, 2);
  const BATCHES = sized(8, 1);
  let runs = 0;
  const began = performance.now();
  for (; performance.now() - began < WARM_MS; runs++) await run(input);
  const size = Math.max(1, Math.round((runs * BATCH_MS) / WARM_MS));
  const times = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const start = spent();
    for (let i = 0; i < size; i++) await run(input);
    times.push((spent() - start) / size / visits);
  }
  return median(times);
}

function digestOf(result) {
  const { status, path, steps, state = result } = result;
  if (status !== undefined && status !== "completed") throw new Error(JSON.stringify(result).slice(0, 500));
  if (path !== undefined && path.length !== visits) throw new Error(`${path.length} visits, not ${visits}`);
  if (steps !== undefined && steps !== visits) throw new Error(`${steps} steps, not ${visits}`);
  const entries = Object.entries(state).filter(([, value]) => value !== undefined);
  return createHash("sha256").update(JSON.stringify(entries.sort())).digest("hex").slice(0, 16);
}

const began = performance.now();
const run = await programs[kind]();
const result = await run(input);
const first = performance.now() - began;
const state = digestOf(result);
const each = what === "first" ? null : await measureEach(run);
process.stdout.write(JSON.stringify({ first, each, state }));
