// The group `durable`: what a run costs that survives its process, beside another engine of which the same is asked.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sized } from "../size.js";
import { installPeers, startPostgres } from "./peers.js";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const output = (args) => execFileSync(process.execPath, args, { encoding: "utf8" });
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/**
 * Measures goals 9, 10 and 13.
 * @param {(what: string, measured: number, goal: number, unit: string) => void} report
 */
export async function measureDurable(report) {
  const folder = mkdtempSync(join(tmpdir(), "flowsheet-bench-durable-"));
  const peers = installPeers();
  const postgres = peers === null ? null : await startPostgres(join(folder, "postgres"));
  try {
    measureSteps(report, { folder, peers, postgres });
    measureWorkers(report, folder);
    if (postgres === null) console.log("there is no PostgreSQL: nothing is measured on it");
    else measureOnServer(report, postgres.address);
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** LangGraph.js keeps its state in PostgreSQL, or in memory where there is none. */
function measureSteps(report, { folder, peers, postgres }) {
  if (peers === null) return console.log("LangGraph.js could not be fetched: nothing is measured against it");
  const peer = postgres === null ? "langgraphInMemory" : "langgraph";
  const name =
    postgres === null ? "LangGraph.js in memory (there is no PostgreSQL)" : "LangGraph.js in PostgreSQL";
  const runs = sized(
    { memory: 2_000, process: 300, power: 100, [peer]: 50 },
    { process: 5, power: 5, [peer]: 5 },
  );
  for (const atATime of [1, 20]) {
    const ms = stepsOf(runs, [String(atATime), folder, resolve(peers), postgres?.address ?? ""]);
    if (process.env.BENCH_TIMES !== undefined) console.log(`ms a step, ${atATime} at a time`, ms);
    report(`a durable step against ${name}, ${atATime} at a time`, ms.process / ms[peer], 0.1, "x");
    report("the same, with each step on the disk", ms.power / ms[peer], 0.25, "x");
  }
}

/** Medians by engine, in turn. */
function stepsOf(runs, [atATime, ...places]) {
  const times = Object.fromEntries(Object.keys(runs).map((engine) => [engine, []]));
  for (let round = 0; round < sized(5, 1); round++)
    for (const [engine, count] of Object.entries(runs))
      times[engine].push(Number(output([file("chain.js"), engine, atATime, String(count), ...places])));
  return Object.fromEntries(Object.entries(times).map(([engine, all]) => [engine, median(all)]));
}

function measureWorkers(report, folder) {
  const found = JSON.parse(output([file("measure.js"), folder]));
  if (process.env.BENCH_TIMES !== undefined) console.log(found);
  report("a step that is replayed against one that is recorded", found.replay, 0.15, "x");
  report("a dead worker's run goes on after", found.takeOver, 1, "s");
  report("one worker against three, with nodes that use the processor", 1 / found.workers, 1 / 1.5, "x");
}

/** Graphs on many machines, beside the same work as bare steps of DBOS. */
function measureOnServer(report, address) {
  const runs = sized({ graphs: 150, dbos: 60 }, { graphs: 5, dbos: 5 });
  for (const atATime of [1, 20]) {
    const times = { graphs: [], dbos: [] };
    for (let round = 0; round < sized(5, 1); round++)
      for (const [engine, count] of Object.entries(runs)) {
        const args = [file("on-server.js"), engine, String(atATime), String(count), address];
        times[engine].push(Number(output(args)));
      }
    const ms = { graphs: median(times.graphs), dbos: median(times.dbos) };
    if (process.env.BENCH_TIMES !== undefined)
      console.log(`ms a step in PostgreSQL, ${atATime} at a time`, ms);
    report(`a step in PostgreSQL against bare DBOS, ${atATime} at a time`, ms.graphs / ms.dbos, 1.5, "x");
  }
  const found = JSON.parse(output([file("measure-server.js"), address]));
  if (process.env.BENCH_TIMES !== undefined) console.log(found);
  report("one worker in PostgreSQL against three", 1 / found.workers, 1 / 1.5, "x");
  if (found.idle !== null) report("an idle worker beside 10,000 waiting runs", found.idle, 1, "% of a core");
  report("an answer, until a worker elsewhere has ended the run", found.answered / 1_000, 0.5, "s");
}
