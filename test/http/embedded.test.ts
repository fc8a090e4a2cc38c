import type { AddressInfo } from "node:net";
import express, { type Express } from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAuth, createRouter } from "../../runtime/http/index.js";
import { createFolder } from "../cli/folder.js";
import { type RawAnswer, request } from "./raw.js";
import { ASKING, authentication, HELLO, KEYS } from "./service.js";

interface Embedded {
  readonly cwd: string;
  readonly lines: readonly string[];
  readonly router: ReturnType<typeof createRouter>;
}

function embed(config = authentication()): Embedded {
  const cwd = createFolder({
    "flowsheet.yaml": config,
    "workflows/hello.csv": HELLO,
    "workflows/asking.csv": ASKING,
  });
  const lines: string[] = [];
  return { cwd, lines, router: createRouter({ cwd, env: {}, console: (line) => lines.push(line) }) };
}

async function listen(app: Express): Promise<number> {
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resume) => server.once("listening", resume));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const key = (name: keyof typeof KEYS): string => `X-API-Key: ${KEYS[name]}`;
const run = (port: number, path: string): Promise<RawAnswer> =>
  request(
    port,
    `POST ${path}`,
    [key("executor"), "Content-Type: application/json"],
    '{"graph_name":"Hello","initial_state":{"name":"Ada"}}',
  );

describe("a router in a host application", () => {
  test("refuses an option that nobody would read", () => {
    const misspelt = { servces: {} } as object;
    expect(() => createRouter(misspelt)).toThrow('a router has no "servces"; did you mean "services"?');
  });

  test("answers all its paths below where it is mounted, beside other routes and middleware", async () => {
    const { router, cwd } = embed();
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader("X-Host", "yes");
      next();
    });
    app.use("/flows", router);
    app.use(express.json());
    app.post("/own", (req, res) => void res.json({ own: req.body }));
    const port = await listen(app);
    expect((await run(port, "/flows/execute")).json).toMatchObject({ status: "completed" });
    const refused = await request(port, "GET /flows/workflows");
    expect([refused.status, refused.json?.["instance"], refused.headers.get("x-host")]).toEqual([
      401,
      "/flows/workflows",
      "yes",
    ]);
    expect(refused.body).not.toContain(cwd);
    const own = await request(port, "POST /own", ["Content-Type: application/json"], '{"a":1}');
    expect(own.json).toEqual({ own: { a: 1 } });
    expect((await request(port, "GET /flows/docs")).body).toContain("swagger-ui");
    const description = await request(port, "GET /flows/openapi.json");
    expect(description.json).toMatchObject({ servers: [{ url: "/flows" }] });
    // What is outside of it is the host's.
    expect((await request(port, "GET /health")).status).toBe(404);
    expect((await request(port, "GET /flows/nothing")).headers.get("content-type")).toBe(
      "application/problem+json",
    );
  });

  test.each([
    ["/flows", "flows/"],
    ["/flows/", ""],
  ])("its page at %s has links that lead into it", async (path, prefix) => {
    const app = express();
    app.use("/flows", embed().router);
    const port = await listen(app);
    const { status, body } = await request(port, `GET ${path}`, ["Accept: text/html"]);
    expect(status).toBe(200);
    expect(body).toContain(`href="${prefix}docs"`);
    expect(body).toContain(`<body data-prefix="${prefix}">`);
  });

  test("H07 H10 H12 H13 spellings are refused there as everywhere", async () => {
    const app = express();
    app.use("/flows", embed().router);
    const port = await listen(app);
    for (const path of [
      "/flows//workflows",
      "/flows/%77orkflows",
      "/flows/./workflows",
      "/flows/x/../workflows",
      "/flows/WORKFLOWS",
      "/flows/workflows/",
    ])
      expect([400, 404], path).toContain((await request(port, `GET ${path}`, [key("admin")])).status);
  });

  test("a body that another handler has read is a problem that says so, and no wait", async () => {
    const { router, lines } = embed();
    const app = express();
    app.use(express.json());
    app.use(router);
    const port = await listen(app);
    const { status, json } = await run(port, "/execute");
    expect([status, json?.["code"], json?.["detail"]]).toEqual([
      500,
      "internal",
      expect.stringContaining("mount the router before express.json()"),
    ]);
    expect(lines.join("")).toContain("mount the router before express.json()");
    // What needs no body works all the same.
    expect((await request(port, "GET /workflows", [key("readonly")])).status).toBe(200);
  });

  test("A58 bypassed authentication is refused for a host that others reach", () => {
    const config = "authentication:\n  enabled: true\n  embedded_mode: {enabled: true, bypass_auth: true}\n";
    const cwd = createFolder({ "flowsheet.yaml": config });
    expect(() => createRouter({ cwd, env: {}, bindHost: "0.0.0.0", console: () => {} })).toThrow(
      /0\.0\.0\.0/,
    );
  });
});

