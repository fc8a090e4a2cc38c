import type { Configuration } from "./configuration.js";
import type { Secret } from "./secret.js";

/** Shorter values would blank out ordinary words. */
const SHORTEST = 8;

/** The secrets that a configuration holds, to be taken out of whatever is logged or answered. API keys are not kept. */
export function secretValues({ settings, auth }: Configuration): readonly string[] {
  const { jwt, identity } = auth;
  const secrets: readonly (Secret | null | undefined)[] = [
    ...Object.values(settings.llm.providers).map(({ api_key: key }) => key),
    jwt?.material.kind === "secret" ? jwt.material.secret : null,
    identity?.secret,
    identity?.anonKey,
  ];
  const values = secrets.flatMap((secret) => (secret == null ? [] : [secret.reveal()]));
  return [...new Set(values)].filter(({ length }) => length >= SHORTEST);
}
