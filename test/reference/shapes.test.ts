import { describe, expect, it } from "vitest";
import { type RunResult, simulate } from "./run.js";
import type { ExpectedFields, ExpectedResult, ExpectedRun, ExpectedSplit, Shape } from "./shape.js";
import { SHAPES } from "./shapes.js";
import { namesOf, type Sketch, scriptFrom, sketch } from "./sketch.js";
import { splitsOf } from "./splits.js";
import { unsetOf } from "./unset.js";

describe("shapes made by hand", () => {
  it("have names of their own", () => {
    expect(new Set(SHAPES.map((shape) => shape.name)).size).toBe(SHAPES.length);
    expect(SHAPES.length).toBeGreaterThanOrEqual(25);
  });
  describe.each(SHAPES)("$name", (shape) => {
    const drawn = sketch(shape.rows);
    it("splits", () => expect(splitsSeen(drawn)).toEqual(shape.splits.map(plainSplit)));
    for (const [index, run] of (shape.runs ?? []).entries())
      it(`run ${index + 1}`, () => checkRun(drawn, run));
    if (shape.fields !== undefined) it("fields", () => checkFields(drawn, shape));
  });
});

const plainSplit = (split: ExpectedSplit) => ({ ambiguous: [], conflicts: [], ...split });

function splitsSeen({ names, graph }: Sketch) {
  return splitsOf(graph).map((split) => ({
    at: `${namesOf(names, [split.node])} ${split.by}`,
    meet: namesOf(names, [split.meet]),
    branches: split.branches.map((own) => namesOf(names, own)).join("|"),
    ambiguous: split.ambiguous.map((pair) => namesOf(names, pair)),
    conflicts: split.conflicts.map(
      (clash) => `${clash.field} ${namesOf(names, [clash.first, clash.second])}`,
    ),
  }));
}

function checkRun(drawn: Sketch, run: ExpectedRun): void {
  const results = simulate(drawn.graph, scriptFrom(drawn, run));
  expect(results.map((result) => namesOf(drawn.names, result.path))).toEqual(
    run.results.map((expected) => expected.path),
  );
  run.results.forEach((expected, index) => {
    const result = results[index];
    if (result !== undefined) checkResult(drawn.names, result, expected);
  });
}

function checkResult(names: readonly string[], result: RunResult, expected: ExpectedResult): void {
  expect(result.status).toBe(expected.status ?? "completed");
  expect(result.state).toMatchObject(expected.state ?? {});
  for (const field of (expected.absent ?? "").split(" "))
    expect(Object.keys(result.state)).not.toContain(field);
  expect(namesOf(names, result.waiting)).toBe(expected.waiting ?? "");
  const error =
    result.error === null ? undefined : `${result.error.code} ${namesOf(names, [result.error.node])}`;
  expect(error).toBe(expected.error);
}

function checkFields({ names, graph }: Sketch, shape: Shape): void {
  const found = unsetOf(graph);
  const before = Object.keys(shape.fields?.before ?? {}).map((name) => [
    name,
    [...(found.before[names.indexOf(name)] ?? [])]
      .filter((field) => field !== "error")
      .sort()
      .join(" "),
  ]);
  const seen: ExpectedFields = {
    required: found.required.join(" "),
    optional: found.optional.join(" "),
    maybeUnset: found.maybeUnset.map(({ node, field }) => `${names[node]}.${field}`).join(" "),
    setAtEnd: found.setAtEnd.join(" "),
    before: Object.fromEntries(before),
  };
  expect(seen).toMatchObject(shape.fields ?? {});
}
