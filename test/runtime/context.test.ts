import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { Agent } from "flowsheet";
import { expect, test, vi } from "vitest";
import type { AgentContext, RunOptions, StateData } from "../../runtime/graph/contract/contract.js";
import { takesContext } from "../../runtime/graph/link/agent-context.js";
import { createFolder } from "../cli/folder.js";
import { type Act, tiny } from "./tiny.js";

const SECRET = "s3cret-of-the-database";

/** Runs one node whose agent looks at its context. */
async function look(see: (context: AgentContext) => unknown, options: RunOptions = {}): Promise<StateData> {
  const graph = tiny({
    A: {
      agent: (_, context) => see(context),
      reads: ["x"],
      prompt: ({ x }) => `about ${String(x)}`,
      settings: { tone: "plain" },
    },
  });
  const { status, state, error } = await graph.run({ x: 1 }, { runId: "r", ...options });
  if (status !== "completed") throw new Error(error?.message);
  return state;
}

test("a context can be spread, listed and taken apart", async () => {
  const services = { db: { password: SECRET } };
  const { A } = await look(
    (context) => {
      const all = { ...context };
      const { given, wait, recall, remember, spend, signal, log, ...rest } = all;
      remember("talk", [{ role: "user", text: "hello" }]);
      spend({ input_tokens: 1, output_tokens: 2 });
      expect([given("x"), recall("talk"), signal.aborted]).toEqual([
        1,
        [{ role: "user", text: "hello" }],
        false,
      ]);
      expect(wait({ prompt: "?" })).toMatchObject({ spec: { prompt: "?" } });
      log.debug("seen");
      expect(all.services["db"]).toBe(services.db);
      expect("prompt" in context).toBe(true);
      expect(Object.keys(context)).toEqual(Object.keys(all));
      const { services: _, ...plain } = rest;
      return plain;
    },
    { services },
  );
  expect(A).toEqual({
    runId: "r",
    graph: expect.any(String),
    node: "A",
    visit: 1,
    attempt: 1,
    settings: { tone: "plain" },
    prompt: "about 1",
    outputs: [{ field: "A", key: "A" }],
    key: "r/A/1",
    targets: [],
  });
});

test("printed, a context says what it is, and nothing that services hold", async () => {
  const services = { db: { password: SECRET } };
  const { A } = await look(
    (context) => [
      inspect(context),
      JSON.stringify(context),
      inspect({ ...context }, { depth: 9 }),
      inspect(context.services),
      JSON.stringify({ ...context }),
      inspect(context, { customInspect: false, showHidden: true, getters: true, showProxy: true, depth: 9 }),
    ],
    { services },
  );
  const [printed, json, spread, named] = A as readonly string[];
  expect(printed).toContain("prompt: 'about 1'");
  expect(printed).toContain("services: [ 'db' ]");
  expect(JSON.parse(json ?? "")).toMatchObject({ node: "A", settings: { tone: "plain" }, services: ["db"] });
  expect(spread).toContain("node: 'A'");
  expect(named).toBe("[ 'db' ]");
  for (const text of A as readonly string[]) expect(text).not.toContain(SECRET);
});

test("nothing of the run can be changed through a context", async () => {
  const services = { db: 1 };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  await look(
    (context) => {
      const open = context as unknown as { [key: string]: unknown };
      const parts = open as { [key: string]: { [key: string]: unknown } };
      for (const key of ["prompt", "visit", "other", "region"])
        expect(() => {
          open[key] = 2;
        }).toThrow(`"${key}" is read only`);
      expect(() => delete open["visit"]).toThrow(TypeError);
      expect(() => Object.defineProperty(open, "visit", { value: 2 })).toThrow(TypeError);
      expect(Object.isFrozen(context)).toBe(true);
      // What all contexts share would change those of other runs, too.
      for (const one of [open, open["services"] as object]) {
        const shared = Object.getPrototypeOf(one) as { toJSON: unknown };
        expect(() => {
          shared.toJSON = () => "mine";
        }).toThrow(TypeError);
      }
      for (const key of ["settings", "services", "log", "outputs", "targets"])
        expect(() => {
          parts[key]!["db"] = 2;
        }, key).toThrow(TypeError);
      expect([open["region"], open["prepared"], open["extra"], open["inputs"]]).toEqual(
        Array(4).fill(undefined),
      );
      return null;
    },
    { services, log },
  );
  expect(services).toEqual({ db: 1 });
});

test("also a class and a stand-in get a context of their own", async () => {
  class Look extends Agent<object, readonly string[]> {
    override process(_: object, context: AgentContext) {
      return Object.keys(context);
    }
  }
  const graph = tiny({ A: { agent: Look as unknown as Act }, B: () => 0 });
  const first = await graph.run({});
  expect(first.state["A"]).toContain("services");
  const keys: Act = (_, context) => Object.keys(context);
  const second = await graph.run({}, { nodes: { A: keys } });
  expect(second.state["A"]).toEqual(first.state["A"]);
});

