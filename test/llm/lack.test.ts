import { expect, test } from "vitest";
import { modelLack } from "../../runtime/llm/lack.js";

const root = process.cwd();
const lack = (agent: string, settings = {}, section: unknown = undefined, env = {}) =>
  modelLack(agent, settings, { section, env, root });
const mock = { default_provider: "mock" };

test.each([
  ["an agent that asks no model", "echo", {}, undefined, {}],
  ["a summary without a model", "summary", { llm: false }, undefined, {}],
  ["an orchestrator by key words", "orchestrator", { strategy: "keywords" }, undefined, {}],
  ["the mock", "llm", { provider: "mock" }, undefined, {}],
  ["the mock by default", "llm", {}, mock, {}],
  ["a summary by the mock", "summary", { llm: "mock" }, undefined, {}],
  ["a key of the environment", "llm", {}, undefined, { ANTHROPIC_API_KEY: "x" }],
  ["a key of the configuration", "openai", {}, { providers: { openai: { api_key: "x" } } }, {}],
  ["a key by reference", "openai", {}, { providers: { openai: { api_key: "env:MINE" } } }, { MINE: "x" }],
  [
    "a provider of the kind under another name",
    "openai",
    {},
    { providers: { o: { kind: "openai", api_key: "x" } } },
    {},
  ],
  [
    "a server of one's own",
    "llm",
    {},
    { providers: { l: { kind: "openai-compatible", base_url: "http://localhost:1/v1" } } },
    {},
  ],
] as const)("%s lacks nothing", (_, agent, settings, section, env) => {
  expect(lack(agent, settings, section, env)).toBeNull();
});

test.each([
  ["llm", {}, undefined, "a language model", "set one of OPENAI_API_KEY"],
  ["summary", { llm: true }, undefined, "a language model", "set one of OPENAI_API_KEY"],
  ["orchestrator", { strategy: "llm" }, undefined, "a language model", "set one of"],
  ["claude", {}, undefined, null, ""],
  ["anthropic", {}, undefined, "ANTHROPIC_API_KEY", "set ANTHROPIC_API_KEY in the environment"],
  ["anthropic", {}, mock, "ANTHROPIC_API_KEY", "set ANTHROPIC_API_KEY in the environment"],
  [
    "llm",
    { provider: "mock", fallback: ["mock", "goggle/m"] },
    undefined,
    "a language model",
    'did you mean "google"?',
  ],
  [
    "llm",
    { provider: "mock", fallback: { provider: "openai" } },
    undefined,
    "OPENAI_API_KEY",
    "in the environment",
  ],
  ["llm", { provider: "goggle" }, undefined, "a language model", 'did you mean "google"?'],
  [
    "llm",
    {},
    { default_provider: "x", providers: { x: { kind: "openai" } } },
    "OPENAI_API_KEY",
    "or llm.providers.x.api_key",
  ],
  [
    "llm",
    {},
    {
      providers: { l: { kind: "openai-compatible", base_url: "http://localhost:1/v1", api_key: "env:MINE" } },
    },
    "MINE",
    "set MINE in the environment",
  ],
  ["llm", {}, { providers: 7 }, "a language model", "llm.providers in flowsheet.yaml is not a mapping"],
] as const)("%s %j with %j lacks %s", (agent, settings, section, what, cure) => {
  const found = lack(agent, settings, section);
  if (what === null) expect(found).toBeNull();
  else expect(found).toEqual({ what, cure: expect.stringContaining(cure) });
});

test("a named variable that is not set is not replaced by the usual key", () => {
  const section = { providers: { openai: { base_url: "http://localhost:1/v1", api_key: "env:MINE" } } };
  expect(lack("openai", {}, section, { OPENAI_API_KEY: "sk-of-another-server" })).toEqual({
    what: "MINE",
    cure: "set MINE in the environment",
  });
});
