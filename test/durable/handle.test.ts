import { expect, expectTypeOf, test } from "vitest";
import { createExecutor } from "../../runtime/durable/index.js";
import type { Graph, Json } from "../../runtime/graph/contract/contract.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { newDatabase } from "../postgres/asked.js";
import { onEachStore, placeOf } from "./executors.js";

const approval = defineGraph()({
  name: "Approval",
  entry: "Ask",
  nodes: {
    Ask: {
      agent: (_inputs: unknown, context: { readonly answer?: Json; wait(spec: object): unknown }) =>
        context.answer ?? context.wait({ prompt: "well?" }),
      inputs: () => ({}),
      writes: "answer",
    },
  },
  routes: { Ask: {} },
  fingerprint: "approval",
}) as unknown as Graph<{ readonly name: string }, { readonly answer: string }, { readonly Ask: never }>;

/** A store of its own, as the configuration names it. */
async function storeOf(): Promise<string> {
  const place = await placeOf();
  return place.startsWith("postgres:") ? newDatabase() : place.replace(/^\w+:/, "sqlite:");
}

onEachStore("a run is started, asked, answered and told, with the types of its graph", async () => {
  const executor = await createExecutor({ store: await storeOf(), graphs: [approval] });
  const run = await executor.start(approval, { name: "Ada" }, { key: "ticket-9" });
  const again = await executor.start(approval, { name: "Ada" }, { key: "ticket-9" });
  expect([again.runId, run.created, again.created]).toEqual([run.runId, true, false]);
  executor.work();
  const result = run.result();
  while ((await executor.get(run.runId))?.status !== "waiting") await new Promise((go) => setTimeout(go, 10));
  expect(await executor.get(run.runId)).toMatchObject({ waiting: [{ node: "Ask", prompt: "well?" }] });
  await executor.answer(run.runId, { Ask: "yes" });
  const ended = await result;
  if (ended.status === "completed") expectTypeOf(ended.state.answer).toEqualTypeOf<string>();
  expect(ended).toMatchObject({ status: "completed", state: { answer: "yes" }, path: ["Ask"], error: null });
  const types: string[] = [];
  for await (const { type } of executor.events(run.runId)) types.push(type);
  expect(types).toEqual([
    "run_start",
    ...["node_start", "node_end"],
    "run_wait",
    "run_answer",
    ...types.slice(5),
  ]);
  expect(types.at(-1)).toBe("run_end");
  expect((await executor.list({ status: ["completed"] })).runs).toHaveLength(1);
  await executor.close();
});

onEachStore("what no start can mean is refused before anything is stored", async () => {
  const executor = await createExecutor({ store: await storeOf(), graphs: [approval] });
  const wrong = [
    { key: "" },
    { key: "two words" },
    { deadlineMs: -1 },
    { timeoutMs: 0 },
    { maxSteps: 1.5 },
    { at: new Date("never") },
    { deadlineMs: 3_600_000, at: new Date(Date.now() + 7_200_000) },
  ];
  for (const options of wrong)
    await expect(executor.start(approval, { name: "Ada" }, options)).rejects.toMatchObject({
      code: "input_invalid",
      pointer: `/${Object.keys(options)[0]}`,
    });
  expect((await executor.list()).total).toBe(0);
  await executor.close();
});

onEachStore("a run is forked with other values, also into another version of its graph", async () => {
  const pricing = (next: string) =>
    defineGraph()({
      name: "Pricing",
      entry: "Price",
      nodes: {
        Price: { agent: async () => 120, inputs: () => ({}), writes: "total" },
        Pay: {
          agent: async ({ total }: { readonly total: number }) => `${next} ${total}`,
          inputs: ({ total }: { readonly total: number }) => ({ total }),
          writes: "paid",
        },
      },
      routes: { Price: { next: "Pay" }, Pay: {} },
      fingerprint: next,
    } as never) as unknown as Graph<object, { readonly paid: string }, { readonly Pay: never }>;
  const store = await storeOf();
  const executor = await createExecutor({ store, graphs: [] });
  const { runId, result } = await executor.start(pricing("paid"), {});
  expect(await result()).toMatchObject({ state: { paid: "paid 120" } });
  const forked = await executor.fork(runId, { from: "Pay", set: { total: 9 }, key: "again" });
  expect(await forked.result()).toMatchObject({ status: "completed", state: { paid: "paid 9" } });
  expect(await executor.fork(runId, { from: "Pay", set: { total: 9 }, key: "again" })).toMatchObject({
    ...{ runId: forked.runId, created: false },
  });
  await executor.close();
  const later = await createExecutor({ store, graphs: [pricing("charged")] });
  const current = await later.fork(runId, { from: "Pay", current: true });
  expect(await current.result()).toMatchObject({ state: { paid: "charged 120" } });
  await expect(later.fork(runId, { from: "Nobody" })).rejects.toMatchObject({ code: "input_invalid" });
  await later.close();
});

test("a store that is not known is refused", async () => {
  await expect(createExecutor({ store: "mysql://x", graphs: [] })).rejects.toMatchObject({
    code: "store_unusable",
  });
});

onEachStore("open runs are held against another version of their graph", async () => {
  const executor = await createExecutor({ store: await storeOf(), graphs: [approval] });
  const run = await executor.start(approval, { name: "Ada" });
  executor.work();
  while ((await executor.get(run.runId))?.status !== "waiting") await new Promise((go) => setTimeout(go, 10));
  const edited = (node: string): typeof approval =>
    defineGraph()({
      name: "Approval",
      entry: node,
      nodes: { [node]: approval.definition.nodes.Ask },
      routes: { [node]: {} },
      fingerprint: `with ${node}`,
    } as never) as unknown as typeof approval;
  expect(await executor.check(approval)).toEqual([]);
  expect(await executor.check(edited("Ask"))).toMatchObject([{ runId: run.runId, fits: true, why: null }]);
  expect(await executor.check(edited("Approve"))).toMatchObject([
    { runId: run.runId, fits: false, node: "Ask", why: '"Ask", which it waits for, is gone' },
  ]);
  await executor.close();
});
