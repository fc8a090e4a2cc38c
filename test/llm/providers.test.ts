import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { folderOf, KEY, openaiAt, type Row, runProject } from "./project.js";
import {
  breaksOff,
  claudeSays,
  closedPort,
  geminiSays,
  hangs,
  modelServer,
  type Reply,
  says,
  status,
} from "./server.js";

const ASK: Row = { node: "Ask", inputs: "q", outputs: "answer", prompt: "About {q}" };
const given = { q: "tea" };

/** Runs one node against a server with these replies. */
async function ask(row: Partial<Row>, replies: readonly Reply[], more: object = {}) {
  const server = await modelServer(...replies);
  const told = await runProject({ rows: [{ ...ASK, ...row }], llm: openaiAt(server.url, more) }, given);
  return { ...told, asked: server.asked };
}

describe("a text", () => {
  test("from OpenAI: the prompt, the system's text and the settings are sent; the answer is written", async () => {
    const context = { system: "Be brief.", temperature: 0.2, max_tokens: 50 };
    const { result, asked, events } = await ask({ context }, [says("Tea is hot.")]);
    expect(result).toMatchObject({ status: "completed", state: { q: "tea", answer: "Tea is hot." } });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.path).toBe("/v1/chat/completions");
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(asked[0]?.body).toMatchObject({
      model: "m1",
      temperature: 0.2,
      max_tokens: 50,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "About tea" },
      ],
    });
    expect(events.find(({ type }) => type === "node_end")).toMatchObject({
      usage: { input_tokens: 11, output_tokens: 7 },
    });
  });

  test("from any server that speaks like OpenAI, without a key", async () => {
    const server = await modelServer(says("Yes."));
    const llm = { providers: { local: { kind: "openai-compatible", base_url: server.url, model: "small" } } };
    const { result } = await runProject({ rows: [ASK], llm }, given);
    expect(result.state).toMatchObject({ answer: "Yes." });
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
    expect(server.asked[0]?.body.model).toBe("small");
  });

  test("from Anthropic", async () => {
    const server = await modelServer(claudeSays([{ type: "text", text: "Hello." }]));
    const llm = { providers: { anthropic: { base_url: server.url, api_key: KEY, model: "claude-x" } } };
    const { result, events } = await runProject({ rows: [{ ...ASK, agent: "claude" }], llm }, given);
    expect(result.state).toMatchObject({ answer: "Hello." });
    expect(server.asked[0]).toMatchObject({ path: "/v1/messages", headers: { "x-api-key": KEY } });
    expect(events.find(({ type }) => type === "node_end")).toMatchObject({
      usage: { input_tokens: 5, output_tokens: 3 },
    });
  });

  test("from Google", async () => {
    const server = await modelServer(geminiSays("Bonjour."));
    const llm = { providers: { google: { base_url: server.url, api_key: KEY, model: "gemini-x" } } };
    const { result } = await runProject({ rows: [{ ...ASK, agent: "gemini" }], llm }, given);
    expect(result.state).toMatchObject({ answer: "Bonjour." });
    expect(server.asked[0]?.path).toBe("/v1/models/gemini-x:generateContent");
    expect(server.asked[0]?.headers["x-goog-api-key"]).toBe(KEY);
  });

  test("the address and the key of the environment", async () => {
    const server = await modelServer(says("Here."));
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url };
    const { result } = await runProject({ rows: [{ ...ASK, agent: "gpt" }], env }, given);
    expect(result.state).toMatchObject({ answer: "Here." });
  });

  test("a key by the name of its variable, and a default", async () => {
    const server = await modelServer(says("Here."));
    const llm = {
      default_provider: "env:WHICH:mine",
      providers: {
        other: { kind: "mock" },
        mine: { kind: "openai", base_url: "env:URL", api_key: "env:MINE" },
      },
    };
    const env = { URL: server.url, MINE: KEY };
    const { result } = await runProject({ rows: [ASK], llm, env }, given);
    expect(result.state).toMatchObject({ answer: "Here." });
    expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe("what passes is tried again", () => {
  test("429 with Retry-After: the wait is kept", async () => {
    const began = performance.now();
    const { result, asked } = await ask({}, [status(429, {}, { "retry-after": "1" }), says("Now.")]);
    expect(result.state).toMatchObject({ answer: "Now." });
    expect(asked).toHaveLength(2);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  test("429 with a date", async () => {
    const date = new Date(Date.now() + 1500).toUTCString();
    const { result, asked } = await ask({}, [status(429, {}, { "retry-after": date }), says("Now.")]);
    expect([result.state["answer"], asked.length]).toEqual(["Now.", 2]);
  });

  test("a server that asks for an hour is not waited for", async () => {
    const { result, asked } = await ask({}, [
      status(429, { error: { message: "too many" } }, { "retry-after": "3600" }),
    ]);
    expect(result.error).toMatchObject({
      code: "provider_failed",
      message: "openai (m1): HTTP 429: too many (it asks to wait 3600 s)",
      node: "Ask",
      cell: "E2",
    });
    expect(asked).toHaveLength(1);
  });

  test.each([500, 502, 503, 504])("%i, then an answer", async (code) => {
    const { result, asked } = await ask({}, [status(code), says("Fine.")]);
    expect([result.state["answer"], asked.length]).toEqual(["Fine.", 2]);
  });

  test("half a body, then an answer", async () => {
    const { result, asked } = await ask({}, [breaksOff, says("Whole.")]);
    expect([result.state["answer"], asked.length]).toEqual(["Whole.", 2]);
  });

  test("L09: a server that is down for good fails the node after four attempts", async () => {
    const { result, asked } = await ask({}, [status(503, "<html>down</html>")]);
    expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
    expect(result.error?.message).toMatch(/^openai \(m1\): HTTP 503.*\(4 attempts\)$/);
    expect(result.state).toEqual(given);
    expect(asked).toHaveLength(4);
  });

  test("L09: nobody listens there", async () => {
    const { result } = await runProject({ rows: [ASK], llm: openaiAt(await closedPort()) }, given);
    expect(result.error?.message).toMatch(
      /^openai \(m1\): cannot reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\) \(4 attempts\)$/,
    );
  });

  test.each([400, 401, 403, 404])("%i is final", async (code) => {
    const { result, asked } = await ask({}, [status(code)]);
    expect(result.error?.message).toContain(`openai (m1): HTTP ${code}: made up ${code}`);
    expect(asked).toHaveLength(1);
  });

  test("a failed call takes the failure edge, with the reason in error", async () => {
    const server = await modelServer(status(401, { error: "no such key" }));
    const rows = [
      { ...ASK, next: "END", failure: "Sorry" },
      { node: "Sorry", agent: "echo", outputs: "answer", prompt: "Sorry: {error}" },
    ];
    const { result } = await runProject({ rows, llm: openaiAt(server.url) }, given);
    expect(result.status).toBe("completed");
    expect(result.state["answer"]).toMatch(/^Sorry: openai \(m1\): HTTP 401: no such key; check the key/);
  });
});

test("L09: a provider that is down costs one call for each node after a while, and is asked again as before when it answers", async () => {
  let isUp = false;
  const server = await modelServer((response, asked) =>
    (isUp ? says("Up.") : status(503, {}, { "retry-after": "0" }))(response, asked),
  );
  const { Flowsheet } = await import("../../runtime/index.js");
  const flowsheet = new Flowsheet({ cwd: folderOf({ rows: [ASK], llm: openaiAt(server.url) }), env: {} });
  const calls = async (): Promise<number> => {
    const before = server.asked.length;
    await flowsheet.runWorkflow({ csvPath: "t.csv", initialState: given });
    return server.asked.length - before;
  };
  const counts: number[] = [];
  for (let i = 0; i < 7; i++) counts.push(await calls());
  expect(counts).toEqual([4, 4, 4, 4, 4, 1, 1]);
  isUp = true;
  expect(await calls()).toBe(1);
  isUp = false;
  expect(await calls()).toBe(4);
});

describe("answers that are none", () => {
  test.each([
    ["no JSON", status(200, "<html>hello</html>"), /answered with what no model answers \(no JSON\)/],
    ["JSON of another shape", status(200, { hello: 1 }), /no model answers \(JSON of another shape\)/],
    ["an empty text", says(""), /it gave an empty answer/],
    ["no text", says(null), /it gave an empty answer/],
  ] as const)("%s fails the node", async (_, reply, message) => {
    const { result, asked } = await ask({}, [reply]);
    expect(result.error).toMatchObject({ code: "provider_failed", message: expect.stringMatching(message) });
    expect(result.state).toEqual(given);
    expect(asked).toHaveLength(1);
  });

  test("N14: a small packed answer that unpacks to a large one is cut off", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 32));
    const send: Reply = (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(bomb);
    };
    const { result } = await ask({}, [send]);
    expect(result.error?.message).toContain("the answer is larger than 10000000 bytes");
  });

  test("N15: an endless answer is cut off", async () => {
    const piece = Buffer.alloc(65_536, 32);
    const send: Reply = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
    };
    const { result } = await ask({}, [send]);
    expect(result.error?.message).toContain("the answer is larger than 10000000 bytes");
  });

  test("N16: a slow answer is given up when the provider's time is over", async () => {
    const send: Reply = (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    const { result } = await ask({}, [send], { timeout_ms: 300 });
    expect(result.error?.message).toBe("openai (m1): it gave no answer within 300 ms");
  });

  test("N17: a flood of headers fails the node", async () => {
    const send: Reply = (response) => {
      response.writeHead(
        200,
        Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, "y".repeat(50)])),
      );
      response.end("{}");
    };
    const { result } = await ask({}, [send]);
    expect(result.error).toMatchObject({ code: "provider_failed" });
  });

  test("N12, N19: a redirect is not followed, and the key goes nowhere else", async () => {
    const other = await modelServer(says("Caught."));
    for (const code of [301, 302, 307, 308]) {
      const { result } = await ask({}, [status(code, "", { location: `${other.url}/chat/completions` })]);
      expect(result.error?.message).toMatch(
        /the server redirects to 127\.0\.0\.1:\d+ \(HTTP 30\d\), which is not followed/,
      );
    }
    expect(other.asked).toEqual([]);
  });
});

