import { suggest } from "../../compiler/diagnostics/suggest.js";
import { isMapping } from "../graph/values/values.js";
import type { DataPath } from "./findings.js";
import { locateIn } from "./folders.js";

/** `*` stands for a name that the user chooses; null for any value. */
export interface Names {
  readonly [name: string]: Names | null;
}

export const values = (names: string): Names =>
  Object.fromEntries(names.split(" ").map((name) => [name, null]));

/** A copy of the schema's names: loading the schema takes longer than most runs. A test compares both. */
export const NAMES: Names = {
  ...values("workflows agents generated generated_import data prompts timezone"),
  runs: {
    ...values("folder store connections keep record durability concurrency limits retention recoveries"),
    ...values("dead_after_ms erase on_disconnect visibility deadline remind_with"),
  },
  schedules: { "*": values("graph cron timezone input catch_up missed overlap") },
  execution: values("max_steps timeout_ms concurrency max_waiting"),
  llm: {
    default_provider: null,
    providers: { "*": values("kind api_key base_url model timeout_ms answers") },
  },
  network: values("allow private"),
  links: { "*": { headers: null } },
  connections: {
    "*": values("kind host token username password name value port secure from url chat base_url file"),
  },
  mcp: {
    state_key: null,
    servers: { "*": values("command args env url headers") },
  },
  server: {
    ...values("host port base_path static studio"),
    mcp: values("enabled path workflows"),
    ...values("hosts cors"),
    rate_limit: values("requests seconds"),
    ...values("body_limit trust_proxy shutdown_ms"),
  },
  authentication: {
    ...values("enabled allow_query_key api_keys"),
    jwt: values("secret public_key jwks_url algorithm expiry_hours issuer audience"),
    supabase: {
      ...values("url anon_key jwt_secret role_mapping"),
      metadata_mapping: values("user_id username role"),
    },
    public_endpoints: null,
    embedded_mode: values("enabled bypass_auth"),
    permissions: values("default_permissions admin_permissions execution_permissions"),
  },
  logging: { file: null, loggers: { "*": values("level handlers") } },
  telemetry: values("enabled content"),
};

/** Unknown settings have no effect. The file is read again only when there is one: `place` is null if that fails. */
export function unknownSettings(file: string, data: unknown) {
  const found = unknownIn(data, NAMES, []);
  if (found.length === 0) return [];
  const locate = locateIn(file);
  return found.map(({ path, known }) => {
    const [name, section] = [String(path.at(-1)), path.slice(0, -1).join(".")];
    const near = suggest(name, known);
    return {
      path,
      message: `${section === "" ? "the configuration" : section} has no setting ${JSON.stringify(name)}`,
      help: near === null ? null : `did you mean ${near}?`,
      place: locate(path, "key"),
    };
  });
}

interface UnknownName {
  readonly path: DataPath;
  readonly known: readonly string[];
}

export function unknownIn(data: unknown, names: Names | null, path: DataPath): readonly UnknownName[] {
  if (names === null || !isMapping(data)) return [];
  return Object.entries(data).flatMap(([name, value]) => {
    const at = [...path, name];
    const inner = Object.hasOwn(names, name) ? names[name] : names["*"];
    if (inner === undefined) return [{ path: at, known: Object.keys(names) }];
    return unknownIn(value, inner, at);
  });
}
