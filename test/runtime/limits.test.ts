import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "flowsheet/agents";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Act, chain, pause, tiny } from "./tiny.js";

const never: Act = () => new Promise(() => {});
const boom: Act = () => {
  throw new Error("boom");
};

/** Fails the test when a promise is rejected that nobody looks at. */
function watchRejections(): readonly unknown[] {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => {
    seen.push(reason);
  };
  process.on("unhandledRejection", note);
  onTestFinished(() => {
    process.off("unhandledRejection", note);
  });
  return seen;
}

describe("step limit", () => {
  it("R01: an endless cycle ends after 10,000 visits", async () => {
    const result = await tiny({ A: { agent: () => 1, next: "B" }, B: { agent: () => 2, next: "A" } }).run({});
    expect(result).toMatchObject({
      status: "failed",
      steps: 10_000,
      error: { code: "step_limit", node: "A" },
    });
    expect(result.path).toHaveLength(10_000);
  });

  it("R13: a failure edge to itself ends at the limit, which takes no failure edge", async () => {
    const result = await tiny({ A: { agent: boom, failure: "A" } }).run({}, { maxSteps: 25 });
    expect(result).toMatchObject({ status: "failed", steps: 25, error: { code: "step_limit", node: "A" } });
  });

  it("a run of exactly as many visits completes", async () => {
    expect(
      (
        await chain(
          () => 1,
          () => 2,
          () => 3,
        ).run({}, { maxSteps: 3 })
      ).status,
    ).toBe("completed");
    expect(
      (
        await chain(
          () => 1,
          () => 2,
          () => 3,
        ).run({}, { maxSteps: 2 })
      ).error,
    ).toMatchObject({ node: "N2" });
  });

  it("R14: an edge to a node that is not there is found before anything runs", async () => {
    await expect(tiny({ A: { agent: () => 1, failure: "Nowhere" } }).run({})).rejects.toThrow(
      '"A" leads to "Nowhere"',
    );
  });
});

describe("max_visits", () => {
  it("the visit after the last one goes to on_limit instead, and is no visit", async () => {
    const graph = tiny({
      A: { agent: (_, { visit }) => visit, next: "A", maxVisits: 3, limit: "B" },
      B: () => "b",
    });
    expect(await graph.run({})).toMatchObject({
      path: ["A", "A", "A", "B"],
      steps: 4,
      state: { A: 3, B: "b" },
    });
  });

  it("without on_limit it ends the run", async () => {
    expect((await tiny({ A: { agent: () => 1, next: "A", maxVisits: 2 } }).run({})).path).toEqual(["A", "A"]);
  });

  it("a round of nodes that are all past their last visit ends", async () => {
    const graph = tiny({
      A: { agent: () => 1, next: "B", maxVisits: 1, limit: "B" },
      B: { agent: () => 2, next: "A", maxVisits: 1, limit: "A" },
    });
    expect(await graph.run({})).toMatchObject({ status: "failed", steps: 2, error: { code: "step_limit" } });
  });
});

describe("run time-out", () => {
  it("R02: fires in a loop that never lets the event loop go", async () => {
    const graph = tiny({ A: { agent: async () => 1, next: "A" } });
    const began = performance.now();
    const result = await graph.run({}, { timeoutMs: 200, maxSteps: 1e9 });
    expect(result).toMatchObject({ status: "failed", error: { code: "run_timeout", node: null } });
    // The rule is 1.1 times; a machine with other work may need longer for anything.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("R04: ends a run whose agent never resolves, and takes no failure edge", async () => {
    const graph = tiny({ A: { agent: never, failure: "B" }, B: () => 1 });
    const result = await graph.run({ x: 1 }, { timeoutMs: 30 });
    expect(result).toMatchObject({
      status: "failed",
      path: ["A"],
      state: { x: 1 },
      error: { code: "run_timeout", node: "A" },
    });
  });

  it.each<[string, { readonly A: Act; readonly B: Act }, string | null]>([
    ["the one branch at work", { A: never, B: () => 1 }, "A"],
    ["the one that is left", { A: () => pause(1).then(() => 1), B: never }, "B"],
    ["none of several", { A: never, B: never }, null],
  ])("names %s", async (_, { A, B }, node) => {
    const graph = tiny(
      { S: { agent: () => 1, next: ["A", "B"] }, A: { agent: A }, B: { agent: B } },
      { S: { next: [["A"], ["B"]] } },
    );
    expect((await graph.run({}, { timeoutMs: 60 })).error).toMatchObject({ code: "run_timeout", node });
  });

  it("reaches the signal of the agents", async () => {
    let reason: unknown;
    const agent: Act = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(signal.reason);
        });
      });
    await chain(agent).run({}, { timeoutMs: 20 });
    expect(reason).toMatchObject({ code: "run_timeout" });
  });

  it("ends a pause between attempts", async () => {
    const graph = tiny({ A: { agent: boom, retry: { attempts: 2, delayMs: 60_000, maxDelayMs: 60_000 } } });
    expect((await graph.run({}, { timeoutMs: 20 })).error).toMatchObject({ code: "run_timeout", node: "A" });
  });

  it("R23: does not mind a wall clock that jumps", async () => {
    const { now } = Date;
    onTestFinished(() => {
      Date.now = now;
    });
    const jump: Act = async () => {
      Date.now = () => now() + 3_600_000;
      await pause(5);
      Date.now = () => now() - 3_600_000;
      return 1;
    };
    const result = await tiny({ A: { agent: jump, timeoutMs: 30_000 } }).run({}, { timeoutMs: 30_000 });
    expect(result.status).toBe("completed");
    expect(result.durationMs).toBeLessThan(30_000);
  });
});

