import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { defineAgent, Flowsheet, type FlowsheetOptions, type Logger } from "../../runtime/index.js";
import { createFolder } from "../cli/folder.js";
import { HELLO, ORDER, sheetOf } from "./sheets.js";

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const open = (sheet: string, options: FlowsheetOptions = {}): Flowsheet =>
  new Flowsheet({ cwd: createFolder({ "a.csv": sheet }), log: quiet, ...options });

/** A split, a loop, a wait for nothing: whatever a run can mix up. */
const MIXING = sheetOf(
  "Mix,Begin,Left|Right,echo,,,who,seed,{who},",
  "Mix,Left,Meet,slow,,,seed,left,,",
  "Mix,Right,Meet,slow,,,seed,right,,",
  "Mix,Meet,Often,echo,,,left|right,both,{left}+{right},",
  'Mix,Often,Often,slow,,,both,out,,"{""max_visits"": 2, ""on_limit"": ""END""}"',
);

test("R11: 1,000 runs at once never see each other's values", async () => {
  let calls = 0;
  const slow = defineAgent(async (inputs: { readonly [field: string]: unknown }) => {
    calls += 1;
    // Runs overtake each other.
    if (calls % 3 === 0) await pause(calls % 7);
    else if (calls % 3 === 1) await Promise.resolve();
    return String(Object.values(inputs)[0]);
  });
  const flowsheet = open(MIXING, { agents: { slow } });
  const canaries = Array.from({ length: 1_000 }, (_, i) => `canary-${i}-${(i * 7919).toString(36)}`);
  const results = await Promise.all(
    canaries.map((who) => flowsheet.runWorkflow({ csvPath: "a.csv", initialState: { who } })),
  );
  for (const [i, { status, state, path }] of results.entries()) {
    const who = canaries[i];
    expect([status, path.length]).toEqual(["completed", 6]);
    expect(state).toEqual({
      who,
      seed: who,
      left: who,
      right: who,
      both: `${who}+${who}`,
      out: `${who}+${who}`,
    });
  }
  expect(new Set(results.map(({ runId }) => runId)).size).toBe(1_000);
});

describe("R06: what comes too late", () => {
  test("during and after a run ends nothing, is logged, and the result stays as it was", async () => {
    const stray: unknown[] = [];
    const take = (reason: unknown): void => void stray.push(reason);
    process.on("unhandledRejection", take);
    onTestFinished(() => void process.off("unhandledRejection", take));
    const warned: string[] = [];
    const late = defineAgent(async () => {
      await pause(60);
      throw new Error("too late");
    });
    const sheet = sheetOf('G,A,,late,,B,,a,,"{""timeout_ms"": 10}"', "G,B,,echo,,,error,b,{error},");
    const flowsheet = open(sheet, {
      agents: { late },
      log: { ...quiet, warn: (text) => void warned.push(text) },
    });
    const result = await flowsheet.runWorkflow({ csvPath: "a.csv" });
    const before = structuredClone(result);
    expect(result.state).toMatchObject({ b: "the agent did not finish within 10 ms" });
    await pause(150);
    expect([result, warned, stray]).toEqual([
      before,
      ['the agent of "A" failed after its visit was over: too late'],
      [],
    ]);
  });

  test("an agent whose run was cancelled may fail when it likes", async () => {
    const warned: string[] = [];
    const stuck = defineAgent(async () => {
      await pause(80);
      throw new Error("at last");
    });
    const flowsheet = open(sheetOf("G,A,,stuck,,,,a,,"), {
      agents: { stuck },
      log: { ...quiet, warn: (text) => void warned.push(text) },
    });
    const result = await flowsheet.runWorkflow({ csvPath: "a.csv", timeoutMs: 10 });
    expect([result.status, result.error?.code]).toEqual(["failed", "run_timeout"]);
    await pause(200);
    expect(warned.every((text) => text.includes("at last"))).toBe(true);
  });
});

describe("R18: cancelled at any step", () => {
  const STEPS = 6;
  const line = sheetOf(
    ...Array.from(
      { length: STEPS },
      (_, i) => `L,N${i},${i + 1 === STEPS ? "" : `N${i + 1}`},count,,,,f${i},,`,
    ),
  );

  test.each(Array.from({ length: STEPS + 1 }, (_, i) => i))("%i: no later agent is called", async (at) => {
    const controller = new AbortController();
    const called: string[] = [];
    const count = defineAgent(async (_inputs, { node }) => {
      if (called.length === at) controller.abort();
      called.push(node);
      await pause(1);
      return node;
    });
    if (at === STEPS) controller.abort();
    const result = await open(line, { agents: { count } }).runWorkflow({
      csvPath: "a.csv",
      signal: controller.signal,
    });
    await pause(20);
    const done = at === STEPS ? 0 : at + 1;
    expect([result.status, result.error?.code, called.length]).toEqual(["cancelled", "cancelled", done]);
    expect(Object.keys(result.state)).toHaveLength(Math.max(0, done - 1));
  });
});

