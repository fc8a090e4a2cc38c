import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { request, sendLast } from "./raw.js";
import { ASKING, authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

const AGENTS = `import { defineAgent } from "flowsheet";
const pause = (ms, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); });
});
export const SlowAgent = defineAgent(async (_inputs, { signal }) => { await pause(60_000, signal); return "done"; });
export const SiestaAgent = defineAgent(async (_inputs, { signal }) => { await pause(21_000, signal); return "rested"; });
export const NapAgent = defineAgent(async (_inputs, { signal }) => { await pause(700, signal); return "rested"; });
export const BigAgent = defineAgent(() => "x".repeat(9_000_000));
`;
const EVENTS = "Accept: text/event-stream";
const one = (graph: string, agent: string): string =>
  `graph_name,node_name,agent_type,output_field\n${graph},Do,${agent},x\n`;

const startWith = (places: number): Promise<TestService> =>
  startService({
    config: `${authentication()}execution: {concurrency: ${places}}\n`,
    files: {
      "workflows/hello.csv": HELLO,
      "workflows/asking.csv": ASKING,
      "workflows/slow.csv": one("Slow", "slow"),
      "workflows/nap.csv": one("Nap", "nap"),
      "workflows/siesta.csv": one("Siesta", "siesta"),
      "workflows/big.csv": one("Big", "big"),
      "agents/all.mjs": AGENTS,
    },
  });

let service: TestService;
beforeAll(async () => {
  // One place: whoever keeps it keeps out everybody.
  service = await startWith(1);
});
afterAll(() => service.stop());

function ask(line: string, body: object, ...headers: readonly string[]): string {
  const text = JSON.stringify(body);
  const head = [
    `POST ${line} HTTP/1.1`,
    "Host: a",
    `X-API-Key: ${KEYS.admin}`,
    "Content-Type: application/json",
    ...headers,
    `Content-Length: ${text.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}
const run = (graph: string, ...headers: readonly string[]): string =>
  ask("/execute", { graph_name: graph, initial_state: graph === "Hello" ? { name: "Ada" } : {} }, ...headers);

/** Whether a run gets a place before a slow one would end by itself. A busy machine takes seconds for it. */
async function isServed(): Promise<boolean> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(25))
    if ((await sendLast(service.port, run("Hello", "Connection: close"))).startsWith("HTTP/1.1 200"))
      return true;
  return false;
}

const metrics = async (): Promise<string> =>
  (await request(service.port, "GET /metrics", [`X-API-Key: ${KEYS.admin}`])).body;

async function dial(bytes: string, { port } = service, allowHalfOpen = false): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen });
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(bytes);
  return socket;
}

describe("B28 B30 a client that has gone gives its place back", () => {
  test.each([0, 1, 3, 10, 30])("before its events begin, after %i ms", async (ms) => {
    for (let time = 0; time < 3; time++) {
      // Reading a sheet anew takes a moment in which to leave.
      service.write("workflows/slow.csv", `${one("Slow", "slow")}# ${ms} ${time}\n`);
      const socket = await dial(run("Slow", EVENTS));
      await sleep(ms);
      socket.resetAndDestroy();
    }
    expect(await isServed()).toBe(true);
  });

  test.each([0, 2, 5, 15])("in a resume, after %i ms", async (ms) => {
    const { json } = await request(
      service.port,
      "POST /execute",
      [`X-API-Key: ${KEYS.admin}`, "Content-Type: application/json"],
      '{"graph_name":"Asking"}',
    );
    const socket = await dial(ask(`/runs/${json?.["run_id"]}/resume`, { answers: { Ask: "tea" } }, EVENTS));
    await sleep(ms);
    socket.resetAndDestroy();
    expect(await isServed()).toBe(true);
  });

  test.each([[], [EVENTS]])("with requests in a row: %j", async (...headers) => {
    const socket = await dial(run("Slow") + run("Slow", ...headers));
    await sleep(100);
    socket.resetAndDestroy();
    expect(await isServed()).toBe(true);
  });
});

test("the log does not say that a client was answered who had gone", async () => {
  const socket = await dial(run("Slow", "X-Request-Id: gone-1"));
  await expect.poll(metrics).toContain("flowsheet_runs_active 1\n");
  socket.resetAndDestroy();
  expect(await isServed()).toBe(true);
  const line = service
    .log()
    .split("\n")
    .find((one) => one.includes("gone-1"));
  expect(line).toMatch(/POST \/execute 499\b/);
});

test("T5 a client that reads no events keeps no place when its run has ended", async () => {
  const socket = await dial(ask("/execute", { graph_name: "Big", options: { trace: true } }, EVENTS));
  socket.pause();
  await sleep(200);
  expect(await isServed()).toBe(true);
  socket.destroy();
});

test("T5 a client that waits for an answer before its events is not taken for one that reads none", async () => {
  const roomy = await startWith(8);
  const socket = await dial(run("Siesta") + ask("/execute", { graph_name: "Big" }, EVENTS), roomy);
  let text = "";
  for await (const part of socket.setEncoding("latin1")) {
    text += part;
    if (text.includes("event: run_end")) break;
  }
  expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(text).toContain('"x":"rested"');
  expect(text).toContain("event: run_end");
  socket.destroy();
  await roomy.stop();
});

test("a client that stays after its last answer is let go", async () => {
  const bytes = `${run("Nap")}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`;
  const socket = await dial(bytes, service, true);
  socket.resume();
  await once(socket, "end");
  await sleep(1_500);
  // The first word shows that nobody is there, the second meets it.
  for (let i = 0; i < 2; i++, await sleep(100)) socket.write("still here");
  await expect.poll(() => socket.destroyed).toBe(true);
});

test("garbage in many pieces makes Node warn of nothing", async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.message);
  process.on("warning", note);
  const socket = await dial(run("Nap"));
  for (let i = 0; i < 20; i++, await sleep(10)) socket.write("nothing that is HTTP\r\n\r\n");
  await sleep(900);
  process.off("warning", note);
  socket.destroy();
  expect(warnings).toEqual([]);
});

describe("what comes behind a request that is being answered does not spoil its answer", () => {
  test.each([
    ["garbage", "nothing that is HTTP\r\n\r\n"],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("%s", async (_what, bytes) => {
    const text = await sendLast(service.port, run("Nap") + bytes);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(text).toContain('"x":"rested"');
  });

  test("garbage, behind events", async () => {
    const text = await sendLast(service.port, `${run("Nap", EVENTS)}nothing that is HTTP\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(text).toContain("event: run_end");
  });
});
