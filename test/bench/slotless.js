// Measures the driver as it is, nobody observing, against the same driver without the slot of an observer:
//   node test/bench/slotless.js <folder>
// Both are bundled from the sources, and measured in turn, each time in a fresh process.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { sized } from "./size.js";

const [, own, folder, program, kind] = process.argv;
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The lines of the slot, and what stands there without it. */
const EDITS = {
  "drive/run.ts": [
    [/ \|\|\s*observer !== undefined/, ""],
    [/\n\s*observed: observer === undefined.*/, ""],
  ],
  "drive/attempt.ts": [
    [/const \{ observed \} = visit\.line\.run;/, ""],
    [/return observed === null \? (callOnce\(visit\)) : .*;/, "return $1;"],
  ],
  "drive/execute.ts": [[/\n\s*run\.observed\?\.end\(result\);/, ""]],
  "drive/subgraph-run.ts": [
    [/\n\s*root\.run\.observed\?\.end\(endOf.*/, ""],
    [/\n\s*root\.run\.observed\?\.end\(\{.*/, ""],
  ],
  "suspend/checkpoint.ts": [[/\(run\.observed\?\.carrier \?\? null\)/, "null"]],
};

const slotless = {
  name: "slotless",
  setup: ({ onLoad }) => {
    onLoad({ filter: /runtime\/graph\/.*\.ts$/ }, ({ path }) => {
      const file = Object.keys(EDITS).find((name) => path.endsWith(`/runtime/graph/${name}`));
      if (file === undefined) return undefined;
      const contents = EDITS[file].reduce(
        (text, [what, instead]) => {
          if (!what.test(text)) throw new Error(`${file} has changed: ${what} is not there`);
          return text.replace(what, instead);
        },
        readFileSync(path, "utf8"),
      );
      return { contents, loader: "ts", resolveDir: dirname(path) };
    });
  },
};

const FILES = { slot: "with-slot.mjs", none: "slotless.mjs" };

async function bundle(name, plugins) {
  const contents = 'export { createGraph } from "./runtime/graph/graph.ts";';
  const outfile = join(folder, FILES[name]);
  const options = { bundle: true, format: "esm", platform: "node", packages: "external", outfile, plugins };
  await build({ ...options, stdin: { contents, resolveDir: root, loader: "ts" } });
}

const NODES = 100;
const AGENTS = { calls: async (value) => value, computes: (value) => value };

/** Nanoseconds of processor time a node. */
async function measure() {
  const { createGraph } = await import(pathToFileURL(join(folder, FILES[program])).href);
  const agent = AGENTS[kind];
  const node = (i) => ({ agent, inputs: (state) => state[`f${i}`], writes: `f${i + 1}` });
  const numbers = Array.from({ length: NODES }, (_, i) => i);
  const graph = createGraph({
    ...{ name: "Row", entry: "N0", fingerprint: "1", inputs: {} },
    nodes: Object.fromEntries(numbers.map((i) => [`N${i}`, node(i)])),
    routes: Object.fromEntries(numbers.slice(1).map((i) => [`N${i - 1}`, { next: `N${i}` }])),
  });
  const some = async (runs) => {
    const before = process.cpuUsage();
    for (let i = 0; i < runs; i++) {
      const { status } = await graph.run({ f0: 1 }, { timed: false });
      if (status !== "completed") throw new Error(`the run ${status}`);
    }
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1_000) / runs / NODES;
  };
  await some(sized(4_000, 10));
  const each = [];
  for (let i = 0; i < sized(9, 1); i++) each.push(await some(sized(1_500, 10)));
  console.log(median(each));
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function compare() {
  await Promise.all([bundle("slot", []), bundle("none", [slotless])]);
  const ratios = {};
  for (const one of Object.keys(AGENTS)) {
    const times = { slot: [], none: [] };
    for (let round = 0; round < sized(15, 1); round++)
      // Whoever comes first meets another machine: they take turns.
      for (const name of round % 2 === 0 ? ["slot", "none"] : ["none", "slot"])
        times[name].push(
          Number(execFileSync(process.execPath, [own, folder, name, one], { encoding: "utf8" })),
        );
    ratios[one] = median(times.slot.map((time, round) => time / times.none[round]));
    if (process.env.BENCH_TIMES === "1") console.error(one, times);
  }
  console.log(JSON.stringify(ratios));
}

await (program === undefined ? compare() : measure());
