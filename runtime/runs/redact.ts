import type { Logger } from "../graph/contract/contract.js";
import { messageOf } from "../graph/contract/errors.js";
import { redactData } from "../graph/tell/redact.js";
import type { Environment } from "../host.js";

/** Variables and settings that hold what nobody else may read. */
const SECRET_NAME =
  /(?:^|_)(?:API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_|$)/i;
/** Shorter values are found only where they stand alone. */
const SHORTEST = 8;
/** Of short values only these are secrets for sure: others are words such as `none` and `ollama`, or numbers. */
const SHORT = /^(?=.*\p{L})(?=.*\d)[^\s]{5,7}$/u;
/** Secrets with more forms than this are none: a configuration cannot make every message slow. */
const MOST = 2_000;
const DEPTH = 20;
const INSTEAD = "[redacted]";
/** What looks like a key or a token of ours: of most only a digest is known, which finds nothing. */
const OWN = /fsk_[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
/** A lone surrogate: `encodeURIComponent` throws at it. */
const LONE = /[\ud800-\udfff]/gu;

type Configuration = { readonly [name: string]: unknown };

/**
 * Takes the values of secret variables, and of secret settings of the configuration, out of messages. They are looked
 * up when the first message comes: most runs have none. Cost of a message: its length times the number of secrets.
 */
export function createRedactor(
  env: Environment,
  configuration: Configuration = {},
): (message: string) => string {
  let secrets: readonly (string | RegExp)[] | null = null;
  return (message) => {
    secrets ??= secretsOf(env, configuration);
    return withoutKeys(secrets.reduce<string>((text, secret) => text.replaceAll(secret, INSTEAD), message));
  };
}

export const withoutKeys = (text: string): string => text.replace(OWN, INSTEAD);

/** A logger that is told no secrets. */
export function redactLog(log: Logger, redact: (message: string) => string): Logger {
  const to =
    (level: keyof Logger): Logger["warn"] =>
    (message, details) => {
      if (details === undefined) log[level](redact(String(message)));
      else log[level](redact(String(message)), safe(details, redact));
    };
  return { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") };
}

/** Of an error only the message is told: its stack and its causes may hold anything. */
function safe(details: unknown, redact: (message: string) => string): unknown {
  return details instanceof Error ? redact(messageOf(details)) : redactData(details, redact);
}

/** The longest first: a secret may hold another one. */
function secretsOf(env: Environment, configuration: Configuration): readonly (string | RegExp)[] {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) ? [value] : [],
  );
  const values = [...new Set([...variables, ...secretSettings(configuration, env)])];
  const forms = new Set(values.filter(({ length }) => length >= SHORTEST).flatMap(formsOf));
  const short = values.filter((value) => SHORT.test(value)).map(standingAlone);
  return [...[...forms].sort((a, b) => b.length - a.length), ...short].slice(0, MOST);
}

/** A short value that is no part of a longer word. */
function standingAlone(value: string): RegExp {
  const plain = value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, "gu");
}

/** A value as it is, and as it stands in addresses, in headers, and in JSON. */
function formsOf(value: string): readonly string[] {
  const url = encodeURIComponent(value.replace(LONE, ""));
  const json = JSON.stringify(value).slice(1, -1);
  const bytes = Buffer.from(value);
  const forms = [value, url, json, bytes.toString("hex"), ...inBase64(bytes)];
  return forms.filter((form) => form.length >= SHORTEST);
}

/** Base64 of a text that holds the value looks one of three ways, by where in it the value begins. */
function inBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    // The characters at both ends also depend on what stands around the value.
    const first = Math.ceil((offset * 4) / 3);
    const last = Math.floor((padded.length * 8) / 6);
    const found = [padded.toString("base64"), padded.toString("base64url")];
    return found.map((text) => text.slice(first, last));
  });
}

/** The texts under secret names of a configuration, with the values of the variables that they name. */
function secretSettings(configuration: Configuration, env: Environment): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, isSecret: boolean, depth: number): void => {
    if (typeof value === "string" && isSecret) found.push(...meant(value, env));
    if (typeof value !== "object" || value === null || depth > DEPTH) return;
    for (const [name, one] of Object.entries(value)) {
      // What stands in a list or a mapping of secrets is one when it is a text of that name or of none.
      const inherits = Array.isArray(value) && isSecret;
      visit(one, inherits || SECRET_NAME.test(name), depth + 1);
    }
  };
  visit(configuration, false, 0);
  return found;
}

function meant(value: string, env: Environment): readonly string[] {
  const [, name, otherwise = ""] = /^env:([^:]+)(?::([\s\S]*))?$/.exec(value) ?? [];
  return name === undefined ? [value] : [env[name] ?? "", otherwise];
}
