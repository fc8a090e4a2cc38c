import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { ASKING, authentication, KEYS, startService, type TestService } from "../../http/service.js";

const ANSWERER = "fsk_answerer-0123456789-0123456789-01234567";
const ENTRY = `    answerer:
      key: sha256:${createHash("sha256").update(ANSWERER).digest("hex")}
      permissions: [answer]
      user_id: answerer
      graphs: [Own]
`;
const FILES = {
  "workflows/own.csv": ASKING.replaceAll("Asking", "Own"),
  "workflows/hidden.csv": ASKING.replaceAll("Asking", "Hidden").replace("What is it?", "What is hidden?"),
};

const start = async (service: TestService, graph_name: string): Promise<string> => {
  const answer = await ask(service, KEYS.admin, "POST", "/execute", { graph_name });
  return String((JSON.parse(answer.text) as { readonly run_id: string }).run_id);
};

interface Asked {
  readonly status: number;
  readonly text: string;
}

/** One answer; of a stream only that there is one. */
async function ask(
  { url }: TestService,
  key: string,
  method: string,
  path: string,
  body: object = {},
): Promise<Asked> {
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const given = method === "GET" ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, given);
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (isStream) await answer.body?.cancel();
  return { status: answer.status, text: isStream ? "a stream" : await answer.text() };
}

async function serve(): Promise<TestService> {
  const config = `server:\n  studio: edit\n${authentication(ENTRY)}`;
  const service = await startService({ config, files: FILES });
  onTestFinished(() => service.stop());
  return service;
}

/** All that the service describes, as method and path. */
async function operations(service: TestService): Promise<readonly (readonly [string, string])[]> {
  const { text } = await ask(service, KEYS.admin, "GET", "/openapi.json");
  const { paths } = JSON.parse(text) as { readonly paths: { readonly [path: string]: object } };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );
}

test("an answer key for one graph is told of no other by any route", async () => {
  const service = await serve();
  const [own, hidden] = [await start(service, "Own"), await start(service, "Hidden")];
  const all = await operations(service);
  expect(all.length).toBeGreaterThan(20);
  const allowed: string[] = [];
  for (const [method, path] of all) {
    const filled = path
      .replace(/\{(?:run_?id|id|run)\}/i, hidden)
      .replace(/\{sheet\}|\{s\}/i, "hidden.csv")
      .replace(/\{[^}]*\}/g, "Hidden");
    const { status, text } = await ask(service, ANSWERER, method, filled);
    // What a person asked for may be said back to them; nothing else of it is known.
    const told = text.replaceAll(filled, "");
    expect([path, /What is hidden|Hidden"|hidden\.csv"/.test(told)]).toEqual([path, false]);
    if (status < 400) allowed.push(`${method} ${path}`);
    else
      expect([path, [401, 403, 404, 415, 422].includes(status), text.slice(0, 200)]).toEqual([
        path,
        true,
        text.slice(0, 200),
      ]);
  }
  expect(allowed.sort()).toMatchInlineSnapshot(`
    [
      "GET /",
      "GET /docs",
      "GET /favicon.ico",
      "GET /health",
      "GET /openapi.json",
      "GET /ready",
      "GET /redoc",
      "GET /runs",
      "GET /studio/api/events",
      "GET /studio/api/session",
    ]
  `);
  const { text } = await ask(service, ANSWERER, "GET", "/runs");
  expect(JSON.parse(text)).toMatchObject({ runs: [{ run_id: own }], total: 1, counts: { waiting: 1 } });
  const description = await ask(service, ANSWERER, "GET", "/openapi.json");
  expect(description.text).not.toMatch(/Hidden/);
});

test("it answers its own question, and hears of its own runs alone", async () => {
  const service = await serve();
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const { body } = await fetch(`${service.url}/studio/api/events`, {
    headers: { "X-API-Key": ANSWERER },
    signal: gone.signal,
  });
  let told = "";
  const hear = async (): Promise<void> => {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) told += part;
  };
  hear().catch(() => {});
  const hidden = await start(service, "Hidden");
  const own = await start(service, "Own");
  await expect.poll(() => told).toMatch(/event: waits\ndata: \{"count":1\}/);
  const answers = { answers: { Ask: "an answer" } };
  const refused = await ask(service, ANSWERER, "POST", `/runs/${hidden}/resume`, answers);
  expect(refused.status).toBe(404);
  const taken = await ask(service, ANSWERER, "POST", `/runs/${own}/resume`, answers);
  expect(taken.status).toBe(200);
  await expect.poll(() => told).toContain(`"run_id":"${own}"`);
  await expect.poll(() => told).toMatch(/event: waits\ndata: \{"count":0\}/);
  expect(told).not.toContain(hidden);
  expect(told).not.toMatch(/event: (?:sheet|world)/);
});
