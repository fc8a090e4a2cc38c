import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Exchange } from "../../runtime/http/client-gone.js";
import { createCallerLimit, createSlots } from "../../runtime/http/concurrency.js";
import { createRateLimiter } from "../../runtime/http/rate-limit.js";
import { HttpProblem } from "../../runtime/http/request/problem.js";
import { processorTime } from "../processor-time.js";
import { parseAnswer, type RawAnswer, request, send } from "./raw.js";
import { authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

const SLOW = `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent((_inputs, { signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)));
`;
const JSON_TYPE = "Content-Type: application/json";
const key = (name: keyof typeof KEYS): string => `X-API-Key: ${KEYS[name]}`;

describe("more requests than places", () => {
  let service: TestService;
  let running: Socket;
  const execute = (...headers: readonly string[]): Promise<RawAnswer> =>
    request(
      service.port,
      "POST /execute",
      headers,
      JSON.stringify({ graph_name: "Hello", initial_state: { name: "Ada" } }),
    );

  /** Asks until the answer has a status; the time of the test is the limit. */
  const until = async (status: number): Promise<RawAnswer> => {
    for (;;) {
      const answer = await execute(key("executor"), JSON_TYPE);
      if (answer.status === status) return answer;
      await sleep(20);
    }
  };

  beforeAll(async () => {
    service = await startService({
      config: `${authentication()}execution: {concurrency: 1}\n`,
      files: {
        "workflows/hello.csv": HELLO,
        "workflows/slow.csv": "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,x\n",
        "agents/slow.js": SLOW,
      },
    });
    const body = '{"graph_name":"Slow"}';
    running = connect(service.port, "127.0.0.1");
    running.write(
      `POST /execute HTTP/1.1\r\nHost: a\r\n${key("executor")}\r\n${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await until(503);
  });
  afterAll(() => service.stop());

  test("are refused, and told when to come again", async () => {
    const { status, headers, json } = await execute(key("executor"), JSON_TYPE);
    expect([status, json?.["code"], headers.get("retry-after")]).toEqual([503, "overloaded", "1"]);
    const head = `POST /execute HTTP/1.1\r\nHost: a\r\n${key("executor")}\r\n${JSON_TYPE}\r\nContent-Length: 2`;
    const asked = parseAnswer(await send(service.port, `${head}\r\n\r\n{}`));
    expect([asked.status, asked.headers.get("connection")]).toEqual([503, "close"]);
  });

  test("learn first whether they may run at all, then what is wrong with what they sent", async () => {
    expect((await execute(JSON_TYPE)).status).toBe(401);
    expect((await execute(key("readonly"), JSON_TYPE)).status).toBe(403);
    expect((await execute(key("executor"), "Content-Type: text/plain")).status).toBe(415);
    expect((await request(service.port, "GET /health")).status).toBe(200);
  });

  test("L03 fifty times as many as there are places: each is told, and after that runs are served", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => execute(key("executor"), JSON_TYPE)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    running.destroy();
    expect((await until(200)).json).toMatchObject({ status: "completed" });
  });
});

test("L03 bodies that are half sent take no run's place", async () => {
  const service = await startService({ config: `${authentication()}execution: {concurrency: 1}\n` });
  const half = Array.from({ length: 20 }, () => {
    const socket = connect(service.port, "127.0.0.1");
    socket.write(
      `POST /execute HTTP/1.1\r\nHost: a\r\n${key("executor")}\r\n${JSON_TYPE}\r\nContent-Length: 50\r\n\r\n{"graph`,
    );
    return socket;
  });
  await sleep(100);
  const body = JSON.stringify({ graph_name: "Hello", initial_state: { name: "Ada" } });
  const { status } = await request(service.port, "POST /execute", [key("executor"), JSON_TYPE], body);
  expect(status).toBe(200);
  for (const socket of half) socket.destroy();
  await service.stop();
});

test("a caller has a share of what is on its way, and others have theirs", async () => {
  const { use } = createCallerLimit(1, new HttpProblem("overloaded"));
  let end = (): void => {};
  const first = use("a", () => new Promise<void>((resolve) => (end = resolve)));
  await expect(use("a", async () => 1)).rejects.toMatchObject({ code: "overloaded" });
  await expect(use("b", async () => 2)).resolves.toBe(2);
  end();
  await first;
  await expect(use("a", async () => 3)).resolves.toBe(3);
});

test("the limiter's table costs the same when it is full", () => {
  const limiter = createRateLimiter(10, 3_600_000);
  const time = (from: number): number => {
    const began = processorTime();
    for (let i = from; i < from + 20_000; i++) limiter(`caller ${i}`);
    return processorTime() - began;
  };
  time(0);
  const free = time(20_000);
  time(40_000);
  // It was thousands of times as much: each caller beyond 50,000 looked at all of them, or at all that were forgotten.
  const crowded = [60_000, 80_000, 100_000, 120_000, 140_000].map(time);
  expect(crowded.reduce((sum, one) => sum + one, 0)).toBeLessThan(60 * free + 500);
});

describe("places", () => {
  const answer = (): Exchange => {
    const request = new IncomingMessage(new Socket());
    return { request, response: new ServerResponse(request) };
  };
  const slots = (patienceMs: number): ReturnType<typeof createSlots> =>
    createSlots({ most: 1, queue: 2, patienceMs });

  test("go to those who wait, in their order, and each is given back once", async () => {
    const { take, busy, idle } = slots(10_000);
    const leave = await take(answer());
    const order: string[] = [];
    const next = async (name: string): Promise<() => void> => {
      const free = await take(answer());
      order.push(name);
      return free;
    };
    const [second, third] = [next("second"), next("third")];
    await expect(take(answer())).rejects.toMatchObject({ code: "overloaded" });
    leave();
    leave();
    (await second)();
    (await third)();
    expect([order, busy()]).toEqual([["second", "third"], 0]);
    await idle();
  });

  test("are not kept for those who have gone, or have waited long enough", async () => {
    const { take, busy } = slots(20);
    const leave = await take(answer());
    const gone = answer();
    const waiting = take(gone);
    gone.response.emit("close");
    await expect(waiting).rejects.toMatchObject({ code: "overloaded" });
    await expect(take(answer())).rejects.toMatchObject({ code: "overloaded" });
    expect(gone.response.listenerCount("close")).toBe(0);
    leave();
    expect(busy()).toBe(0);
  });

  test("are not kept for an answer whose turn on a closed connection never came", async () => {
    const { take } = slots(10_000);
    await take(answer());
    const behind = answer();
    const waiting = take(behind);
    behind.request.socket.emit("close");
    await expect(waiting).rejects.toMatchObject({ code: "overloaded" });
  });

  test("are not given any more when the service stops", async () => {
    const { take, close } = slots(10_000);
    await take(answer());
    const waiting = take(answer());
    close();
    await expect(waiting).rejects.toMatchObject({ code: "shutting_down" });
    await expect(take(answer())).rejects.toMatchObject({ code: "shutting_down" });
  });
});
