import { suggest } from "../../compiler/diagnostics/suggest.js";
import type { Place } from "../../compiler/ir.js";
import { readConfigurationText } from "./folders.js";
import { createLocator } from "./locate.js";
import { parseYaml } from "./yaml.js";

/** The names of settings. `*` stands for a name that the user chooses; null for a value, whatever it is. */
export interface Names {
  readonly [name: string]: Names | null;
}

const values = (names: string): Names => Object.fromEntries(names.split(" ").map((name) => [name, null]));

/** The schema's names, as a table: to load the schema takes longer than most runs. A test compares the two. */
export const NAMES: Names = {
  ...values("workflows agents generated generated_import data prompts runs"),
  execution: values("max_steps timeout_ms concurrency max_waiting"),
  llm: {
    default_provider: null,
    providers: { "*": values("kind api_key base_url model timeout_ms answers") },
  },
  server: {
    ...values("host port base_path static cors body_limit trust_proxy shutdown_ms"),
    rate_limit: values("requests seconds"),
  },
  authentication: {
    ...values("enabled allow_query_key api_keys public_endpoints"),
    jwt: values("secret public_key jwks_url algorithm expiry_hours issuer audience"),
    supabase: {
      ...values("url anon_key jwt_secret role_mapping"),
      metadata_mapping: values("user_id username role"),
    },
    embedded_mode: values("enabled bypass_auth"),
    permissions: values("default_permissions admin_permissions execution_permissions"),
  },
  logging: { file: null, loggers: { "*": values("level handlers") } },
};

/** A setting that nothing reads. */
export interface UnknownSetting {
  readonly path: readonly string[];
  readonly message: string;
  readonly help: string | null;
  /** Null when the file cannot be read again. */
  readonly place: Place | null;
}

/** The settings of a configuration that nothing reads. The file is read again only when there are some. */
export function unknownSettings(file: string, data: unknown): readonly UnknownSetting[] {
  const found = unknownIn(data, NAMES, []);
  if (found.length === 0) return [];
  const place = locatorOf(file);
  return found.map(({ path, known }) => {
    const [name = "", section] = [path.at(-1), path.slice(0, -1).join(".")];
    const near = suggest(name, known);
    return {
      path,
      message: `${section === "" ? "the configuration" : section} has no setting ${JSON.stringify(name)}`,
      help: near === null ? null : `did you mean ${near}?`,
      place: place(path),
    };
  });
}

interface Unknown {
  readonly path: readonly string[];
  readonly known: readonly string[];
}

function unknownIn(data: unknown, names: Names, path: readonly string[]): readonly Unknown[] {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return [];
  return Object.entries(data).flatMap(([name, value]) => {
    const at = [...path, name];
    const inner = Object.hasOwn(names, name) ? names[name] : names["*"];
    if (inner === undefined) return [{ path: at, known: Object.keys(names) }];
    return inner === null ? [] : unknownIn(value, inner, at);
  });
}

function locatorOf(file: string): (path: readonly string[]) => Place | null {
  try {
    const text = readConfigurationText(file);
    const document = parseYaml(text);
    if ("problem" in document) return () => null;
    const locate = createLocator(file, document, text);
    return (path) => locate(path, "key");
  } catch {
    return () => null;
  }
}
