import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WebAnswer, WebCall } from "../../runtime/graph/contract/services.js";
import { type LocalServer, listen } from "../net/server.js";
import { createProject, type SheetRow } from "./sheet.js";

let server: LocalServer;
let elsewhere: LocalServer;
let respond: Parameters<typeof listen>[0];

beforeEach(async () => {
  elsewhere = await listen((_, answer) =>
    answer.writeHead(200, { "content-type": "application/json" }).end('{"next":"/?page=2"}'),
  );
  respond = (_, answer) => answer.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
  server = await listen((asked, answer) => respond(asked, answer));
  process.env["NET_TEST_TOKEN"] = "t0k3n-of-the-crm";
});
afterEach(async () => {
  await elsewhere[Symbol.asyncDispose]();
  delete process.env["NET_TEST_TOKEN"];
  await server[Symbol.asyncDispose]();
});

interface Asked extends Partial<SheetRow> {
  readonly context: { readonly [setting: string]: unknown };
  readonly given?: object;
  readonly config?: string;
}

const json = (value: unknown, status = 200, headers: object = {}): Parameters<typeof listen>[0] => {
  return (_, answer) =>
    answer.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
};

/** Runs one node; `url` may be a path of the server. */
async function call({ context, given = {}, config, ...row }: Asked) {
  const { url } = context;
  const whole = typeof url === "string" && url.startsWith("/") ? `http://${server.host}${url}` : url;
  const settings = { ...context, ...(whole === undefined ? {} : { url: whole }) };
  const node: SheetRow = { node: "Call", agent: "http", outputs: "result", ...row, context: settings };
  const files = {
    "flowsheet.yaml": `runs: {keep: waiting}\nnetwork: {allow: ["${server.host}", "${elsewhere.host}"]}\n${config ?? ""}`,
  };
  return createProject([node], { files }).run(given);
}

const resultOf = async (asked: Asked): Promise<unknown> => {
  const { state, error } = await call(asked);
  return error === null ? state["result"] : error.message;
};

describe("what is asked for", () => {
  test("values in the address are percent-encoded, and those of the query, too", async () => {
    const context = {
      url: "/orders/{id}/of {who}?mark={mark}",
      query: { q: "{who} & {id}", page: 1, all: true, none: "{nothing}", tag: ["a", "{id}"] },
      headers: { "Accept-Language": "de", "X-Who": "{id}" },
    };
    const given = { id: "a/b?c#d", who: "Ada", mark: "é&=" };
    await call({ context, given, inputs: "id|who|mark|nothing?" });
    expect(server.asked).toMatchObject([
      {
        method: "GET",
        body: "",
        url: "/orders/a%2Fb%3Fc%23d/of%20Ada?mark=%C3%A9%26%3D&q=Ada+%26+a%2Fb%3Fc%23d&page=1&all=true&tag=a&tag=a%2Fb%3Fc%23d",
        headers: { "accept-language": "de", "x-who": "a/b?c#d" },
      },
    ]);
  });

  test("an input has the name that the agent knows, or that of its field; paths reach inside", async () => {
    await call({
      context: { url: "/{order.id}/{city}/{{text}}" },
      given: { order: { id: 7 }, town: "Rome" },
      inputs: "order|city=town",
    });
    await call({ context: { url: "/{town}" }, given: { town: "Rome" }, inputs: "city=town" });
    expect(server.asked.map(({ url }) => url)).toEqual(["/7/Rome/%7Btext%7D", "/Rome"]);
  });

  test.each([".", "..", "%2e%2e"])("%s in a path does not climb", async (id) => {
    const message = await resultOf({ context: { url: "/a/{id}" }, given: { id }, inputs: "id" });
    if (id.includes("%")) expect(server.asked[0]?.url).toBe("/a/%252e%252e");
    else expect(message).toBe('the input "id" would make the path of the address climb');
  });

  test("parts of a path that become dots together do not climb", async () => {
    const asked = { context: { url: "/a/{x}{y}/b" }, given: { x: ".", y: "." }, inputs: "x|y" };
    expect(await resultOf(asked)).toMatch("climb");
    expect(await resultOf({ context: { url: "/a/.{x}" }, given: { x: "." }, inputs: "x" })).toMatch("climb");
    expect(server.asked).toEqual([]);
  });

  test("an empty value in a path means no other address", async () => {
    const asked = { context: { url: "/orders/{id}", method: "DELETE" }, given: { id: "" }, inputs: "id" };
    expect(await resultOf(asked)).toBe('the input "id" is empty, and stands in the path of the address');
    expect(server.asked).toEqual([]);
  });

  test("a header takes no line end", async () => {
    const asked = {
      context: { url: "/", headers: { "X-A": "{x}" } },
      given: { x: "a\r\nX-B: 1" },
      inputs: "x",
    };
    expect(await resultOf(asked)).toBe('the header "x-a" cannot be sent');
  });
});

