import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, SignJWT } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKey } from "../../runtime/auth/keys.js";
import { mintIdentityToken, mintOwnToken } from "../../runtime/auth/mint.js";
import { type Door, NOW, openDoor } from "./door.js";

const SECRET = "own-secret-own-secret-own-secret-own-secret";
const PROJECT_SECRET = "project-secret-project-secret-project-secret";
const SECONDS = NOW / 1_000;
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });

const text = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();
const part = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token signed by hand, so that it can be wrong in any way. */
function hmac(claims: unknown, header: object = { alg: "HS256" }, secret = SECRET): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

const GOOD = { sub: "ada", iat: SECONDS - 60, exp: SECONDS + 600 };
const own = (claims: object, header?: object): string => hmac({ ...GOOD, ...claims }, header);
const without = (name: keyof typeof GOOD, more: object = {}): string =>
  hmac(Object.fromEntries(Object.entries({ ...GOOD, ...more }).filter(([key]) => key !== name)));

const config = (section: object): string => JSON.stringify({ authentication: section });
const jwtDoor = (settings: object = {}): Door => openDoor(config({ jwt: { secret: SECRET, ...settings } }));

let asked = 0;

async function ask(door: Door, token: string, needs: "read" | "execute" | "admin" = "read"): Promise<string> {
  door.now = NOW;
  return door.answer({
    headers: [["Authorization", `Bearer ${token}`]],
    needs: [needs],
    // Who was refused often is not listened to for a while.
    from: `10.0.${++asked >> 8}.${asked & 255}`,
  });
}

