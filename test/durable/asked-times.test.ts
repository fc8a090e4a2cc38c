import { expect } from "vitest";
import type { AnyGraph } from "../../runtime/graph/contract/contract.js";
import { defineGraph } from "../../runtime/graph/index.js";
import { none, onEachStore, open, request } from "./executors.js";

const THIRD = 100_000 / 3;
const graph = defineGraph()({
  name: "Asking",
  entry: "Ask",
  nodes: {
    Ask: {
      agent: (_inputs: unknown, context: { wait(spec: object): unknown }) =>
        context.wait({ prompt: "well?", remindMs: THIRD, escalate: { afterMs: THIRD, assignees: ["ada"] } }),
      inputs: none,
      writes: "answer",
      timeoutMs: THIRD,
    },
  },
  routes: { Ask: {} },
  fingerprint: "asking",
}) as unknown as AnyGraph;

onEachStore("times of a wait may be parts of a millisecond", async () => {
  const executor = await open([graph]);
  const { run } = await executor.start(request(graph));
  await executor.work().drained();
  expect(await executor.store.run(run.runId)).toMatchObject({ status: "waiting" });
  const [wait] = await executor.store.waits(run.runId);
  for (const time of [wait?.until, wait?.remindAt, wait?.escalateAt])
    expect((time ?? 0) - (wait?.opened ?? 0)).toBeCloseTo(33_333, -1);
});