describe("node time-out", () => {
  it("is a thrown error of the node, for its handler", async () => {
    const graph = tiny({
      A: { agent: never, timeoutMs: 10, failure: "B" },
      B: { agent: ({ error }) => error, reads: ["error"] },
    });
    expect((await graph.run({})).state).toMatchObject({ B: "the agent did not finish within 10 ms" });
    const bare = await tiny({ A: { agent: never, timeoutMs: 10 } }).run({});
    expect(bare).toMatchObject({ status: "failed", error: { code: "node_timeout", node: "A" } });
  });

  it("holds for each attempt, and aborts only the attempt", async () => {
    const signals: AbortSignal[] = [];
    const agent: Act = (_, { attempt, signal }) => {
      signals.push(signal);
      return attempt < 3 ? new Promise(() => {}) : "done";
    };
    const result = await tiny({ A: { agent, timeoutMs: 10, retry: { attempts: 3 } } }).run({});
    expect(result).toMatchObject({ status: "completed", steps: 1, path: ["A"], state: { A: "done" } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  });

  it("R06: a rejection after the time-out is noted and changes nothing", async () => {
    const rejections = watchRejections();
    const notes: string[] = [];
    const late: Act = () => sleep(30).then(() => Promise.reject(new Error("too late")));
    const log = { debug() {}, info() {}, error() {}, warn: (message: string) => notes.push(message) };
    const graph = tiny({
      A: { agent: late, timeoutMs: 5, failure: "B" },
      B: { agent: () => pause(60).then(() => 1) },
    });
    expect(await graph.run({}, { log })).toMatchObject({ status: "completed", path: ["A", "B"] });
    expect(notes).toEqual([expect.stringContaining("too late")]);
    expect(rejections).toEqual([]);
  });

  it("R06: an agent that gives up with the reason of its signal is not noted, whichever attempt it was", async () => {
    const notes: string[] = [];
    const hanging: Act = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const log = { debug() {}, info() {}, error() {}, warn: (message: string) => notes.push(message) };
    const graph = tiny({ A: { agent: hanging, timeoutMs: 5, retry: { attempts: 2, delayMs: 1 } } });
    const { error } = await graph.run({}, { log });
    await pause(20);
    expect(error).toMatchObject({ code: "node_timeout" });
    expect(notes).toEqual([]);
  });

  it("R05, R06: a rejection that comes too late may be anything", async () => {
    const rejections = watchRejections();
    const notes: string[] = [];
    const trap = (): never => {
      throw new Error("trap");
    };
    const hostile = new Proxy({}, { get: trap, getPrototypeOf: trap });
    const late: Act = () => sleep(30).then(() => Promise.reject(hostile));
    const log = { debug() {}, info() {}, error() {}, warn: (message: string) => notes.push(message) };
    const graph = tiny({
      A: { agent: late, timeoutMs: 5, failure: "B" },
      B: { agent: () => pause(60).then(() => 1) },
    });
    expect((await graph.run({}, { log })).status).toBe("completed");
    expect(notes).toEqual([expect.stringContaining("cannot be read")]);
    expect(rejections).toEqual([]);
  });

  it("R06: a rejection after the run is noted and changes nothing", async () => {
    const rejections = watchRejections();
    const notes: string[] = [];
    const late: Act = () => sleep(30).then(() => Promise.reject(new Error("too late")));
    const log = { debug() {}, info() {}, error() {}, warn: (message: string) => notes.push(message) };
    const result = await chain(late).run({}, { log, timeoutMs: 5 });
    await pause(60);
    expect(result).toMatchObject({ status: "failed", path: ["N0"], error: { code: "run_timeout" } });
    expect(notes).toEqual([expect.stringContaining("too late")]);
    expect(rejections).toEqual([]);
  });

  it("R06: a promise that settles twice settles once", async () => {
    const twice: Act = () => ({
      // biome-ignore lint/suspicious/noThenProperty: a thenable that breaks the rules is what is tried here.
      then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        resolve("first");
        reject(new Error("second"));
        resolve("third");
      },
    });
    expect((await chain(twice).run({})).state).toEqual({ N0: "first" });
    expect((await tiny({ A: { agent: twice, timeoutMs: 50 } }).run({})).state).toEqual({ A: "first" });
  });
});

describe("retry", () => {
  const failing = (times: number, calls: number[]): Act => {
    return (_, { attempt }) => {
      calls.push(attempt);
      if (attempt <= times) throw new Error(`attempt ${attempt}`);
      return attempt;
    };
  };

  it("repeats throws, up to so many attempts in all, in one visit", async () => {
    const calls: number[] = [];
    const result = await tiny({ A: { agent: failing(2, calls), retry: { attempts: 3 } } }).run({});
    expect(result).toMatchObject({ status: "completed", steps: 1, state: { A: 3 } });
    const short = await tiny({ A: { agent: failing(2, calls), retry: { attempts: 2 } } }).run({});
    expect(short).toMatchObject({ status: "failed", error: { message: "attempt 2" } });
    expect(calls).toEqual([1, 2, 3, 1, 2]);
  });

  it("never repeats a value that is no data", async () => {
    let calls = 0;
    const agent: Act = () => {
      calls += 1;
      return () => 1;
    };
    const { error } = await tiny({ A: { agent, retry: { attempts: 5 } } }).run({});
    expect([error?.code, calls]).toEqual(["bad_value", 1]);
  });

  it("never repeats a signalled failure", async () => {
    let calls = 0;
    const agent: Act = () => {
      calls += 1;
      return fail("no");
    };
    expect((await tiny({ A: { agent, retry: { attempts: 5 } } }).run({})).status).toBe("completed");
    expect(calls).toBe(1);
  });

  it("waits longer each time, up to a limit", async () => {
    const pauses: number[] = [];
    const retry = { attempts: 5, delayMs: 1, factor: 3, maxDelayMs: 5 };
    await tiny({ A: { agent: boom, retry } }).run(
      {},
      {
        on: (event) => {
          if (event.type === "node_retry") pauses.push(event.delayMs);
        },
      },
    );
    expect(pauses).toEqual([1, 3, 5, 5]);
  });
});

describe("cancelling", () => {
  it("R18: at every step the run ends, and no later agent is called", async () => {
    for (let at = 0; at <= 4; at++) {
      const controller = new AbortController();
      const called: number[] = [];
      const agents = [0, 1, 2, 3].map(
        (index): Act =>
          async () => {
            called.push(index);
            if (index === at - 1) controller.abort();
            return index;
          },
      );
      if (at === 0) controller.abort();
      const result = await chain(...agents).run({}, { signal: controller.signal });
      expect(called).toEqual([0, 1, 2, 3].slice(0, at));
      expect(result).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
      expect(result.path).toHaveLength(at);
    }
  });

  it("takes no failure edge, and needs no agent to listen", async () => {
    const controller = new AbortController();
    const graph = tiny({ A: { agent: never, failure: "B" }, B: () => 1 });
    const running = graph.run({}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    expect(await running).toMatchObject({
      status: "cancelled",
      path: ["A"],
      state: {},
      error: { code: "cancelled", node: "A" },
    });
  });

  it("leaves no listener behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    }) as typeof add;
    signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    }) as typeof remove;
    await chain(() => 1).run({}, { signal });
    expect(listeners).toBe(0);
  });
});

it("a run tells how long it took, unless it is told not to look at the clock", async () => {
  const graph = tiny({ A: () => 1, B: async () => 2 });
  expect((await graph.run({})).durationMs).toBeGreaterThan(0);
  expect((await graph.run({}, { timed: false })).durationMs).toBe(0);
});
