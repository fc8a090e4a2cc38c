import { Agent, type IncomingMessage, request } from "node:http";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inCi } from "../how-many.js";
import { authentication, KEYS, startService, type TestService } from "./service.js";

const ENVIRONMENT_KEY = "an-environment-key-0123456789012345";
const SECRET = "a-secret-of-more-than-thirty-two-characters";

let service: TestService;
beforeAll(async () => {
  service = await startService({
    config: authentication(`  jwt:\n    secret: ${SECRET}\n    algorithm: HS256\n`),
    env: { FLOWSHEET_API_KEY_USER: ENVIRONMENT_KEY },
  });
});
afterAll(() => service.stop());

type Need = "public" | "read" | "execute" | "admin";
interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  readonly need: Need;
  readonly body?: string;
  /** What an answer to a request that is let through may be. */
  readonly statuses?: readonly number[];
}

const GET = ["GET", "HEAD"];
const execute = '{"graph_name":"Hello","initial_state":{"name":"Ada"}}';
/** The routes of the contract, written down once more: the product's own table is not asked. */
const ROUTES: readonly Route[] = [
  { path: "/", methods: GET, need: "public" },
  { path: "/health", methods: GET, need: "public" },
  { path: "/ready", methods: GET, need: "public" },
  { path: "/docs", methods: GET, need: "public" },
  { path: "/docs/init.js", methods: GET, need: "public" },
  { path: "/redoc", methods: GET, need: "public" },
  { path: "/openapi.json", methods: GET, need: "public" },
  { path: "/favicon.ico", methods: GET, need: "public" },
  { path: "/workflows", methods: GET, need: "read" },
  { path: "/workflows/Hello", methods: GET, need: "read" },
  { path: "/runs", methods: GET, need: "read" },
  { path: "/runs/none", methods: GET, need: "read", statuses: [404] },
  {
    path: "/validation/csv",
    methods: ["POST"],
    need: "read",
    body: '{"csv_content":"graph_name,node_name\\nG,A"}',
  },
  { path: "/execute", methods: ["POST"], need: "execute", body: execute },
  { path: "/runs/none/resume", methods: ["POST"], need: "execute", body: "{}", statuses: [404, 422] },
  { path: "/metrics", methods: GET, need: "admin" },
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

interface Credential {
  readonly name: string;
  readonly headers: readonly string[];
  readonly query?: string;
  /** What it may; or the code of its refusal. */
  readonly may: readonly Need[] | string;
}

const ALL: readonly Need[] = ["read", "execute", "admin"];

/** Tokens of the service's secret, and three that only look like some. */
async function tokens(): Promise<readonly Credential[]> {
  const signed = (claims: object, { secret = SECRET, ends = "1h" } = {}): Promise<string> =>
    new SignJWT({ sub: "ada", ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt(ends === "1h" ? undefined : 1_000)
      .setExpirationTime(ends === "1h" ? ends : 2_000)
      .sign(new TextEncoder().encode(secret));
  const part = (data: object): string => Buffer.from(JSON.stringify(data)).toString("base64url");
  const none = `${part({ alg: "none" })}.${part({ sub: "ada", exp: 4e9, iat: 1, permissions: ["admin"] })}.`;
  const admin = { permissions: ["admin"] };
  const made: readonly [string, string, Credential["may"]][] = [
    ["reader", await signed({ permissions: ["read"] }), ["read"]],
    ["executor", await signed({ scope: "execute" }), ["read", "execute"]],
    ["writer", await signed({ permissions: ["write"] }), ["read"]],
    ["admin", await signed(admin), ALL],
    ["of another secret", await signed(admin, { secret: SECRET.toUpperCase() }), "credential_invalid"],
    ["expired", await signed(admin, { ends: "before" }), "credential_expired"],
    ["without a signature", none, "credential_invalid"],
  ];
  return made.map(([name, token, may]) => ({
    name: `token ${name}`,
    headers: ["Authorization", `Bearer ${token}`],
    may,
  }));
}

async function credentials(): Promise<readonly Credential[]> {
  const key = (name: string, value: string, may: Credential["may"]): Credential => ({
    name,
    headers: ["X-API-Key", value],
    may,
  });
  return [
    { name: "none", headers: [], may: "credential_missing" },
    { name: "basic", headers: ["Authorization", "Basic YTpi"], may: "credential_missing" },
    key("malformed", "a key", "credential_malformed"),
    key("empty", "", "credential_malformed"),
    key("unknown", "fsk_unknown-0123456789-0123456789-012345", "credential_invalid"),
    key("expired", KEYS.expired, "credential_expired"),
    {
      name: "twice",
      headers: ["X-API-Key", KEYS.admin, "X-API-Key", KEYS.admin],
      may: "credential_ambiguous",
    },
    key("admin", KEYS.admin, ALL),
    key("readonly", KEYS.readonly, ["read"]),
    key("executor", KEYS.executor, ["read", "execute"]),
    key("developer", KEYS.developer, ["read"]),
    key("environment", ENVIRONMENT_KEY, ["read"]),
    {
      name: "a key as a token",
      headers: ["Authorization", `Bearer ${KEYS.executor}`],
      may: "credential_invalid",
    },
    { name: "query", headers: [], query: `api_key=${KEYS.executor}`, may: ["read", "execute"] },
    {
      name: "bad, with a good query",
      headers: ["X-API-Key", "fsk_bad"],
      query: `api_key=${KEYS.admin}`,
      may: "credential_invalid",
    },
    ...(await tokens()),
  ];
}

type Spelling = readonly [kind: "same" | "other" | "invalid", target: string];

/** Spellings that mean the route, that mean nothing, and that are refused before anything is looked at. */
function spellingsOf(path: string): readonly Spelling[] {
  const anywhere: readonly Spelling[] = [
    ["same", path],
    ["same", `http://evil.example${path}`],
    ["same", `${path}?x=/health`],
    ["invalid", `/${path}`],
    ["invalid", `/.${path}`],
    ["invalid", `/health/..${path}`],
    ["invalid", `/%2e%2e${path}`],
    ["invalid", `${path}%2f`],
    ["invalid", `${path}%5c`],
    ["invalid", `${path}%00`],
    ["invalid", `${path};x`],
    ["invalid", `${path}%`],
  ];
  if (path === "/") return anywhere;
  const encoded = `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`;
  // The name of a workflow may hold a slash: what comes after one belongs to it.
  const longer: readonly Spelling[] = path.startsWith("/workflows/") ? [] : [["other", `${path}/`]];
  return [...anywhere, ...longer, ["other", path.toUpperCase()], ["invalid", encoded]];
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Of the odd spellings each meets one credential of so many, in turn; the plain one meets all. */
const SHARE = inCi ? 1 : 12;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let strangers = 0;

/** A bad credential comes from an address of its own each time: many from one are held back. */
function ask(
  method: string,
  target: string,
  {
    headers,
    isBad,
    body,
  }: { readonly headers: readonly string[]; readonly isBad: boolean; readonly body: string },
): Promise<Answer> {
  strangers += isBad ? 1 : 0;
  const from = `127.${1 + (strangers >> 16)}.${(strangers >> 8) & 255}.${strangers & 255}`;
  const type = body === "" ? [] : ["Content-Type", "application/json", "Content-Length", String(body.length)];
  return new Promise((resolve, reject) => {
    const asked = request({
      host: "127.0.0.1",
      port: service.port,
      method,
      path: target,
      headers: ["Host", "127.0.0.1", ...headers, ...type],
      ...(isBad ? { localAddress: from, agent: false } : { agent }),
    });
    asked.on("error", reject);
    asked.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString("utf8"),
        }),
      );
    });
    asked.end(body);
  });
}