test("createAuth protects routes of the host's own with the same keys, as the documentation shows", async () => {
  const { cwd, router } = embed();
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const auth = createAuth({ authenticator: { cwd, named: null, env: {}, bindHost: null, log } });
  const app = express();
  app.get("/report", auth.requires("read"), (req, res) => void res.json({ by: auth.principalOf(req)?.name }));
  app.delete("/report", auth.requires("admin"), (_req, res) => void res.json({}));
  app.use(router);
  const port = await listen(app);
  expect((await request(port, "GET /report", [key("readonly")])).json).toEqual({ by: "readonly" });
  expect((await request(port, "GET /report")).json?.["code"]).toBe("credential_missing");
  expect((await request(port, "DELETE /report", [key("executor")])).json).toMatchObject({
    code: "permission_denied",
    title: "The credential does not allow this",
    required: ["admin"],
  });
  expect((await request(port, "GET /workflows", [key("readonly")])).status).toBe(200);
});

describe("keys in an address of a host application", () => {
  test("are cut before the host's log sees them, and are good for every handler on the way", async () => {
    const { cwd, router } = embed();
    const auth = createAuth({ authenticator: { cwd, env: {} } });
    const seen: string[] = [];
    const app = express();
    app.use((req, res, next) => {
      res.on("close", () => seen.push(`${req.originalUrl} ${req.url}`));
      next();
    });
    app.get("/report", auth.requires("read"), auth.requires("read"), (_req, res) => void res.json({}));
    app.use("/flows", auth.requires("read"), router);
    const port = await listen(app);
    const get = async (path: string): Promise<number> => (await request(port, `GET ${path}`)).status;
    expect(await get(`/report?a=1&api_key=${KEYS.readonly}`)).toBe(200);
    expect(await get(`/report?api_key=${KEYS.readonly}&api_key=x`)).toBe(400);
    expect(await get(`/report?api_key=${KEYS.expired}`)).toBe(401);
    expect(await get(`/flows/workflows?limit=1&api_key=${KEYS.readonly}`)).toBe(200);
    expect(await get(`/flows/workflows?api_key=${KEYS.readonly}&x=${"x".repeat(9_000)}`)).toBe(414);
    expect(seen).toHaveLength(5);
    expect(seen.join("\n")).not.toMatch(/fsk_|api_key/);
    expect(seen[0]).toBe("/report?a=1 /report?a=1");
  });

  test("an address that is too long loses its key in the router, too", async () => {
    const seen: string[] = [];
    const app = express();
    app.use((req, res, next) => {
      res.on("close", () => seen.push(req.originalUrl, req.url));
      next();
    });
    app.use(embed().router);
    const port = await listen(app);
    const long = `/workflows?api_key=${KEYS.readonly}&x=${"x".repeat(9_000)}`;
    expect((await request(port, `GET ${long}`)).status).toBe(414);
    expect(seen.join()).not.toContain("fsk_");
  });
});

test("createAuth has defaults for everything, and tells the id of a request", async () => {
  const { cwd } = embed();
  const here = process.cwd();
  onTestFinished(() => process.chdir(here));
  process.chdir(`${cwd}/workflows`);
  const app = express();
  for (const [path, auth] of [
    ["/a", createAuth()],
    ["/b", createAuth({})],
    ["/c", createAuth({ authenticator: {} })],
  ] as const)
    app.get(path, auth.requires("read"), (_req, res) => void res.json({}));
  const port = await listen(app);
  for (const path of ["/a", "/b", "/c"]) {
    expect((await request(port, `GET ${path}`, [key("readonly")])).status).toBe(200);
    const refused = await request(port, `GET ${path}`, ["X-Request-Id: my-id.1"]);
    expect([refused.headers.get("x-request-id"), refused.json?.["request_id"]]).toEqual([
      "my-id.1",
      "my-id.1",
    ]);
  }
  const odd = await request(port, "GET /a", ["X-Request-Id: a b"]);
  expect(odd.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
});
