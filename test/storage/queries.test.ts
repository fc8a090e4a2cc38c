import fc from "fast-check";
import { expect, test } from "vitest";
import { queryOf } from "../../runtime/agents/data/data-query.js";
import { AgentError } from "../../runtime/graph/contract/errors.js";
import { howMany } from "../how-many.js";
import { understandText } from "../world.js";

/*
 * A query is checked twice: where the sheet is read, by a room that imports no agent, and where it is used, for
 * whoever calls the agents from code. Both must think the same of it.
 */

/** Mostly values that a part takes, else one with which it goes wrong. */
const mostly = (good: readonly unknown[], bad: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  );
const compared = fc.record(
  { input: mostly(["given"], [3]), is: mostly(["=", "<>", "<", ">", "<=", ">="], ["==", "like", 1, null]) },
  { requiredKeys: ["input"] },
);
const criterion = fc.oneof(
  compared,
  fc.array(compared, { maxLength: 2 }),
  mostly(
    ["tea", ">3", "", 3, true, null, ["tea", "ink"]],
    [{}, { input: "given", more: 1 }, ["tea", { is: "=" }]],
  ),
);
const query = fc.record(
  {
    filter: fc.oneof(
      { weight: 9, arbitrary: fc.record({ city: criterion, age: criterion }) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>("x", [], null, 3) },
    ),
    sort: mostly(["name", ["name", "age"], []], ["", 3, ["name", 3], {}, null]),
    order: mostly(["asc", "desc", ["asc", "desc"], []], ["up", 3, ["asc", "up"], null]),
    limit: mostly([0, 10], [-1, 1.5, "10", null, 1e300]),
    offset: mostly([0, 10], [-1, 1.5, "10", null]),
  },
  { requiredKeys: [] },
);

const cell = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
const isRefusedBySheet = (value: unknown): boolean => {
  const sheet = `graph_name,node_name,agent_type,input_fields,output_field,prompt,context.query\nG,Read,json_reader,given:string,rows,orders,${cell(value)}\n`;
  return understandText(sheet).diagnostics.some(({ severity }) => severity === "error");
};

function isRefusedByAgent(value: Parameters<typeof queryOf>[0]): boolean {
  try {
    queryOf(value, { given: "tea" });
    return false;
  } catch (error) {
    if (error instanceof AgentError) return true;
    throw error;
  }
}

test("the sheet's check and the agent think the same of every query", () => {
  const tally = { refused: 0, taken: 0 };
  fc.assert(
    fc.property(query, (value) => {
      const isRefused = isRefusedByAgent(value);
      tally[isRefused ? "refused" : "taken"]++;
      expect(isRefusedBySheet(value)).toBe(isRefused);
    }),
    { numRuns: howMany(3_000, 500) },
  );
  expect(Math.min(tally.refused, tally.taken)).toBeGreaterThan(100);
});