test("a method that is replaced later gets a context of its own too", async () => {
  class Quiet extends Agent<object, number> {
    override process(_: object): number {
      return 0;
    }
  }
  const graph = tiny({ A: { agent: Quiet as unknown as Act }, B: () => 0 });
  expect((await graph.run({})).state["A"]).toBe(0);
  const watched = vi.spyOn(Quiet.prototype, "process");
  await graph.run({});
  const [[, context] = []] = watched.mock.calls as unknown as readonly (readonly unknown[])[];
  expect(Object.isFrozen(context)).toBe(true);
  expect(Object.keys(context as object)).toContain("services");
});

/** Ways to write a function, given its parameters and what it returns. */
const FORMS: readonly ((params: string, body: string) => string)[] = [
  (p, b) => `(${p}\n) => ${b}`,
  (p, b) => `async(${p}\n)=>${b}`,
  (p, b) => `async (${p}\n) => { return ${b} }`,
  ...["function", "function f", "async function", "async function f", "function*", "async function* f"].map(
    (head) => (p: string, b: string) => `${head}(${p}\n) { return ${b} }`,
  ),
  ...["m", "async m", "*m", "async*m", "async /* ( */ m /* ) => { */"].map(
    (head) => (p: string, b: string) => `({ ${head}(${p}\n) { return ${b} } }).m`,
  ),
  ...["get", "set", "async", "function", "a b", "1", "static"].map(
    (name) => (p: string, b: string) =>
      `({ ${JSON.stringify(name)}(${p}\n){return ${b}} })[${JSON.stringify(name)}]`,
  ),
  ...["get", "async", "function", "static", "of"].map(
    (name) => (p: string, b: string) => `({ ${name}(${p}\n){return ${b}} }).${name}`,
  ),
  (p, b) => `(class { m(${p}\n) { return ${b} } }).prototype.m`,
  (p, b) => `(class { static m(${p}\n) { return ${b} } }).m`,
  (p, b) => `new (class { m = (${p}\n) => ${b} })().m`,
];

const SECOND = [
  "a, b",
  "a,b",
  "{ a }, b",
  "{ a },b",
  "{ a: { c } }, b",
  "[a], b",
  "a = 1, b",
  'a = ") => {", b',
  "{ a = ') {' } = {}, b",
  "a = (x) => { return x }, b",
  "a /* ) => { */, b",
  "a // ) => {\n, b",
  "/* a) { */ a, b",
  "_$, b",
  "\u00e4, b",
  "a, b = {}",
  "{ a }, { c, ...b }",
  "a, ...[b]",
  "...[, b]",
];

test("a function that can look at its context is known by any way of writing it", async () => {
  const arrows = /=>/;
  const texts = FORMS.flatMap((form) => [
    ...SECOND.map((params) => form(params, "b")),
    ...(arrows.test(form("", ""))
      ? []
      : [form("a", "arguments[1]"), form("", "(() => arguments)()[1]"), form("a = arguments[1]", "a")]),
  ]);
  // Below node_modules it is loaded as it stands.
  const name = "node_modules/all.mjs";
  const file = join(createFolder({ [name]: `export default [\n${texts.join(",\n")}\n];\n` }), name);
  const { default: all } = (await import(pathToFileURL(file).href)) as {
    readonly default: readonly object[];
  };
  expect(all).toHaveLength(texts.length);
  expect(all.flatMap((one, at) => (takesContext(one) ? [] : [texts[at]]))).toEqual([]);
});

test("only an agent that cannot look at a context is called without one", () => {
  const both = (_a: unknown, _b: unknown): void => {};
  const looking: readonly object[] = [
    both,
    (...all: unknown[]) => all,
    (_a: unknown, b = {}) => b,
    (_a: unknown, ...[b]: unknown[]) => b,
    function () {
      // biome-ignore lint/complexity/noArguments: this is what is looked for
      return arguments[1];
    },
    both.bind(null),
    ({ a = {} }: { a?: object }) => a,
  ];
  const others: readonly object[] = [
    () => 0,
    async () => 0,
    (a: unknown) => a,
    async ({ a, b: c }: { a: unknown; b: unknown }) => [a, c],
    function named(a: unknown) {
      return a;
    },
    {
      process({ a }: { a: unknown }) {
        return a;
      },
    }.process,
    {
      async process(a: unknown) {
        return a;
      },
    }.process,
  ];
  expect(looking.map(takesContext)).toEqual(looking.map(() => true));
  expect(others.map(takesContext)).toEqual(others.map(() => false));
});