describe("the section jwt", () => {
  const door = jwtDoor();

  test("a good token passes, as its user", async () => {
    expect(await ask(door, own({}))).toBe("200");
    expect(await ask(door, own({ iat: SECONDS + 4 }))).toBe("200");
    const result = await door.knock({ headers: [["Authorization", `Bearer ${own({})}`]] });
    expect(result).toMatchObject({ principal: { kind: "jwt", userId: "ada", roles: [] } });
  });

  test.each<[object, readonly string[]]>([
    [{ role: "finance" }, ["finance"]],
    [{ roles: ["finance", "board"], role: "other" }, ["finance", "board"]],
    [{ roles: ["finance", 5, "", null, ["board"]] }, ["finance"]],
    [{ roles: "finance" }, []],
    [{ user_metadata: { role: "finance" } }, []],
  ])("%j has the roles %j", async (claims, roles) => {
    const result = await door.knock({ headers: [["Authorization", `Bearer ${own(claims)}`]] });
    expect(result).toMatchObject({ principal: { roles } });
  });

  test.each(["os:ada", "role:finance"])("the user %s is none of a token", async (sub) => {
    expect(await ask(door, own({ sub }))).toBe("401 credential_invalid");
  });

  test.each<[string, string]>([
    ["J01 none", `${part({ alg: "none" })}.${part(GOOD)}.`],
    ["J02 NoNe", `${part({ alg: "NoNe" })}.${part(GOOD)}.${part("x")}`],
    ["J03 no algorithm", hmac(GOOD, { typ: "JWT" })],
    ["J04 HS512", hmac(GOOD, { alg: "HS512" })],
    ["J05 RS256 with the secret", hmac(GOOD, { alg: "RS256" })],
    ["J07 another payload", own({}).replace(/\.[^.]*\./, `.${part({ ...GOOD, sub: "eve" })}.`)],
    ["J08 no signature", `${own({}).split(".").slice(0, 2).join(".")}.`],
    ["J09 no exp", without("exp")],
    ["J10 exp as text", own({ exp: "9999999999" })],
    ["J13 nbf ahead", own({ nbf: SECONDS + 60 })],
    ["J14 iat ahead", own({ iat: SECONDS + 60 })],
    ["no iat", without("iat")],
    ["J19 an unknown crit", hmac(GOOD, { alg: "HS256", crit: ["x"], x: 1 })],
    ["J20 b64 false", hmac(GOOD, { alg: "HS256", b64: false, crit: ["b64"] })],
    ["J25 five parts", `${own({})}.a.b`],
    ["J26 two parts", "a.b"],
    ["J28 a list as payload", hmac([GOOD])],
    ["text as payload", hmac('"x"')],
    ["J31 no sub", without("sub")],
    ["J31 sub as a number", own({ sub: 5 })],
    ["J31 an empty sub", own({ sub: "" })],
    ["J43 another secret", hmac(GOOD, { alg: "HS256" }, "o".repeat(40))],
    ["J27 dots", ".."],
  ])("%s: refused", async (_, token) => {
    expect(await ask(door, token)).toBe("401 credential_invalid");
  });

  test.each<[string, string]>([
    ["J11 exp is now", own({ exp: SECONDS })],
    ["J15 too old", own({ iat: SECONDS - 25 * 3_600 })],
    ["J12 for ever, but too old", own({ exp: 1e20, iat: SECONDS - 25 * 3_600 })],
  ])("%s: expired", async (_, token) => {
    expect(await ask(door, token)).toBe("401 credential_expired");
  });

  test.each<[string, string]>([
    ["J39 the scheme in lower case", `bearer ${own({})}`],
    ["J39 two spaces", `Bearer  ${own({})}`],
    ["J39 Bearer alone", "Bearer"],
    ["J27 nothing behind it", "Bearer "],
    ["quotes", `Bearer "${own({})}"`],
    ["J40 9 KB", `Bearer ${own({ pad: "x".repeat(9_000) })}`],
  ])("%s: malformed", async (_, value) => {
    expect(await door.answer({ headers: [["Authorization", value]], from: "10.1.1.1" })).toBe(
      "401 credential_malformed",
    );
  });

  test("J21 J22 J23 J24 the key is never taken from the token", async () => {
    const jwk = await exportJWK(ec.publicKey);
    for (const extra of [
      { jwk },
      { jku: "http://127.0.0.1:9/jwks" },
      { x5u: "http://127.0.0.1:9/" },
      { kid: "../../dev/null" },
      { kid: "' or 1=1" },
    ]) {
      const token = await new SignJWT(GOOD)
        .setProtectedHeader({ alg: "ES256", ...extra })
        .sign(ec.privateKey);
      expect(await ask(door, token), JSON.stringify(extra)).toBe("401 credential_invalid");
    }
  });

  test("J16 J17 J18 issuer and audience", async () => {
    const strict = jwtDoor({ issuer: "us", audience: "them" });
    const good = { iss: "us", aud: "them" };
    expect(await ask(strict, own(good))).toBe("200");
    expect(await ask(strict, own({ ...good, aud: ["x", "them"] }))).toBe("200");
    for (const claims of [
      { iss: "us" },
      { ...good, aud: "x" },
      { ...good, aud: ["x"] },
      { aud: "them" },
      { ...good, iss: "you" },
      { ...good, iss: ["us"] },
    ])
      expect(await ask(strict, own(claims)), JSON.stringify(claims)).toBe("401 credential_invalid");
  });

  test.each<[string, object, string, string]>([
    ["neither list nor scope: the default, read", {}, "200", "403"],
    ["a list", { permissions: ["execute"] }, "200", "200"],
    ["J32 unknown permissions are ignored", { permissions: ["root"] }, "200", "403"],
    ["J32 beside known ones", { permissions: ["root", "read"] }, "200", "403"],
    ["J33 text is not split", { permissions: "read execute" }, "200", "403"],
    ["J33 a list decides before the scope", { permissions: [], scope: "execute" }, "200", "403"],
    ["J34 a scope", { scope: "read execute" }, "200", "200"],
    ["a scope of others", { scope: "openid email" }, "200", "403"],
    ["a role is nothing here", { role: "admin" }, "200", "403"],
    ["names of objects", { permissions: ["__proto__", "constructor"] }, "200", "403"],
  ])("permissions: %s", async (_, claims, read, execute) => {
    expect((await ask(door, own(claims), "read")).slice(0, 3)).toBe(read);
    expect((await ask(door, own(claims), "execute")).slice(0, 3)).toBe(execute);
  });

  test("an empty list of default permissions gives none to a token that names none", async () => {
    const closed = openDoor(config({ permissions: { default_permissions: [] }, jwt: { secret: SECRET } }));
    expect(await ask(closed, own({}), "read")).toBe("403 permission_denied");
    expect(await ask(closed, own({ permissions: ["read"] }), "read")).toBe("200");
  });

  test("J46 an API key as a token is refused, with a hint", async () => {
    const result = await door.knock({ headers: [["Authorization", `Bearer ${createKey()}`]] });
    expect(result).toMatchObject({
      status: 401,
      code: "credential_invalid",
      detail: expect.stringContaining("X-API-Key"),
    });
  });

  test("a lack of permission says so to the holder of a token", async () => {
    const result = await door.knock({
      headers: [["Authorization", `Bearer ${own({})}`]],
      needs: ["execute"],
    });
    expect(result).toMatchObject({
      status: 403,
      headers: {
        "WWW-Authenticate": 'Bearer realm="flowsheet", error="insufficient_scope", scope="execute"',
      },
    });
  });

  test("tokens of `auth token` are accepted", async () => {
    const { jwt } = door.authenticator.plan;
    const wish = { userId: "ada", permissions: ["execute"] as const, role: null, seconds: 60, now: NOW };
    const token = jwt === null ? null : await mintOwnToken(jwt, wish);
    expect(await ask(door, token ?? "", "execute")).toBe("200");
  });
});

