import { z } from "zod";
import { timezoneNamed } from "../../compiler/types/run-values.js";
import { CATCH_UPS, MISSED, OVERLAPS } from "../../compiler/types/schedule-options.js";
import { DEFAULT_PUBLIC_PATHS } from "../auth/plan/public-endpoints.js";
import { KINDS } from "../llm/settings.js";
import { ALLOWED_FORM, readAllowed } from "../net/allowed.js";
import { CONNECTION_KINDS } from "../net/connections.js";
import { readDuration } from "./duration.js";
import { RUNTIME_PACKAGES } from "./folders.js";
import { DURATION, isRemindWith, REMIND_WITH, RUN_NUMBERS, RUN_WORDS } from "./run-settings.js";
import { createSecret } from "./secret.js";
import { STORE, storeFault, storeOf } from "./store-setting.js";

/** Errors complete a sentence: `server.port must be a whole number, 0 to 65535`. */
const must = (expected: string): { readonly error: string } => ({ error: expected });

const text = (expected = "text"): z.ZodString => z.string(must(expected)).min(1, must(expected));

const secret = (expected = "text") => text(expected).transform(createSecret);

const formed = (pattern: RegExp, expected: string): z.ZodString =>
  z.string(must(expected)).regex(pattern, must(expected));

function whole(least: number, most = Number.MAX_SAFE_INTEGER): z.ZodInt {
  const top = most === Number.MAX_SAFE_INTEGER ? ", or more" : ` to ${most}`;
  const expected = must(`a whole number, ${least}${top}`);
  return z.int(expected).min(least, expected).max(most, expected);
}

const flag = (): z.ZodBoolean => z.boolean(must("true or false"));

const oneOf = <const W extends readonly [string, ...string[]]>(words: W) =>
  z.enum(words, must(words.length === 1 ? words[0] : `one of ${words.join(", ")}`));

const listOf = <T extends z.ZodType>(item: T, expected: string) => z.array(item, must(expected));

const named = <T extends z.ZodType>(item: T) => z.record(z.string(), item, must("a mapping of names"));

const settings = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, must("a mapping of settings"));

