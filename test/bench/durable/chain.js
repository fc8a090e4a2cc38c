// A chain of ten async nodes, run by one engine in a process of its own:
// node chain.js <engine> <runs at a time> <runs> <folder> [<folder of the peers> [<address of PostgreSQL>]]
// Prints milliseconds a step. What engines keep is on the disk of the folder, or in PostgreSQL.
import { createRequire } from "node:module";
import { join } from "node:path";
import { createExecutor } from "../../../dist/runtime/durable/index.js";
import { chainGraph, NODES } from "./graphs.js";

const [engine = "", atATime = "1", runs = "1", folder = "", peers = "", postgres = ""] =
  process.argv.slice(2);

const graph = chainGraph(NODES);

async function embedded(durability) {
  const file = join(folder, `${engine}-${atATime}-${process.pid}.db`);
  const executor = await createExecutor({ store: `sqlite:${file}`, graphs: [graph], durability });
  return async () => lastOf(await (await executor.start(graph, { f0: "Ada" })).result());
}

function lastOf({ status, state }) {
  if (status !== "completed") throw new Error(`the run ${status}`);
  return state[`f${NODES}`];
}

/** Its state is written before the next node begins, as a run that survives `kill -9` needs it. */
async function langgraph(saverOf) {
  const load = createRequire(join(peers, "package.json"));
  const { Annotation, END, START, StateGraph } = load("@langchain/langgraph");
  const names = Array.from({ length: NODES }, (_, i) => `n${i}`);
  const fields = Object.fromEntries([0, ...names.map((_, i) => i + 1)].map((i) => [`f${i}`, Annotation()]));
  const builder = new StateGraph(Annotation.Root(fields));
  for (const [i, name] of names.entries())
    builder.addNode(name, async (state) => ({ [`f${i + 1}`]: state[`f${i}`] }));
  for (const [i, name] of names.entries()) builder.addEdge(i === 0 ? START : names[i - 1], name);
  builder.addEdge(names.at(-1), END);
  const app = builder.compile({ checkpointer: await saverOf(load) });
  let threads = 0;
  return async () => {
    const configurable = { thread_id: `${process.pid}-${++threads}` };
    return (await app.invoke({ f0: "Ada" }, { configurable, durability: "sync" }))[`f${NODES}`];
  };
}

const engines = {
  memory: async () => async () => lastOf(await graph.run({ f0: "Ada" })),
  process: () => embedded("process"),
  power: () => embedded("power"),
  langgraphInMemory: () => langgraph((load) => new (load("@langchain/langgraph").MemorySaver)()),
  langgraph: () =>
    langgraph(async (load) => {
      const saver = load("@langchain/langgraph-checkpoint-postgres").PostgresSaver.fromConnString(postgres);
      await saver.setup();
      return saver;
    }),
};

const run = await engines[engine]();

async function timeOf(count) {
  let left = count;
  const began = performance.now();
  const line = async () => {
    while (left-- > 0) if ((await run()) !== "Ada") throw new Error(`${engine} loses the value`);
  };
  await Promise.all(Array.from({ length: Number(atATime) }, line));
  return (performance.now() - began) / count / NODES;
}

await timeOf(Math.ceil(Number(runs) / 3));
console.log(await timeOf(Number(runs)));
process.exit(0);
