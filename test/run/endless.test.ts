import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { type ProcessEnded as Ended, flowsheetProcess as flowsheet } from "../cli/process.js";
import { sheetOf } from "./sheets.js";

const AGENTS = `import { defineAgent } from "flowsheet";
export const spin = defineAgent(() => {
  console.error("spinning");
  for (;;) {}
});
export const later = defineAgent(async () => {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  console.error("spinning");
  for (;;) {}
});
export const busy = defineAgent(() => {
  const end = Date.now() + 1500;
  while (Date.now() < end);
  return "done";
});`;

const project = (agent: string, first = "echo"): string =>
  createFolder({
    "a.csv": sheetOf(`G,A,B,${first},,,,a,hi,`, `G,B,,${agent},,,a,b,,`),
    "agents/all.js": AGENTS,
  });

/** Runs, and presses Ctrl-C when the agent is in its loop. */
const interrupted = (cwd: string, args: readonly string[]): Promise<Ended> =>
  flowsheet(args, {
    cwd,
    started: (child) =>
      child.stderr?.on("data", (text: Buffer) => {
        // The thread that watches takes a moment to be there.
        if (text.includes("spinning")) setTimeout(() => child.kill("SIGINT"), 2_000);
      }),
  });

describe("R03: an agent that never pauses", () => {
  test("from its first moment: Ctrl-C ends the process: exit 130", async () => {
    const { code, signal } = await interrupted(project("spin"), ["run", "a.csv"]);
    expect([code, signal]).toEqual([130, null]);
  });

  test("later on: Ctrl-C ends the process, and says what was done: exit 130", async () => {
    const ended = await interrupted(project("later"), ["run", "a.csv", "--json"]);
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: "cancelled",
      success: false,
      state: { a: "hi" },
      path: ["A", "B"],
      steps: 2,
      error: { code: "cancelled", message: expect.stringContaining('the agent of "B" does not pause') },
    });
    expect(ended.stderr).not.toContain("debugger");
  });

  test.each(["spin", "later"])("%s: --timeout ends it: exit 1", async (agent) => {
    const ended = await flowsheet(["run", "a.csv", "--json", "--timeout", "700"], { cwd: project(agent) });
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: "failed",
      error: {
        code: "run_timeout",
        message: expect.stringContaining("longer than 700 ms"),
        node: "B",
        file: "a.csv",
        line: 3,
        cell: "D3",
      },
    });
  });

  test("in text, the state so far and what ended the run", async () => {
    const ended = await flowsheet(["run", "a.csv", "--timeout", "700"], { cwd: project("spin") });
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([1, { a: "hi" }]);
    expect(ended.stderr).toMatch(
      /error run_timeout: the run took longer than 700 ms: the agent of "B" does not pause.*\n {2}--> a\.csv:3 {3}cell D3 · graph G · node B\n$/,
    );
  });

  test("a run that is resumed can be resumed again", async () => {
    const cwd = project("later", "input");
    const { run_id: id } = JSON.parse((await flowsheet(["run", "a.csv", "--json"], { cwd })).stdout) as {
      readonly run_id: string;
    };
    const ended = await interrupted(cwd, ["resume", id, "--answer", "A=x", "--json"]);
    expect([ended.code, (JSON.parse(ended.stdout) as { path: unknown }).path]).toEqual([130, ["A", "B"]]);
    const { runs } = JSON.parse((await flowsheet(["runs", "--json"], { cwd })).stdout) as {
      readonly runs: unknown;
    };
    expect(runs).toMatchObject([{ run_id: id, status: "queued" }]);
  });

  test("an agent that only takes its time is left alone", async () => {
    const ended = await flowsheet(["run", "a.csv", "--timeout", "30000"], { cwd: project("busy") });
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { a: "hi", b: "done" }]);
  });
});