describe("stopping", () => {
  test("a run that is cancelled ends the call at once", async () => {
    const server = await modelServer(hangs);
    const controller = new AbortController();
    const running = runProject({ rows: [ASK], llm: openaiAt(server.url) }, given, {
      signal: controller.signal,
    });
    await expect.poll(() => server.asked.length).toBe(1);
    controller.abort();
    expect((await running).result.status).toBe("cancelled");
    await expect.poll(server.open).toBe(0);
  });

  test("a node's time-out ends the call, and its retry asks again", async () => {
    const server = await modelServer(hangs, says("Late."));
    const context = { timeout_ms: 400, retry: 10 };
    const { result } = await runProject({ rows: [{ ...ASK, context }], llm: openaiAt(server.url) }, given);
    expect(result.state).toMatchObject({ answer: "Late." });
  });

  test("a run's time-out ends the wait between two attempts", async () => {
    const server = await modelServer(status(429, {}, { "retry-after": "30" }));
    const began = performance.now();
    const { result } = await runProject({ rows: [ASK], llm: openaiAt(server.url) }, given, {
      timeoutMs: 500,
    });
    expect(result.error?.code).toBe("run_timeout");
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

test("an answer that was cut off at max_tokens is taken, and the log says so", async () => {
  const body = {
    choices: [{ index: 0, message: { role: "assistant", content: "Tea is" }, finish_reason: "length" }],
  };
  const { result, log } = await ask({}, [status(200, { id: "c", created: 1, model: "m", ...body })]);
  expect(result.state).toMatchObject({ answer: "Tea is" });
  expect(log).toEqual(["openai (m1): the answer was cut off, since it may not be longer (max_tokens)"]);
});

describe("fallback", () => {
  test("another provider, and another model, each in its turn", async () => {
    const bad = await modelServer(status(400));
    const worse = await modelServer(status(404));
    const good = await modelServer(says("At last."));
    const llm = {
      default_provider: "a",
      providers: {
        a: { kind: "openai", base_url: bad.url, api_key: KEY, model: "m" },
        b: { kind: "openai", base_url: worse.url, api_key: KEY, model: "m" },
        c: { kind: "openai-compatible", base_url: good.url },
      },
    };
    const context = { model: "special", fallback: ["b", "c/org/model-2"] };
    const { result, log } = await runProject({ rows: [{ ...ASK, context }], llm }, given);
    expect(result.state).toMatchObject({ answer: "At last." });
    expect([bad, worse, good].map(({ asked }) => asked.map(({ body }) => body.model))).toEqual([
      ["special"],
      ["m"],
      ["org/model-2"],
    ]);
    expect(log).toEqual([
      "a (special): HTTP 400: made up 400; asking b (m) instead",
      expect.stringMatching(
        /^b \(m\): HTTP 404: made up 404; check the model; asking c \(org\/model-2\) instead$/,
      ),
    ]);
  });

  test("when all fail, the error tells of all", async () => {
    const bad = await modelServer(status(400));
    const llm = {
      default_provider: "a",
      providers: {
        a: { kind: "openai", base_url: bad.url, api_key: KEY, model: "m" },
        b: { kind: "mock", answers: { "*": { error: "out of order" } } },
      },
    };
    const { result } = await runProject({ rows: [{ ...ASK, context: { fallback: "b" } }], llm }, given);
    expect(result.error).toMatchObject({
      code: "provider_failed",
      message: "a (m): HTTP 400: made up 400; b (mock): out of order",
    });
  });

  test("one that is not there is asked for only when its turn comes, and is passed over", async () => {
    const bad = await modelServer(status(400));
    const providers = {
      good: { kind: "mock", answers: { "*": "Fine." } },
      bad: { kind: "openai", base_url: bad.url, api_key: KEY, model: "m" },
    };
    const rows = [{ ...ASK, context: { fallback: ["nobody", "good"] } }];
    const first = await runProject({ rows, llm: { default_provider: "good", providers } }, given);
    expect([first.result.state["answer"], first.log]).toEqual(["Fine.", []]);
    const second = await runProject({ rows, llm: { default_provider: "bad", providers } }, given);
    expect(second.result.state).toMatchObject({ answer: "Fine." });
    expect(second.log).toEqual([
      expect.stringMatching(
        /^there is no model provider "nobody"; known are .*; asking good \(mock\) instead$/,
      ),
    ]);
  });

  test("a provider without a key is passed over", async () => {
    const { result, log } = await runProject(
      { rows: [{ ...ASK, agent: "openai", context: { fallback: "mock" } }] },
      given,
    );
    expect(result.state).toMatchObject({ answer: "Mock answer to: About tea" });
    expect(log[0]).toMatch(/^openai \(.*\): there is no key; set OPENAI_API_KEY/);
  });
});

describe("a sheet decides neither over hosts nor over keys", () => {
  test("N01: its settings change nothing", async () => {
    const evil = await modelServer(says("Caught."));
    const good = await modelServer(says("Safe."));
    const context = { base_url: evil.url, baseURL: evil.url, api_key: "x", headers: { a: "b" } };
    const { result } = await runProject({ rows: [{ ...ASK, context }], llm: openaiAt(good.url) }, given);
    expect(result.state).toMatchObject({ answer: "Safe." });
    expect(evil.asked).toEqual([]);
    expect(good.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each(["../../x", "a b", "x?y=1", "m\r\nHost: evil", "x#", "a/../../b"])(
    "N18: %j is no name of a model",
    async (model) => {
      const { result, asked } = await ask({ context: { model } }, [says("Caught.")]);
      expect(result.error?.message).toMatch(/cannot be the name of a model/);
      expect(asked).toEqual([]);
    },
  );

  test("an unknown provider is named, with the one that was meant", async () => {
    const { result } = await runProject({ rows: [{ ...ASK, context: { provider: "opnai" } }] }, given);
    expect(result.error).toMatchObject({
      code: "provider_failed",
      message: 'there is no model provider "opnai"; did you mean "openai"?',
    });
  });
});

describe("a configuration that cannot be used says so in one line", () => {
  test.each([
    [
      { providers: { x: { kind: "open-ai" } } },
      "llm.providers.x.kind must be one of openai, anthropic, google, openai-compatible, mock",
    ],
    [{ providers: { x: { kind: "openai-compatible" } } }, "llm.providers.x.base_url is missing"],
    [
      { providers: { openai: { base_url: "file:///etc/passwd" } } },
      "must be an address that begins with https:// or http://",
    ],
    [{ providers: { openai: { base_url: "https://user:pass@host/v1" } } }, "must hold no user"],
    [
      { providers: { openai: { api_key: 12345678 } } },
      "llm.providers.openai.api_key in flowsheet.yaml must be a text; put it in quotes",
    ],
    [
      { providers: { openai: { timeout_ms: 3_000_000_000 } } },
      "llm.providers.openai.timeout_ms must be a whole number from 1 to 300000",
    ],
    [{ providers: [] }, "llm.providers in flowsheet.yaml is not a mapping"],
    [
      { providers: { l: { kind: "openai-compatible", base_url: "http://127.0.0.1:9" } } },
      "l: no model is named; set llm.providers.l.model",
    ],
    [{ providers: { openai: { api_key: "env:NOWHERE" } } }, "there is no key; set NOWHERE"],
  ])("%j", async (llm, message) => {
    const { result } = await runProject({ rows: [ASK], llm }, given);
    expect(result.error).toMatchObject({
      code: "provider_failed",
      message: expect.stringContaining(message),
    });
    expect(result.error?.message).not.toContain("\n");
  });

  test("nothing is configured", async () => {
    const { result } = await runProject({ rows: [ASK] }, given);
    expect(result.error?.message).toBe(
      'no language model is configured; set one of OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY in the environment, or llm.default_provider in flowsheet.yaml ("mock" answers without a network)',
    );
  });
});
