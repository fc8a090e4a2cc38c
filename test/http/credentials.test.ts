import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAnswer, request, sendLast } from "./raw.js";
import { authentication, KEYS, startService, type TestService } from "./service.js";

const ENVIRONMENT_KEY = "an-environment-key-0123456789012345";
const SECRET = "a-secret-of-more-than-thirty-two-characters";

let service: TestService;
beforeAll(async () => {
  const jwt = `  jwt:\n    secret: ${SECRET}\n    algorithm: HS256\n`;
  service = await startService({
    config: `${authentication(jwt)}logging:\n  loggers:\n    flowsheet.auth: {level: DEBUG, handlers: [console]}\n`,
    env: { FLOWSHEET_API_KEY_USER: ENVIRONMENT_KEY },
  });
});
afterAll(() => service.stop());

async function token(claims: object): Promise<string> {
  const { SignJWT } = await import("jose");
  return new SignJWT({ sub: "ada", ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(SECRET));
}

const header = (key: string): readonly string[] => [`X-API-Key: ${key}`];

describe("which source decides", () => {
  const get = async (target: string, ...headers: readonly string[]): Promise<number> =>
    (await request(service.port, `GET ${target}`, headers)).status;

  test("A15 a bad header is not rescued by the query", async () => {
    expect(await get(`/workflows?api_key=${KEYS.readonly}`, "X-API-Key: fsk_bad")).toBe(401);
  });
  test("A16 a good header is not spoilt by the query", async () => {
    expect(await get("/workflows?api_key=bad", ...header(KEYS.readonly))).toBe(200);
  });
  test("A17 X-API-Key goes before Authorization", async () => {
    expect(await get("/workflows", ...header(KEYS.readonly), "Authorization: Bearer x.y.z")).toBe(200);
    expect(
      await get(
        "/workflows",
        "X-API-Key: fsk_bad",
        `Authorization: Bearer ${await token({ permissions: ["read"] })}`,
      ),
    ).toBe(401);
  });
  test("A14 other spellings of the query are no key", async () => {
    for (const query of ["api_key[]=V", "api_key[x]=V", "API_KEY=V", "apikey=V"])
      expect(await get(`/workflows?${query.replace("V", KEYS.readonly)}`)).toBe(401);
  });
  test("a second key is seen behind 2,000 headers, and their size is limited", async () => {
    const many = (count: number): readonly string[] => Array.from({ length: count }, () => "a:b");
    const [good, bad] = [header(KEYS.readonly), header("fsk_bad")];
    expect(await get("/workflows", ...good, ...many(2_000), ...bad)).toBe(400);
    expect(await get("/workflows", ...many(2_000), ...good)).toBe(200);
    expect(await get("/workflows", ...good, ...many(9_000))).toBe(431);
  });
  test("A56 no header but the real ones decides", async () => {
    for (const one of [
      "X-Original-URL: /health",
      "X-Rewrite-URL: /health",
      "X-HTTP-Method-Override: GET",
      "X-Forwarded-For: 127.0.0.1",
    ])
      expect(await get("/workflows", one)).toBe(401);
  });
  test("A21 A23 what stands in the file is no key", async () => {
    for (const one of ["sha256:0123", "env:FLOWSHEET_API_KEY_USER", "admin", "__proto__", "constructor"])
      expect(await get("/workflows", `X-API-Key: ${one}`)).toBeGreaterThanOrEqual(400);
  });
});

test("S02 S07 no key is in the log, and no key of a query in an address", async () => {
  await request(service.port, `GET /workflows?api_key=${KEYS.readonly}`);
  await request(service.port, `GET /nothing?api_key=${KEYS.readonly}&api_key=${KEYS.admin}`);
  await request(service.port, `GET //bad?api_key=${KEYS.readonly}`);
  const log = service.log();
  for (const secret of [...Object.values(KEYS), ENVIRONMENT_KEY, SECRET]) expect(log).not.toContain(secret);
  expect(log).toContain("flowsheet.auth");
  expect(log).toMatch(/by=readonly/);
});

test("S01 a key in the wrong place is in no log either: in a path, and as the id of a request", async () => {
  await request(service.port, `GET /${KEYS.executor}`);
  await request(service.port, `GET /workflows/${KEYS.executor}`, header(KEYS.readonly));
  const jwt = await token({ permissions: ["read"] });
  await request(service.port, `GET /${jwt}`);
  const answer = await request(service.port, "GET /health", [`X-Request-Id: ${KEYS.executor}`]);
  expect(answer.headers.get("x-request-id")).not.toBe(KEYS.executor);
  expect(service.log()).toContain("[redacted]");
  for (const secret of [KEYS.executor, jwt]) expect(service.log()).not.toContain(secret);
});

test("A55 many bad keys of one address are held back, a good one is not", async () => {
  const own = await startService();
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++)
    statuses.push((await request(own.port, "GET /workflows", header(`fsk_bad_${i}`))).status);
  const good = await request(own.port, "GET /workflows", header(KEYS.readonly));
  await own.stop();
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
  expect(statuses.slice(20)).toEqual(Array.from({ length: 5 }, () => 429));
  expect(good.status).toBe(200);
});

describe("without keys", () => {
  test("a configuration without the section: protected routes answer 401", async () => {
    const own = await startService({ config: "server: {port: 0}\n" });
    expect((await request(own.port, "GET /workflows")).status).toBe(401);
    expect((await request(own.port, "GET /health")).status).toBe(200);
    const page = (await request(own.port, "GET /openapi.json")).json;
    await own.stop();
    expect(JSON.stringify(page)).not.toContain("Hello");
  });

  test("authentication that is off opens everything", async () => {
    const own = await startService({ config: "authentication: {enabled: false}\n" });
    expect((await request(own.port, "GET /workflows")).status).toBe(200);
    expect((await request(own.port, "GET /metrics")).status).toBe(200);
    expect((await request(own.port, "GET /openapi.json")).body).toContain("Input.Hello");
    await own.stop();
  });

  test("A58 A59 embedded mode is for this machine, under its own names", async () => {
    const config = "authentication:\n  enabled: true\n  embedded_mode: {enabled: true, bypass_auth: true}\n";
    await expect(startService({ config, host: "0.0.0.0" })).rejects.toThrow(/0\.0\.0\.0/);
    const own = await startService({ config });
    const get = async (host: string): Promise<number> => {
      const text = await sendLast(
        own.port,
        `GET /workflows HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      return parseAnswer(text).status;
    };
    expect([await get("localhost"), await get("127.0.0.1:8000"), await get("evil.example")]).toEqual([
      200, 200, 421,
    ]);
    await own.stop();
  });

  test("H27 a public entry may open a protected route, and says so", async () => {
    const own = await startService({ config: authentication("  public_endpoints: [/execute]\n") });
    const body = '{"graph_name":"Hello","initial_state":{"name":"Ada"}}';
    const json = ["Content-Type: application/json"];
    expect((await request(own.port, "POST /execute", json, body)).status).toBe(200);
    expect((await request(own.port, "POST /execute", [...json, "X-API-Key: bad key"], body)).status).toBe(
      200,
    );
    expect((await request(own.port, "GET /health")).status).toBe(401);
    await own.stop();
  });
});
