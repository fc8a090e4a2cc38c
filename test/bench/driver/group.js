// The group `driver`: what running a graph costs beside hand-written code. Each measurement is a fresh process,
// because the engine's guesses about one program slow down the next; all kinds of one shape are measured in turn.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sized } from "../size.js";
import { prepareProject } from "./prepare.js";
import { fanOut, linear, loop, routes } from "./shapes.js";

const MEASURE = fileURLToPath(new URL("measure.js", import.meta.url));
const ROUNDS = sized(5, 1);

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const small = sized([10, 100], [10]);
const linearHop = (nodes) => linear("hop", nodes);
const hop = [...[linearHop, routes, loop].flatMap((shape) => small.map(shape)), fanOut(10)];
const async = small.map((nodes) => linear("async", nodes));
const sync = small.map((nodes) => linear("sync", nodes));
const large = sized([1_000, 10_000], [100]).map((nodes) => linear("async", nodes));

/**
 * Measures goals 1 to 3.
 * @param {(what: string, measured: number, goal: number, unit: string) => void} report
 */
export function measureDriver(report) {
  const { folder, remove } = prepareProject([...hop, ...async, ...sync, ...large]);
  const measure = (shape, kinds, what = "steady") => measureShape(folder, shape, { kinds, what });
  try {
    for (const shape of hop) againstHand(report, shape, measure(shape, ["bare", "careful", "generated"]));
    for (const [i, shape] of async.entries()) {
      const awaited = measure(shape, ["bare", "generated", "interpreted", "library"]);
      const atOnce = measure(sync[i], ["generated"]);
      againstAsync(report, sync[i].id, atOnce.generated / awaited.bare, atOnce.generated / awaited.generated);
      report(`${shape.id}: interpreter against bare`, awaited.interpreted / awaited.bare, 2, "x");
      report(`${shape.id}: runWorkflow against bare`, awaited.library / awaited.bare, 2.5, "x");
    }
    for (const shape of large) {
      const steady = measure(shape, ["generated", "interpreted"]);
      const first = measure(shape, ["generated", "interpreted"], "first");
      report(`${shape.id}: generated against interpreter`, steady.generated / steady.interpreted, 1.5, "x");
      report(`${shape.id}: the same, first run`, first.generated / first.interpreted, 1.5, "x");
    }
  } finally {
    remove();
  }
}

function againstHand(report, { id }, { bare, careful, generated }) {
  report(`${id}: generated against careful code`, generated / careful, 1.25, "x");
  report(`${id}: generated over bare`, generated - bare, 60, "ns/node");
}

function againstAsync(report, id, toBare, toOurs) {
  report(`${id}: generated against bare async`, toBare, 0.65, "x");
  report(`${id}: generated against our async`, toOurs, 0.4, "x");
}

/** By kind: nanoseconds a node in the long run, or milliseconds to the first result. */
function measureShape(folder, shape, { kinds, what }) {
  const times = Object.fromEntries(kinds.map((kind) => [kind, []]));
  const states = new Set();
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of kinds) {
      const { first, each, state } = measureOnce(folder, shape, { kind, what });
      times[kind].push(what === "first" ? first : each);
      states.add(state);
    }
  }
  if (states.size !== 1) throw new Error(`the programs of ${shape.id} do not come to the same state`);
  const medians = Object.fromEntries(kinds.map((kind) => [kind, median(times[kind])]));
  if (process.env.BENCH_TIMES !== undefined) console.log(shape.id, what, medians);
  return medians;
}

function measureOnce(folder, { id, visits, input }, { kind, what }) {
  const args = [MEASURE, folder, kind, JSON.stringify({ id, visits, input }), what];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}
