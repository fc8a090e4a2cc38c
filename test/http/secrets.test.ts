import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { request } from "./raw.js";
import { ASKING, authentication, HELLO, KEYS, startService } from "./service.js";

const CANARIES = {
  ...KEYS,
  environment: "canary-environment-key-0123456789-abcdef",
  model: "sk-canary-model-key-0123456789-abcdefghij",
  plain: "sk-canary/plain+model=key-0123456789",
  jwt: "canary-jwt-secret-0123456789-0123456789-0123",
  unknown: "fsk_canary-unknown-0123456789-0123456789-01",
} as const;

/** A secret as it might be written somewhere. */
function forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
}

const LOGGERS = ["flowsheet.auth", "flowsheet.http", "flowsheet.run"]
  .map((name) => `    ${name}: {level: DEBUG, handlers: [console, file]}\n`)
  .join("");
const CONFIG = `${authentication(`  jwt: {secret: "env:JWT_SECRET", algorithm: HS256}\n`)}llm:
  default_provider: hosted
  providers:
    hosted: {kind: openai-compatible, base_url: "http://127.0.0.1:9/v1", api_key: "env:MODEL_KEY", model: m}
    other: {kind: openai-compatible, base_url: "http://127.0.0.1:9/v1", api_key: "${CANARIES.plain}", model: m}
logging:
  file: server.log
  loggers:
${LOGGERS}`;
/** An agent whose error tells all that it should not. */
const LEAKY = `import { defineAgent } from "flowsheet";
export const LeakyAgent = defineAgent((inputs, { log }) => {
  const cause = new Error("with ${CANARIES.model}");
  log?.debug?.("about to fail with ${CANARIES.model}", { key: "${CANARIES.plain}" });
  throw new Error("refused ${CANARIES.model} and ${CANARIES.plain}", { cause });
});
`;

test("S01 S03 S07 no canary is in any answer or log, in whatever form, at DEBUG", async () => {
  const service = await startService({
    config: CONFIG,
    env: {
      FLOWSHEET_API_KEY_CANARY: CANARIES.environment,
      MODEL_KEY: CANARIES.model,
      JWT_SECRET: CANARIES.jwt,
    },
    files: {
      "workflows/hello.csv": HELLO,
      "workflows/asking.csv": ASKING,
      "workflows/leaky.csv": "graph_name,node_name,agent_type,output_field\nLeaky,Fail,leaky,x\n",
      "agents/leaky.ts": LEAKY,
    },
  });
  const answers: string[] = [];
  const send = async (line: string, headers: readonly string[] = [], body = ""): Promise<string> => {
    const answer = await request(service.port, line, headers, body);
    answers.push(`${[...answer.headers].join("\n")}\n${answer.body}`);
    return answer.body;
  };
  const json = "Content-Type: application/json";
  for (const key of Object.values(CANARIES)) {
    const encoded = encodeURIComponent(key);
    await send("GET /workflows", [`X-API-Key: ${key}`]);
    await send("GET /metrics", [`Authorization: Bearer ${key}`]);
    await send(`GET /workflows?api_key=${encoded}`);
    await send(`GET /nothing?api_key=${encoded}&api_key=${encoded}`);
    await send(`GET //bad?api_key=${encoded}`);
    if (key.startsWith("fsk_")) {
      await send(`GET /workflows/x${key}`);
      await send("GET /workflows", [`X-Request-Id: a_${key}`]);
    }
    await send("GET /workflows", [`X-API-Key: "${key}"`]);
  }
  const executor = [`X-API-Key: ${KEYS.executor}`, json];
  const leaky = await send("POST /execute", executor, '{"graph_name":"Leaky","options":{"trace":true}}');
  expect(JSON.parse(leaky)).toMatchObject({ status: "failed", error: { code: "agent_failed" } });
  await send("POST /execute", [...executor, "Accept: text/event-stream"], '{"graph_name":"Leaky"}');
  await send("POST /execute", executor, '{"graph_name":"Asking"}');
  await send("POST /execute", executor, `{"graph_name":"Hello","x":"${KEYS.executor}"`);
  for (const path of ["/", "/openapi.json", "/workflows/Hello", "/runs", "/health", "/docs", "/metrics"])
    await send(`GET ${path}`, [`X-API-Key: ${KEYS.admin}`]);
  await service.stop();

  const file = join(service.folder, "server.log");
  expect(existsSync(file)).toBe(true);
  const places = { answers: answers.join("\n"), console: service.log(), file: readFileSync(file, "utf8") };
  const found = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(CANARIES).flatMap(([name, secret]) =>
      forms(secret).flatMap((form) => (text.includes(form) ? [`${name} in ${place}`] : [])),
    ),
  );
  expect([...new Set(found)]).toEqual([]);
  // What the logs are for is there: names of keys, and what was decided.
  for (const log of [places.console, places.file]) {
    expect(log).toContain("API key accepted");
    expect(log).toContain("permission check");
    expect(log).toContain("public endpoint");
    expect(log).toContain("credential_invalid");
    expect(log).toMatch(/executor/);
  }
  for (const line of places.file.trim().split("\n")) expect(() => JSON.parse(line) as unknown).not.toThrow();
});
