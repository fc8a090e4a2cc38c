import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AgentRegistry } from "../../runtime/agents/registry.js";
import { link } from "../../runtime/graph/link/link.js";
import { understandText } from "../world.js";
import { sheetText } from "./sheet.js";

type Settings = { readonly [name: string]: unknown };

async function listed(items: unknown, context: Settings): Promise<unknown> {
  const [graph] = understandText(
    sheetText([{ node: "List", agent: "list", inputs: "items?", outputs: "result", context }]),
  ).graphs;
  const { state, error } = await link(graph!, new AgentRegistry()).run(
    items === undefined ? {} : ({ items } as never),
  );
  return error === null ? state["result"] : error.message;
}

const people = [
  { name: "Ada", city: "Rome", age: 36 },
  { name: "bob", city: "Oslo", age: 9 },
  { name: "Cid", city: "Rome" },
];

test.each<[Settings, unknown, unknown]>([
  [{ do: "filter", where: { city: "rome", age: ">10" } }, people, [people[0]]],
  [{ do: "filter", where: ">2" }, [1, 3, "4", "x", null], [3, "4"]],
  [{ do: "filter", where: ["a", "b"] }, ["A", "c", "b"], ["A", "b"]],
  [{ do: "sort" }, [10, "9", "b", "A", null, 1], [1, "9", 10, "A", "b", null]],
  [{ do: "sort", by: "age" }, people, [people[1], people[0], people[2]]],
  [{ do: "sort", by: ["city", "name"], order: "desc" }, people, [people[2], people[0], people[1]]],
  [{ do: "unique" }, [1, "1", 1, { a: 1, b: 2 }, { b: 2, a: 1 }], [1, "1", { a: 1, b: 2 }]],
  [{ do: "unique", by: "city" }, people, [people[0], people[1]]],
  [{ do: "limit", count: 2 }, people, people.slice(0, 2)],
  [{ do: "limit", count: 0 }, people, []],
  [
    { do: "group", by: "city" },
    people,
    [
      { key: "Rome", items: [people[0], people[2]] },
      { key: "Oslo", items: [people[1]] },
    ],
  ],
  [{ do: "group", by: ["city", "age"] }, [people[2]], [{ key: ["Rome", null], items: [people[2]] }]],
  [{ do: "flatten" }, [1, [2, [3]], []], [1, 2, [3]]],
  [
    { do: "pick", fields: ["name", "age"] },
    people,
    [{ name: "Ada", age: 36 }, { name: "bob", age: 9 }, { name: "Cid" }],
  ],
  [{ do: "pick", fields: "a.b" }, [{ a: { b: 1 } }, 7], [{ "a.b": 1 }, {}]],
  [{ do: "sort" }, undefined, []],
  [{ do: "sort" }, null, []],
  [{ do: "sort" }, "text", 'the input "items" is no list'],
])("%j of %j", async (settings, items, expected) => {
  expect(await listed(items, settings)).toEqual(expected);
});

describe("for all lists", () => {
  const item = fc.oneof(
    fc.integer({ max: 9 }),
    fc.constantFrom("a", "B", "7", "", null),
    fc.record({ k: fc.nat(3), v: fc.nat(3) }),
  );
  const all = (check: (items: unknown[]) => Promise<void>) =>
    fc.assert(fc.asyncProperty(fc.array(item, { maxLength: 12 }), check), { numRuns: 60 });
  const of = (items: unknown[], settings: Settings) => listed(items, settings) as Promise<unknown[]>;
  const bag = (items: readonly unknown[]): readonly string[] =>
    items.map((one) => JSON.stringify(one)).sort();

  test("sort keeps all items, and sorting again changes nothing", () =>
    all(async (items) => {
      const once = await of(items, { do: "sort", by: "k" });
      expect(bag(once)).toEqual(bag(items));
      expect(await of(once, { do: "sort", by: "k" })).toEqual(once);
    }));

  test("filter by a criterion and its opposite part the list", () =>
    all(async (items) => {
      const yes = await of(items, { do: "filter", where: "=7" });
      const no = await of(items, { do: "filter", where: "<>7" });
      expect(bag([...yes, ...no])).toEqual(bag(items));
    }));

  test("groups together are the list, and each has its key once", () =>
    all(async (items) => {
      const groups = (await of(items, { do: "group", by: "k" })) as { key: unknown; items: unknown[] }[];
      expect(bag(groups.flatMap((one) => one.items))).toEqual(bag(items));
      expect(new Set(groups.map(({ key }) => JSON.stringify(key))).size).toBe(groups.length);
    }));

  test("unique is a part of the list, in its order, without repetition", () =>
    all(async (items) => {
      const once = await of(items, { do: "unique" });
      expect(bag(once)).toEqual([...new Set(bag(items))]);
      expect(await of(once, { do: "unique" })).toEqual(once);
    }));
});

test("the type of the items is kept", () => {
  const { graphs } = understandText(
    sheetText([
      {
        node: "A",
        agent: "list",
        next: "B",
        inputs: "names:string[]",
        outputs: "sorted",
        context: { do: "sort" },
      },
      {
        node: "B",
        agent: "list",
        next: "C",
        inputs: "sorted",
        outputs: "groups",
        context: { do: "group", by: "x" },
      },
      { node: "C", agent: "list", inputs: "orders:object[]", outputs: "flat", context: { do: "flatten" } },
    ]),
  );
  const types = Object.fromEntries(graphs[0]!.fields.map(({ name, type }) => [name, type]));
  expect(types).toMatchObject({
    sorted: { kind: "list-of", item: "string" },
    groups: { kind: "list-of", item: "object" },
    flat: { kind: "list" },
  });
});
