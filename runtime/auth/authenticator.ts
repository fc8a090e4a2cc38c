import { visible } from "../../compiler/diagnostics/visible.js";
import type { Logger } from "../graph/contract/contract.js";
import { type CountCall, createCallWindows } from "./call-windows.js";
import { type Credential, headerValues, readCredential } from "./credential.js";
import { createKeyTable, type FindKey } from "./keys.js";
import { isLocalHostHeader, isLoopbackAddress, networkOf } from "./network.js";
import { PERMISSIONS, type Permission } from "./permissions.js";
import type { AuthPlan } from "./plan/plan.js";
import { type AuthResult, type Principal, type Refusal, type RefusalCode, refuse } from "./result.js";
import { type CheckToken, createTokenCheck, type TokenOptions, type TokenResult } from "./token.js";

/** What is known of a request before its body is read. */
export interface AuthRequest {
  /** The canonical path, without `server.base_path`. */
  readonly path: string;
  /** What follows the `?`, not decoded. */
  readonly query: string;
  /** Names and values in turn, as they came in. */
  readonly rawHeaders: readonly string[];
  /** The other end of the socket. */
  readonly socketAddress: string | undefined;
  /** Who is counted for bad credentials: the other end, unless a proxy is trusted. */
  readonly clientAddress?: string | undefined;
  /** It asks for a route of an application around the service, whose paths mean something else. */
  readonly isOfHost?: boolean;
  /** It lies outside of the prefix before all paths: no public endpoint means it. */
  readonly isOutside?: boolean;
}

/** Decides about requests. */
export interface Authenticator {
  readonly plan: AuthPlan;
  /** Whether a request may use a route that needs these permissions. */
  readonly authorize: (
    request: AuthRequest,
    required: readonly Permission[],
  ) => AuthResult | Promise<AuthResult>;
  /** Who makes a request, whatever the path; null without a credential that is good. */
  readonly identify: (request: AuthRequest) => Promise<Principal | null>;
}

export interface AuthenticatorOptions extends TokenOptions {
  readonly plan: AuthPlan;
  /** The logger `flowsheet.auth`. */
  readonly log: Logger;
  readonly clock?: () => number;
  /** Counts bad credentials by network. */
  readonly countBad?: CountCall;
}

/** So many bad credentials of a network in a minute get their answer; so many networks are remembered. */
const MOST_BAD = 20;
export const countBadCredentials = (): CountCall => createCallWindows(60_000, 10_000);

interface Decider {
  readonly plan: AuthPlan;
  readonly log: Logger;
  readonly clock: () => number;
  readonly countBad: CountCall;
  readonly findKey: FindKey;
  readonly checkToken: CheckToken | null;
}

const ALL = new Set(PERMISSIONS);
const OPEN: Principal = principal("open", "open", ALL);
const LOCAL: Principal = principal("local", "local", ALL);
const PUBLIC: Principal = principal("public", "public", new Set());

function principal(kind: Principal["kind"], name: string, permissions: Principal["permissions"]): Principal {
  return { kind, name, userId: null, username: null, permissions };
}

/** Makes the authenticator of a plan. API keys are decided at once; only tokens make it answer later. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { plan, log, clock = Date.now, countBad = countBadCredentials() } = options;
  const checkToken = createTokenCheck(plan, options);
  const decider: Decider = { plan, log, clock, countBad, findKey: createKeyTable(plan.keys), checkToken };
  return {
    plan,
    authorize: (request, required) => authorize(decider, request, required),
    identify: async (request) => {
      const open = withoutCredential(decider, request);
      if (open !== null) return open.ok && open.principal.kind !== "public" ? open.principal : null;
      const result = await authenticate(decider, request);
      return result.ok ? result.principal : null;
    },
  };
}

function authorize(
  decider: Decider,
  request: AuthRequest,
  required: readonly Permission[],
): AuthResult | Promise<AuthResult> {
  // A route that needs nothing was forgotten, not opened.
  if (required.length === 0) throw new Error("a route must name the permission that it needs");
  const open = withoutCredential(decider, request);
  if (open !== null) return open;
  const { isPublic, isPublicOfHost } = decider.plan;
  const opens = request.isOfHost === true ? isPublicOfHost : isPublic;
  if (request.isOutside !== true && opens(request.path)) {
    decider.log.debug("public endpoint", { path: request.path });
    return { ok: true, principal: PUBLIC };
  }
  const result = authenticate(decider, request);
  return result instanceof Promise
    ? result.then((known) => permit(decider, known, required))
    : permit(decider, result, required);
}

/** What is decided without a credential: all is open, or the request comes from this machine. */
function withoutCredential({ plan, log }: Decider, request: AuthRequest): AuthResult | null {
  if (plan.mode === "off") return { ok: true, principal: OPEN };
  if (plan.mode !== "bypass" || !isLoopbackAddress(request.socketAddress)) return null;
  const hosts = headerValues(request.rawHeaders, "host");
  if (hosts.length !== 1 || !isLocalHostHeader(hosts[0])) {
    log.debug("host refused", { path: request.path });
    const detail = "Authentication is bypassed for this machine only: ask for localhost or 127.0.0.1.";
    return refuse("host_refused", { detail, tokens: false });
  }
  log.debug("authentication bypassed", { path: request.path });
  return { ok: true, principal: LOCAL };
}

