import { afterAll, beforeAll, expect, test } from "vitest";
import { ASKING, HELLO, KEYS, startService, type TestService } from "../http/service.js";

let service: TestService;
beforeAll(async () => {
  service = await startService({ files: { "workflows/asking.csv": ASKING, "workflows/hello.csv": HELLO } });
});
afterAll(() => service.stop());

async function call(path: string, body?: object): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await fetch(`${service.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-API-Key": KEYS.admin, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

const ask = async (): Promise<string> => {
  const { json } = await call("/execute", { graph_name: "Asking" });
  expect(json).toMatchObject({ status: "suspended", waiting: [{ node: "Ask" }] });
  return String(json["run_id"]);
};

test("a server keeps its runs: they are listed while they wait, and gone when they have ended", async () => {
  const id = await ask();
  expect((await call("/runs")).json).toMatchObject({ runs: [{ run_id: id, status: "waiting" }], total: 1 });
  const ended = await call(`/runs/${id}/resume`, { answers: { Ask: "now" } });
  expect(ended.json).toMatchObject({ status: "completed", state: { answer: "You asked now" } });
  expect((await call("/runs")).json).toMatchObject({ total: 0 });
  const late = await call(`/runs/${id}/resume`, { answers: { Ask: "now" } });
  expect([late.status, late.json["code"]]).toEqual([409, "already_ended"]);
  expect((await call(`/runs/${id}`)).json).toMatchObject({
    status: "completed",
    state: { answer: "You asked now" },
    waiting: [],
  });
});

test("a run whose sheet was edited meanwhile ends as it began", async () => {
  const id = await ask();
  service.write("workflows/asking.csv", ASKING.replace("You asked", "You have asked"));
  const ended = await call(`/runs/${id}/resume`, { answers: { Ask: "then" } });
  expect(ended.json).toMatchObject({ status: "completed", state: { answer: "You asked then" } });
  service.write("workflows/asking.csv", ASKING);
});

test("an answer that does not fit is refused, and the run waits on", async () => {
  const id = await ask();
  const refused = await call(`/runs/${id}/resume`, { answers: { Asked: "x" } });
  expect(refused.status).toBe(422);
  expect((await call(`/runs/${id}`)).json).toMatchObject({ status: "waiting" });
});
