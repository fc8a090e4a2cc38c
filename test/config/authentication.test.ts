import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKey } from "../../runtime/auth/keys.js";
import { check, lines } from "./check.js";

const KEY = `sha256:${"a1".repeat(32)}`;
const OTHER = `sha256:${"b2".repeat(32)}`;

const withEntry = (rest: string): string =>
  `authentication:\n  api_keys:\n    a:\n      key: "${KEY}"\n      user_id: a\n${rest}\n`;

describe("checks of the specification", () => {
  test("on without any method is a warning", () => {
    const checked = check("authentication:\n  enabled: true\n");
    expect(checked.findings).toMatchObject([
      {
        severity: "warning",
        code: "config-no-method",
        message: expect.stringContaining("no authentication methods configured"),
      },
    ]);
    expect(
      check("authentication:\n  enabled: true\n", { FLOWSHEET_API_KEY_A: "k".repeat(40) }).findings,
    ).toEqual([]);
  });

  test.each([
    ["K28 31 characters", "x".repeat(31)],
    ["J41 31 bytes in fewer characters", "é".repeat(15) + "x"],
    ["J41 32 bytes in 16 characters", "é".repeat(16)],
  ])("a JWT secret of %s is weak, and stops the start", (_, secret) => {
    const checked = check(`authentication:\n  jwt: {secret: "${secret}"}\n`);
    expect(checked.findings).toMatchObject([
      {
        severity: "error",
        code: "config-weak-secret",
        message: expect.stringContaining("weak JWT secret"),
        effect: "stop",
      },
    ]);
    expect(checked.configuration).toBeNull();
    expect(JSON.stringify(checked.findings)).not.toContain(secret);
  });

  test("J41 32 wide characters are enough", () => {
    expect(check(`authentication:\n  jwt: {secret: "${"é".repeat(32)}"}\n`).findings).toEqual([]);
  });

  test("public_endpoints that are no list", () => {
    expect(lines(check("authentication:\n  public_endpoints: /health\n"))[0]).toContain(
      "error config-bad-value authentication.public_endpoints 2:",
    );
  });

  test.each([
    ["Admin", 'did you mean "admin"?'],
    ['"*"', null],
    ["root", null],
    ["read, read", null],
    ["5", null],
  ])("A49 permissions [%s] are an error, and the key is dead", (permissions, help) => {
    const checked = check(withEntry(`      permissions: [${permissions}]`));
    expect(checked.findings[0]).toMatchObject({ severity: "error", code: "config-bad-permission" });
    if (help !== null) expect(checked.findings[0]?.help).toBe(help);
    expect(checked.configuration?.auth.keys).toEqual([]);
  });

  test.each(["read", "", "{read: true}"])("A49 permissions that are no list: %j", (permissions) => {
    const checked = check(withEntry(`      permissions: ${permissions}`));
    expect(checked.findings[0]?.code).toBe("config-bad-permission");
    expect(checked.configuration?.auth.keys).toEqual([]);
  });

  test.each(["finance", "[]", "[5]", '["role:finance"]', '[" finance"]', "{a: b}"])(
    "roles that are no list of names are an error, and the key is dead: %s",
    (roles) => {
      const checked = check(withEntry(`      permissions: [answer]\n      roles: ${roles}`));
      expect(checked.findings[0]).toMatchObject({ severity: "error", code: "config-bad-value" });
      expect(checked.configuration?.auth.keys).toEqual([]);
    },
  );

  test.each([
    "Hello",
    "[]",
    '["*"]',
    '["team/"]',
    '["/*"]',
    '["../*"]',
    '["a/*/b"]',
    '["team/Hello"]',
    "[5]",
  ])("graphs that are none are an error, and the key is dead, not without a limit: %s", (graphs) => {
    const checked = check(withEntry(`      permissions: [read]\n      graphs: ${graphs}`));
    expect(checked.findings[0]).toMatchObject({ severity: "error", code: "config-bad-value" });
    expect(checked.configuration?.auth.keys).toEqual([]);
  });

  test("a key may be limited to graphs", () => {
    const limit = ["Refund", "team/*", "a/b c/*"];
    const checked = check(withEntry(`      permissions: [read]\n      graphs: ${JSON.stringify(limit)}`));
    expect(checked.configuration?.auth.keys).toMatchObject([{ graphs: limit }]);
  });

  test("a key has roles", () => {
    const checked = check(withEntry("      permissions: [answer]\n      roles: [finance, board]"));
    expect(checked.configuration?.auth.keys).toMatchObject([{ roles: ["finance", "board"] }]);
  });

  test.each(["os:ada", "role:finance"])("no key is of the user %s", (user) => {
    const checked = check(
      withEntry("      permissions: [read]").replace(/user_id: .*/, `user_id: "${user}"`),
    );
    expect(checked.findings[0]).toMatchObject({ severity: "error", code: "config-bad-value" });
    expect(checked.configuration?.auth.keys).toEqual([]);
  });

  test("A49 an empty list is an error; the key lives and may do nothing", () => {
    const checked = check(withEntry("      permissions: []"));
    expect(checked.findings[0]?.code).toBe("config-bad-permission");
    expect(checked.configuration?.auth.keys).toMatchObject([{ permissions: new Set() }]);
  });

  test.each([
    "garbage",
    "2025-02-30",
    "1",
    '"1"',
    "''",
    "",
    "null",
    "2025-13-01",
    "2025-01-01T25:00:00",
    "yesterday",
    "[]",
  ])("A28 expires_at: %s is an error, and the key is dead", (expiry) => {
    const checked = check(withEntry(`      permissions: [read]\n      expires_at: ${expiry}`));
    expect(lines(checked)).toEqual([
      "error config-bad-expiry authentication.api_keys.a.expires_at " +
        (checked.findings[0]?.place?.line + ":" + checked.findings[0]?.place?.column),
    ]);
    expect(checked.configuration?.auth.keys).toEqual([]);
  });
});