const STATUS: { readonly [code: string]: number } = {
  credential_ambiguous: 400,
  permission_denied: 403,
  method_not_allowed: 405,
  path_invalid: 400,
  route_not_found: 404,
};

/** The code of the refusal that the order of checks asks for; null when the request is let through. */
function refusalOf(route: Route, method: string, [kind]: Spelling, { may }: Credential): string | null {
  if (kind === "invalid") return "path_invalid";
  if (kind === "other") return "route_not_found";
  if (!route.methods.includes(method)) return "method_not_allowed";
  if (route.need === "public") return null;
  if (typeof may === "string") return may;
  return may.includes(route.need) ? null : "permission_denied";
}

/** What is wrong with a refusal, in words. */
function faultOf({ status, headers, body }: Answer, code: string, method: string): string | null {
  const wanted = STATUS[code] ?? 401;
  if (status !== wanted) return `${status}, not ${wanted} ${code}`;
  if (headers["content-type"] !== "application/problem+json") return `type ${headers["content-type"]}`;
  if (status === 401 && headers["www-authenticate"] === undefined) return "no challenge";
  if (status === 405 && headers.allow === undefined) return "no Allow";
  if (headers["cache-control"] !== "no-store") return "may be kept";
  if (method === "HEAD") return body === "" ? null : "HEAD has a body";
  const problem = JSON.parse(body);
  if (problem.code !== code) return `code ${problem.code}, not ${code}`;
  if (problem.request_id !== headers["x-request-id"]) return "another request id";
  return /\n\s+at |\.[jt]s:\d|node_modules|\/tmp\//.test(body) ? `it tells too much: ${body}` : null;
}

test.skipIf(process.platform !== "linux")(
  "A01 A30 H01 to H23: every route, method, credential and spelling: no wrong grant, no wrong refusal",
  async () => {
    const all = await credentials();
    const wrong: string[] = [];
    let asked = 0;
    let granted = 0;
    let turn = 0;
    const check = async (
      route: Route,
      method: string,
      spelling: Spelling,
      credential: Credential,
    ): Promise<void> => {
      const target =
        credential.query === undefined
          ? spelling[1]
          : `${spelling[1]}${spelling[1].includes("?") ? "&" : "?"}${credential.query}`;
      const isBad = typeof credential.may === "string" && credential.may !== "credential_missing";
      const body = route.methods.includes(method) ? (route.body ?? "") : "";
      const answer = await ask(method, target, { headers: credential.headers, isBad, body });
      const code = refusalOf(route, method, spelling, credential);
      const { statuses = [200] } = route;
      if (code === null) granted += 1;
      const fault =
        code === null
          ? statuses.includes(answer.status)
            ? null
            : `${answer.status}, not ${statuses}`
          : faultOf(answer, code, method);
      asked += 1;
      if (fault !== null) wrong.push(`${credential.name}: ${method} ${target}: ${fault}`);
    };
    for (const route of ROUTES) {
      for (const method of METHODS) {
        for (const [at, spelling] of spellingsOf(route.path).entries()) {
          turn += 1;
          const some = all.filter((_, index) => at === 0 || (index + turn) % SHARE === 0);
          await Promise.all(some.map((credential) => check(route, method, spelling, credential)));
        }
      }
    }
    agent.destroy();
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(asked).toBeGreaterThan(40_000 / SHARE);
    expect(granted).toBeGreaterThan(1_000 / SHARE);
  },
);
