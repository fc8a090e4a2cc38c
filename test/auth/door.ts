import { type Authenticator, PlanAuthenticator } from "../../runtime/auth/authenticator.js";
import type { Permission } from "../../runtime/auth/permissions.js";
import { canonicalPath } from "../../runtime/auth/request.js";
import type { AuthResult } from "../../runtime/auth/result.js";
import type { TokenOptions } from "../../runtime/auth/token.js";
import type { Logger } from "../../runtime/graph/contract/contract.js";
import { check } from "../config/check.js";

/** What a test sends. */
export interface Knock {
  readonly target?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly needs?: readonly Permission[];
  readonly from?: string;
}

/** An authenticator with a clock that the test turns. */
export interface Door {
  readonly authenticator: Authenticator;
  /** All that was logged, as one text. */
  readonly log: string[];
  now: number;
  readonly knock: (knock: Knock) => Promise<AuthResult>;
  /** `200`, or `401 credential_missing`. */
  readonly answer: (knock: Knock) => Promise<string>;
}

export const NOW = Date.parse("2026-01-01T00:00:00Z");

/** Makes an authenticator from the text of a configuration. */
export function openDoor(
  text: string,
  env: { readonly [name: string]: string } = {},
  options: TokenOptions = {},
): Door {
  const { configuration, findings } = check(text, env, NOW);
  if (configuration === null) throw new Error(findings.map(({ message }) => message).join("\n"));
  const log: string[] = [];
  const authenticator = new PlanAuthenticator({
    ...options,
    plan: configuration.auth,
    log: collect(log),
    clock: () => door.now,
  });
  const knock = async ({
    target = "/workflows",
    headers = [],
    needs = ["read"],
    from = "203.0.113.9",
  }: Knock) => {
    const canonical = canonicalPath(target);
    if (!canonical.ok) throw new Error(`${target} is not canonical`);
    const { path, query } = canonical;
    const rawHeaders = headers.flat();
    return authenticator.authorize({ path, query, rawHeaders, socketAddress: from }, needs);
  };
  const door: Door = {
    authenticator,
    log,
    now: NOW,
    knock,
    answer: async (what) => {
      const result = await knock(what);
      return result.ok ? "200" : `${result.status} ${result.code}`;
    },
  };
  return door;
}

/** A logger that keeps what it is told. */
export function collect(log: string[]): Logger {
  const keep =
    (level: string) =>
    (message: string, details?: unknown): void => {
      log.push(`${level} ${message} ${JSON.stringify(details) ?? ""}`);
    };
  return { debug: keep("DEBUG"), info: keep("INFO"), warn: keep("WARNING"), error: keep("ERROR") };
}
