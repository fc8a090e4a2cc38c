import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAnswer, type RawAnswer, request, send } from "./raw.js";
import { KEYS, startService, type TestService } from "./service.js";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const JSON_TYPE = "Content-Type: application/json";
const post = (body: string | Buffer, ...headers: readonly string[]): Promise<RawAnswer> =>
  request(service.port, "POST /execute", [`X-API-Key: ${KEYS.executor}`, ...headers], body);
const told = ({ status, json }: RawAnswer): readonly unknown[] => [
  status,
  json?.["code"] ?? json?.["status"],
];

const run = '{"graph_name":"Hello","initial_state":{"name":"Ada"}}';

describe("the body of a request to run", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["B01", '{"a":', [400, "body_invalid"]],
    ["B02", "", [400, "body_invalid"]],
    ["B03", "1", [400, "body_invalid"]],
    ["B03", "null", [400, "body_invalid"]],
    ["B03", '"x"', [400, "body_invalid"]],
    ["B04", "[1]", [422, "input_invalid"]],
    ["B13", "[".repeat(400_000), [400, "body_invalid"]],
    ["B14", '{"graph_name":"Hello","__proto__":{"admin":1}}', [422, "input_invalid"]],
    ["B14", '{"graph_name":"Hello","initial_state":{"a":{"__proto__":1}}}', [422, "input_invalid"]],
    ["B14", '{"graph_name":"Hello","initial_state":{"\\u005f_proto__":1}}', [422, "input_invalid"]],
    ["B15", '{"graph_name":"Hello","initial_state":{"constructor":{"prototype":1}}}', [422, "input_invalid"]],
    ["B16", '{"graph_name":"Nothing","graph_name":"Hello","initial_state":{"name":"x"}}', [200, "completed"]],
    ["B18", '{"graph_name":"Hello","initial_state":{"name":1e999}}', [422, "input_invalid"]],
    ["B18", '{"graph_name":"Hello","initial_state":{"name":9007199254740993}}', [200, "completed"]],
  ])("%s %.60s", async (_id, body, expected) => {
    expect(told(await post(body, JSON_TYPE))).toEqual(expected);
  });

  test("B17 an object without measure", async () => {
    const entries = Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join();
    expect(told(await post(`{"graph_name":"Hello","initial_state":{${entries}}}`, JSON_TYPE))).toEqual([
      413,
      "body_too_large",
    ]);
    const fewer = Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join();
    expect(told(await post(`{"graph_name":"Hello","initial_state":{${fewer}}}`, JSON_TYPE))).toEqual([
      422,
      "input_invalid",
    ]);
  });

  test("is refused when it is not UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from('{"graph_name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(told(await post(bytes, JSON_TYPE))).toEqual([400, "body_invalid"]);
  });

  test.each([
    ["B05", "text/plain"],
    ["B05", ""],
    ["B06", "application/x-www-form-urlencoded"],
    ["B07", "multipart/form-data; boundary=x"],
    ["B33", "application/json; charset=latin1"],
    ["B33", "application/json; charset=utf8"],
    ["B33", "application/json; charset=utf-8; charset=utf-16"],
    ["B33", "application/json; charset=utf-16; charset=utf-8"],
    ["B33", "application/json; charset = latin1"],
    ["B33", "application/json; charset='utf-8'"],
    ["B33", 'application/json; charset="utf-8'],
    ["B33", "application/json; charset*=utf-8"],
    ["B33", "application/json; charset"],
    ["B33", "application/json; charset="],
    ["B33", "application/jsonp"],
  ])("%s the type %s is not taken", async (_id, type) => {
    const answer = await post(run, ...(type === "" ? [] : [`Content-Type: ${type}`]));
    expect(told(answer)).toEqual([415, "media_type_unsupported"]);
    expect(answer.headers.get("accept-post")).toBe("application/json");
  });

  test("B10 is at most 1 MiB", async () => {
    const answer = await post(`{"x":"${"x".repeat(2_000_000)}"}`, JSON_TYPE);
    expect(told(answer)).toEqual([413, "body_too_large"]);
    expect(answer.headers.get("connection")).toBe("close");
  });

  test("B11 what was compressed is measured by what it becomes", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
    expect(told(await post(bomb, JSON_TYPE, "Content-Encoding: gzip"))).toEqual([413, "body_too_large"]);
    const small = gzipSync(run);
    expect(told(await post(small, JSON_TYPE, "Content-Encoding: gzip"))).toEqual([200, "completed"]);
    expect(told(await post("no gzip", JSON_TYPE, "Content-Encoding: gzip"))).toEqual([400, "body_invalid"]);
  });

  test("B12 nothing is unpacked twice", async () => {
    expect((await post(gzipSync(run), JSON_TYPE, "Content-Encoding: br, gzip")).status).toBe(415);
  });

  test("B10 a body that does not say its length has the same limit", async () => {
    const chunk = "x".repeat(65_536);
    const chunks = `${(65_536).toString(16)}\r\n${chunk}\r\n`.repeat(40);
    const head = `POST /execute HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEYS.executor}\r\n${JSON_TYPE}\r\n`;
    const text = await send(service.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    expect(told(parseAnswer(text))).toEqual([413, "body_too_large"]);
  });
});

