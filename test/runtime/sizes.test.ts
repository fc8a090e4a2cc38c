import { describe, expect, it } from "vitest";
import { sizeOf } from "../../runtime/graph/values/size.js";
import { dataOf } from "../../runtime/graph/values/values.js";
import { tiny } from "./tiny.js";

const LONG = 9_000_000;
const long = (): string => "x".repeat(LONG);

describe("R17: the state's limit counts what fields hold", () => {
  it("a long value that a short one has replaced counts no longer", async () => {
    const names = ["A", "B", "C", "D", "E", "F", "G"];
    const chain = names.flatMap((name, i) => [
      [name, { agent: long, writes: [name], next: `Short${name}` }] as const,
      [`Short${name}`, { agent: () => "short", writes: [name], next: names[i + 1] ?? "END" }] as const,
    ]);
    const { status, state } = await tiny(Object.fromEntries(chain)).run({});
    expect(status).toBe("completed");
    expect(state["G"]).toBe("short");
  });

  it("so does one that is replaced over a mapping, a failure or where branches meet", async () => {
    const fields = ["a", "b", "c", "d", "e"];
    const all = (value: unknown): object => Object.fromEntries(fields.map((field) => [field, value]));
    const graph = tiny({
      Long: { agent: () => all(long()), writes: fields, next: "Short" },
      Short: { agent: () => all([]), writes: fields, next: "Again" },
      Again: { agent: () => all(long()), writes: fields },
    });
    expect(await graph.run({})).toMatchObject({ status: "completed" });
  });

  it("what was refused as a whole is not counted", async () => {
    const graph = tiny({
      Refused: {
        agent: () => ({ a: long(), b: long(), c: long(), d: long(), e: long(), f: long() }),
        writes: ["a", "b", "c", "d", "e", "f"],
        failure: "Other",
      },
      Other: { agent: () => ({ g: long(), h: long() }), writes: ["g", "h"] },
    });
    const { status, state } = await graph.run({});
    expect(status).toBe("completed");
    expect(state["error"]).toBe("the state grew over 50000000 characters");
    expect(state).not.toHaveProperty("a");
  });

  it("long values in many fields are too much", async () => {
    const names = ["A", "B", "C", "D", "E", "F"];
    const chain = names.map(
      (name, i) => [name, { agent: long, writes: [name], next: names[i + 1] ?? "END" }] as const,
    );
    expect(await tiny(Object.fromEntries(chain)).run({})).toMatchObject({
      status: "failed",
      error: { code: "bad_value", node: "F", message: "the state grew over 50000000 characters" },
    });
  });
});

describe("lists that branches make together", () => {
  /** Two appends to one field, one inside of the other, in a loop. */
  const doubling = (rounds: number): ReturnType<typeof tiny> => {
    let left = rounds;
    return tiny(
      {
        Outer: { agent: () => null, writes: [], next: ["Inner", "Other"], merge: { x: "append" } },
        Inner: { agent: () => null, writes: [], next: ["A", "B"], merge: { x: "append" } },
        A: { agent: () => 1, writes: ["x"], next: "Meet" },
        B: { agent: () => 2, writes: ["x"], next: "Meet" },
        Meet: { agent: () => null, writes: [], next: "Join" },
        Other: { agent: () => 3, writes: ["x"], next: "Join" },
        Join: {
          agent: () => {
            left -= 1;
            return left > 0 ? "Outer" : "End";
          },
          writes: [],
          next: ["Outer", "End"],
        },
        End: { agent: () => null, writes: [] },
      },
      { Outer: { next: [["Inner", "A", "B", "Meet"], ["Other"]] }, Inner: { next: [["A"], ["B"]] } },
    );
  };

  it("R17: one that doubles in each round of a loop is stopped, at the node that splits", async () => {
    const began = performance.now();
    expect(await doubling(200).run({})).toMatchObject({
      status: "failed",
      error: {
        code: "bad_value",
        node: "Outer",
        message: 'the branches made "x" a list of more than 10000000 characters',
      },
    });
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  it("a few rounds of it are nothing, and neither is a long list of short items", async () => {
    expect((await doubling(5).run({})).status).toBe("completed");
    let left = 2_000;
    const graph = tiny(
      {
        Split: { agent: () => null, writes: [], next: ["A", "B"], merge: { x: "append" } },
        A: { agent: () => ({ name: "a" }), writes: ["x"], next: "Join" },
        B: { agent: () => "b", writes: ["x"], next: "Join" },
        Join: { agent: () => (--left > 0 ? "Split" : "End"), writes: [], next: ["Split", "End"] },
        End: { agent: () => null, writes: [] },
      },
      { Split: { next: [["A"], ["B"]] } },
    );
    const { status, state } = await graph.run({});
    expect(status).toBe("completed");
    expect(state["x"]).toHaveLength(4_000);
  });
});

it("the size of a value is what its copy was measured to be, however its parts are shared", () => {
  const part = { name: "x".repeat(50), list: [1, 2, 3] };
  const value = [part, part, [part, [part]], "text", null, { a: { b: true } }];
  let took = 0;
  const copy = dataOf([value, "y".repeat(2_000)], {
    refuse: () => {
      throw new Error();
    },
    took: (size) => {
      took = size;
    },
  });
  expect(sizeOf(copy ?? null)).toBe(took);
  expect(sizeOf(JSON.parse(JSON.stringify(copy)))).toBe(took);
});
