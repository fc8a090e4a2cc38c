import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createRedactor, redactLog } from "../../runtime/runs/redact.js";
import { KEY, openaiAt, type Row, runProject } from "./project.js";
import { modelServer, type Reply, says, status } from "./server.js";

const ASK: Row = { node: "Ask", inputs: "q", outputs: "answer", prompt: "About {q}" };

/** What would give the key away. */
const forms = (key: string): readonly string[] => {
  const bytes = Buffer.from(key);
  return [
    key,
    encodeURIComponent(key),
    bytes.toString("hex"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
};

function expectNone(text: string, key = KEY): void {
  for (const form of forms(key)) expect(text).not.toContain(form);
}

describe("S01: the key of a provider is in no result, event, trace or log", () => {
  const telling: readonly [string, Reply][] = [
    [
      "its message",
      (response, asked) =>
        status(401, { error: { message: `no ${asked.headers.authorization}` } })(response, asked),
    ],
    [
      "a message in JSON",
      (response, asked) => status(500, JSON.stringify({ detail: asked.headers }))(response, asked),
    ],
    [
      "a redirect",
      (response, asked) =>
        status(302, "", { location: `https://${encodeURIComponent(KEY)}.example/` })(response, asked),
    ],
    [
      "base64",
      (response) => {
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ message: `user ${Buffer.from(`user:${KEY}`).toString("base64")}` }));
      },
    ],
  ];

  test.each(telling)("when the server tells it in %s", async (_, reply) => {
    const server = await modelServer(reply);
    const rows = [{ ...ASK, context: { fallback: "mock" } }];
    const { result, events, log } = await runProject({ rows, llm: openaiAt(server.url) }, { q: "tea" });
    expect(result.state).toHaveProperty("answer");
    expectNone(inspect([result, events, log], { depth: 20, maxStringLength: null }));
    expect(log.join()).toMatch(/asking mock/);
  });

  /** Any five characters of the key in a row would be a part of it. */
  const expectNoPart = (text: string): void => {
    for (let i = 0; i + 5 <= KEY.length; i++) expect(text).not.toContain(KEY.slice(i, i + 5));
  };
  const cuts = [55, 200, 300, 2000].flatMap((limit) => [5, KEY.length - 5].map((part) => limit - part));

  test.each(cuts)("when a message is cut in the middle of it, %i characters before it", async (length) => {
    const told = `${"x ".repeat(length / 2)}${length % 2 === 0 ? "" : "x"}${KEY} and more ${"y ".repeat(2000)}`;
    const server = await modelServer(status(400, { error: { message: told } }));
    const first = await runProject({ rows: [ASK], llm: openaiAt(server.url) }, { q: "tea" });
    expect(first.result.error?.message).toMatch(/HTTP 400: x/);
    expectNoPart(inspect(first, { depth: 20, maxStringLength: null }));

    const talker = await modelServer(says(told));
    const rows = [{ ...ASK, context: { choices: ["A", "B"] } }];
    const second = await runProject({ rows, llm: openaiAt(talker.url) }, { q: "tea" });
    expect(second.result.error?.message).toMatch(/it said "x/);
    expectNoPart(inspect(second, { depth: 20, maxStringLength: null }));

    const typed = await modelServer(says(JSON.stringify({ answer: told })));
    const numbers = [{ ...ASK, outputs: "answer:number" }];
    const third = await runProject({ rows: numbers, llm: openaiAt(typed.url) }, { q: "tea" });
    expect(third.result.status).toBe("failed");
    expectNoPart(inspect(third, { depth: 20, maxStringLength: null }));
  });

  test("when a message of the driver quotes it", async () => {
    const long = `${"x".repeat(40)}${KEY}`;
    const find: Row = { node: "Find", agent: "csv_reader", inputs: "q", prompt: "t" };
    const query = { filter: { a: { input: "q" } } };
    const rows = [{ ...find, outputs: "a", context: { query } }];
    const told = await runProject({ rows, env: { MY_API_KEY: KEY } }, { q: { a: long } });
    expect(told.result.error?.message).toMatch(/nothing can be compared/);
    expectNoPart(inspect([told.result.error, told.log], { depth: 20, maxStringLength: null }));
    const typed = { rows: [{ ...find, agent: "echo", inputs: "q:number" }], env: { MY_API_KEY: KEY } };
    const wrong = await runProject(typed, { q: long }).catch((thrown: unknown) => String(thrown));
    expect(wrong).toMatch(/must be number, not a text of \d+ characters/);
  });

  test("when a model says it: a trace does not", async () => {
    const server = await modelServer(says(`The key is ${KEY}`));
    const { events } = await runProject({ rows: [ASK], llm: openaiAt(server.url) }, { q: "tea" });
    const end = events.find(({ type }) => type === "node_end");
    expect(end).toMatchObject({ writes: { answer: "The key is [redacted]" } });
  });

  test("when it comes in as an input", async () => {
    const { events } = await runProject(
      { rows: [ASK], llm: { default_provider: "mock" }, env: { MY_API_KEY: KEY } },
      { q: { deep: [KEY] } },
    );
    const end = events.find(({ type }) => type === "node_end");
    expectNone(inspect(end, { depth: 20 }));
    expect(end).toMatchObject({ inputs: { q: { deep: ["[redacted]"] } } });
  });
});

