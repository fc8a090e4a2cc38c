// The same work for every engine: a line of N nodes, each of which reads a field and writes the next one, asynchronously.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const step = async (value) => value;
const from = (i) => `f${i}`;
const range = (count) => Array.from({ length: count }, (_, i) => i);

/** What it costs to do without an engine: a straight line of awaits. */
async function bare(count) {
  const agents = range(count).map(
    () =>
      async ({ value }) =>
        value,
  );
  return async () => {
    let value = "Ada";
    for (const agent of agents) value = await agent({ value });
    return value;
  };
}

async function interpreted(count, made) {
  const { Flowsheet } = await import("../../../dist/runtime/index.js");
  const graph = await new Flowsheet({ cwd: made }).load(`line-${count}.csv`);
  return () => runOf(graph, count);
}

async function generated(count, made) {
  const module = await import(pathToFileURL(join(made, `line-${count}.mjs`)).href);
  return () =>
    runOf(
      Object.values(module).find(({ name }) => name === `Line ${count}`),
      count,
    );
}

async function runOf(graph, count) {
  const { status, state } = await graph.run({ f0: "Ada" });
  if (status !== "completed") throw new Error(`the run ${status}`);
  return state[from(count)];
}

async function langgraph(count) {
  const { Annotation, END, START, StateGraph } = await import("@langchain/langgraph");
  const State = Annotation.Root(Object.fromEntries(range(count + 1).map((i) => [from(i), Annotation()])));
  const graph = new StateGraph(State);
  for (const i of range(count))
    graph.addNode(`n${i}`, async (state) => ({ [from(i + 1)]: await step(state[from(i)]) }));
  graph.addEdge(START, "n0");
  for (const i of range(count - 1)) graph.addEdge(`n${i}`, `n${i + 1}`);
  graph.addEdge(`n${count - 1}`, END);
  const app = graph.compile();
  return async () => (await app.invoke({ f0: "Ada" }, { recursionLimit: count + 10 }))[from(count)];
}

async function xstate(count) {
  const { assign, createActor, fromPromise, setup, waitFor } = await import("xstate");
  const states = Object.fromEntries(
    range(count).map((i) => [
      `n${i}`,
      {
        invoke: {
          src: "step",
          input: ({ context }) => context[from(i)],
          onDone: {
            target: i === count - 1 ? "done" : `n${i + 1}`,
            actions: assign(({ event }) => ({ [from(i + 1)]: event.output })),
          },
        },
      },
    ]),
  );
  const machine = setup({ actors: { step: fromPromise(({ input }) => step(input)) } }).createMachine({
    initial: "n0",
    context: { f0: "Ada" },
    states: { ...states, done: { type: "final" } },
  });
  return async () => {
    const actor = createActor(machine).start();
    const { context } = await waitFor(actor, ({ status }) => status === "done");
    return context[from(count)];
  };
}

/** Each makes a function that runs the line once and gives what the last node wrote. */
export const engines = { bare, interpreted, generated, langgraph, xstate };
