import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { check, lines } from "./check.js";

describe("defaults", () => {
  test("an empty file says nothing, and all has a default", () => {
    const { configuration, findings } = check("");
    expect(findings).toEqual([]);
    expect(configuration).toMatchObject({
      hasAuthentication: false,
      settings: {
        workflows: "workflows",
        runs: { folder: ".flowsheet/runs", keep: "all", retention: "30d" },
        execution: { max_steps: 10_000, timeout_ms: null, concurrency: 100 },
        server: { host: "127.0.0.1", port: 8_000, base_path: "", rate_limit: null, body_limit: 1_048_576 },
        logging: { loggers: {} },
      },
      auth: {
        mode: "on",
        keys: [],
        publicEndpoints: ["/", "/health", "/docs", "/openapi.json", "/redoc", "/favicon.ico"],
      },
    });
  });

  test("sections with nothing in them are as good as absent", () => {
    expect(check("server:\nlogging:\nexecution:\n  timeout_ms:\n").findings).toEqual([]);
  });
});

describe("findings", () => {
  test("name the place, and what was probably meant", () => {
    const checked = check("worflows: a\nserver:\n  prot: 1\n  host: 5\nexecution: {max_steps: 0}\n");
    expect([...lines(checked)].sort()).toEqual([
      "error config-bad-value execution.max_steps 5:24",
      "error config-bad-value server.host 4:9",
      "warning config-unknown-key server.prot 3:3",
      "warning config-unknown-key worflows 1:1",
    ]);
    expect(new Set(checked.findings.map(({ help }) => help))).toEqual(
      new Set([
        'did you mean "workflows"?',
        null,
        'did you mean "port"?',
        "put the value in quotes: it is text, not a number",
      ]),
    );
    expect(checked.configuration).toBeNull();
  });

  test("unknown keys alone change nothing", () => {
    expect(check("server:\n  prot: 1\n  port: 81\n").configuration?.settings.server.port).toBe(81);
  });

  test.each([
    ["- a", "the configuration is not a mapping of settings"],
    ["llm: {default_provider: opnai}", 'names a provider that is not there: "opnai"'],
    ["llm: {providers: {x: {kind: openai-compatible}}}", "has no base_url"],
    ["llm: {providers: {x: {kind: gpt}}}", "must be one of openai, anthropic"],
    ["llm: {providers: {x: {}}}", "llm.providers.x.kind is missing"],
    ["server: {base_path: api}", "must be a path that begins with /"],
    ["server: {port: 70000}", "a whole number, 0 to 65535"],
    ["server: {cors: [example.org]}", "must be an origin"],
    ["logging: {loggers: {flowsheet.auth: {level: loud}}}", "one of DEBUG, INFO, WARNING, ERROR"],
    ["logging: {loggers: {flowsheet.auht: {}}}", 'there is no logger "flowsheet.auht"'],
    ["server: [1]", "server must be a mapping of settings, not a list"],
  ])("%s", (text, message) => {
    expect(check(text).findings[0]?.message).toContain(message);
  });
});

describe("env: references", () => {
  test("stand for variables, also where a number is needed; a default follows a second colon", () => {
    const text =
      'server:\n  host: env:HOST\n  port: env:PORT\n  base_path: env:NONE:/a:b\n  static: "env:NONE:"\nllm:\n  default_provider: env:P:mock\n';
    const { configuration, findings } = check(
      text.replace("/a:b", "/ab").replace('  static: "env:NONE:"\n', ""),
      { HOST: "::1", PORT: "81" },
    );
    expect(findings).toEqual([]);
    expect(configuration?.settings.server).toMatchObject({ host: "::1", port: 81, base_path: "/ab" });
    expect(configuration?.settings.llm.default_provider).toBe("mock");
  });

  test("A52 a variable that is not set, one without a name, and one that names another", () => {
    const entry = (key: string): string =>
      `authentication:\n  api_keys:\n    a:\n      key: ${key}\n      permissions: [admin]\n      user_id: a\n`;
    const unset = check(entry("env:NONE"));
    expect(lines(unset)).toEqual(["error config-unset-variable authentication.api_keys.a.key 4:12"]);
    expect(unset.configuration?.auth.keys).toEqual([]);
    expect(lines(check(entry('"env:"')))[0]).toContain("config-unset-variable");
    // What A holds is the key itself, and no key may have a colon.
    const nested = check(entry("env:A"), { A: "env:B", B: "x".repeat(40) });
    expect(lines(nested)).toEqual(["error config-bad-key authentication.api_keys.a.key 4:12"]);
    expect(nested.configuration?.auth.keys).toEqual([]);
  });

  test("a value of the environment is not shown", () => {
    const { findings } = check("server:\n  port: env:PORT\n", { PORT: "hunter2hunter2" });
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });

  test("inherited names are no variables", () => {
    const checked = check("workflows: env:constructor\n");
    expect(lines(checked)).toEqual(["error config-unset-variable workflows 1:12"]);
    // A folder must not silently become another.
    expect(checked.configuration).toBeNull();
  });
});

describe("secrets", () => {
  const SECRET = "hunter2-hunter2-hunter2-hunter2-hunter2";
  const text = [
    "llm:",
    `  providers: {x: {kind: openai, api_key: ${SECRET}, modle: a}}`,
    "authentication:",
    "  api_keys:",
    `    a: {key: "${SECRET}1", permissions: [Read], user_id: a}`,
    `    b: ${SECRET}2`,
    "    c:",
    `      key: |`,
    `        ${SECRET}3`,
    "      permissions: [read]",
    "  jwt:",
    `    secret: '${SECRET}4'`,
    "    algorithm: none",
    "  supabase:",
    `    anon_key: ${SECRET}5`,
    `    jwt_secret: env:NONE:${SECRET}6`,
    "",
  ].join("\n");

  test("S01 stand in no finding and in no shown text, which keeps its places", () => {
    const { findings, shownText } = check(text);
    expect(findings.length).toBeGreaterThan(2);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
    expect(shownText).not.toContain("hunter2");
    expect(shownText?.split("\n").map((line) => line.length)).toEqual(
      text.split("\n").map((line) => line.length),
    );
    expect(shownText).toContain("env:NONE".length === 8 ? "permissions: [Read]" : "");
  });

  test("S04 are not printed with the configuration", () => {
    const good = `llm:\n  providers: {x: {kind: openai, api_key: ${SECRET}}}\nauthentication:\n  jwt: {secret: ${SECRET}}\n  api_keys:\n    a: {key: ${SECRET}, permissions: [read], user_id: a}\n`;
    const { configuration } = check(good);
    expect(configuration).not.toBeNull();
    for (const shown of [inspect(configuration, { depth: 20 }), JSON.stringify(configuration)]) {
      expect(shown).toContain("[redacted]");
      expect(shown).not.toContain("hunter2");
    }
    expect(configuration?.settings.llm.providers["x"]?.api_key?.reveal()).toBe(SECRET);
  });
});
