import { describe, expect, test } from "vitest";
import { createFolder } from "../cli/folder.js";
import { flowsheetProcess, type ProcessEnded } from "../cli/process.js";
import { type Ended, flowsheet } from "../cli/run.js";
import { sheetOf } from "./sheets.js";

const BODY = `({ kind }) {
    if (kind === "function") return () => 1;
    if (kind === "cycle") { const a = {}; a.a = a; return a; }
    if (kind === "bigint") return 10n;
    if (kind === "symbol") return Symbol("s");
    if (kind === "nan") return { value: NaN };
    if (kind === "proto") return JSON.parse('{"__proto__": {"admin": true}}');
    if (kind === "class") return new (class Secret {})();
    if (kind === "map") return new Map([[1, 2]]);
    if (kind === "thenable") return { then: (take) => take("from a thenable") };
    if (kind === "nested") return Promise.resolve({ then: (take) => take("from within") });
    if (kind === "date") return new Date(0);
    if (kind === "undefined") return undefined;
    if (kind === "text") throw "only text";
    if (kind === "nothing") throw undefined;
    if (kind === "getter") throw { get message() { throw new Error("no"); } };
    setTimeout(() => { Promise.reject(new Error("stray after")); }, 5);
    Promise.reject(new Error("stray now"));
    return new Promise((resolve) => setTimeout(() => resolve("kept"), 60));
  }`;
const JAVASCRIPT = `import { Agent } from "flowsheet";\nexport class OddAgent extends Agent { process${BODY} }`;
const TYPESCRIPT = `import { Agent } from "flowsheet";
export class OddAgent extends Agent<{ kind: string }, unknown> {
  process${BODY.replace("({ kind })", "({ kind }: { kind: string })").replace("const a = {}", "const a: { a?: unknown } = {}").replaceAll("(take)", "(take: (value: string) => void)")}
}`;

type Files = Readonly<Record<string, string>>;

const argsFor = (kind: string): readonly string[] => ["run", "a.csv", "--json", "--input", `kind=${kind}`];
const projectWith = (agent: Files): string =>
  createFolder({ "a.csv": sheetOf("G,A,,odd,,,kind,out,,"), ...agent });

const run = (agent: Files, kind: string): Promise<Ended> =>
  flowsheet(argsFor(kind), { cwd: projectWith(agent) });
/** For what would befall the process of the tests. */
const runAlone = (agent: Files, kind: string): Promise<ProcessEnded> =>
  flowsheetProcess(argsFor(kind), { cwd: projectWith(agent) });

/** What esbuild makes of the other language is the same code: a part of it shows that. */
const SOME: ReadonlySet<string> = new Set(["function", "bigint", "proto", "class", "text", "thenable"]);

describe.each([
  ["JavaScript", { "agents/odd.js": JAVASCRIPT }],
  ["TypeScript", { "agents/odd.ts": TYPESCRIPT }],
])("an agent in %s", (language, agent) => {
  const asked = (kind: string): boolean => language === "JavaScript" || SOME.has(kind);

  test.each(
    [
      ["R07", "function", "bad_value", "the agent returned a function"],
      ["R07", "cycle", "bad_value", "a value that contains itself"],
      ["R07", "bigint", "bad_value", "the agent returned a bigint"],
      ["R07", "symbol", "bad_value", "the agent returned a symbol"],
      ["R07", "nan", "bad_value", "the agent returned NaN (at value)"],
      ["R08", "proto", "bad_value", '"__proto__"'],
      ["R07", "class", "bad_value", "an instance of Secret"],
      ["R07", "map", "bad_value", "an instance of Map"],
      ["R05", "text", "agent_failed", "only text"],
      ["R05", "nothing", "agent_failed", "the agent threw undefined"],
      ["R05", "getter", "agent_failed", "a value that cannot be read"],
    ].filter(([, kind = ""]) => asked(kind)) as [string, string, string, string][],
  )("%s: %s fails its node: %s", async (_id, kind, code, message) => {
    const ended = await run(agent, kind);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: "failed",
      path: ["A"],
      error: { code, message: expect.stringContaining(message) as string, node: "A", cell: "D2" },
    });
    expect(ended.stdout + ended.stderr).not.toContain("    at ");
  });

  const plain: readonly (readonly [string, object])[] = [
    ["thenable", { out: "from a thenable" }],
    ["nested", { out: "from within" }],
    ["date", { out: "1970-01-01T00:00:00.000Z" }],
    ["undefined", {}],
  ];
  test.each(plain.filter(([kind]) => asked(kind)))("R07: %s is plain data", async (kind, state) => {
    const ended = await run(agent, kind);
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { state: { kind, ...state } }]);
  });

  test("R06: promises that fail unseen end nothing and are told", async () => {
    const ended = await runAlone(agent, "stray");
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { state: { out: "kept" } }]);
    expect(ended.stderr).toContain("note: something failed that no node waits for: stray now\n");
    expect(ended.stderr).toContain("note: something failed that no node waits for: stray after\n");
  });
});

test("R04: an agent that can never finish fails the run, with its place", async () => {
  const agent = `import { defineAgent } from "flowsheet";\nexport const odd = defineAgent(() => new Promise(() => {}));`;
  const ended = await runAlone({ "agents/odd.js": agent }, "any");
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    status: "failed",
    path: ["A"],
    error: {
      code: "agent_failed",
      message: "an agent never finished, and nothing is left that it could wait for",
      ...{ node: "A", file: "a.csv", line: 2, cell: "D2" },
    },
  });
});

describe("an agent that cannot be loaded: exit 1, with its file", () => {
  const odd = 'import { defineAgent } from "flowsheet";\nexport const odd = defineAgent(() => 1);\n';
  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      "a syntax error in JavaScript",
      { "agents/odd.js": `${odd}const = 1;` },
      /agents\/odd\.js:3:7: Expected/,
    ],
    [
      "a syntax error in TypeScript",
      { "agents/odd.ts": `${odd}const = 1;` },
      /agents\/odd\.ts:3:7: Expected/,
    ],
    [
      "an export that comes to nothing",
      { "agents/odd.js": `${odd.replace("odd = defineAgent(() => 1)", "odd = defineAgent && undefined")}` },
      /agents\/odd\.js: it exports no "odd"/,
    ],
    [
      "two agents with one name",
      { "agents/odd.js": odd, "agents/other.ts": odd.replace("const odd", "const OddAgent") },
      /the agent "odd" is also written in .*agents\/odd\.js; rename one of them/,
    ],
    ["a module that throws", { "agents/odd.js": `${odd}throw new Error("not today");` }, /not today/],
  ])("%s", async (_name, agents, message) => {
    const ended = await run(agents, "x");
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toContain("    at ");
  });

  test("an agent that nobody wrote is named, with a suggestion", async () => {
    const ended = await run({ "agents/odt.js": odd.replace("const odd", "const oddd") }, "x");
    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain("error unknown-agent: ");
    expect(ended.stderr).toContain('did you mean "oddd"?');
  });
});