const url = formed(/^https?:\/\/[^\s/?#]+[^\s]*$/i, "an address that begins with https://");

const folder = (name: string) => text("a folder's path").default(name);

const execution = settings({
  max_steps: whole(1).default(10_000),
  timeout_ms: whole(1, 2_147_483_647).nullable().default(null),
  concurrency: whole(1, 100_000).default(100),
  max_waiting: whole(1, 1_000_000).default(10_000),
});

const llm = settings({
  default_provider: text("a provider's name").nullable().default(null),
  providers: named(
    settings({
      kind: oneOf(KINDS),
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
  studio: oneOf(["off", "read", "edit"]).default("off"),
  mcp: settings({
    enabled: flag().default(false),
    path: formed(
      /^(?:\/[A-Za-z0-9._~-]+)+$/,
      "a path that begins with / and does not end with it, such as /mcp",
    ).default("/mcp"),
    workflows: listOf(
      text("a graph's name"),
      'a list of graphs, such as [Refund, team/*]; ["*"] for all',
    ).default(["*"]),
  }).prefault({}),
  hosts: listOf(
    formed(/^[^\s/?#@]+$/, "a host's name such as flows.example.org"),
    "a list of hosts' names, such as [flows.example.org]",
  ).default([]),
  cors: listOf(
    formed(/^(?:\*|https?:\/\/[^\s/?#]+)$/i, "an origin such as https://example.org"),
    "a list of origins, such as [https://example.org]",
  ).default([]),
  rate_limit: rateLimit.nullable().default(null),
  body_limit: whole(1, 1_073_741_824).default(1_048_576),
  trust_proxy: whole(0, 32).default(0),
  shutdown_ms: whole(0, 3_600_000).default(10_000),
});

const duration = () =>
  z.string(must(DURATION)).refine((value) => readDuration(value) !== null, must(DURATION));

const runs = settings({
  folder: folder(".flowsheet/runs"),
  store: z
    .string(must(STORE))
    .refine((value) => storeFault(value) === null, must(STORE))
    .default("sqlite")
    .transform(storeOf),
  connections: whole(RUN_NUMBERS.connections.least).default(RUN_NUMBERS.connections.otherwise),
  keep: oneOf(RUN_WORDS.keep).default("all"),
  record: oneOf(RUN_WORDS.record).default("full"),
  durability: oneOf(RUN_WORDS.durability).default("process"),
  concurrency: whole(RUN_NUMBERS.concurrency.least).default(RUN_NUMBERS.concurrency.otherwise),
  limits: named(whole(1)).default({}),
  retention: duration().default("30d"),
  recoveries: whole(RUN_NUMBERS.recoveries.least).default(RUN_NUMBERS.recoveries.otherwise),
  dead_after_ms: whole(RUN_NUMBERS.dead_after_ms.least).default(RUN_NUMBERS.dead_after_ms.otherwise),
  erase: oneOf(RUN_WORDS.erase).default("never"),
  on_disconnect: oneOf(RUN_WORDS.on_disconnect).default("cancel"),
  visibility: oneOf(RUN_WORDS.visibility).default("all"),
  deadline: duration().optional(),
  // Settings of agents are checked with the agents.
  remind_with: z.custom(isRemindWith, must(REMIND_WITH)).optional(),
});

/** A text is the folder. */
const runsOrFolder = z.preprocess(
  (section) => (typeof section === "string" ? { folder: section } : section),
  runs.prefault({}),
);

const schedules = named(
  settings({
    graph: text("a graph's name"),
    cron: text("a cron expression, such as 0 2 * * *"),
    timezone: text("a time zone, such as Europe/Berlin").optional(),
    input: z.record(z.string(), z.json()).default({}),
    catch_up: oneOf(CATCH_UPS).optional(),
    missed: oneOf(MISSED).optional(),
    overlap: oneOf(OVERLAPS).optional(),
  }),
);

/** What each kind needs of these is checked elsewhere, so that one bad connection does not disable the others. */
const connections = named(
  settings({
    kind: oneOf(CONNECTION_KINDS),
    host: text("a host, such as api.example.com").optional(),
    token: secret().optional(),
    username: text().optional(),
    password: secret().optional(),
    name: text("the name of a header").optional(),
    value: secret().optional(),
    port: whole(1, 65_535).optional(),
    secure: flag().optional(),
    from: text("a mail address").optional(),
    url: secret().optional(),
    chat: text("the id of a chat").optional(),
    base_url: url.optional(),
    file: text("a file of the data folder").optional(),
  }),
);

const mcp = settings({
  state_key: secret("text of 32 characters or more, as env:NAME").optional(),
  servers: named(
    settings({
      command: text("a program").optional(),
      args: listOf(z.string(must("text")), "a list of texts").optional(),
      env: named(secret()).optional(),
      url: url.optional(),
      headers: named(secret()).optional(),
    }),
  ).default({}),
});

/** Headers that a shared sheet is fetched with, by its host. */
const links = named(settings({ headers: z.record(z.string(), secret()).default({}) }));

const network = settings({
  allow: listOf(
    z.string(must(ALLOWED_FORM)).refine((entry) => readAllowed(entry) !== null, must(ALLOWED_FORM)),
    "a list of hosts, such as [api.example.com]",
  ).default([]),
  private: flag().default(false),
});

/** Levels as they are written, and as loggers name them. */
const LEVELS = { DEBUG: "debug", INFO: "info", WARNING: "warn", ERROR: "error" } as const;
/** The first is the default for loggers that are not named. */
export const LOGGERS = ["flowsheet", "flowsheet.auth", "flowsheet.http", "flowsheet.run"] as const;

const logging = settings({
  file: text("a file's path").default(".flowsheet/flowsheet.log"),
  loggers: named(
    settings({
      level: oneOf(["DEBUG", "INFO", "WARNING", "ERROR"])
        .transform((level) => LEVELS[level])
        .prefault("INFO"),
      handlers: listOf(oneOf(["console", "file"]), "a list of console and file").default(["console"]),
    }),
  ).default({}),
});

/** `true` and `false` stand for the whole. */
const telemetry = z.preprocess(
  (section) => (typeof section === "boolean" ? { enabled: section } : section),
  settings({ enabled: flag().default(true), content: flag().default(false) }),
);

const JWT_ALGORITHMS = [
  ...(["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const),
  ...(["ES256", "ES384", "ES512", "EdDSA"] as const),
] as const;

/** Entries are checked one by one elsewhere, so that one bad key does not disable the others. */
const apiKey = z.record(z.string(), z.unknown(), { error: "a mapping with key, permissions and user_id" });

const permissionList = listOf(z.unknown(), "a list of permissions, such as [read, execute]");

const jwt = settings({
  secret: secret("text of 32 characters or more").optional(),
  public_key: text("a public key in PEM form").optional(),
  jwks_url: url.optional(),
  algorithm: oneOf(JWT_ALGORITHMS).default("HS256"),
  expiry_hours: whole(1, 87_600).default(24),
  issuer: text().optional(),
  audience: text().optional(),
});

const supabase = settings({
  url,
  anon_key: secret().optional(),
  jwt_secret: secret("text of 32 characters or more").optional(),
  role_mapping: named(permissionList).default({}),
  metadata_mapping: settings({
    user_id: text("the name of a field, such as id").default("id"),
    username: text("the name of a field, such as email").default("email"),
    role: text("the name of a field, such as role").default("role"),
  }).prefault({}),
});

export const authenticationSchema = settings({
  enabled: flag().default(true),
  allow_query_key: flag().default(true),
  api_keys: named(apiKey).default({}),
  jwt: jwt.optional(),
  supabase: supabase.optional(),
  public_endpoints: listOf(z.unknown(), "a list of paths, such as [/health, /static/*]").default([
    ...DEFAULT_PUBLIC_PATHS,
  ]),
  embedded_mode: settings({
    enabled: flag().default(false),
    bypass_auth: flag().default(false),
  }).prefault({}),
  permissions: settings({
    default_permissions: permissionList.default(["read"]),
    admin_permissions: permissionList.default(["read", "write", "execute", "admin"]),
    execution_permissions: permissionList.default(["read", "execute"]),
  }).prefault({}),
});

export type AuthenticationSettings = z.infer<typeof authenticationSchema>;

const ZONE = "must be the name of a time zone, such as Europe/Berlin";

export const sections = {
  workflows: folder("workflows"),
  agents: folder("agents"),
  generated: folder("generated"),
  generated_import: oneOf(RUNTIME_PACKAGES).default("flowsheet"),
  data: folder("data"),
  prompts: folder("prompts"),
  timezone: z
    .string({ error: ZONE })
    .refine((name) => timezoneNamed(name) !== null, { error: ZONE })
    .optional(),
  runs: runsOrFolder.prefault({}),
  schedules: schedules.default({}),
  execution: execution.prefault({}),
  llm: llm.prefault({}),
  network: network.prefault({}),
  links: links.default({}),
  connections: connections.default({}),
  mcp: mcp.prefault({}),
  server: server.prefault({}),
  authentication: authenticationSchema.optional(),
  logging: logging.prefault({}),
  telemetry: telemetry.optional(),
} as const;

export const configurationSchema = settings(sections);

/** With defaults; `authentication` is absent when the file lacks it. */
export type Settings = z.infer<typeof configurationSchema>;

export type SectionName = keyof typeof sections;
export const SECTIONS = Object.keys(sections) as readonly SectionName[];
