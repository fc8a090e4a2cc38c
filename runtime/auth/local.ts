import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Logger } from "../graph/contract/contract.js";
import { type Authenticator, PlanAuthenticator } from "./authenticator.js";
import { digestOf } from "./keys.js";
import { createExpand, INCLUDED, type Permission } from "./permissions.js";

/** What lets the browser of whoever started a local server in. It is in memory only. */
export interface LocalSecret {
  readonly token: string;
  /** A code that is exchanged for the token once, and soon: command lines can be read by others. */
  readonly makeCode: () => string;
  /** True for a code that was made and not used yet. No code is taken twice. */
  readonly useCode: (code: string) => boolean;
}

const BYTES = 32;
const CODE_MS = 30_000;

export function createLocalSecret(clock: () => number = () => performance.now()): LocalSecret {
  const newText = (): string => randomBytes(BYTES).toString("base64url");
  let open: { readonly digest: Buffer; readonly until: number } | null = null;
  return {
    token: newText(),
    makeCode: () => {
      const code = newText();
      open = { digest: digestOf(code), until: clock() + CODE_MS };
      return code;
    },
    useCode: (code) => {
      if (open === null || clock() > open.until || !timingSafeEqual(digestOf(code), open.digest))
        return false;
      open = null;
      return true;
    },
  };
}

/** What the holder of the token may do: all but what only administrators may. */
const GRANTED: readonly Permission[] = ["read", "write", "execute", "answer"];

export interface LocalOptions {
  readonly secret: Pick<LocalSecret, "token">;
  /** Who works here, as the command line names them: `os:ada`. */
  readonly user: string;
  readonly log: Logger;
}

/** Takes the token and nothing else, whatever the configuration says: a page of any site may ask this machine. */
export function createLocalAuthenticator({ secret, user: userId, log }: LocalOptions): Authenticator {
  const expand = createExpand({ execute: INCLUDED.execute, admin: INCLUDED.admin });
  const entry = { name: "studio", source: "environment", userId, roles: [], graphs: null } as const;
  return new PlanAuthenticator({
    log,
    plan: {
      mode: "on",
      keys: [{ ...entry, digest: digestOf(secret.token), permissions: expand(GRANTED), expiresAt: null }],
      isPublic: () => false,
      publicEndpoints: [],
      isPublicOfHost: () => false,
      expand,
      jwt: null,
      identity: null,
      allowQueryKey: false,
      takesBearerKeys: true,
    },
  });
}