describe("public keys", () => {
  test.each([
    ["RS256", rsa.publicKey, rsa.privateKey],
    ["PS256", rsa.publicKey, rsa.privateKey],
    ["ES256", ec.publicKey, ec.privateKey],
  ])("%s", async (algorithm, publicKey, privateKey) => {
    const door = openDoor(config({ jwt: { algorithm, public_key: text(publicKey) } }));
    const token = await new SignJWT(GOOD).setProtectedHeader({ alg: algorithm }).sign(privateKey);
    expect(await ask(door, token)).toBe("200");
    // J06: the public key is no secret.
    expect(await ask(door, hmac(GOOD, { alg: "HS256" }, text(publicKey)))).toBe("401 credential_invalid");
    const other = algorithm === "ES256" ? "ES384" : algorithm === "RS256" ? "PS256" : "RS256";
    if (other !== "ES384") {
      const confused = await new SignJWT(GOOD).setProtectedHeader({ alg: other }).sign(privateKey);
      expect(await ask(door, confused)).toBe("401 credential_invalid");
    }
  });
});

/** A server that answers as it is told. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("keys that are fetched", () => {
  const keySet = async (): Promise<string> =>
    JSON.stringify({ keys: [{ ...(await exportJWK(ec.publicKey)), kid: "k1", alg: "ES256", use: "sig" }] });
  const signed = (kid = "k1"): Promise<string> =>
    new SignJWT(GOOD).setProtectedHeader({ alg: "ES256", kid }).sign(ec.privateKey);
  const remote = (url: string): Door =>
    openDoor(config({ jwt: { algorithm: "ES256", jwks_url: `${url}/jwks` } }), {}, { jwksTimeoutMs: 1_000 });

  test("are fetched once, and used", async () => {
    let asked = 0;
    const body = await keySet();
    const door = remote(await serve((_, response) => response.end(body, () => asked++)));
    for (let at = 0; at < 5; at++) expect(await ask(door, await signed())).toBe("200");
    expect(await ask(door, await signed("other"))).toBe("401 credential_invalid");
    expect(asked).toBeLessThanOrEqual(2);
  });

  test.each<[string, RequestListener]>([
    ["an error", (_, response) => response.writeHead(500).end()],
    ["no JSON", (_, response) => response.end("<html>")],
    ["no key set", (_, response) => response.end("{}")],
    ["no answer", () => {}],
    ["more than a set of keys can be", (_, response) => response.end("x".repeat(2_000_000))],
    [
      "J45 a redirect",
      (_, response) => response.writeHead(302, { Location: "http://127.0.0.1:9/jwks" }).end(),
    ],
  ])("J44 when there is %s: 503", async (_, listener) => {
    const door = remote(await serve(listener));
    const result = await door.knock({ headers: [["Authorization", `Bearer ${await signed()}`]] });
    expect(result).toMatchObject({
      status: 503,
      code: "identity_unavailable",
      headers: { "Retry-After": "5" },
    });
  });

  test("J44 a service that is down is not asked again at once, and is found again", async () => {
    let asked = 0;
    let up = false;
    const body = await keySet();
    const url = await serve((_, response) => {
      asked++;
      if (up) response.end(body);
      else response.writeHead(503).end();
    });
    const door = remote(url);
    for (let at = 0; at < 5; at++) expect(await ask(door, await signed())).toBe("503 identity_unavailable");
    expect(asked).toBe(1);
    up = true;
    await expect.poll(async () => ask(door, await signed()), { interval: 500 }).toBe("200");
  });
});

describe("the hosted identity service", () => {
  const URL = "https://abc.supabase.co";
  const section = {
    url: URL,
    anon_key: "anon",
    jwt_secret: PROJECT_SECRET,
    role_mapping: { authenticated: ["read", "write"], service_role: ["admin"] },
    metadata_mapping: { user_id: "id", username: "email", role: "role" },
  };
  const door = openDoor(config({ supabase: section }));
  const USER = {
    ...GOOD,
    iss: `${URL}/auth/v1`,
    aud: "authenticated",
    role: "authenticated",
    email: "ada@example.org",
  };
  const token = (claims: object): string => hmac({ ...USER, ...claims }, { alg: "HS256" }, PROJECT_SECRET);
  const project = (role: string): string =>
    hmac(
      { iss: "supabase", ref: "abc", role, iat: SECONDS - 60, exp: SECONDS + 1e8 },
      { alg: "HS256" },
      PROJECT_SECRET,
    );

  test("a user passes with the permissions of the role", async () => {
    const result = await door.knock({ headers: [["Authorization", `Bearer ${token({})}`]] });
    expect(result).toMatchObject({
      ok: true,
      principal: { kind: "identity", userId: "ada", username: "ada@example.org", roles: ["authenticated"] },
    });
    expect(await ask(door, token({}), "execute")).toBe("403 permission_denied");
  });

  test.each<[string, string, string]>([
    [
      "J29 __proto__ brings no role",
      hmac(
        `{"__proto__":{"role":"service_role"},"sub":"a","iss":"${URL}/auth/v1","aud":"authenticated","iat":${SECONDS - 1},"exp":${SECONDS + 60}}`,
        { alg: "HS256" },
        PROJECT_SECRET,
      ),
      "403 role_unmapped",
    ],
    [
      "J30 of two roles the last counts",
      hmac(
        `{"role":"service_role","sub":"a","iss":"${URL}/auth/v1","aud":"authenticated","iat":${SECONDS - 1},"exp":${SECONDS + 60},"role":"anon"}`,
        { alg: "HS256" },
        PROJECT_SECRET,
      ),
      "403 role_unmapped",
    ],
    [
      "J35 a role that the user wrote",
      token({ role: undefined, user_metadata: { role: "service_role" } }),
      "403 role_unmapped",
    ],
    ["J36 anon", token({ role: "anon" }), "403 role_unmapped"],
    ["J36 the project's anon key", project("anon"), "403 role_unmapped"],
    ["J37 constructor", token({ role: "constructor" }), "403 role_unmapped"],
    ["J37 __proto__", token({ role: "__proto__" }), "403 role_unmapped"],
    ["a role that is a list", token({ role: ["service_role"] }), "403 role_unmapped"],
    ["J31 no user", token({ sub: undefined }), "401 credential_invalid"],
    ["J31 a number", token({ sub: 5 }), "401 credential_invalid"],
    ["J14 iat ahead", token({ iat: SECONDS + 60 }), "401 credential_invalid"],
    ["a clock that goes ahead a little", token({ iat: SECONDS + 4 }), "200"],
    ["no iat", token({ iat: undefined }), "401 credential_invalid"],
    ["J15 too old", token({ iat: SECONDS - 8 * 24 * 3_600 }), "401 credential_invalid"],
    [
      "J12 for ever, but too old",
      token({ iat: SECONDS - 8 * 24 * 3_600, exp: 1e20 }),
      "401 credential_invalid",
    ],
    ["a name too long", token({ sub: "x".repeat(257) }), "401 credential_invalid"],
    [
      "a user by the issuer of keys",
      token({ iss: "supabase", role: "authenticated" }),
      "401 credential_invalid",
    ],
    [
      "a key of another project",
      token({ iss: "supabase", role: "anon", ref: "other" }),
      "401 credential_invalid",
    ],
    ["J09 no exp", token({ exp: undefined }), "401 credential_invalid"],
    ["J11 expired", token({ exp: SECONDS }), "401 credential_expired"],
    ["J16 another audience", token({ aud: "other" }), "401 credential_invalid"],
    ["J16 no audience", token({ aud: undefined }), "401 credential_invalid"],
    ["J17 among others", token({ aud: ["x", "authenticated"] }), "200"],
    ["J18 another project", token({ iss: "https://other.supabase.co/auth/v1" }), "401 credential_invalid"],
    ["no issuer", token({ iss: undefined }), "401 credential_invalid"],
    ["J42 another secret", hmac(USER, { alg: "HS256" }, SECRET), "401 credential_invalid"],
    ["J01 none", `${part({ alg: "none" })}.${part(USER)}.`, "401 credential_invalid"],
  ])("%s", async (_, value, answer) => {
    expect(await ask(door, value)).toBe(answer);
  });

  test("J38 the service's role is admin when it is mapped, and nothing when it is not", async () => {
    expect(await ask(door, token({ role: "service_role" }), "admin")).toBe("200");
    expect(await ask(door, project("service_role"), "admin")).toBe("200");
    const unmapped = openDoor(config({ supabase: { ...section, role_mapping: {} } }));
    expect(await ask(unmapped, token({ role: "service_role" }))).toBe("403 role_unmapped");
  });

  test("fields may lie deeper; what the user can write is no role", async () => {
    const deep = openDoor(
      config({ supabase: { ...section, metadata_mapping: { role: "app_metadata.role" } } }),
    );
    expect(await ask(deep, token({ app_metadata: { role: "service_role" } }), "admin")).toBe("200");
    // The keys of a project are no users: also here their role is their own, and anon is public.
    const anon = hmac(
      {
        iss: "supabase",
        ref: "abc",
        role: "anon",
        app_metadata: { role: "service_role" },
        iat: SECONDS,
        exp: SECONDS + 60,
      },
      { alg: "HS256" },
      PROJECT_SECRET,
    );
    expect(await ask(deep, anon)).toBe("403 role_unmapped");
    expect(() =>
      openDoor(config({ supabase: { ...section, metadata_mapping: { role: "user_metadata.role" } } })),
    ).toThrow("user_metadata");
  });

  test("J31 a user has a sub, whatever else the id is read from", async () => {
    const mapped = openDoor(config({ supabase: { ...section, metadata_mapping: { user_id: "email" } } }));
    expect(await ask(mapped, token({}))).toBe("200");
    for (const sub of [undefined, 7, ""])
      expect(await ask(mapped, token({ sub }))).toBe("401 credential_invalid");
  });

  test("beside the section jwt, each token is checked by its own", async () => {
    const both = openDoor(config({ supabase: section, jwt: { secret: SECRET } }));
    expect(await ask(both, token({}))).toBe("200");
    expect(await ask(both, own({}))).toBe("200");
    // The issuer only says who is asked: with the other's secret it is worth nothing.
    expect(await ask(both, own({ ...USER, role: "service_role" }))).toBe("401 credential_invalid");
    expect(await ask(both, hmac(GOOD, { alg: "HS256" }, PROJECT_SECRET))).toBe("401 credential_invalid");
  });

  test("without a secret its keys are fetched, with the project's key", async () => {
    let asked = "";
    const body = JSON.stringify({ keys: [{ ...(await exportJWK(ec.publicKey)), kid: "k1" }] });
    const url = await serve((request, response) => {
      asked = `${request.url} ${request.headers["apikey"]}`;
      response.end(body);
    });
    const hosted = openDoor(config({ supabase: { ...section, url, jwt_secret: undefined } }));
    const value = await new SignJWT({ ...USER, iss: `${url}/auth/v1` })
      .setProtectedHeader({ alg: "ES256", kid: "k1" })
      .sign(ec.privateKey);
    expect(await ask(hosted, value)).toBe("200");
    expect(asked).toBe("/auth/v1/.well-known/jwks.json anon");
    expect(
      await ask(hosted, hmac({ ...USER, iss: `${url}/auth/v1` }, { alg: "HS256" }, text(ec.publicKey))),
    ).toBe("401 credential_invalid");
  });

  test("tokens of `auth token` are accepted", async () => {
    const { identity } = door.authenticator.plan;
    const wish = { userId: "ada", permissions: [], role: "service_role", seconds: 60, now: NOW };
    const value = identity === null ? null : await mintIdentityToken(identity, wish);
    expect(await ask(door, value ?? "", "admin")).toBe("200");
  });
});
