import { withEnvFile } from "../config/environment.js";
import { addressIn } from "../config/store-setting.js";
import type { Logger } from "../graph/contract/contract.js";
import { messageOf } from "../graph/contract/errors.js";
import { redactData } from "../graph/tell/redact.js";
import { isMapping } from "../graph/values/values.js";
import type { Environment } from "../host.js";
import { SECRET_KEYS } from "../net/connections.js";

const SECRET_NAME =
  /(?:^|_)(?:API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_|$)/i;
/** Shorter values are replaced only as whole words. */
const SHORTEST = 8;
/**
 * Short values count as secrets only with a letter and a digit. Others are words such as `none` and `ollama`, or
 * numbers.
 */
const SHORT = /^(?=.*\p{L})(?=.*\d)[^\s]{5,7}$/u;
/** More patterns would make every message slow. */
const MOST = 2_000;
const DEPTH = 20;
const INSTEAD = "[redacted]";
/** Our own keys and tokens. They are found by their form, because for most only a digest is known. */
const OWN = /fsk_[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
const ADDRESS = /^[a-z][a-z0-9+.-]{0,20}:\/\/[^\s]{1,4000}$/i;
/** `encodeURIComponent` throws on a lone surrogate. */
const LONE = /[\ud800-\udfff]/gu;

type Configuration = { readonly [name: string]: unknown };

interface Secretive {
  readonly configuration: Configuration;
  /** The folder of the file `.env`. */
  readonly root: string;
}

/**
 * Replaces values of secret variables and settings. The values are collected with the first message, because most runs
 * have none. A message costs its length times the number of secrets.
 */
export function createRedactor(
  env: Environment,
  { configuration, root }: Secretive,
): (message: string) => string {
  let secrets: readonly (string | RegExp)[] | null = null;
  return (message) => {
    secrets ??= secretsOf(withEnvFile(env, root), configuration);
    return withoutKeys(secrets.reduce<string>((text, secret) => text.replaceAll(secret, INSTEAD), message));
  };
}

export const withoutKeys = (text: string): string => text.replace(OWN, INSTEAD);

export function redactLog(log: Logger, redact: (message: string) => string): Logger {
  const to =
    (level: keyof Logger): Logger["warn"] =>
    (message, details) => {
      const text = redact(String(message));
      // The stack and the causes of an error may contain anything.
      if (details instanceof Error) log[level](text, redact(messageOf(details)));
      else if (details === undefined) log[level](text);
      else log[level](text, redactData(details, redact));
    };
  return { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") };
}

/** Longest first, because one secret may contain another. */
function secretsOf(env: Environment, configuration: Configuration): readonly (string | RegExp)[] {
  const variables = Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) ? [value] : passwordsIn(value),
  );
  const whole = [...variables, ...secretSettings(configuration, env)];
  const values = [...new Set(whole.flatMap((value) => [value, ...credentialIn(value)]))];
  const forms = new Set(values.filter(({ length }) => length >= SHORTEST).flatMap(formsOf));
  const short = values.filter((value) => SHORT.test(value)).map(standingAlone);
  return [...[...forms].sort((a, b) => b.length - a.length), ...short].slice(0, MOST);
}

/** Of a value of the header `Authorization`: others quote it without the word before it. */
function credentialIn(value: string): readonly string[] {
  const [, scheme = "", credential] = /^(bearer|basic|token|apikey) +(\S+)$/i.exec(value) ?? [];
  if (credential === undefined) return [];
  const [, password = ""] =
    scheme.toLowerCase() === "basic" ? Buffer.from(credential, "base64").toString().split(/:(.*)/s) : [];
  return [credential, password];
}

function standingAlone(value: string): RegExp {
  const plain = value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, "gu");
}

/** Also as it appears in URLs, in headers and in JSON. */
function formsOf(value: string): readonly string[] {
  const url = encodeURIComponent(value.replace(LONE, ""));
  const json = JSON.stringify(value).slice(1, -1);
  const bytes = Buffer.from(value);
  const forms = [value, url, json, bytes.toString("hex"), ...inBase64(bytes)];
  return forms.filter((form) => form.length >= SHORTEST);
}

/** Base64 works on groups of 3 bytes, so a value has one of three forms, by its offset. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    // The first and last characters also depend on neighbouring bytes.
    const first = Math.ceil((offset * 4) / 3);
    const last = Math.floor((padded.length * 8) / 6);
    const found = [padded.toString("base64"), padded.toString("base64url")];
    return found.map((text) => text.slice(first, last));
  });
}

/** Includes the values of the variables that settings refer to. */
function secretSettings(configuration: Configuration, env: Environment): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, isSecret: boolean, depth: number): void => {
    if (typeof value === "string") found.push(...(isSecret ? meant(value, env) : passwordsIn(value)));
    if (typeof value !== "object" || value === null || depth > DEPTH) return;
    for (const [name, one] of Object.entries(value)) {
      // Texts in a list under a secret name are secret too.
      const inherits = Array.isArray(value) && isSecret;
      visit(one, inherits || SECRET_NAME.test(name), depth + 1);
    }
  };
  visit(configuration, false, 0);
  const servers = secretsOfServers(configuration["mcp"], env);
  return [...found, ...secretsOfConnections(configuration["connections"], env), ...servers];
}

/** Also addresses of hooks and values of headers, whose names do not say that they are secret. */
function secretsOfConnections(section: unknown, env: Environment): readonly string[] {
  const entries = Object.values(isMapping(section) ? section : {}).filter(isMapping);
  return entries.flatMap((entry) =>
    Object.entries(entry).flatMap(([key, value]) =>
      SECRET_KEYS.has(key) && typeof value === "string" ? meant(value, env) : [],
    ),
  );
}

/** What servers of tools are given: whatever names it has there. */
function secretsOfServers(section: unknown, env: Environment): readonly string[] {
  const servers = isMapping(section) && isMapping(section["servers"]) ? section["servers"] : {};
  return Object.values(servers)
    .filter(isMapping)
    .flatMap(({ env: variables, headers }) => [variables, headers].filter(isMapping).flatMap(Object.values))
    .flatMap((value) => (typeof value === "string" ? meant(value, env) : []));
}

/** Of an address such as that of a database. One that is a name of the address as well is kept by nobody as a secret. */
function passwordsIn(value: string): readonly string[] {
  const url = ADDRESS.test(value) ? addressIn(value) : null;
  if (url === null) return [];
  const names = [url.username, url.pathname.slice(1), url.protocol.slice(0, -1), "postgres"];
  const written = [url.password, url.searchParams.get("password") ?? ""];
  return written.filter((one) => one !== "" && !names.includes(one)).flatMap((one) => [one, unescaped(one)]);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function meant(value: string, env: Environment): readonly string[] {
  const [, name, otherwise = ""] = /^env:([^:]+)(?::([\s\S]*))?$/.exec(value) ?? [];
  return name === undefined ? [value] : [env[name] ?? "", otherwise];
}