describe("what is sent", () => {
  test.each<[string, Asked, string, string]>([
    ["inputs as JSON", { context: { method: "POST" } }, '{"name":"Ada","age":36}', "application/json"],
    [
      "the prompt as JSON",
      { context: { method: "PUT" }, prompt: '{"who": "{name}", "age": {age}}' },
      '{"who":"Ada","age":36}',
      "application/json",
    ],
    [
      "a form",
      { context: { method: "POST", body: "form" } },
      "name=Ada&age=36",
      "application/x-www-form-urlencoded",
    ],
    [
      "text",
      { context: { method: "PATCH", body: "text" }, prompt: "Hello {name}" },
      "Hello Ada",
      "text/plain; charset=utf-8",
    ],
    ["nothing", { context: { method: "POST", body: "none" } }, "", ""],
    ["nothing with DELETE", { context: { method: "DELETE" } }, "", ""],
  ])("%s", async (_, asked, body, type) => {
    const context = { url: "/", ...asked.context };
    await call({ ...asked, context, given: { name: "Ada", age: 36 }, inputs: "name|age:number" });
    expect(server.asked[0]).toMatchObject({ method: asked.context["method"], body });
    expect(server.asked[0]?.headers["content-type"] ?? "").toBe(type);
  });

  test("a prompt that is no JSON", async () => {
    const asked = { context: { url: "/", method: "POST" }, prompt: "Hello {name}", given: { name: "Ada" } };
    expect(await resultOf({ ...asked, inputs: "name" })).toMatch("is no JSON");
  });

  test("the key of the effect, of calls that may change something", async () => {
    const posted = await call({ node: "Post it/now", context: { url: "/", method: "POST" } });
    await call({ context: { url: "/" } });
    const [post, get] = server.asked;
    expect(post?.headers["idempotency-key"]).toBe(`${posted.runId}/Post%20it%2Fnow/1`);
    expect(get?.headers["idempotency-key"]).toBeUndefined();
  });
});

