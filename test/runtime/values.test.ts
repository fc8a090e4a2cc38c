import { describe, expect, it } from "vitest";
import { at, defineGraph, fail, text } from "../../runtime/graph/index.js";
import { type Act, chain, tiny } from "./tiny.js";

const messageFor = async (agent: Act): Promise<string | undefined> => {
  const { error } = await chain(agent).run({});
  return error === null ? undefined : `${error.code}: ${error.message}`;
};

describe("R05: whatever an agent throws becomes a message", () => {
  const throwing =
    (thrown: unknown): Act =>
    () => {
      throw thrown;
    };
  it.each<[unknown, string]>([
    ["plain text", "plain text"],
    [undefined, "the agent threw undefined"],
    [null, "the agent threw null"],
    [42, "the agent threw 42"],
    [Symbol("s"), "the agent threw Symbol(s)"],
    [Object.freeze(new Error("frozen")), "frozen"],
    [{}, "the agent threw a value without a message"],
    [fail("too late"), "too late"],
    [Object.create(null), "the agent threw a value without a message"],
    [new (class Odd extends Error {})(), "Error"],
    [
      new Proxy(new Error("hidden"), {
        get() {
          throw new Error("trap");
        },
        getPrototypeOf() {
          throw new Error("trap");
        },
      }),
      "the agent threw a value that cannot be read",
    ],
    [
      {
        get message() {
          throw new Error("getter");
        },
      },
      "the agent threw a value that cannot be read",
    ],
  ])("%#", async (thrown, message) => {
    expect(await messageFor(throwing(thrown))).toBe(`agent_failed: ${message}`);
    expect(await messageFor(() => Promise.reject(thrown))).toBe(`agent_failed: ${message}`);
  });
});

