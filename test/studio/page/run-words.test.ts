import { describe, expect, test } from "vitest";
import { questionsBeside } from "../../../runtime/studio/page/run/questions-beside.js";
import type { Question, Run, Step } from "../../../runtime/studio/page/run/run-state.js";
import { timesOf } from "../../../runtime/studio/page/run/told.js";
import { withoutField } from "../../../runtime/studio/page/run/without-field.js";

const run = (durationMs: number | null, tookMs: number | null): Run => ({
  ...{ sheet: "a.csv", graph: "A", id: "1", status: "completed", steps: [], questions: [], errors: [] },
  ...{ durationMs, tookMs },
});

describe("the times of a run", () => {
  test.each([
    [null, null, ""],
    [250, null, " · worked 250 ms"],
    [250, 400, " · took 400 ms"],
    [250, 7_200_000, " · took 2 hours, worked 250 ms"],
    [null, 3_000, " · took 3.0 s"],
  ])("%j at work, %j in all", (worked, took, words) => {
    expect(timesOf(run(worked, took))).toBe(words);
  });
});

describe("an optional field says what it is for", () => {
  const node = (name: string, reads: readonly string[], writes: readonly string[]) => ({
    ...{ name, inputs: reads.map((field) => ({ field })), outputs: writes.map((field) => ({ field })) },
  });
  const workflow = {
    nodes: [node("Ask", [], ["note"]), node("Sum", ["rate"], ["total"]), node("Say", ["rate"], [])],
    questions: [{ node: "Ask" }],
  };
  test.each([
    ["note", "else asked by Ask"],
    ["total", "else written by Sum"],
    ["rate", "read by Sum, Say"],
    ["other", ""],
  ])("%s: %s", (field, words) => {
    expect(withoutField(field, workflow)).toBe(words);
  });
});

describe("the questions beside a chosen step", () => {
  const step = (node: string, outcome: string): Step => ({
    ...{ key: node, node, visit: 1, attempts: 1, atMs: 0, ms: null, outcome, error: null },
    ...{ inputs: null, prompt: null, writes: null, answered: null },
  });
  const [done, first, second] = [step("Sum", "success"), step("One", "waiting"), step("Two", "waiting")];
  const steps = [done, first, second];
  const question = (node: string): Question => ({ node, prompt: "", options: null });
  const questions = [question("One"), question("Two")];
  const nodes = (chosen: Step | undefined, all = steps) => {
    const { here, elsewhere } = questionsBeside(questions, all, chosen);
    return [here.map((one) => one.question.node), elsewhere.map(({ node }) => node)];
  };
  test("the one that the step asks comes first", () => {
    expect(nodes(second)).toEqual([["Two", "One"], []]);
  });
  test("all where no step is chosen", () => {
    expect(nodes(undefined)).toEqual([["One", "Two"], []]);
  });
  test("another step is led from, to each", () => {
    expect(nodes(done)).toEqual([[], ["One", "Two"]]);
  });
  test("none is hidden whose step is not known", () => {
    expect(nodes(done, [done, second])).toEqual([["One"], ["Two"]]);
  });
});