describe("what it takes", () => {
  test("the snake_case keys of the specification", async () => {
    const flowsheet = open(HELLO);
    const request = { csv_path: "a.csv", graph_name: "Hello", initial_state: { name: "Ada" } };
    expect((await flowsheet.runWorkflow(request)).state).toEqual({ name: "Ada", greeting: "Hello Ada" });
    const limited = await flowsheet.runWorkflow({ ...request, max_steps: 1, timeout_ms: 5_000 });
    expect(limited.error?.code).toBe("step_limit");
  });

  test.each<[string, object, string]>([
    ["a misspelt key", { csvPth: "a.csv" }, 'a request has no "csvPth"; did you mean "csvPath"?'],
    ["a state that is none", { csvPath: "a.csv", initialState: [] }, "initialState must be an object"],
    ["a limit that is none", { csvPath: "a.csv", maxSteps: 0 }, "maxSteps must be a whole number"],
  ])("%s is a RequestError", async (_name, request, message) => {
    await expect(open(HELLO).runWorkflow(request)).rejects.toMatchObject({
      name: "RequestError",
      code: "request_invalid",
      message: expect.stringContaining(message) as string,
    });
  });

  test("an option that there is not is a RequestError, of the class and of a resume", async () => {
    const options = { agents: {}, servics: {} } as FlowsheetOptions;
    expect(() => open(HELLO, options)).toThrow('a Flowsheet has no "servics"; did you mean "services"?');
    await expect(open(HELLO).resume("x", {}, { timeoutms: 5 } as object)).rejects.toMatchObject({
      name: "RequestError",
      message: 'a resume has no "timeoutms"; did you mean "timeoutMs"?',
    });
  });

  test("inputs that are missing or of a wrong type are a GivenError", async () => {
    const flowsheet = open(sheetOf("G,A,,echo,,,amount:number,out,,"));
    await expect(flowsheet.runWorkflow({ csvPath: "a.csv" })).rejects.toMatchObject({
      name: "GivenError",
      code: "input_invalid",
      field: "amount",
    });
    await expect(
      flowsheet.runWorkflow({ csvPath: "a.csv", initialState: { amount: "3" } }),
    ).rejects.toMatchObject({ message: 'input "amount" must be number, not "3"' });
  });
});

describe("stream", () => {
  test("gives the events in the order of the path, and the end when the run is stored", async () => {
    const flowsheet = open(ORDER);
    const seen: string[] = [];
    const stream = flowsheet.stream({ csvPath: "a.csv", initialState: { item: "a book" } });
    for await (const event of stream) {
      seen.push("node" in event ? `${event.type} ${event.node}` : event.type);
      if (event.type === "run_end") {
        expect(event.result.status).toBe("suspended");
        const done = await flowsheet.resume(event.runId, { Approve: "yes" });
        expect(done.path).toEqual(["Take", "Check", "Approve", "Ship"]);
      }
    }
    expect(seen).toEqual([
      ...["node_start Take", "node_end Take", "node_start Check", "node_end Check"],
      ...["node_start Approve", "node_end Approve", "run_end"],
    ]);
    expect((await stream.result).status).toBe("suspended");
  });

  test("a run that cannot begin rejects where it is read", async () => {
    const stream = open(HELLO).stream({ csvPath: "nowhere.csv" });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toMatchObject({ code: "sheet_unreadable" });
    await expect(stream.result).rejects.toMatchObject({ code: "sheet_unreadable" });
  });
});

test("a prompt from a file is the one of now: changed, put before another, or gone", async () => {
  const cwd = createFolder({
    "a.csv": sheetOf("G,Ask,,echo,,,who,said,file:hi.md,"),
    "flowsheet.yaml": "workflows: .\n",
    "hi.md": "Hi {who}",
    "prompts/keep.txt": "",
  });
  const flowsheet = new Flowsheet({ cwd, log: quiet });
  const say = async (): Promise<unknown> => {
    const run = flowsheet.runWorkflow({ csvPath: "a.csv", initialState: { who: "Ada" } });
    return run.then(
      ({ state }) => state["said"],
      ({ message }: Error) => message,
    );
  };
  expect(await say()).toBe("Hi Ada");
  // Once no file is new any more, the sheet is kept.
  await pause(100);
  expect([await say(), await say()]).toEqual(["Hi Ada", "Hi Ada"]);
  writeFileSync(join(cwd, "hi.md"), "Hello {who}");
  expect(await say()).toBe("Hello Ada");
  await pause(100);
  expect(await say()).toBe("Hello Ada");
  writeFileSync(join(cwd, "prompts/hi.md"), "Welcome {who}");
  expect(await say()).toBe("Welcome Ada");
  await pause(100);
  expect(await say()).toBe("Welcome Ada");
  rmSync(join(cwd, "prompts/hi.md"));
  rmSync(join(cwd, "hi.md"));
  expect(await say()).toContain("there is no such file");
});