describe("what is a secret", () => {
  const redact = createRedactor(
    {
      MY_TOKEN: "token-of-mine",
      PLAIN: "plainly visible",
      KEY_OF_OTHERS: "by reference 1",
      SHORT_KEY: "abc",
      LOCAL_KEY: "ollama",
      PIN_KEY: "123456",
      DOOR_KEY: "s3cr$t",
      DATABASE_URL: "postgres://ada:of%20the-database@db/flows",
      PROXY: "http://squid:proxy-word@proxy:3128",
      TRIAL: "postgres://flowsheet:flowsheet@db/flowsheet",
    },
    {
      root: "nowhere",
      configuration: {
        llm: {
          providers: {
            a: { api_key: "written-in-file" },
            b: { api_key: "env:PLAIN2:its default" },
            c: { api_key: "env:PLAIN" },
          },
        },
        authentication: {
          api_keys: [{ key: "listed-secret", name: "reader-name" }],
          jwt: { secret: "jwt secret!" },
        },
        server: { host: "host-is-public" },
        runs: { store: "postgres://db/flows?password=from-dotenv" },
      },
    },
  );

  test.each([
    ["token-of-mine", false],
    ["s3cr$t", false],
    ["as3cr$tb", true],
    ["ollama", true],
    ["of%20the-database", false],
    ["of the-database", false],
    ["proxy-word", false],
    ["from-dotenv", false],
    ["ada at db/flows", true],
    ["flowsheet", true],
    ["123456", true],
    ["plainly visible", false],
    ["by reference 1", false],
    ["written-in-file", false],
    ["its default", false],
    ["listed-secret", false],
    ["jwt secret!", false],
    ["jwt%20secret!", false],
    ["host-is-public", true],
    ["reader-name", true],
    ["abc", true],
  ])("%s is shown: %s", (text, isShown) => {
    expect(redact(`<${text}>`)).toBe(isShown ? `<${text}>` : "<[redacted]>");
  });

  test.each([0, 1, 2, 3, 4])("base64 of a text in which it begins at %i", (offset) => {
    const text = `${"x".repeat(offset)}token-of-mine${"y".repeat(7)}`;
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(text).toString(encoding);
      const shown = redact(`a ${encoded} b`);
      expect(shown).toContain("[redacted]");
      const rest = shown.replace(/^a |\[redacted\]| b$/g, "");
      expect(Buffer.from(rest, encoding).toString("latin1")).not.toMatch(/token|mine/);
    }
  });

  test("a credential behind the word of its scheme, which others leave out", () => {
    const basic = Buffer.from("ada:pass-canary-77").toString("base64");
    const env = { A: "Bearer tok-canary-0123456789", B: `basic ${basic}`, C: "Bearer of good news" };
    const headers = { authorization: "env:A", "x-other": "env:B", "x-third": "env:C" };
    const configuration = { mcp: { servers: { one: { url: "https://a.example", headers } } } };
    const redact = createRedactor(env, { configuration, root: "/nowhere" });
    const text = `no tok-canary-0123456789, no ${basic}, no pass-canary-77 for the bearer of good news`;
    expect(redact(text)).toBe("no [redacted], no [redacted], no [redacted] for the bearer of good news");
  });

  test("logs: messages, details and errors", () => {
    const lines: unknown[] = [];
    const to = (...line: readonly unknown[]): void => void lines.push(line);
    const log = redactLog({ debug: to, info: to, warn: to, error: to }, redact);
    log.info("token-of-mine", { a: ["token-of-mine"], b: 1 });
    log.error("x", new Error("bad token-of-mine"));
    log.debug("fine");
    expect(lines).toEqual([["[redacted]", { a: ["[redacted]"], b: 1 }], ["x", "bad [redacted]"], ["fine"]]);
  });
});
