import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { request } from "../http/raw.js";
import { authentication, HELLO, KEYS, startService } from "../http/service.js";
import { named, register, taken, unregister } from "./spans.js";

beforeAll(register);
afterAll(unregister);

const TRACE = "0af7651916cd43dd8448eb211c80319c";

test("a run over HTTP belongs to the trace of its request; what is no trace is not taken", async () => {
  const service = await startService({ config: authentication(), files: { "workflows/hello.csv": HELLO } });
  onTestFinished(() => service.stop());
  const run = async (...headers: readonly string[]) => {
    taken();
    const all = [`X-API-Key: ${KEYS.executor}`, "Content-Type: application/json", ...headers];
    const body = JSON.stringify({ graph_name: "Hello", initial_state: { name: "Ada" } });
    expect((await request(service.port, "POST /execute", all, body)).status).toBe(200);
    const spans = taken();
    const root = spans.find(({ name }) => name === "start Hello") ?? named(spans, "invoke_workflow Hello");
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    return [root.spanContext().traceId, root.parentSpanContext?.spanId];
  };
  expect(await run(`traceparent: 00-${TRACE}-b7ad6b7169203331-01`)).toEqual([TRACE, "b7ad6b7169203331"]);
  for (const wrong of [
    `00-${TRACE}-0000000000000000-01`,
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    "x",
    "",
  ])
    expect(await run(`traceparent: ${wrong}`)).toEqual([expect.not.stringContaining(TRACE), undefined]);
});