describe("R07: values are JSON data", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  class Money {
    amount = 1;
  }
  it.each<[string, unknown, string]>([
    ["a function", () => 1, "a function"],
    ["a symbol", Symbol("s"), "a symbol"],
    ["a BigInt", 1n, "a bigint"],
    ["NaN", Number.NaN, "NaN"],
    ["infinity, inside", { a: [1, Number.NEGATIVE_INFINITY] }, "-Infinity (at a.1)"],
    ["a cycle", cycle, "a value that contains itself (at self)"],
    ["a Map", new Map(), "an instance of Map"],
    ["an instance, inside", { price: new Money() }, "an instance of Money (at price)"],
    ["an Error", new Error("e"), "an instance of Error"],
    ["a Uint8Array", new Uint8Array(2), "an instance of Uint8Array"],
    ["an invalid date", new Date(Number.NaN), "an invalid date"],
    ["a function, inside", { f: () => 1 }, "a function (at f)"],
    [
      "R08: an own __proto__",
      JSON.parse('{"a":{"__proto__":{"admin":1}}}'),
      'an entry named "__proto__" (at a)',
    ],
    [
      "R08: an own __proto__ beside its output",
      JSON.parse('{"N0":1,"__proto__":{}}'),
      'an entry named "__proto__"',
    ],
    ["too deep", deep(201), "data nested more than 200 deep"],
  ])("%s is refused", async (_, value, what) => {
    expect(await messageFor(() => value)).toContain(`bad_value: the agent returned ${what}`);
  });

  it.each<[string, unknown, unknown]>([
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["undefined entries", { a: undefined, b: 1 }, { b: 1 }],
    ["undefined items", [1, undefined], [1, null]],
    ["a promise of a promise", Promise.resolve(Promise.resolve(7)), 7],
    ["a mapping without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["the same value twice", [cycle.self === cycle, ["x"], ["x"]], [true, ["x"], ["x"]]],
    ["deep, but not too deep", deep(200), deep(200)],
  ])("%s is taken", async (_, value, data) => {
    const { state } = await chain(() => value as never).run({});
    expect(state).toEqual({ N0: data });
  });

  it("a getter or a toJSON that throws fails the node", async () => {
    const getter = {
      get a(): number {
        throw new Error("getter");
      },
    };
    const custom = new (class Custom {
      toJSON(): never {
        throw new Error("toJSON");
      }
    })();
    expect(await messageFor(() => getter)).toBe("agent_failed: getter");
    expect(await messageFor(() => custom)).toContain("bad_value: the agent returned an instance of Custom");
  });

  it("a thenable whose then throws fails the node", async () => {
    const broken = {
      // biome-ignore lint/suspicious/noThenProperty: a thenable that breaks is what is tried here.
      get then(): never {
        throw new Error("no then");
      },
    };
    expect(await messageFor(() => broken)).toBe("agent_failed: no then");
  });

  it("R16: an output of more than 10 million characters is refused", async () => {
    const large = "x".repeat(10_000_001);
    expect(await messageFor(() => large)).toContain("more than 10000000 characters");
    expect(await messageFor(() => ({ a: [large] }))).toContain("more than 10000000 characters");
    const wide: unknown[] = [];
    wide.length = 4e9;
    expect(await messageFor(() => wide)).toContain("more than 10000000 characters");
    expect(await messageFor(() => large.slice(1))).toBeUndefined();
  });

  it.each<[string, (part: unknown) => unknown]>([
    ["lists", (part) => [part, part]],
    ["mappings", (part) => ({ a: part, b: part })],
  ])("R16: a few %s in each other that stand for billions of items are refused quickly", async (_, twice) => {
    let value: unknown = "x";
    for (let i = 0; i < 150; i++) value = twice(value);
    const began = performance.now();
    expect(await messageFor(() => value)).toContain("more than 10000000 characters");
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("R16: a part that stands in several places is data in each", async () => {
    const part = { list: Array.from({ length: 100 }, (_, i) => i), when: new Date(0) };
    const { state } = await chain(() => [part, { again: part }, part]).run({});
    const plain = { list: part.list, when: "1970-01-01T00:00:00.000Z" };
    expect(state["N0"]).toEqual([plain, { again: plain }, plain]);
    expect(Object.isFrozen((state["N0"] as readonly unknown[])[0])).toBe(true);
  });

  it.each([
    [50, undefined],
    [51, "nested more than 200 deep"],
  ])("R16: a part counts with its own depth wherever it stands: %i deeper", async (deeper, problem) => {
    const wrapped = (value: unknown, times: number): unknown =>
      times === 0 ? value : wrapped([value], times - 1);
    const part = wrapped(
      Array.from({ length: 100 }, () => 1),
      148,
    );
    const message = await messageFor(() => [part, wrapped(part, deeper)]);
    if (problem === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(problem);
  });

  it("R17: a state of more than 50 million characters is refused, however it grew", async () => {
    const part = "x".repeat(9_000_000);
    const result = await chain(...Array.from({ length: 7 }, () => () => part)).run({});
    expect(result).toMatchObject({
      status: "failed",
      path: ["N0", "N1", "N2", "N3", "N4", "N5"],
      error: { code: "bad_value", node: "N5" },
    });
    const again = tiny({ A: { agent: () => part, next: "A", maxVisits: 20 } });
    expect((await again.run({})).status).toBe("completed");
  });
});

describe("R10: nobody changes somebody else's data", () => {
  it("values in the state are frozen copies; the agent's own object is left alone", async () => {
    const own = { list: [1, 2] };
    const change: Act = (inputs) => {
      (inputs["A"] as { list: number[] }).list.push(3);
      return 1;
    };
    const graph = tiny({
      A: { agent: () => own, next: "B" },
      B: { agent: change, reads: ["A"], failure: "C" },
      C: { agent: ({ A }) => A, reads: ["A"] },
    });
    const { state } = await graph.run({});
    expect(state).toMatchObject({ error: expect.stringContaining("not extensible"), C: { list: [1, 2] } });
    expect(Object.isFrozen(own)).toBe(false);
    own.list.push(9);
    expect(state["A"]).toEqual({ list: [1, 2] });
  });

  it("the mapping of inputs is fresh for each visit", async () => {
    const greedy: Act = (inputs) => {
      const { x } = inputs as { x: number };
      (inputs as { x: number }).x = 99;
      return x;
    };
    const graph = tiny({ A: { agent: greedy, reads: ["x"], next: "B" }, B: { agent: greedy, reads: ["x"] } });
    expect((await graph.run({ x: 1 })).state).toEqual({ x: 1, A: 1, B: 1 });
  });

  it("the given state is copied first", async () => {
    const given = { list: [1] };
    const running = chain(async () => 1).run(given);
    given.list.push(2);
    const { state } = await running;
    expect(state["list"]).toEqual([1]);
    expect(Object.isFrozen(given.list)).toBe(false);
  });
});

it("settings that are no data are the graph's mistake, and not an answer of the agent", async () => {
  const definition = {
    name: "G",
    entry: "A",
    nodes: { A: { agent: () => 1, inputs: () => ({}), settings: { f: () => 1 } } },
    routes: { A: {} },
  };
  await expect(async () => defineGraph()(definition as never).run({} as never)).rejects.toMatchObject({
    code: "graph_invalid",
    message: 'the settings of "A" hold a function (at f), which is no JSON data',
  });
});

describe("given values", () => {
  it.each<[string, object, string]>([
    ["no data", { x: { f: () => 1 } }, 'the field "x" was given a function (at f), which is no JSON data'],
    ["a reserved name", JSON.parse('{"__proto__": 1}'), '"__proto__" cannot be the name of a field'],
    ["another reserved name", { constructor: 1 }, '"constructor" cannot be the name of a field'],
  ])("%s: the run is not begun", async (_, given, message) => {
    let called = false;
    const graph = chain(() => {
      called = true;
      return 1;
    });
    await expect(graph.run(given as never)).rejects.toMatchObject({ code: "input_invalid", message });
    expect(called).toBe(false);
  });

  it("undefined is not given; an unknown field is kept", async () => {
    expect((await chain(() => 1).run({ x: undefined, y: 2 })).state).toEqual({ y: 2, N0: 1 });
  });

  it("names of object methods are plain fields", async () => {
    const graph = tiny({
      A: {
        agent: (inputs) => [inputs["toString"] ?? "unset", inputs["then"] ?? "unset"],
        reads: ["toString", "then"],
        writes: ["valueOf"],
      },
    });
    expect((await graph.run({})).state).toEqual({ valueOf: ["unset", "unset"] });
  });
});

describe("reading inside values", () => {
  const order = { items: [{ name: "tea" }], address: { city: "Rome" }, note: "hi" };
  it.each<[readonly string[], unknown]>([
    [["address", "city"], "Rome"],
    [["items", "0", "name"], "tea"],
    [["items", "1", "name"], undefined],
    [["items", "length"], undefined],
    [["items", "00"], undefined],
    [["note", "0"], undefined],
    [["note", "length"], undefined],
    [["constructor"], undefined],
    [["__proto__"], undefined],
    [["missing", "deeper"], undefined],
    [[], order],
  ])("I04: %j", (path, value) => {
    expect(at(order, ...path)).toEqual(value);
  });

  it.each<[unknown, string]>([
    ["it's {x} $&", "it's {x} $&"],
    [undefined, ""],
    [null, ""],
    [0, "0"],
    [false, "false"],
    [{ a: [1] }, '{"a":[1]}'],
  ])("text of %j", (value, shown) => {
    expect(text(value)).toBe(shown);
  });
});
