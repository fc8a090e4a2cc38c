import { expect, test } from "vitest";
import { visitsOf } from "../../cli/runs/visits.js";
import type { StepRow } from "../../runtime/durable/rows.js";

const call = (attempt: number, began: number, ended: number, outcome: string): StepRow => ({
  ...{
    id: `A|1${attempt === 1 ? "" : `|${attempt}`}`,
    seq: attempt,
    pure: false,
    node: "A",
    visit: 1,
    attempt,
  },
  ...{ branch: [], began, ended, outcome, result: null, seen: null, writes: null, error: null, worked: 0 },
});

test("the time of a visit is that of its calls, not that between a failure and a retry", () => {
  const visits = visitsOf([call(1, 1_000, 1_200, "thrown"), call(2, 33_000, 33_100, "success")]);
  expect(visits.map(({ took, attempts }) => [took, attempts])).toEqual([[300, 2]]);
});

test("a visit that asked took until the answer", () => {
  const visits = visitsOf([call(1, 1_000, 1_010, "waiting"), call(2, 9_000, 9_005, "success")]);
  expect(visits.map(({ took }) => took)).toEqual([8_005]);
});

test("visits are as deep as those around them are many, whatever their names", () => {
  const recorded = (id: string, node: string): StepRow => ({ ...call(1, 0, 1, "success"), id, node });
  const visits = visitsOf([
    recorded("A/B|1", "A/B"),
    recorded("Call/it|1/A/B|1", "Call/it/A/B"),
    recorded("Each|1[0]/C/D|1/E/F|1", "Each[0]/C/D/E/F"),
    recorded("Each|1[0]/G|1", "Each[0]/G"),
  ]);
  expect(visits.map(({ depth, label, node }) => [depth, label, node])).toEqual([
    [0, "A/B", "A/B"],
    [0, "Call/it", "Call/it"],
    [1, "A/B", "Call/it/A/B"],
    [0, "Each", "Each"],
    [1, "[0]/C/D", "Each[0]/C/D"],
    [2, "E/F", "Each[0]/C/D/E/F"],
    [1, "[0]/G", "Each[0]/G"],
  ]);
});