describe("what is answered", () => {
  test.each<[string, string, object, unknown]>([
    ["application/json", '{"a":1}', {}, { a: 1 }],
    ["application/problem+json; charset=utf-8", "[1]", {}, [1]],
    ["text/csv", "a;b\r\n1;2\r\n;\r\n", {}, [{ a: "1", b: "2" }]],
    ["text/csv", 'a,b\n"x,y",2\n', {}, [{ a: "x,y", b: "2" }]],
    ["text/html", "<p>", {}, "<p>"],
    ["", '{"a":1}', {}, '{"a":1}'],
    ["", '{"a":1}', { parse: "json" }, { a: 1 }],
    ["application/json", '{"a":1}', { parse: "text" }, '{"a":1}'],
    ["application/json", "", {}, null],
    ["application/json", "{", {}, expect.stringMatching('is no JSON: it begins with "{"')],
    ["text/csv", 'a,b\n"x', {}, expect.stringMatching("is no CSV")],
    ["text/plain", "\xff", {}, expect.stringMatching("is no text in UTF-8")],
  ])("%s %j", async (type, body, more, expected) => {
    respond = (_, answer) =>
      answer.writeHead(200, type === "" ? {} : { "content-type": type }).end(Buffer.from(body, "latin1"));
    expect(await resultOf({ context: { url: "/", ...more } })).toEqual(expected);
  });

  test("the status and headers, beside the body or its entries", async () => {
    respond = json({ id: 7, name: "Ada" }, 201, { ETag: "v1" });
    const { state } = await call({
      context: { url: "/", method: "POST" },
      outputs: "$status=code|$headers.ETag=tag|$headers.x-none=none|whole",
    });
    expect(state).toEqual({ code: 201, tag: "v1", whole: { id: 7, name: "Ada" } });
    const entries = await call({ context: { url: "/" }, outputs: "$status=code|id" });
    expect(entries.state).toEqual({ code: 201, id: 7 });
    const several = await call({ context: { url: "/" }, outputs: "id|who=name" });
    expect(several.error?.message).toMatch("who");
    const one = await call({ context: { url: "/" }, outputs: "$status=code|who:object" });
    expect(one.state).toEqual({ code: 201, who: { id: 7, name: "Ada" } });
    const alone = await call({ context: { url: "/" }, outputs: "$status=code:number" });
    expect(alone.state).toEqual({ code: 201 });
  });

  test("a status that was not expected", async () => {
    respond = json({ detail: "no such order" }, 404);
    expect(await resultOf({ context: { url: "/" } })).toBe(
      `${server.host} answered 404: {"detail":"no such order"}`,
    );
    const { state } = await call({
      context: { url: "/", expect: [200, 404] },
      outputs: "$status=code|detail",
    });
    expect(state).toEqual({ code: 404, detail: "no such order" });
    respond = json({});
    expect(await resultOf({ context: { url: "/", expect: [204] } })).toMatch("answered 200");
  });

  test("a value of another type than the sheet says", async () => {
    respond = json({ total: "many" });
    const { error } = await call({ context: { url: "/" }, outputs: "total:number" });
    expect(error).toMatchObject({ code: "bad_value", node: "Call" });
  });

  test.each<[string, unknown, object]>([
    ["huge", "x".repeat(2_000), { max_bytes: 1_000 }],
    ["a bomb", null, {}],
  ])("%s", async (_, value, more) => {
    respond =
      value === null
        ? (_asked, answer) =>
            answer.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(11_000_000)))
        : json(value);
    expect(await resultOf({ context: { url: "/", ...more } })).toMatch(/is larger than \d+ bytes/);
  });

  test("broken off, slow, or none at all", async () => {
    respond = (_, answer) => {
      answer.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => answer.destroy(), 10);
    };
    expect(await resultOf({ context: { url: "/" } })).toMatch("broke off");
    respond = () => {};
    expect(await resultOf({ context: { url: "/", timeout_ms: 50 } })).toMatch("50 ms");
    respond = (_, answer) => answer.socket?.destroy();
    expect(await resultOf({ context: { url: "/" } })).toMatch("closed the connection");
  });

  test("pages, by the header or by a path in the body", async () => {
    respond = ({ url }, answer) => {
      const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
      const link = page < 3 ? { link: `</?page=${page + 1}>; rel="next", </>; rel="first"` } : {};
      const items = url.includes("body")
        ? { items: [page], paging: page < 3 ? { next: `?body&page=${page + 1}` } : {} }
        : [page];
      json(items, 200, link)({ url } as never, answer);
    };
    expect(await resultOf({ context: { url: "/", next: "link" } })).toEqual([1, 2, 3]);
    expect(await resultOf({ context: { url: "/?body", next: "paging.next" } })).toMatchObject([
      { items: [1] },
      { items: [2] },
      { items: [3] },
    ]);
  });

  test.each([
    ["elsewhere", "http://127.0.0.1:1/", "the next page is not at 127.0.0.1"],
    ["in a circle", "/", "the next page is one that was read before"],
  ])("a next page %s", async (_, next, message) => {
    respond = json({ next });
    expect(await resultOf({ context: { url: "/", next: "next" } })).toMatch(message);
  });
});

