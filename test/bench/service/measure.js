// Measures the service in a process of its own: node --expose-gc test/bench/service/measure.js <bundle>
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { manyGraphs } from "../sheets.js";
import { sized } from "../size.js";

const { SheetDocument, complete, tokens, agentFacts } = await import(pathToFileURL(process.argv[2]).href);

const world = {
  world: {
    agents: agentFacts,
    customAgents: null,
    unknownAgent: "warning",
    prompt: null,
    otherGraphs: new Set(),
    lacks: () => null,
  },
};

const processorTime = (work) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const ROWS = sized(10_000, 200);
const KEYS = sized(201, 3);

/** Types behind a word in the middle of the sheet, and asks after each key. */
function typing(size, ask = () => undefined, word = ",Step 3") {
  const text = manyGraphs(ROWS, size);
  const document = SheetDocument.open("large.csv", text, world);
  document.view();
  const cell = text.indexOf(`${word},`, text.length / 2);
  const times = { key: [], asked: [] };
  for (let i = 0; i < KEYS; i++) {
    const start = cell + word.length + i;
    times.key.push(
      processorTime(() => {
        document.edit([{ start, end: start, text: "x" }]);
        document.view();
      }),
    );
    times.asked.push(processorTime(() => ask(document.view(), start)));
  }
  return { key: median(times.key), asked: median(times.asked) };
}

/** The heap that an open sheet takes. What is lent is collected after the job that used it. */
async function heapOf(rows) {
  const heap = async () => {
    await setTimeout(1);
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const before = await heap();
  const document = SheetDocument.open("large.csv", manyGraphs(rows, 50), world);
  document.view();
  const after = await heap();
  if (document.view().graphs.length === 0) throw new Error("the sheet has no graphs");
  return (after - before) / 1024 / 1024;
}

const openings = Array.from({ length: sized(5, 1) }, () =>
  processorTime(() => SheetDocument.open("large.csv", manyGraphs(ROWS, 50), world).view()),
);
const small = typing(50, complete);
const fields = typing(50, complete, "|answer_2");
const seen = typing(50, (view, at) => tokens(view, { start: at, end: at + 5_000 }));
const large = typing(Math.min(ROWS, 1_000));
const heapMb = await heapOf(sized(50_000, 500));
console.log(
  JSON.stringify({
    open: median(openings),
    small: small.key,
    completion: small.asked,
    fields: fields.asked,
    tokens: seen.asked,
    large: large.key,
    heapMb,
  }),
);
