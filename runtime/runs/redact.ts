import type { Environment } from "../host.js";

/** Variables that hold what nobody else may read. */
const SECRET_NAME = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_|$)/i;
/** Shorter values would blank out ordinary words. */
const SHORTEST = 8;
const INSTEAD = "[redacted]";
/** Half a character: it cannot be encoded. */
const LONE = /[\ud800-\udfff]/gu;

/**
 * Takes the values of secret variables out of messages. They are looked up when the first message comes: most runs
 * have none. Cost of a message: its length times the number of secrets.
 */
export function createRedactor(env: Environment): (message: string) => string {
  let secrets: readonly string[] | null = null;
  return (message) => {
    secrets ??= secretsOf(env);
    return secrets.reduce((text, secret) => text.replaceAll(secret, INSTEAD), message);
  };
}

/** The longest first: a secret may hold another one. */
function secretsOf(env: Environment): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST && SECRET_NAME.test(name) ? [value] : [],
  );
  const forms = values.flatMap((value) => [value, encodeURIComponent(value.replace(LONE, ""))]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}
