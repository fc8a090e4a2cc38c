import { expect, onTestFinished, test } from "vitest";
import { request } from "../http/raw.js";
import { startService } from "../http/service.js";
import { HAS_POSTGRES } from "./asked.js";
import { startServer } from "./server.js";

test.runIf(HAS_POSTGRES)("a server whose database says nothing tells of it soon", async () => {
  const server = await startServer();
  onTestFinished(() => server.remove());
  const service = await startService({
    config: "runs: { store: env:DATABASE_URL }\n",
    env: { DATABASE_URL: server.url },
    works: false,
  });
  onTestFinished(() => service.stop());
  const statusOf = async (): Promise<unknown> =>
    (await request(service.port, "GET /health")).json?.["status"];
  expect(await statusOf()).toBe("ok");
  server.pause();
  onTestFinished(() => server.resume());
  // A connection gives up after 10 seconds, a question to the server after a minute.
  for (let status: unknown = "ok"; status === "ok"; ) {
    const began = performance.now();
    status = await statusOf();
    expect(performance.now() - began).toBeLessThan(30_000);
  }
  expect((await request(service.port, "GET /ready")).status).toBe(503);
  server.resume();
  while ((await statusOf()) !== "ok");
});