/** Who it is, and by what it is known; permissions are not looked at. */
function authenticate(decider: Decider, request: AuthRequest): AuthResult | Promise<AuthResult> {
  const credential = readCredential(request, decider.plan.allowQueryKey);
  const source = credential.kind === "none" ? null : credential.source;
  decider.log.debug("authentication attempt", { path: request.path, source });
  if (credential.kind === "key") return checkKey(decider, credential, request);
  if (credential.kind === "token") return checkBearer(decider, credential, request);
  if (credential.kind === "none") {
    const detail = "Send an API key in the header X-API-Key.";
    return refuse("credential_missing", { detail, tokens: decider.checkToken !== null });
  }
  const code = credential.kind === "malformed" ? "credential_malformed" : "credential_ambiguous";
  return refuseBad(decider, request, { code, detail: credential.detail, source: credential.source });
}

interface Bad {
  readonly code: RefusalCode;
  readonly detail: string;
  readonly source: Exclude<Credential, { kind: "none" }>["source"];
}

/** Refuses a credential, or all further ones when the address has sent too many bad ones. */
function refuseBad(decider: Decider, request: AuthRequest, { code, detail, source }: Bad): Refusal {
  const tokens = decider.checkToken !== null;
  decider.log.debug("credential refused", { path: request.path, source, code });
  const address = request.clientAddress ?? request.socketAddress;
  const { count, seconds } = decider.countBad(networkOf(address), decider.clock());
  if (count <= MOST_BAD) return refuse(code, { detail, source, tokens });
  if (count === MOST_BAD + 1) decider.log.warn("too many bad credentials", { address });
  const limited = "Too many bad credentials came from this address: wait, then send a good one.";
  return refuse("rate_limited", { detail: limited, tokens, retryAfter: seconds, limit: MOST_BAD });
}

type KeyCredential = Extract<Credential, { kind: "key" }>;
type TokenCredential = Extract<Credential, { kind: "token" }>;

function checkKey(decider: Decider, { value, source }: KeyCredential, request: AuthRequest): AuthResult {
  const entry = decider.findKey(value);
  if (entry === null) {
    const detail = "The API key is not known here.";
    return refuseBad(decider, request, { code: "credential_invalid", detail, source });
  }
  const name = visible(entry.name);
  // Not smaller, so that no number at all ends the key.
  if (entry.expiresAt !== null && !(decider.clock() < entry.expiresAt)) {
    decider.log.debug("API key expired", { key: name });
    const detail = "The API key has expired: ask for a new one.";
    return refuseBad(decider, request, { code: "credential_expired", detail, source });
  }
  decider.log.debug("API key accepted", { key: name });
  const { userId, permissions } = entry;
  return { ok: true, principal: { kind: "api_key", name, userId, username: null, permissions } };
}

function checkBearer(
  decider: Decider,
  { value, source }: TokenCredential,
  request: AuthRequest,
): AuthResult | Promise<AuthResult> {
  const invalid = (detail: string): AuthResult =>
    refuseBad(decider, request, { code: "credential_invalid", detail, source });
  if (!value.includes("."))
    return invalid("This is no token. If it is an API key, send it in the header X-API-Key.");
  if (decider.checkToken === null)
    return invalid("Tokens are not accepted here: send an API key in X-API-Key.");
  return decider.checkToken(value, decider.clock()).then((result) => tokenResult(decider, result, request));
}

function tokenResult(decider: Decider, result: TokenResult, request: AuthRequest): AuthResult {
  const source = "Authorization";
  const tokens = true;
  if (result.kind === "accepted") {
    const name = visible(result.userId);
    decider.log.debug("token accepted", { by: result.by, user: name });
    const { by: kind, userId, username, permissions } = result;
    return { ok: true, principal: { kind, name, userId, username, permissions } };
  }
  if (result.kind === "unmapped") {
    decider.log.debug("role has no permissions", { user: visible(result.userId) });
    return refuse("role_unmapped", { detail: "The token's role has no permissions here.", source, tokens });
  }
  if (result.kind === "unavailable") {
    decider.log.warn("the keys of the identity service cannot be fetched");
    const detail = "The token cannot be checked now: try again later.";
    return refuse("identity_unavailable", { detail, source, tokens, retryAfter: 5 });
  }
  const expired = result.kind === "expired";
  return refuseBad(decider, request, {
    code: expired ? "credential_expired" : "credential_invalid",
    detail: expired ? "The token has expired: ask for a new one." : "The token is not valid here.",
    source,
  });
}

function permit(
  { log, checkToken }: Decider,
  known: AuthResult,
  required: readonly Permission[],
): AuthResult {
  if (!known.ok) return known;
  const { name, kind, permissions } = known.principal;
  const granted = required.every((permission) => permissions.has(permission));
  log.debug("permission check", { by: name, required, granted });
  if (granted) return known;
  return refuse("permission_denied", {
    detail: `This needs the permission ${required.join(" and ")}.`,
    source: kind === "api_key" ? "X-API-Key" : "Authorization",
    tokens: checkToken !== null,
    required,
  });
}