describe("keys", () => {
  test("A50 two keys of one value stop the start", () => {
    const text = `authentication:\n  api_keys:\n    a: {key: "${KEY}", permissions: [read], user_id: a}\n    b: {key: "${KEY}", permissions: [admin], user_id: b}\n`;
    const checked = check(text);
    expect(lines(checked)).toEqual(["error config-equal-keys authentication.api_keys.b.key 4:14"]);
    expect(checked.configuration).toBeNull();
    expect(check(text.replace(KEY, OTHER)).findings).toEqual([]);
  });

  test("A50 a key as plain text and as a digest are one value, too", () => {
    const text = `authentication:\n  api_keys:\n    a: {key: ${"k".repeat(40)}, permissions: [read], user_id: a}\n    b: {key: env:K, permissions: [admin], user_id: b}\n`;
    expect(check(text, { K: "k".repeat(40) }).configuration).toBeNull();
  });

  test("A50 so is a key of the environment; a variable that the file refers to is the file's", () => {
    const key = "k".repeat(40);
    const text = (value: string): string =>
      `authentication:\n  api_keys:\n    a: {key: ${value}, permissions: [admin], user_id: boss}\n`;
    expect(check(text(key), { FLOWSHEET_API_KEY_A: key }).configuration).toBeNull();
    const referred = check(text("env:FLOWSHEET_API_KEY_A"), { FLOWSHEET_API_KEY_A: key });
    expect(referred.configuration?.auth.keys).toMatchObject([{ name: "a", source: "file", userId: "boss" }]);
  });

  test("plain text works, with a warning", () => {
    const checked = check(
      `authentication:\n  api_keys:\n    a: {key: ${"k".repeat(40)}, permissions: [read], user_id: a}\n`,
    );
    expect(lines(checked)).toEqual(["warning config-plain-key authentication.api_keys.a.key 3:14"]);
    expect(checked.configuration?.auth.keys).toHaveLength(1);
  });

  test("a key of ours that was cut or mistyped is told", () => {
    const cut = createKey().slice(0, -1);
    const text = "authentication:\n  api_keys:\n    a: {key: env:K, permissions: [read], user_id: a}\n";
    expect(lines(check(text, { K: cut }))).toEqual([
      "warning config-bad-key authentication.api_keys.a.key 3:14",
    ]);
    expect(check(text, { K: createKey() }).findings).toEqual([]);
    expect(check("", { FLOWSHEET_API_KEY_A: cut }).notes[0]?.message).toContain("checksum");
  });

  test("an expired key is a warning", () => {
    const checked = check(withEntry("      permissions: [read]\n      expires_at: 2025-01-01T00:00:00"));
    expect(checked.findings.map(({ code }) => code)).toEqual(["config-expired-key"]);
  });

  test("unknown settings of a key are told", () => {
    const checked = check(
      withEntry("      permissions: [read]\n      expire_at: 2027-01-01\n      metadata: {desciption: a}"),
    );
    expect(checked.findings.map(({ help }) => help)).toEqual([
      'did you mean "expires_at"?',
      'did you mean "description"?',
    ]);
  });
});

