// Measures lists of kept runs, the page of one, and what pruning gives back to the disk: node test/bench/kept-runs.js <folder>
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { sized } from "./size.js";

const folder = process.argv[2];
// Beside the packages: the store loads SQLite as one of them where Node has none.
const outdir = resolve("node_modules/.cache/flowsheet-bench");
await build({
  entryPoints: ["store", "open"].map((name) => `runtime/durable/sqlite/${name}.ts`),
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "error",
});
const load = (name) => import(pathToFileURL(join(outdir, `${name}.js`)).href);
const { openSqliteStore } = await load("store");
const { openDatabases } = await load("open");

/** A file with so many ended runs. What lists read is written as a whole: one by one would take minutes. */
async function fileOf(count) {
  const file = join(folder, `runs-${count}.db`);
  const { sure, close } = await openDatabases(file);
  sure.exec(`
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${count})
    INSERT INTO runs (run_id, graph, version, contract, status, created, due, started, ended)
      SELECT format('%032x', i), 'Graph' || (i % 5), 'v1', 1, iif(i % 10 = 0, 'failed', 'completed'), i, i, i, i
      FROM numbers;
    INSERT INTO run_values SELECT n, '{"id":17}', '{}', '{"state":{"total":99}}' FROM runs;
    INSERT INTO steps
      SELECT n, 'Price|1', 1, 0, 'Price', 1, 1, '[]', 1, 2, 'success', '99', '{"inputs":{}}', '{}', NULL, 1, 't' FROM runs`);
  close();
  return openSqliteStore(file);
}

const QUERIES = {
  newest: {},
  ended: { status: ["completed", "failed", "cancelled"] },
  graphs: { graphs: ["Graph1", "Graph3"] },
  rare: { graphs: ["Graph0"], status: ["failed"] },
};

async function timeOf(store, query) {
  const began = performance.now();
  const first = await store.list(query);
  await store.counts(query);
  const next = first.cursor === null ? first : await store.list({ ...query, cursor: first.cursor });
  if (first.runs.length !== 50 || next.runs.length !== 50) throw new Error("a page is not full");
  return performance.now() - began;
}

/** Everything that a page tells of the run in the middle. */
async function timeOfPage(store, count) {
  const runId = (count >> 1).toString(16).padStart(32, "0");
  const began = performance.now();
  const [[found], run, steps, waits] = await Promise.all([
    ...[store.idsFrom(runId, 2), store.run(runId), store.steps(runId), store.waits(runId)],
  ]);
  if (found !== runId || run === null || steps.length !== 1 || waits.length !== 0)
    throw new Error("a page is not that of its run");
  return performance.now() - began;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const [fewRuns, manyRuns] = [sized(1_000, 1_000), sized(1_000_000, 2_000)];
const [few, many] = [await fileOf(fewRuns), await fileOf(manyRuns)];
const lists = {};
for (const [name, query] of Object.entries(QUERIES)) {
  const times = { few: [], many: [] };
  for (let i = 0; i < sized(101, 1); i++) {
    times.few.push(await timeOf(few, query));
    times.many.push(await timeOf(many, query));
  }
  lists[name] = median(times.many) / median(times.few);
}
const pages = { few: [], many: [] };
for (let i = 0; i < sized(501, 1); i++) {
  pages.few.push(await timeOfPage(few, fewRuns));
  pages.many.push(await timeOfPage(many, manyRuns));
}
await Promise.all([few.close(), many.close()]);

/** The size of a file after nine tenths of its runs were forgotten, against that before. */
async function pruned() {
  const file = join(folder, "pruned.db");
  const store = await openSqliteStore(file);
  const count = sized(2_000, 100);
  for (let i = 0; i < count; i++) await keepRun(store, i);
  await store.compact();
  const full = statSync(file).size;
  const pruning = { endedBefore: count * 0.9, statuses: ["completed"], limit: 500 };
  while ((await store.prune(pruning)) > 0) await store.compact();
  const left = statSync(file).size;
  await store.close();
  return left / full;
}

async function keepRun(store, i) {
  const runId = i.toString(16).padStart(32, "0");
  const nothing = { sheet: null, key: null, userId: null, startedBy: null, parent: null, deadline: null };
  const run = { ...nothing, runId, graph: "Graph", version: "v1", contract: 1, given: { i }, options: null };
  const { lease } = await store.start(
    { ...run, words: `Graph ${i}`, created: i, due: 0 },
    { claim: { owner: "o" } },
  );
  const steps = Array.from({ length: 5 }, (_, n) => stepOf(n + 1));
  const events = steps.map(({ node }) => ({ at: i, type: "node_end", event: { node } }));
  await store.record(lease, { steps, events, token: "t" });
  const end = { at: i, result: { state: { i } }, steps: [], events: [], worked: 1, errorCode: null };
  await store.finish(lease, { ...end, status: "completed" });
}

const stepOf = (seq) => ({
  ...{
    id: `Node${seq}|1`,
    seq,
    pure: false,
    node: `Node${seq}`,
    visit: 1,
    attempt: 1,
    branch: [],
    began: 1,
    ended: 2,
  },
  ...{
    outcome: "success",
    result: "x".repeat(200),
    seen: { inputs: {} },
    writes: {},
    error: null,
    worked: 1,
  },
});

const page = median(pages.many) / median(pages.few);
console.log(JSON.stringify({ lists, page, pruned: await pruned() }));
