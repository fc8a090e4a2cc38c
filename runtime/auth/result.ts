import type { Permission, Permissions } from "./permissions.js";

/** The holder of a credential. */
export interface Principal {
  /** `open`: authentication is off; `local`: it is bypassed; `public`: the path needs no credential. */
  readonly kind: "api_key" | "jwt" | "identity" | "open" | "local" | "public";
  /** The name of the key or the user of the token. Logs may hold it. */
  readonly name: string;
  readonly userId: string | null;
  readonly username: string | null;
  readonly permissions: Permissions;
  /** Roles by which questions are asked: those of the key's entry, or of the token. */
  readonly roles: readonly string[];
  /** The graphs, or folders of them, that a key is limited to; null without a limit. */
  readonly graphs: readonly string[] | null;
}

/** The reasons of refusals, with status and title. Codes are stable. */
export const REFUSALS = {
  credential_missing: [401, "A credential is needed"],
  credential_malformed: [401, "The credential is not well formed"],
  credential_ambiguous: [400, "More than one credential of one kind"],
  credential_invalid: [401, "The credential is not valid"],
  credential_expired: [401, "The credential has expired"],
  permission_denied: [403, "The credential does not allow this"],
  role_unmapped: [403, "The role has no permissions here"],
  host_refused: [421, "The request is for another host"],
  rate_limited: [429, "Too many requests"],
  identity_unavailable: [503, "The identity service cannot be reached"],
} as const;
export type RefusalCode = keyof typeof REFUSALS;

/** The data of a refusing answer. None of it comes from the credential. */
export interface Refusal {
  readonly ok: false;
  readonly status: (typeof REFUSALS)[RefusalCode][0];
  readonly code: RefusalCode;
  readonly detail: string;
  readonly headers: { readonly [name: string]: string };
  /** The permissions of the route, when one is missing. */
  readonly required?: readonly Permission[];
}

export type AuthResult = { readonly ok: true; readonly principal: Principal } | Refusal;

export type CredentialSource = "X-API-Key" | "Authorization" | "api_key";

export interface RefusalParts {
  readonly detail: string;
  readonly source?: CredentialSource | null;
  /** Tokens are accepted, so the challenge names them. */
  readonly tokens: boolean;
  readonly required?: readonly Permission[];
  readonly retryAfter?: number;
  /** The allowed number of bad credentials, after too many. */
  readonly limit?: number;
}

export function refuse(code: RefusalCode, parts: RefusalParts): Refusal {
  const { detail, required } = parts;
  const challenge = challengeOf(code, parts);
  const [status] = REFUSALS[code];
  return {
    ok: false,
    status,
    code,
    detail,
    headers: {
      "Cache-Control": "no-store",
      Vary: "X-API-Key, Authorization",
      ...(challenge === null ? {} : { "WWW-Authenticate": challenge }),
      ...waitHeaders(parts),
    },
    ...(required === undefined ? {} : { required }),
  };
}

function waitHeaders({ retryAfter, limit }: RefusalParts): Refusal["headers"] {
  if (retryAfter === undefined) return {};
  const seconds = String(retryAfter);
  if (limit === undefined) return { "Retry-After": seconds };
  const rate = { "RateLimit-Limit": String(limit), "RateLimit-Remaining": "0", "RateLimit-Reset": seconds };
  return { "Retry-After": seconds, ...rate };
}

const API_KEY = 'ApiKey realm="flowsheet"';
const BEARER = 'Bearer realm="flowsheet"';

/** RFC 6750: without a credential the challenge has no error; with a token it names the error. */
function challengeOf(code: RefusalCode, { source, tokens, required }: RefusalParts): string | null {
  const bearer = source === "Authorization";
  const [status] = REFUSALS[code];
  if (status === 401) {
    const error = bearer && code !== "credential_missing" ? ', error="invalid_token"' : "";
    return tokens ? `${API_KEY}, ${BEARER}${error}` : API_KEY;
  }
  if (!bearer) return null;
  if (status === 400) return `${BEARER}, error="invalid_request"`;
  if (status !== 403) return null;
  const scope = required === undefined ? "" : `, scope="${required.join(" ")}"`;
  return `${BEARER}, error="insufficient_scope"${scope}`;
}