describe("A48 keys of the environment", () => {
  const notesOf = (env: { readonly [name: string]: string }) => {
    const { configuration, notes } = check("", env);
    return {
      names: configuration?.auth.keys.map(({ name, userId }) => [name, userId]),
      notes: notes.map(({ message }) => message),
    };
  };

  test.each([
    ["empty", "", /empty/],
    ["with spaces", `${"k".repeat(32)} `, /white space/],
    ["with quotes", `"${"k".repeat(32)}"`, /quotes/],
    ["with other letters", `${"k".repeat(32)}é`, /made of/],
  ])("%s: ignored, with a warning", (_, value, message) => {
    expect(notesOf({ FLOWSHEET_API_KEY_USER: value })).toEqual({
      names: [],
      notes: [expect.stringMatching(message)],
    });
  });

  test("of 3 characters: works, with a warning", () => {
    expect(notesOf({ FLOWSHEET_API_KEY_USER: "abc" })).toEqual({
      names: [["FLOWSHEET_API_KEY_USER", "user"]],
      notes: [expect.stringMatching(/weak/)],
    });
  });

  test("near misses of the name are told, other variables not", () => {
    const value = "k".repeat(40);
    for (const name of [
      "FLOWSHEET_API_KEY_user",
      "FLOWSHEET_APIKEY_USER",
      "flowsheet_api_key_USER",
      "FLOWSHEET_API_KEYS_A",
      "FLOWSHEET_API_KEY_",
      "FLOWSHEET_API_KEY",
    ])
      expect(notesOf({ [name]: value }), name).toMatchObject({
        names: [],
        notes: [expect.stringContaining("is no API key")],
      });
    for (const name of ["FLOWSHEET_KEY_ADMIN", "OPENAI_API_KEY", "PATH"])
      expect(notesOf({ [name]: value }), name).toEqual({ names: [], notes: [] });
  });
});

describe("public endpoints", () => {
  test.each([
    "health",
    "*",
    "/*",
    "/a*",
    "/a/*/b",
    "/a/../b",
    "//a",
    "/a%20b",
    "/a?b",
    "/a#b",
    "/static/",
    "/a;b",
    "/ä",
    "''",
    "5",
  ])("%s opens nothing, and is an error", (entry) => {
    const checked = check(
      `authentication:\n  api_keys: {}\n  public_endpoints: ["${entry.replaceAll("'", "")}"]\n`,
      { FLOWSHEET_API_KEY_A: "k".repeat(40) },
    );
    expect(checked.findings.map(({ code, severity }) => [code, severity])).toEqual([
      ["config-bad-endpoint", "error"],
    ]);
    expect(checked.configuration?.auth.publicEndpoints).toEqual([]);
    expect(checked.configuration?.auth.isPublic("/anything")).toBe(false);
  });

  test("H27 an entry over a protected route is a warning that names it", () => {
    const checked = check(
      "authentication:\n  jwt: {secret: " +
        "x".repeat(32) +
        "}\n  public_endpoints: [/execute, /workflows/*]\n",
    );
    expect(checked.findings.map(({ message }) => message)).toEqual([
      expect.stringContaining("/execute"),
      expect.stringContaining("/workflows/{workflow_name}"),
    ]);
  });
});

