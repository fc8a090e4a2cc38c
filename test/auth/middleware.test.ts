import { mkdtempSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createKey, storedForm } from "../../runtime/auth/keys.js";
import { createAuth } from "../../runtime/http/middleware.js";
import { openDoor } from "./door.js";

const KEY = createKey();
const TEXT = `authentication:\n  api_keys:\n    reader: {key: "${storedForm(KEY)}", permissions: [read], user_id: ada}\n  public_endpoints: [/health]\n`;

async function start(basePath = ""): Promise<number> {
  const auth = createAuth({ authenticator: openDoor(TEXT).authenticator, basePath, requestId: () => "r1" });
  const app = express();
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get("/workflows", auth.requires("read"), (req, res) => {
    res.json({ user: auth.principalOf(req)?.userId });
  });
  router.post("/execute", auth.requires("execute"), (_req, res) => {
    res.json({});
  });
  router.get("/health", auth.requires("read"), (req, res) => {
    res.json({ kind: auth.principalOf(req)?.kind });
  });
  app.use(basePath === "" ? "/" : basePath, router);
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resume) => server.once("listening", resume));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly body: string;
}

/** Sends a target as it stands; fetch would mend it. */
function send(port: number, path: string, headers = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, host: "127.0.0.1", path, headers, method }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on("error", reject).end();
  });
}

describe("the middleware", () => {
  test("lets pass, and knows whom", async () => {
    const port = await start();
    expect(await send(port, "/workflows", { "X-API-Key": KEY })).toMatchObject({
      status: 200,
      body: '{"user":"ada"}',
    });
    expect(await send(port, "/health")).toMatchObject({ status: 200, body: '{"kind":"public"}' });
  });

  /** An application whose pages all need an admin, with a list of public endpoints. */
  async function guarded(list: string | null, basePath = ""): Promise<number> {
    const text = TEXT.replace(
      / {2}public_endpoints.*\n/,
      list === null ? "" : `  public_endpoints: ${list}\n`,
    );
    const auth = createAuth({ authenticator: openDoor(text).authenticator, basePath });
    const app = express();
    app.use(auth.requires("admin"), (request, response) => void response.json({ in: request.path }));
    const server = app.listen(0, "127.0.0.1");
    await new Promise((resume) => server.once("listening", resume));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }
  const OWN = "/, /health, /docs, /openapi.json, /redoc, /favicon.ico";

  test.each([
    ["no list", null],
    ["the list that holds without one", `[${OWN}]`],
    ["the same with an entry of the application", `[/static/*, ${OWN}]`],
  ])("the pages of the service open nothing in an application around it: %s", async (_what, list) => {
    const port = await guarded(list);
    for (const path of ["/", "/health", "/docs", "/docs/internal", "/redoc"])
      for (const method of ["GET", "POST"]) expect((await send(port, path, {}, method)).status).toBe(401);
    expect((await send(port, "/static/a")).status).toBe(list?.includes("/static/*") === true ? 200 : 401);
  });

  test("an entry opens its path alone, and nothing outside of the base path", async () => {
    const port = await guarded("[/docs, /health]");
    expect((await send(port, "/docs")).status).toBe(200);
    expect((await send(port, "/docs/salaries")).status).toBe(401);
    const based = await guarded("[/health, /static/*]", "/api");
    expect((await send(based, "/api/health")).status).toBe(200);
    for (const path of ["/health", "/static/a", "/apihealth"])
      expect((await send(based, path)).status).toBe(401);
  });

  test("an application without authentication is told so at its start", () => {
    const cwd = mkdtempSync(join(tmpdir(), "flowsheet-open-"));
    writeFileSync(join(cwd, "flowsheet.yaml"), "authentication: {enabled: false}\n");
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    createAuth({ authenticator: { cwd } });
    expect(warn.mock.calls).toEqual([["flowsheet.auth: authentication is off: everybody may do everything"]]);
  });

  test("H15 what each library takes for another host and path opens nothing", async () => {
    const port = await guarded("[/health]");
    for (const host of ["x%70rivate", "x;acme", "x'acme", "a@b"])
      expect((await send(port, `http://${host}/health`)).status).toBe(400);
  });

  test("answers with a problem, and no more", async () => {
    const port = await start();
    const { status, headers, body } = await send(port, "/workflows");
    expect(status).toBe(401);
    expect(headers).toMatchObject({
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      vary: "X-API-Key, Authorization",
      "www-authenticate": 'ApiKey realm="flowsheet"',
    });
    expect(JSON.parse(body)).toEqual({
      type: "/problems/credential_missing",
      title: "A credential is needed",
      status: 401,
      code: "credential_missing",
      detail: "Send an API key in the header X-API-Key.",
      instance: "/workflows",
      request_id: "r1",
    });
    expect(JSON.parse((await send(port, "/execute", { "X-API-Key": KEY }, "POST")).body)).toMatchObject({
      status: 403,
      code: "permission_denied",
      required: ["execute"],
    });
  });

  test("H22 HEAD is GET without a body", async () => {
    const port = await start();
    expect(await send(port, "/workflows", {}, "HEAD")).toMatchObject({ status: 401, body: "" });
  });

  test("the header twice, as it comes over the wire", async () => {
    const port = await start();
    expect(await send(port, "/workflows", { "X-API-Key": [KEY, KEY] })).toMatchObject({ status: 400 });
  });

  test("H13 H15 the path that the router matched is the one that is judged", async () => {
    const port = await start();
    expect((await send(port, "/%77orkflows")).status).not.toBe(200);
    expect((await send(port, "http://evil/workflows")).status).toBe(401);
    expect(JSON.parse((await send(port, "/workflows?x=%zz#a")).body)).toMatchObject({ code: "path_invalid" });
  });

  test("public entries are written without the base path", async () => {
    const port = await start("/api");
    expect((await send(port, "/api/health")).status).toBe(200);
    expect((await send(port, "/api/workflows")).status).toBe(401);
    expect((await send(port, "/health")).status).toBe(404);
  });

  test("H28 a route cannot be registered without a permission", () => {
    const auth = createAuth({ authenticator: openDoor(TEXT).authenticator });
    const requires = auth.requires as (...permissions: readonly string[]) => unknown;
    for (const permissions of [[], ["root"], ["read", ""]])
      expect(() => requires(...permissions)).toThrow("must name the permission");
  });
});
