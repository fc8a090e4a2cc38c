import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { request } from "../http/raw.js";
import { authentication, KEYS, startService, type TestService } from "../http/service.js";
import { HAS_POSTGRES } from "./asked.js";
import { type PostgresServer, startServer } from "./server.js";

describe.runIf(HAS_POSTGRES)("a server whose database goes away", () => {
  let server: PostgresServer;
  let service: TestService;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    const config = `${authentication()}runs: { store: env:DATABASE_URL }\n`;
    // Nobody works on its runs: they stay as they are.
    service = await startService({ config, env: { DATABASE_URL: server.url }, works: false });
    onTestFinished(() => service.stop());
  });

  const headers = { "X-API-Key": KEYS.executor, "Content-Type": "application/json" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const get = (path: string) => request(service.port, `GET ${path}`, lines);
  const post = (path: string, body: object = {}) =>
    request(service.port, `POST ${path}`, lines, JSON.stringify(body));
  const detached = async (): Promise<string> => {
    const { json } = await post("/execute", { graph_name: "Asking", options: { detach: true } });
    return String(json?.["run_id"]);
  };
  const untilQueued = async (): Promise<string> => {
    for (;;) {
      const { json } = await get("/runs?status=queued");
      const [run] = (json?.["runs"] ?? []) as readonly { readonly run_id: string }[];
      if (run !== undefined) return run.run_id;
    }
  };

  test("tells of a run that has begun by its id, and that nothing can be begun now", async () => {
    const answer = post("/execute", { graph_name: "Asking" });
    const runId = await untilQueued();
    await server.stop("immediate");
    const { status, json, headers: told } = await answer;
    expect([status, json]).toEqual([202, { run_id: runId, status: "queued" }]);
    expect(told.get("location")).toBe(`/runs/${runId}`);
    expect(await post("/execute", { graph_name: "Asking" })).toMatchObject({
      status: 507,
      json: { code: "store_unwritable", title: "The store of runs cannot be used now" },
    });
    await server.start();
    expect((await post(`/runs/${runId}/cancel`)).status).toBe(202);
  });

  test("goes on with events when it is back", async () => {
    const runId = await detached();
    const events = await fetch(`${service.url}/runs/${runId}/events`, { headers });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const untilThere = async (word: string): Promise<void> => {
      while (!text.includes(word)) {
        const part = await reader?.read();
        if (part === undefined || part.done) throw new Error(`the stream ended after ${text}`);
        text += part.value;
      }
    };
    await untilThere("event: run_start");
    await server.stop("immediate");
    expect((await get(`/runs/${runId}`)).status).toBe(507);
    await server.start();
    expect((await post(`/runs/${runId}/cancel`)).status).toBe(202);
    await untilThere("event: run_end");
    expect((await reader?.read())?.done).toBe(true);
  });
});
