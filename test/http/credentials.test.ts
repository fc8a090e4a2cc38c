import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { request } from "./raw.js";
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

type Kind = "public" | "read" | "execute" | "admin";
/** Every route, a request that it understands, and what it needs. */
const ROUTES: readonly (readonly [line: string, kind: Kind, body: string])[] = [
  ["GET /", "public", ""],
  ["GET /health", "public", ""],
  ["GET /docs", "public", ""],
  ["GET /docs/init.js", "public", ""],
  ["GET /redoc", "public", ""],
  ["GET /openapi.json", "public", ""],
  ["GET /favicon.ico", "public", ""],
  ["HEAD /health", "public", ""],
  ["GET /workflows", "read", ""],
  ["HEAD /workflows", "read", ""],
  ["GET /workflows/Hello", "read", ""],
  ["GET /runs", "read", ""],
  ["GET /runs/none", "read", ""],
  ["POST /validation/csv", "read", '{"csv_content":"graph_name,node_name\\nG,A"}'],
  ["POST /execute", "execute", '{"graph_name":"Hello","initial_state":{"name":"Ada"}}'],
  ["POST /runs/none/resume", "execute", "{}"],
  ["GET /metrics", "admin", ""],
];

const header = (key: string): readonly string[] => [`X-API-Key: ${key}`];
const MAY: { readonly [who: string]: readonly Kind[] } = {
  admin: ["read", "execute", "admin"],
  readonly: ["read"],
  executor: ["read", "execute"],
  developer: ["read"],
  environment: ["read"],
};

async function credentials(): Promise<
  readonly (readonly [who: string, headers: readonly string[], code: string])[]
> {
  const bearer = async (claims: object): Promise<readonly string[]> => [
    `Authorization: Bearer ${await token(claims)}`,
  ];
  return [
    ["nobody", [], "credential_missing"],
    ["malformed", header("a key"), "credential_malformed"],
    ["empty", ["X-API-Key: "], "credential_malformed"],
    ["unknown", header("fsk_unknown-0123456789-0123456789-012345"), "credential_invalid"],
    ["expired", header(KEYS.expired), "credential_expired"],
    ["twice", [...header(KEYS.admin), ...header(KEYS.admin)], "credential_ambiguous"],
    ["basic", ["Authorization: Basic abc"], "credential_missing"],
    ["admin", header(KEYS.admin), ""],
    ["readonly", header(KEYS.readonly), ""],
    ["executor", header(KEYS.executor), ""],
    ["developer", header(KEYS.developer), ""],
    ["environment", header(ENVIRONMENT_KEY), ""],
    ["readonly", await bearer({ permissions: ["read"] }), ""],
    ["executor", await bearer({ scope: "execute" }), ""],
    ["developer", await bearer({ permissions: ["write"] }), ""],
    ["readonly", await bearer({ permissions: ["root"] }), ""],
  ];
}

const STATUS: { readonly [code: string]: number } = { credential_ambiguous: 400 };

test("A01 A30 every route, with every kind of credential: granted or refused as the lattice says", async () => {
  const wrong: string[] = [];
  // Few are bad: too many of them would be held back.
  for (const [who, headers, code] of await credentials()) {
    for (const [line, kind, body] of ROUTES) {
      if (
        code !== "" &&
        code !== "credential_missing" &&
        !["GET /workflows", "POST /execute", "GET /metrics"].includes(line)
      )
        continue;
      const type = body === "" ? [] : ["Content-Type: application/json"];
      const answer = await request(service.port, line, [...headers, ...type], body);
      const expected =
        kind === "public"
          ? "granted"
          : code !== ""
            ? `${STATUS[code] ?? 401} ${code}`
            : MAY[who]?.includes(kind) === true
              ? "granted"
              : "403 permission_denied";
      const refused = [400, 401, 403].includes(answer.status);
      const told = refused ? `${answer.status} ${answer.json?.["code"] ?? code}` : "granted";
      const isHead = line.startsWith("HEAD") && told.endsWith(" ");
      if (told !== expected && !isHead && !(line.startsWith("HEAD") && refused === (expected !== "granted")))
        wrong.push(`${who} ${line}: ${told}, not ${expected}`);
      if (answer.status === 401 && !answer.headers.has("www-authenticate"))
        wrong.push(`${who} ${line}: no challenge`);
      if (answer.status >= 500) wrong.push(`${who} ${line}: ${answer.status}`);
    }
  }
  expect(wrong).toEqual([]);
});

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
      const { send, parseAnswer } = await import("./raw.js");
      const text = await send(
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

  test("a public entry may open a protected route, and says so", async () => {
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
