import { expect, test } from "vitest";
import { PriorityAgent } from "./priority.js";

test.each([
  ["Checkout is down", "high"],
  ["A question", "low"],
  ["Invoice 4711", "normal"],
] as const)("PriorityAgent rates %j as %s", (subject, priority) => {
  expect(new PriorityAgent().process({ subject, body: "" })).toEqual({ priority });
});