describe("modes", () => {
  test.each([
    ["enabled: false", "off"],
    ["embedded_mode: {enabled: true, bypass_auth: true}", "bypass"],
    ["embedded_mode: {enabled: true, bypass_auth: false}", "on"],
    ["embedded_mode: {enabled: false, bypass_auth: true}", "on"],
    ["enabled: false\n  embedded_mode: {enabled: true, bypass_auth: true}", "off"],
  ])("%s", (line, mode) => {
    expect(check(`authentication:\n  ${line}\n`).configuration?.auth.mode).toBe(mode);
  });

  test("A58 bypass with a server for others is an error", () => {
    const text =
      "server: {host: 0.0.0.0}\nauthentication:\n  embedded_mode: {enabled: true, bypass_auth: true}\n";
    expect(lines(check(text))).toContain("error config-open-server server.host 1:16");
  });

  test("permissions may be made narrower, not wider", () => {
    const text =
      "authentication:\n  jwt: {secret: " +
      "x".repeat(32) +
      "}\n  permissions: {execution_permissions: [read, execute, admin]}\n";
    const checked = check(text);
    expect(checked.findings[0]?.message).toContain("may make execute narrower, not wider: admin");
    expect(checked.configuration?.auth.expand(["execute"])).toEqual(new Set(["read", "execute", "answer"]));
  });

  test("answer is included in execute, and stands alone", () => {
    const jwt = `authentication:\n  jwt: {secret: ${"x".repeat(32)}}\n`;
    const expanded = (more: string, given: "answer" | "execute") =>
      check(`${jwt}${more}`).configuration?.auth.expand([given]);
    expect(expanded("", "answer")).toEqual(new Set(["answer"]));
    // A list from before there was `answer` names only `execute`.
    const list = (names: string): string => `  permissions: {execution_permissions: [${names}]}\n`;
    expect(expanded(list("execute"), "execute")).toEqual(new Set(["execute", "answer"]));
    expect(expanded(list("read"), "execute")).toEqual(new Set(["read"]));
  });
});

describe("tokens", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const jwt = (settings: object): string => JSON.stringify({ authentication: { jwt: settings } });
  const LONG = "x".repeat(40);

  test.each([
    ["no secret", { algorithm: "HS256" }, "has no secret"],
    ["none", { algorithm: "none", secret: LONG }, "must be one of HS256"],
    [
      "a public key for a secret algorithm",
      { algorithm: "HS256", public_key: publicKey },
      "signs with a secret",
    ],
    ["J06 a public key as the secret", { algorithm: "HS256", secret: publicKey }, "is a key in PEM form"],
    [
      "a secret for a public-key algorithm",
      { algorithm: "RS256", secret: LONG },
      "does not sign with a secret",
    ],
    ["no public key", { algorithm: "RS256" }, "needs a public_key or a jwks_url"],
    ["a private key", { algorithm: "EdDSA", public_key: privateKey }, "is no public key"],
    [
      "keys fetched over http",
      { algorithm: "ES256", jwks_url: "http://example.org/jwks" },
      "must begin with https://",
    ],
    ["garbage as a key", { algorithm: "EdDSA", public_key: "abc" }, "is no public key"],
  ])("%s stops the start", (_, settings, message) => {
    const { configuration, findings } = check(jwt(settings));
    expect(configuration).toBeNull();
    expect(findings[0]?.message).toContain(message);
  });

  test("an unset secret is dead, and so are tokens", () => {
    const { configuration, findings } = check(jwt({ secret: "env:NONE" }));
    expect(findings.map(({ code }) => code)).toEqual(["config-unset-variable"]);
    expect(configuration?.auth.jwt).toBeNull();
  });

  test("the identity section needs an https address", () => {
    const text = (url: string): string =>
      JSON.stringify({ authentication: { supabase: { url, jwt_secret: LONG } } });
    expect(check(text("http://example.org")).configuration).toBeNull();
    expect(check(text("https://user@example.org")).configuration).toBeNull();
    expect(check(text("https://x.supabase.co/")).configuration?.auth.identity?.url).toBe(
      "https://x.supabase.co",
    );
    expect(check(text("http://127.0.0.1:999")).configuration?.auth.identity).not.toBeNull();
    expect(check("authentication: {supabase: {jwt_secret: " + LONG + "}}").configuration).toBeNull();
  });
});