describe("the limits of a call hold for all of its pages together", () => {
  /** Each page has 600 bytes and more, and names the next one. */
  const pages =
    (waitMs = 0): Parameters<typeof listen>[0] =>
    ({ url }, answer) => {
      const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
      const text = JSON.stringify({ text: "x".repeat(600), next: page < 5 ? `/?page=${page + 1}` : null });
      setTimeout(() => answer.writeHead(200, { "content-type": "application/json" }).end(text), waitMs);
    };

  test("of bytes", async () => {
    respond = pages();
    const context = { url: "/", next: "next" };
    expect(await resultOf({ context: { ...context, max_bytes: 5_000 } })).toHaveLength(5);
    expect(await resultOf({ context: { ...context, max_bytes: 2_000 } })).toMatch(/larger than \d+ bytes/);
    expect(server.asked).toHaveLength(5 + 4);
  });

  test("of time: what is left is what the next page may take", async () => {
    const asked: (number | undefined)[] = [];
    let times = 0;
    const call = async ({ url, timeoutMs, maxBytes }: WebCall): Promise<WebAnswer> => {
      asked.push(timeoutMs);
      expect(maxBytes).toBe(10_000_000 - times * 100);
      await new Promise((done) => setTimeout(done, 20));
      times += 1;
      return { status: 200, headers: {}, url, bytes: 100, value: times < 3 ? { next: `/${times}` } : {} };
    };
    const context = { url: "https://api.example/", next: "next" };
    const node: SheetRow = { node: "Call", agent: "http", outputs: "result", context };
    const services = { web: { call, notify: async () => {} } };
    await createProject([node], { services }).run();
    const [first = 0, second = 0, third = 0] = asked;
    expect(first).toBe(30_000);
    expect(second).toBeLessThan(first);
    expect(third).toBeLessThan(second);
    asked.length = times = 0;
    const patient = { ...node, context: { ...context, timeout_ms: 600_000 } };
    await createProject([patient], { services }).run();
    // The driver keeps the time of the node, and nothing is shorter than that.
    expect(Math.min(...asked.map(Number))).toBeGreaterThan(600_000);
  });
});

test("a call that writes is not repeated for further pages", async () => {
  respond = json({ next: "/?page=2" });
  const context = { url: "/", next: "next", method: "POST" };
  const { flowsheet, folder } = createProject([
    { node: "Call", agent: "http", outputs: "result", context: { ...context, url: "https://a.example/" } },
  ]);
  const { diagnostics } = await flowsheet.validate(`${folder}/sheet.csv`);
  expect(diagnostics).toMatchObject([
    { code: "bad-setting", message: expect.stringMatching('"next" must be') },
  ]);
  expect(server.asked).toEqual([]);
});

test("a redirect to another host leads to no pages there: nothing more is sent to it", async () => {
  respond = (_, answer) => answer.writeHead(302, { location: `http://${elsewhere.host}/` }).end();
  const context = { url: "/", next: "next", headers: { "X-Token": "for the first host" } };
  expect(await resultOf({ context })).toMatch("the next page is not at");
  expect(elsewhere.asked).toHaveLength(1);
  expect(elsewhere.asked[0]?.headers).not.toHaveProperty("x-token");
});

