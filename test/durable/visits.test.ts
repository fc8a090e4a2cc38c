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
