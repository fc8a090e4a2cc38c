import { z } from "zod";
import { RUNTIME_PACKAGES } from "./folders.js";
import { formed, listOf, named, oneOf, secret, settings, text, whole } from "./leaves.js";
import { authenticationSchema } from "./schema-authentication.js";

const folder = (name: string) => text("a folder's path").default(name);

const execution = settings({
  max_steps: whole(1).default(10_000),
  timeout_ms: whole(1, 2_147_483_647).nullable().default(null),
  concurrency: whole(1, 100_000).default(100),
  max_waiting: whole(1, 1_000_000).default(10_000),
});

/** What speaks a provider's protocol. */
export const PROVIDER_KINDS = ["openai", "anthropic", "google", "openai-compatible", "mock"] as const;

const llm = settings({
  default_provider: text("a provider's name").nullable().default(null),
  providers: named(
    settings({
      kind: oneOf(PROVIDER_KINDS),
      api_key: secret().optional(),
      base_url: formed(/^https?:\/\/\S+$/i, "an address that begins with https:// or http://").optional(),
      model: text("a model's name").optional(),
      timeout_ms: whole(1, 2_147_483_647).optional(),
      answers: named(z.json()).optional(),
    }),
  ).default({}),
});

const rateLimit = settings({
  requests: whole(1),
  seconds: whole(1, 86_400).default(60),
});

const server = settings({
  host: text("a host's name or address").default("127.0.0.1"),
  port: whole(0, 65_535).default(8_000),
  base_path: formed(
    /^(?:\/[A-Za-z0-9._~-]+)*$/,
    "a path that begins with / and does not end with it, such as /api",
  ).default(""),
  static: text("a folder's path").nullable().default(null),
  cors: listOf(
    formed(/^(?:\*|https?:\/\/[^\s/?#]+)$/i, "an origin such as https://example.org"),
    "a list of origins, such as [https://example.org]",
  ).default([]),
  rate_limit: rateLimit.nullable().default(null),
  body_limit: whole(1, 1_073_741_824).default(1_048_576),
  trust_proxy: whole(0, 32).default(0),
  shutdown_ms: whole(0, 3_600_000).default(10_000),
});

/** What a logger leaves out. */
const LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR"] as const;
/** The loggers that there are; the first stands for those that are not named. */
export const LOGGERS = ["flowsheet", "flowsheet.auth", "flowsheet.http", "flowsheet.run"] as const;

const logging = settings({
  file: text("a file's path").default(".flowsheet/flowsheet.log"),
  loggers: named(
    settings({
      level: oneOf(LOG_LEVELS).default("INFO"),
      handlers: listOf(oneOf(["console", "file"]), "a list of console and file").default(["console"]),
    }),
  ).default({}),
});

export const sections = {
  workflows: folder("workflows"),
  agents: folder("agents"),
  generated: folder("generated"),
  generated_import: oneOf(RUNTIME_PACKAGES).default("flowsheet"),
  data: folder("data"),
  prompts: folder("prompts"),
  runs: folder(".flowsheet/runs"),
  execution: execution.prefault({}),
  llm: llm.prefault({}),
  server: server.prefault({}),
  authentication: authenticationSchema.optional(),
  logging: logging.prefault({}),
} as const;

export const configurationSchema = settings(sections);

/** What the configuration says, with defaults; `authentication` is there only when the file has it. */
export type Settings = z.infer<typeof configurationSchema>;

export type SectionName = keyof typeof sections;
/** The names of all sections, in the order of the documentation. */
export const SECTIONS = Object.keys(sections) as readonly SectionName[];