describe("attempts", () => {
  /** Answers a list of statuses, one a call. */
  const inTurn = (...answers: readonly [number, object?][]): void => {
    let calls = 0;
    respond = (_, answer) => {
      const [status, headers = {}] = answers[Math.min(calls++, answers.length - 1)]!;
      answer.writeHead(status, { "content-type": "application/json", ...headers }).end('{"ok":true}');
    };
  };

  test("500, then 200: with one key", async () => {
    inTurn([500], [200]);
    const context = { url: "/", method: "POST", retry: { attempts: 3, delay_ms: 1 } };
    expect(await resultOf({ context })).toEqual({ ok: true });
    const keys = server.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("429 with Retry-After: the longer one of both", async () => {
    inTurn([429, { "Retry-After": "1" }], [200]);
    const began = performance.now();
    const context = { url: "/", retry: { attempts: 2, delay_ms: 1 } };
    expect(await resultOf({ context })).toEqual({ ok: true });
    expect(performance.now() - began).toBeGreaterThanOrEqual(950);
  });

  test("a run that is kept waits as long", async () => {
    inTurn([429, { "Retry-After": "1" }], [200]);
    const began = performance.now();
    const context = { url: `http://${server.host}/`, retry: { attempts: 2, delay_ms: 1 } };
    const files = { "flowsheet.yaml": `network: {allow: ["${server.host}"]}\n` };
    const node = { node: "Call", agent: "http", outputs: "result", context };
    const { state } = await createProject([node], { files }).run();
    expect(state["result"]).toEqual({ ok: true });
    expect(performance.now() - began).toBeGreaterThanOrEqual(950);
  });

  test("without a retry there is none", async () => {
    inTurn([429, { "Retry-After": "0" }], [200]);
    expect(await resultOf({ context: { url: "/" } })).toMatch("answered 429");
    expect(server.asked).toHaveLength(1);
  });
});

describe("connections", () => {
  const connections = (entry: string): string => `connections:\n  crm: ${entry}\n`;

  test.each([
    ["{kind: bearer, token: env:NET_TEST_TOKEN}", "authorization", "Bearer t0k3n-of-the-crm"],
    ["{kind: header, name: X-Key, value: env:NET_TEST_TOKEN}", "x-key", "t0k3n-of-the-crm"],
    [
      "{kind: basic, username: ada, password: env:NET_TEST_TOKEN}",
      "authorization",
      `Basic ${Buffer.from("ada:t0k3n-of-the-crm").toString("base64")}`,
    ],
  ])("%s", async (entry, name, value) => {
    await call({ context: { url: "/", connection: "crm" }, config: connections(entry) });
    expect(server.asked[0]?.headers[name]).toBe(value);
  });

  test("a host limits where the secret may go", async () => {
    const config = connections('{kind: bearer, token: env:NET_TEST_TOKEN, host: "api.example.com"}');
    expect(await resultOf({ context: { url: "/", connection: "crm" }, config })).toBe(
      "connections.crm is for api.example.com alone",
    );
    expect(server.asked).toEqual([]);
  });

  test("what the server says of the secret is not told", async () => {
    respond = ({ headers }, answer) => answer.writeHead(401).end(`bad credential ${headers.authorization}`);
    const config = connections("{kind: bearer, token: env:NET_TEST_TOKEN}");
    const { error, state } = await call({
      context: { url: "/", connection: "crm" },
      config,
      failure: "END",
    });
    expect(JSON.stringify([error, state])).not.toContain("t0k3n");
    expect(state["error"]).toBe(`${server.host} answered 401: bad credential Bearer [redacted]`);
  });

  test("a connection that is not there is told before the run", async () => {
    const asked = { context: { url: "/", connection: "crn" }, config: connections("{kind: bearer}") };
    await expect(resultOf(asked)).rejects.toThrow(
      /"connection" must be .*: "crm", not "crn", which it lacks/,
    );
  });
});

test("hosts that nobody allowed are not called", async () => {
  const port = createHash("sha256").update("any").digest()[0]! + 1;
  expect(await resultOf({ context: { url: `http://127.0.0.1:${port}/` } })).toMatch("it is no public host");
});
