import { afterAll, beforeAll, expect, test } from "vitest";
import { request } from "./raw.js";
import { authentication, KEYS, startService, type TestService } from "./service.js";

const ORIGIN = "https://app.example";

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: `${authentication()}server: {cors: ["${ORIGIN}"]}\n` });
});
afterAll(() => service.stop());

const key = (name: keyof typeof KEYS): string => `X-API-Key: ${KEYS[name]}`;

test.each([
  ["GET /health", 200, []],
  ["GET /workflows", 200, [key("readonly")]],
  ["GET /workflows", 401, []],
  ["POST /execute", 403, [key("readonly")]],
  ["PUT /health", 405, []],
  ["GET /nothing", 404, []],
])("what varies with the origin says so: %s, %i", async (line, status, headers) => {
  const answer = await request(service.port, line, [`Origin: ${ORIGIN}`, ...headers]);
  expect([answer.status, answer.headers.get("vary")]).toEqual([status, "Origin, X-API-Key, Authorization"]);
  expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
});

test("what may be kept names Origin also without one", async () => {
  for (const headers of [[], ["Origin: https://evil.example"]]) {
    const answer = await request(service.port, "GET /favicon.ico", headers);
    expect([answer.status, answer.headers.get("vary")]).toEqual([200, "Origin, X-API-Key, Authorization"]);
  }
});

test("other origins are told nothing", async () => {
  const { headers } = await request(service.port, "GET /workflows", ["Origin: https://evil.example"]);
  expect(headers.has("access-control-allow-origin")).toBe(false);
});

test("a page may send keys of starts and go on with events, and read where its run is", async () => {
  const asked = [`Origin: ${ORIGIN}`, "Access-Control-Request-Method: POST"];
  const { status, headers } = await request(service.port, "OPTIONS /execute", asked);
  const taken = headers.get("access-control-allow-headers")?.split(", ") ?? [];
  expect([status, taken]).toEqual([
    204,
    expect.arrayContaining([
      "Authorization",
      "Content-Type",
      "X-API-Key",
      "Idempotency-Key",
      "Last-Event-ID",
    ]),
  ]);
  const answer = await request(service.port, "GET /health", [`Origin: ${ORIGIN}`]);
  const exposed = answer.headers.get("access-control-expose-headers")?.split(", ") ?? [];
  expect(exposed).toEqual(
    expect.arrayContaining(["X-Request-Id", "Retry-After", "Location", "Idempotency-Replayed"]),
  );
});