describe("the protocol", () => {
  const head = (...lines: readonly string[]): string =>
    `POST /execute HTTP/1.1\r\n${["Host: x", `X-API-Key: ${KEYS.executor}`, JSON_TYPE, ...lines].join("\r\n")}\r\n\r\n`;

  test.each([
    ["B21", head("Content-Length: 5", "Transfer-Encoding: chunked"), 400],
    ["B22", head("Content-Length: 5", "Content-Length: 6"), 400],
    ["B23", "GET /health HTTP/1.1\r\n\r\n", 400],
    ["B24", head(...Array.from({ length: 3_000 }, (_, i) => `X-${i}: y`)), 431],
    ["B32", "GET /health HTTP/9\r\n\r\n", 400],
    ["B32", "GET /health\r\n\r\n", 400],
    ["A08", `GET /health HTTP/1.1\r\nHost: x\r\nX-API-Key: ${"k".repeat(17_000)}\r\n\r\n`, 431],
    ["A10", "GET /workflows HTTP/1.1\r\nHost: x\r\nX-API-Key: a\r\n b\r\n\r\n", 400],
  ])("%s is refused before it reaches anybody", async (_id, text, expected) => {
    const answer = parseAnswer(await send(service.port, text));
    expect(answer.status).toBe(expected);
    const id = answer.headers.get("x-request-id");
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(JSON.parse(answer.body)).toMatchObject({ status: expected, request_id: id });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("B20 a body that is shorter than it says is not run", async () => {
    const answer = await send(service.port, `${head("Content-Length: 500")}${run}`, 200, 1_000);
    expect(answer).toBe("");
  });

  test("B30 requests in a row on one connection are answered in turn", async () => {
    const text = await send(service.port, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000), 1_000);
    expect(text.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(1_000);
  });

  test("B32 nothing of a request gets into the head of its answer", async () => {
    const answer = await request(service.port, "GET /health", ["X-Request-Id: a b", "Accept: */*;q=x"]);
    expect(answer.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    const own = await request(service.port, "GET /health", ["X-Request-Id: my-id.1"]);
    expect(own.headers.get("x-request-id")).toBe("my-id.1");
  });

  test("B33 pages of other origins are told nothing", async () => {
    const answer = await request(service.port, "GET /health", ["Origin: https://evil.example"]);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("every answer carries the headers that keep it private", async () => {
    const { headers } = await request(service.port, "GET /health");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("vary")).toBe("X-API-Key, Authorization");
    expect(headers.has("x-powered-by")).toBe(false);
  });
});
