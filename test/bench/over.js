// Measures a loop over items against runs one by one, in one process: node --expose-gc test/bench/over.js <folder>
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Flowsheet } from "../../dist/runtime/index.js";
import { itemsSheet } from "./sheets.js";
import { sized } from "./size.js";

const folder = process.argv[2];
const csvPath = join(folder, "items.csv");
writeFileSync(csvPath, itemsSheet(10));
const flowsheet = new Flowsheet({ cwd: folder });
const items = Array.from({ length: sized(10_000, 100) }, (_, index) => ({
  id: index,
  name: `item ${index}`,
}));
const each = await flowsheet.load(csvPath, "All");
const one = await flowsheet.load(csvPath, "One");

const time = async (work) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const loop = async (count = items.length) => {
  const { status, state } = await each.run({ items: items.slice(0, count) });
  if (status !== "completed" || state.results.length !== count) throw new Error(`the loop ${status}`);
};
const alone = async () => {
  for (const item of items) await one.run({ item });
};

/** The heap after collection when so many items have been run, by a node that follows a loop of them. */
const heapAfter = async (count) => {
  let heap = 0;
  const measure = () => {
    globalThis.gc();
    heap = process.memoryUsage().heapUsed;
    return "measured";
  };
  await each.run({ items: items.slice(0, count) }, { nodes: { After: measure } });
  return heap;
};

const times = { loop: [], alone: [] };
for (let i = 0; i < sized(9, 1); i++) {
  times.alone.push(await time(alone));
  times.loop.push(await time(loop));
}
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const few = await heapAfter(items.length / 10);
const many = await heapAfter(items.length);
console.log(
  JSON.stringify({
    loop: median(times.loop),
    alone: median(times.alone),
    heapMb: (many - few) / 1024 / 1024,
  }),
);
