import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { parseAnswer, type RawAnswer } from "./raw.js";
import { authentication, HELLO, KEYS, startService, type TestService } from "./service.js";

const WAITS = `import { defineAgent } from "flowsheet";
export const SlowAgent = defineAgent((_inputs, { signal }) => new Promise((resolve) => {
  globalThis.endOfSlowRun = () => resolve("done");
  signal.addEventListener("abort", resolve);
}));
`;
const shared = globalThis as { endOfSlowRun?: () => void };

/** A connection that stays open between requests. */
interface Open {
  readonly socket: Socket;
  readonly ask: (line: string, body?: string) => Promise<RawAnswer>;
}

async function open(port: number): Promise<Open> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return {
    socket,
    ask: async (line, body = "") => {
      const head = [
        `${line} HTTP/1.1`,
        "Host: a",
        `X-API-Key: ${KEYS.admin}`,
        "Content-Type: application/json",
      ];
      socket.write(`${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n${body}`);
      const [data] = (await once(socket, "data")) as [Buffer];
      return parseAnswer(data.toString());
    },
  };
}

async function startSlow(): Promise<TestService> {
  delete shared.endOfSlowRun;
  return startService({
    config: authentication(),
    files: {
      "workflows/hello.csv": HELLO,
      "workflows/slow.csv": "graph_name,node_name,agent_type,output_field\nSlow,Wait,slow,x\n",
      "agents/slow.js": WAITS,
    },
  });
}

test("R19 while it stops, open connections get 503 and are closed, /health answers, and new ones find nobody", async () => {
  const service = await startSlow();
  const [runs, looks, lives] = [await open(service.port), await open(service.port), await open(service.port)];
  expect((await looks.ask("GET /workflows")).status).toBe(200);
  const run = runs.ask("POST /execute", '{"graph_name":"Slow"}');
  await expect.poll(() => shared.endOfSlowRun).toBeDefined();
  const stopped = service.stop(30_000);

  const refused = await looks.ask("GET /workflows");
  expect([refused.status, refused.json?.["code"], refused.headers.get("connection")]).toEqual([
    503,
    "shutting_down",
    "close",
  ]);
  expect(refused.headers.get("retry-after")).toBe("5");
  const alive = await lives.ask("GET /health");
  expect([alive.status, alive.headers.get("connection")]).toEqual([200, "close"]);
  await expect(open(service.port)).rejects.toThrow(/ECONNREFUSED/);

  shared.endOfSlowRun?.();
  expect((await run).json).toMatchObject({ status: "completed" });
  await stopped;
});

test("R19 runs that take longer than they may are cut off, and their end is logged", async () => {
  const service = await startSlow();
  const { ask } = await open(service.port);
  ask("POST /execute", '{"graph_name":"Slow"}').catch(() => {});
  await expect.poll(() => shared.endOfSlowRun).toBeDefined();
  await service.stop(0);
  expect(service.log()).toContain("POST /execute 499");
});
