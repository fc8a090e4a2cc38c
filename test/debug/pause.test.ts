import { expect, test } from "vitest";
import type { RunEvent, Stop } from "../../runtime/graph/contract/contract.js";
import { chain, tiny } from "../runtime/tiny.js";

const later = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));

test("each visit is held once, before its agent is called; attempts and answers are not held again", async () => {
  let tries = 0;
  const graph = tiny({
    A: {
      agent: () => {
        tries += 1;
        if (tries < 3) throw new Error("again");
        return tries;
      },
      retry: { attempts: 3 },
      next: "B",
    },
    B: { agent: (_, context) => context.answer ?? context.wait({ prompt: "?" }), reads: ["A"] },
  });
  const held: string[] = [];
  const problems: (string | null)[] = [];
  const result = await graph.run(
    {},
    {
      pause: async ({ node, look }) => {
        held.push(`${node} ${tries} ${JSON.stringify(look().inputs)}`);
      },
      ask: (_waiting, _signal, problemOf) => {
        problems.push(problemOf({ a: 1 }), problemOf("yes"));
        return "yes";
      },
    },
  );
  expect(held).toEqual(["A 0 {}", 'B 3 {"A":3}']);
  expect(problems).toEqual([expect.any(String), null]);
  expect(result.state).toEqual({ A: 3, B: "yes" });
});

test("branches go one after the other, also when the first takes longest", async () => {
  const events: string[] = [];
  const on = (event: RunEvent): void => {
    if (event.type !== "run_end") events.push(`${event.type.slice(5)} ${event.node}`);
  };
  const graph = tiny(
    {
      S: { agent: () => 1, next: ["L", "R"] },
      L: { agent: () => later(30, "l"), next: "L2" },
      L2: { agent: () => later(1, "l2"), next: "J" },
      R: { agent: () => later(1, "r"), next: "J" },
      J: { agent: () => "j" },
    },
    { S: { next: [["L", "L2"], ["R"]] } },
  );
  const stops: Stop[] = [];
  const pause = async (stop: Stop): Promise<void> => {
    stops.push(stop);
    if (stop.node === "L2") stop.set("L", "by hand");
  };
  const paused = await graph.run({}, { on, pause });
  expect(events).toEqual(["S", "L", "L2", "R", "J"].flatMap((node) => [`start ${node}`, `end ${node}`]));
  expect(stops.map(({ branch }) => branch)).toEqual([[], [0], [0], [1], []]);
  expect(paused.state).toEqual({ S: 1, L: "by hand", L2: "l2", R: "r", J: "j" });
  expect(paused.path).toEqual((await graph.run({})).path);
});

test("a node's time-out begins when it is let go", async () => {
  const graph = tiny({ A: { agent: () => later(1, "in time"), timeoutMs: 1_000 } });
  const result = await graph.run({}, { pause: () => later(1_300, undefined) });
  expect([result.status, result.error]).toEqual(["completed", null]);
});

test("a run that is cancelled while it is held ends at once, and its agent is not called", async () => {
  const controller = new AbortController();
  let called = false;
  const graph = chain(() => {
    called = true;
  });
  const result = await graph.run(
    {},
    {
      signal: controller.signal,
      pause: () => {
        controller.abort();
        return later(5, undefined);
      },
    },
  );
  await later(20, undefined);
  expect([result.status, called]).toEqual(["cancelled", false]);
});

test("a trace says where each visit leads", async () => {
  const next: unknown[] = [];
  const on = (event: RunEvent): void => {
    if (event.type === "node_end") next.push([event.node, event.next]);
  };
  const graph = tiny(
    {
      A: { agent: () => "c", cases: { c: "C" }, otherwise: "B" },
      B: { agent: () => 1 },
      C: {
        agent: () => {
          throw new Error("no");
        },
        failure: ["B", "END"],
      },
    },
    { C: { failure: [["B"], []] } },
  );
  await graph.run({}, { on, trace: true });
  await graph.run({}, { on: (event) => event.type === "node_end" && next.push("next" in event) });
  expect(next).toEqual([["A", ["C"]], ["C", ["B", null]], ["B", [null]], false, false, false]);
});
