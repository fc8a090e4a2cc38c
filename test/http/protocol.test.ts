import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAnswer, type RawAnswer, request, send } from "./raw.js";
import { authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

const SLOW = `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent(() => new Promise((resolve) => setTimeout(resolve, 700, "done")));
`;
let service: TestService;
beforeAll(async () => {
  service = await startService({
    config: authentication(),
    files: {
      "workflows/hello.csv": HELLO,
      "workflows/slow.csv": "graph_name,node_name,agent_type,output_field\nSlow,Do,slow,x\n",
      "agents/slow.js": SLOW,
    },
  });
});
afterAll(() => service.stop());

const raw = async (text: string, patienceMs = 30_000): Promise<RawAnswer> =>
  parseAnswer(await send(service.port, Buffer.from(text, "latin1"), 500, patienceMs));
const HOST = "Host: 127.0.0.1\r\nConnection: close\r\n";
const KEY = `X-API-Key: ${KEYS.executor}\r\n`;
const JSON_TYPE = "Content-Type: application/json\r\n";
const RUN = '{"graph_name":"Hello","initial_state":{"name":"Ada"}}';

test("a request that asks for another protocol is the last one of its connection, and says so", async () => {
  const asking = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
  const text = await send(service.port, `${asking}GET /health HTTP/1.1\r\nHost: a\r\n\r\n`, 500);
  const { status, headers } = parseAnswer(text);
  expect([status, headers.get("connection")]).toEqual([200, "close"]);
  expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

describe("requests that others may understand otherwise", () => {
  test.each([
    ["two hosts", `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`],
    ["a host that is none", `GET /health HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n`],
    [
      "a transfer encoding beside chunked",
      `POST /execute HTTP/1.1\r\n${HOST}${KEY}${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ["a space before the colon", `GET /health HTTP/1.1\r\n${HOST}X-API-Key : x\r\n\r\n`],
    ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    [
      "a length that is none",
      `POST /execute HTTP/1.1\r\n${HOST}${KEY}${JSON_TYPE}Content-Length: -1\r\n\r\n{}`,
    ],
    [
      "chunks that are none",
      `POST /execute HTTP/1.1\r\n${HOST}${KEY}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
  ])("%s: 400", async (_name, text) => {
    const { status, headers, json } = await raw(text);
    expect([status, headers.get("content-type"), json?.["code"]]).toEqual([
      400,
      "application/problem+json",
      expect.stringMatching(/^(request|body)_invalid$/),
    ]);
    expect(headers.get("connection")).toBe("close");
  });

  test("an expectation that nobody knows, and an upgrade that is not made, change nothing", async () => {
    const odd = await raw(`GET /workflows HTTP/1.1\r\n${HOST}Expect: 200-ok\r\n\r\n`);
    expect([odd.status, odd.json?.["code"]]).toEqual([401, "credential_missing"]);
    const upgrade = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    expect((await raw(`GET /workflows HTTP/1.1\r\n${upgrade}`)).status).toBe(401);
    expect((await raw(`GET /health HTTP/1.1\r\n${upgrade}`)).status).toBe(200);
  });
});

test("B19 a key of 1 MB is refused, and not repeated", async () => {
  const headers = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"];
  const body = `{"graph_name":"Hello","${"k".repeat(1_000_000)}":1}`;
  const answer = await request(service.port, "POST /execute", headers, body);
  expect(answer.status).toBe(422);
  expect(answer.body.length).toBeLessThan(1_000);
});

// These three only wait: they do so together.
test.concurrent("B25 B26 slow heads and slow bodies are closed with 408, and others are served meanwhile", async () => {
  const slow = [
    `GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    `POST /execute HTTP/1.1\r\nHost: x\r\n${KEY}${JSON_TYPE}Content-Length: 100\r\n\r\n{"gr`,
  ].map((text) => raw(text, 60_000));
  const first = await Promise.race([request(service.port, "GET /health"), ...slow]);
  expect(first.status).toBe(200);
  for (const { status, json } of await Promise.all(slow))
    expect([status, json?.["code"]]).toEqual([408, "request_timeout"]);
});

test.concurrent("B27 idle sockets keep nobody out, and are closed", async () => {
  const idle = Array.from({ length: 500 }, () => connect(service.port, "127.0.0.1"));
  const closed = idle.map((socket) => {
    socket.on("error", () => {});
    return new Promise((resolve) => socket.once("close", resolve));
  });
  const answer = await request(
    service.port,
    "POST /execute",
    [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
    RUN,
  );
  expect(answer.status).toBe(200);
  // The server's farewell is read, or the socket would wait for it.
  for (const socket of idle) socket.resume();
  await Promise.all(closed);
});

test.concurrent("B26 who never ends a body, and never closes, keeps no place", async () => {
  const own = await startService({ config: `${authentication()}execution: {concurrency: 1}\n` });
  const head = `POST /execute HTTP/1.1\r\nHost: x\r\n${KEY}${JSON_TYPE}Content-Length: ${RUN.length}\r\n\r\n`;
  const silent = connect({ port: own.port, host: "127.0.0.1", allowHalfOpen: true });
  const nothing = connect({ port: own.port, host: "127.0.0.1", allowHalfOpen: true });
  const lineEnds = connect({ port: own.port, host: "127.0.0.1", allowHalfOpen: true });
  for (const socket of [silent, nothing, lineEnds]) socket.on("error", () => {});
  lineEnds.write("\r\n\r\n");
  silent.write(head + RUN.slice(0, -5));
  const gone = [silent, nothing, lineEnds].map(
    (socket) => new Promise((resolve) => socket.once("end", resolve).once("close", resolve)),
  );
  const run = (): Promise<number> =>
    request(
      own.port,
      "POST /execute",
      [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json"],
      RUN,
    ).then(({ status }) => status);
  expect(await run()).toBe(200);
  // They learn of their end when they read, and never before.
  for (const socket of [silent, nothing, lineEnds]) socket.resume();
  await Promise.all(gone);
  for (const socket of [silent, nothing, lineEnds]) socket.destroy();
  await own.stop();
});

test("H16 a client that breaks off while it is refused harms nobody", async () => {
  for (const text of ["CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "nonsense\r\n\r\n"]) {
    const socket = connect(service.port, "127.0.0.1", () => socket.write(text));
    socket.on("error", () => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await request(service.port, "GET /health")).status).toBe(200);
  }
});

test.each([
  ["at once", RUN, ""],
  ["that takes long, behind interim answers", '{"graph_name":"Slow"}', ""],
  ["of events", '{"graph_name":"Slow"}', "Accept: text/event-stream\r\n"],
])(
  "B29 a client that has said all it has to say still gets its answer: one %s",
  async (_one, body, accept) => {
    const text = await new Promise<string>((resolve, reject) => {
      let got = "";
      const socket: Socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true }, () =>
        socket.end(
          `POST /execute HTTP/1.1\r\n${HOST}${KEY}${accept}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}`,
        ),
      );
      socket.on("data", (part) => (got += part));
      socket.on("end", () => resolve(got));
      socket.on("error", reject);
    });
    const answer = parseAnswer(text.replaceAll("HTTP/1.1 102 Processing\r\n\r\n", ""));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatch(/"status": ?"completed"/);
  },
);

test("S05 S06 S09 S11 what every answer says, and what none says", async () => {
  for (const line of [
    "GET /",
    "GET /docs",
    "GET /openapi.json",
    "GET /nothing",
    "GET /metrics",
    "PUT /health",
  ]) {
    const { headers, body } = await request(service.port, line, [`X-API-Key: ${KEYS.admin}`]);
    expect(headers.get("referrer-policy"), line).toBe("no-referrer");
    expect(headers.get("cache-control"), line).toBe("no-store");
    expect(headers.get("x-content-type-options"), line).toBe("nosniff");
    expect([headers.has("x-powered-by"), headers.has("server")], line).toEqual([false, false]);
    expect(body, line).not.toMatch(/\bat \S+ \(|node_modules|\/tmp\/|\/home\/|fsk_/);
    expect(body, line).not.toContain(service.folder);
  }
});
